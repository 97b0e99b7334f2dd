"""Figures of benchmarks: medians with their spread, ratios to a reference, aims, and verdicts."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LEAST_NOISE: Final = 0.1
"""The part of a figure by which it may differ without anything having changed."""


@dataclass(frozen=True)
class Options:
    """How long benchmarks may take."""

    quick: bool = False
    long: bool = False
    given_turns: int | None = None

    def turns(self, usual: int, quick: int = 1) -> int:
        """Return how often something is measured."""
        return self.given_turns or (quick if self.quick else usual)

    def size(self, usual: int, quick: int) -> int:
        """Return how much something is, which turns do not change."""
        return quick if self.quick else usual


@dataclass
class Figure:
    """Something that is measured in turns."""

    name: str
    unit: str
    aim: float | None = None
    """What is good enough, at most; None where a figure is only told."""
    ours: list[float] = field(default_factory=list)
    at_least: bool = False
    """Whether the aim is the least that is good enough: more is better."""
    chance: float = 0.0
    """By how much it may differ between two runs of one turn, where a tenth is too little."""

    @property
    def values(self) -> Sequence[float]:
        """Return what counts of each turn."""
        return self.ours

    @property
    def value(self) -> float:
        """Return what counts of all turns."""
        return median(self.values)

    @property
    def verdict(self) -> str:
        """Return whether the figure is good enough."""
        if self.aim is None:
            return "no aim"
        met = self.value >= self.aim if self.at_least else self.value <= self.aim
        return f"aim {self.aim:,g}: {'met' if met else 'MISSED'}"

    @property
    def noise(self) -> float:
        """Return by how much the figure differs between runs in which nothing has changed."""
        return max(self.chance, _LEAST_NOISE * abs(self.value), _range(self.values) / 2)

    def line(self) -> str:
        """Return the figure as a line of a table."""
        return line(self.name, self.unit, spread(self.ours), "", self.verdict)


@dataclass
class Comparison(Figure):
    """Something measured in turns of ours and of a reference, in one run."""

    reference: list[float] = field(default_factory=list)
    absolute: bool = False
    """Whether the aim is one of ours alone, and the ratio only told."""

    def add(self, ours: float, reference: float) -> None:
        """Take the two figures of one turn."""
        self.ours.append(ours)
        self.reference.append(reference)

    @property
    def values(self) -> Sequence[float]:
        """Return what counts of each turn."""
        return self.ours if self.absolute else self.ratios

    @property
    def ratios(self) -> Sequence[float]:
        """Return the ratio of each turn: what slows both slows neither."""
        pairs = zip(self.ours, self.reference, strict=True)
        return [_ratio(mine, theirs) for mine, theirs in pairs]

    def line(self) -> str:
        """Return the figure as a line of a table."""
        told = f"ratio {median(self.ratios):.3f}, {self.verdict}"
        return line(self.name, self.unit, spread(self.ours), spread(self.reference), told)


@dataclass
class Table:
    """Figures under one title."""

    title: str
    figures: Sequence[Figure]
    ours: str = ""
    """What was measured, and below it what it is compared with."""
    reference: str = ""
    notes: Sequence[str] = ()

    def lines(self) -> Iterable[str]:
        """Yield the table as text; figures that nothing was measured of are left out."""
        yield self.title
        if self.ours:
            yield line("", "", self.ours, self.reference, "")
        for figure in self.figures:
            if figure.ours:
                yield figure.line()
        yield from (f"  {note}" for note in self.notes)


def spread(values: Sequence[float]) -> str:
    """Return a median and, in brackets, the quartiles around it."""
    if len(values) < 2:
        return _plain(median(values))
    low, _, high = quantiles(values, n=4)
    return f"{_plain(median(values))} [{_plain(low)}-{_plain(high)}]"


def absent(*programs: str) -> list[str]:
    """Return a note for each program that is not installed."""
    return [
        f"{program} is not installed: nothing to compare with"
        for program in programs
        if shutil.which(program) is None
    ]


def line(name: str, unit: str, ours: str, reference: str, told: str) -> str:
    """Return the line of a table."""
    return f"  {name:<24} {unit:<8} {ours:>26} {reference:>26}  {told}".rstrip()


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2f}"


def _range(values: Sequence[float]) -> float:
    """Return the width of the middle half."""
    if len(values) < 2:
        return 0.0
    low, _, high = quantiles(values, n=4, method="inclusive")
    return high - low


def _ratio(ours: float, reference: float) -> float:
    if reference:
        return ours / reference
    return 1.0 if not ours else float("inf")
