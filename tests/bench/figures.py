"""Figures as a benchmark prints them: medians with their spread, and ratios with their aim."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def spread(values: Sequence[float]) -> str:
    """Return a median and, in brackets, the quartiles around it."""
    if len(values) < 2:
        return _plain(median(values))
    low, _, high = quantiles(values, n=4)
    return f"{_plain(median(values))} [{_plain(low)}-{_plain(high)}]"


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


@dataclass
class Comparison:
    """Something measured in turns of ours and of a reference, in one run."""

    name: str
    unit: str
    aim: float | None = None
    """The ratio that is good enough; None where a figure is only told."""
    ours: list[float] = field(default_factory=list)
    reference: list[float] = field(default_factory=list)

    def add(self, ours: float, reference: float) -> None:
        """Take the two figures of one turn."""
        self.ours.append(ours)
        self.reference.append(reference)

    @property
    def ratio(self) -> float:
        """Return the median of the turns' ratios: what slows both slows neither."""
        return median(mine / theirs for mine, theirs in zip(self.ours, self.reference, strict=True))

    @property
    def verdict(self) -> str:
        """Return whether the ratio is good enough."""
        if self.aim is None:
            return "no aim"
        return f"aim {self.aim:g}: {'met' if self.ratio <= self.aim else 'MISSED'}"

    def __str__(self) -> str:
        return _line(self.name, self.unit, spread(self.ours), spread(self.reference)) + (
            f"  ratio {self.ratio:.3f}, {self.verdict}"
        )


def heading(title: str, ours: str, reference: str) -> str:
    """Return the lines above comparisons."""
    return f"{title}\n{_line('', '', ours, reference)}"


def _line(name: str, unit: str, ours: str, reference: str) -> str:
    return f"  {name:<12} {unit:<6} {ours:>26} {reference:>26}"
