"""All figures of a run as JSON, and what has changed since an earlier run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.bench.figures import Comparison, Figure, line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.bench.figures import Table

Key = tuple[str, str, str, str]
"""Benchmark, table, name and unit of a figure."""

_WORSE: Final = "WORSE"


class Run:
    """The figures of one run."""

    def __init__(self) -> None:
        self.figures: dict[Key, Figure] = {}

    def add(self, benchmark: str, table: Table) -> None:
        """Take the figures of a table."""
        for figure in table.figures:
            if figure.ours:
                key = (benchmark, table.title, figure.name, figure.unit)
                if key in self.figures:
                    raise ValueError(f"two figures have one name: {key}")
                self.figures[key] = figure

    def save(self, file: Path) -> None:
        """Write the figures to a file."""
        records = [
            {"benchmark": key[0], "table": key[1], **asdict(figure)}
            | {"value": figure.value, "verdict": figure.verdict}
            for key, figure in self.figures.items()
        ]
        file.write_text(json.dumps({"figures": records}, indent=1) + "\n")

    @classmethod
    def load(cls, file: Path) -> Run:
        """Read the figures of an earlier run."""
        run = cls()
        for record in json.loads(file.read_text())["figures"]:
            figure = _figure(record)
            run.figures[record["benchmark"], record["table"], figure.name, figure.unit] = figure
        return run


def _figure(record: Mapping[str, Any]) -> Figure:
    names = ("name", "unit", "aim", "ours", "at_least", "chance")
    told = {name: record[name] for name in names}
    if "reference" in record:
        return Comparison(**told, reference=record["reference"], absolute=record["absolute"])
    return Figure(**told)


@dataclass(frozen=True)
class Change:
    """A figure of two runs."""

    key: Key
    before: Figure
    after: Figure

    @property
    def verdict(self) -> str:
        """Return whether the figure has changed by more than the noise of both runs."""
        more = self.after.value - self.before.value
        if abs(more) <= max(self.before.noise, self.after.noise):
            return "as before"
        return _WORSE if (more > 0) != self.after.at_least else "better"

    def __str__(self) -> str:
        before, after = (f"{one.value:,.3f}" for one in (self.before, self.after))
        ratio = isinstance(self.after, Comparison) and not self.after.absolute
        told = f"{self.verdict}{' (ratio)' if ratio else ''}"
        return line(self.key[2], self.key[3], before, after, told)


def changes(before: Run, after: Run) -> list[Change]:
    """Return the figures that both runs have."""
    return [
        Change(key, before.figures[key], figure)
        for key, figure in after.figures.items()
        if key in before.figures
    ]


def report(before: Run, after: Run) -> Iterator[str]:
    """Yield the lines that compare two runs."""
    found = changes(before, after)
    title = ""
    for change in found:
        if (new := f"{change.key[0]}: {change.key[1]}") != title:
            title = new
            yield title
            yield line("", "", "before", "after", "")
        yield str(change)
    worse = sum(change.verdict == _WORSE for change in found)
    alone = len(after.figures) - len(found)
    yield f"{len(found)} figures compared, {worse} worse, {alone} not in the earlier run"
