"""How often the cause of a failed job is named: `python -m tests.bench causes`.

On the logs of others with causes fixed by engineers, where `PLATUI_CORPUS` names a folder with
`failures/causes.json`; on the causes that the emulator plants; and on logs in invented words, with
and without the log of an earlier success. Then time and memory for a log of 36 MB.
"""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Comparison, Figure, Table
from tests.support.company import NOW, planted_cause, stormy_company
from tests.support.invented_logs import invented_log

from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.errors.novelty import KnownLines
from platui.analysis.triage.signatures.error_text import strip_prefixes
from platui.logs import Log
from platui.models.values.log import CauseSource
from platui.models.values.triage import FailedStep
from platui.service.logs.cause import LogCause, cause_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.bench.figures import Options

_INVENTED: Final = 400
_MEGA: Final = 1_000_000
_BYTES: Final = 36 * _MEGA
_STEP: Final = FailedStep(1, "job")


@dataclass
class Score:
    """How many of the causes were found, in each of three ways."""

    title: str
    aims: tuple[float, float, float]
    """Least parts among the errors, named, and told by the row; 0: only printed."""
    total: int = 0
    among: int = 0
    named: int = 0
    row: int = 0
    missed: list[str] = field(default_factory=list)
    signatures: dict[str, set[str]] = field(default_factory=dict)
    by_confidence: dict[str, list[int]] = field(default_factory=dict)
    """Of each confidence, how many were named and how many there were."""

    def add(self, name: str, log: Log, found: LogCause | None, causes: Sequence[str]) -> None:
        """Count one log; any of `causes` is right."""
        marked = (log.text(y) for mark in log.errors for y in range(mark.first, mark.end))
        self.among += any(_holds(text, causes) for text in marked)
        if found is not None:
            line = found.signature.line
            # The row leaves out levels, modules and repeated blanks.
            self.row += _holds(line, [*causes, *map(strip_prefixes, causes)])
        self.count(
            name, found, causes[0], is_named=found is not None and _holds(found.text, causes)
        )

    def count(self, name: str, found: LogCause | None, cause: str, *, is_named: bool) -> None:
        """Count one log of a cause, and whether it was named."""
        self.total += 1
        self.named += is_named
        if found is not None:
            signature = found.signature
            self.signatures.setdefault(signature.key, set()).add(cause)
            counts = self.by_confidence.setdefault(signature.confidence.value, [0, 0])
            counts[0] += is_named
            counts[1] += 1
        if not is_named:
            told = "nothing" if found is None else f"{found.signature.source}: {found.text[:70]}"
            self.missed.append(f"{name}: {told}")

    def table(self) -> Table:
        """Return the parts that were found, and the first logs of which none was."""
        counts = (self.among, self.named, self.row)
        names = ("among the errors", "named", "row")
        figures = [
            Figure(name, "%", aim * 100 or None, [100 * count / max(1, self.total)], at_least=True)
            for name, count, aim in zip(names, counts, self.aims, strict=True)
            if count or aim
        ]
        shared = sum(1 for causes in self.signatures.values() if len(causes) > 1)
        figures.append(Figure("signatures of two causes", "", None, [shared]))
        sure = ", ".join(
            f"{name} {right} of {count}" for name, (right, count) in self.by_confidence.items()
        )
        notes = [f"{self.total} logs; named by confidence: {sure}"]
        notes += [f"    missed  {line}" for line in self.missed[:10]]
        return Table(f"Causes, {self.title}", figures, notes=notes)


def _holds(text: str, causes: Iterable[str]) -> bool:
    return any(cause in text for cause in causes)


def _log(data: bytes) -> Log:
    log = Log(data, errors=_RULES)
    log.finish()
    return log


_RULES: Final = ErrorMatcher()


def corpus(folder: Path) -> Score:
    """Return the score on logs of others."""
    score = Score("logs of others", (0.97, 0.92, 0.90))
    for one in json.loads((folder / "causes.json").read_text()):
        log = _log((folder / one["file"]).read_bytes())
        score.add(one["file"], log, cause_in(log, _STEP), one["cause"])
    return score


def planted() -> Score:
    """Return the score on the emulator's storm: a rule names each cause."""
    world = stormy_company(NOW)
    score = Score("planted by the emulator", (0, 1.0, 0))
    for cause in world.truth(NOW):
        for project, pipeline in zip(cause.projects, cause.pipelines, strict=True):
            for job in world.pipelines.jobs(project, pipeline, NOW, with_retried=False):
                if planted_cause(world, project, job.id, NOW) is None:
                    continue
                raw = world.pipelines.trace(project, job.id, NOW)
                assert isinstance(raw, bytes)
                log = _log(raw)
                found = cause_in(log, FailedStep(job.id, job.name))
                score.count(cause.key, found, cause.key, is_named=_is_by_rule(found))
    return score


def _is_by_rule(found: LogCause | None) -> bool:
    return found is not None and found.signature.source is CauseSource.RULE


def invented(*, with_success: bool) -> Score:
    """Return the score on logs in words that no rule knows."""
    title = "invented words, " + ("with a success" if with_success else "alone")
    score = Score(title, (0, 0.9, 0) if with_success else (0, 0.7, 0))
    for seed in range(_INVENTED):
        one = invented_log(seed)
        log = _log(one.failed)
        known = KnownLines(_log(one.successful)) if with_success else None
        score.add(str(seed), log, cause_in(log, _STEP, known), [one.cause])
    return score


def large_log() -> bytes:
    """Return a log of 36 MB: progress, some warnings, and a cause at its end."""
    dice = Random(1)
    lines: list[str] = []
    size = 0
    while size < _BYTES:
        second, rows = dice.randrange(60), dice.randrange(10**4)
        line = f"2026-03-14 03:12:{second:02d},210 INFO     loader: batch of orders, rows={rows}"
        if dice.random() < 0.001:
            line = f"2026-03-14 03:12:{second:02d},210 WARNING  client: slow, {rows} ms"
        lines.append(line)
        size += len(line) + 1
    return "\n".join([*lines, "the quax is no zor", "ERROR: Job failed: exit code 1", ""]).encode()


def costs(turns: int) -> Table:
    """Return what a cause costs beside the search for errors alone."""
    data = large_log()
    took = Comparison("errors and cause", "ms", aim=1.2)
    for _ in range(turns):
        began = time.perf_counter()
        log = Log(data, errors=_RULES)
        log.find_errors()
        plain = time.perf_counter() - began
        began = time.perf_counter()
        cause_in(_log(data), _STEP)
        took.add((time.perf_counter() - began) * 1000, plain * 1000)
    log = _log(data)
    began = time.perf_counter()
    known = KnownLines(log)
    lines = Figure("lines of a success", "s", None, [time.perf_counter() - began])
    tracemalloc.start()
    cause_in(log, _STEP, known)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    memory = Figure("memory of the cause", "MB", None, [peak / _MEGA])
    title = f"Cost of a cause, {_BYTES / _MEGA:.0f} MB"
    return Table(title, [took, lines, memory], "with cause", "errors alone")


def tables(options: Options) -> Iterator[Table]:
    """Look for causes, and measure what they cost."""
    folder = os.environ.get("PLATUI_CORPUS")
    if folder and (failures := Path(folder) / "failures" / "causes.json").exists():
        yield corpus(failures.parent).table()
    for score in (planted(), invented(with_success=False), invented(with_success=True)):
        yield score.table()
    yield costs(options.turns(5, 3))
