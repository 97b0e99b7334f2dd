"""The log of a job that runs and runs, and writes so many lines each second."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.emulator.world.logs import chatter, frames
from platui.emulator.world.logs.stencils import Line, Stencil

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from platui.emulator.world.chance import Chance
    from platui.emulator.world.plans import Attempt, Run

_KINDS: Final = 4
"""Different seconds; together they are a group, with a section around it."""
_ROOM: Final = 16
"""Lines a second from which on sections are worth it."""
_MICROS: Final = 1_000_000


class GrowingLog:
    """A log that grows from the start of its job on."""

    def __init__(self, chance: Chance, run: Run, attempt: Attempt, lines_per_second: int) -> None:
        if attempt.started is None:
            raise ValueError(f"job {attempt.spec.name} never runs")
        self._rate = lines_per_second
        self._key = ("growing log", run.id, attempt.index)
        self._began = int(attempt.started) + 1
        self._head = frames.opening(chance, run, attempt, self._began - 1)
        self._kinds = tuple(
            Stencil(self._second(chance.dice(*self._key, kind), kind)) for kind in range(_KINDS)
        )
        self._round = sum(kind.size for kind in self._kinds)
        self._identity = f"{self._key} {self._began} {chance.number(*self._key)}"

    def at(self, now: float) -> Snapshot:
        """Return the log as it stands: whole lines only."""
        if now < self._began:
            return Snapshot(self, len(self._head), self._identity)
        second = int(now) - self._began
        ends = self._kinds[second % _KINDS].ends
        written = min(len(ends), int((now - int(now)) * self._rate) + 1)
        size = self._offset(second) + ends[written - 1]
        return Snapshot(self, size, self._identity)

    def read(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes of a span, a second at a time."""
        if start < min(end, len(self._head)):
            yield self._head[start:end]
        rounds, rest = divmod(max(0, start - len(self._head)), self._round)
        sizes = [kind.size for kind in self._kinds]
        ends = [sum(sizes[: kind + 1]) for kind in range(_KINDS)]
        second = rounds * _KINDS + bisect_right(ends, rest)
        while (place := self._offset(second)) < end:
            raw = self._kinds[second % _KINDS].fill(self._began + second, second, second // _KINDS)
            yield raw[max(0, start - place) : end - place]
            second += 1

    def _offset(self, second: int) -> int:
        """Return where a second's lines begin."""
        rounds, rest = divmod(second, _KINDS)
        before = sum(kind.size for kind in self._kinds[:rest])
        return len(self._head) + rounds * self._round + before

    def _second(self, dice: Random, kind: int) -> list[Line]:
        micros = [number * _MICROS // self._rate for number in range(self._rate)]
        before, after = [], []
        if self._rate >= _ROOM:
            before = chatter.openers(micros[0], group=kind == 0)
            after = chatter.closers(micros[-1], group=kind == _KINDS - 1)
        inside = micros[len(before) : len(micros) - len(after)]
        said = [chatter.chat(dice, micro, number) for number, micro in enumerate(inside)]
        return [*before, *said, *after]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A growing log at one moment, as a `LongText`."""

    log: GrowingLog
    size: int
    source: str

    @property
    def identity(self) -> str:
        """What decides over its bytes."""
        return f"{self.source} {self.size}"

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of a span."""
        return self.log.read(start, self.size if end is None else min(end, self.size))
