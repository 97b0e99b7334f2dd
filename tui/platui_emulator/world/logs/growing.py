"""The log of a job that runs and runs, and writes so many lines each second."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from platui_emulator.world.logs import filler_lines as chatter
from platui_emulator.world.logs.filler_lines import Line, LineTemplate
from platui_emulator.world.logs.finished import opening

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.clock import SeededRandom
    from platui_emulator.world.plans import Attempt, Run

_KINDS: Final = 4
"""Different seconds; together they are a group, with a section around it."""
_AT_ONCE: Final = 1000
_ROOM: Final = 16
"""Lines from which on sections are worth it."""
_PIECE: Final = 64 * 1024
_MICROS: Final = 1_000_000


class GrowingLog:
    """A log that grows from the start of its job on, in ticks: seconds, or parts of one."""

    def __init__(
        self, chance: SeededRandom, run: Run, attempt: Attempt, lines_per_second: int
    ) -> None:
        if attempt.started is None:
            raise ValueError(f"job {attempt.spec.name} never runs")
        key = ("growing log", run.id, attempt.index)
        self._rate = lines_per_second
        self._parts = -(-lines_per_second // _AT_ONCE)
        self._began = int(attempt.started) + 1
        self._head = opening(chance, run, attempt, self._began - 1)
        self._ticks = tuple(
            LineTemplate(self._lines(chance.dice(*key, tick), tick))
            for tick in range(_KINDS * self._parts)
        )
        """Those of one group; the next has the same with other numbers."""
        self._starts = tuple(accumulate((tick.size for tick in self._ticks), initial=0))
        self._identity = f"{key} {self._began} {chance.number(*key)}"

    def at(self, now: float) -> Snapshot:
        """Return the current log: whole lines only."""
        if now < self._began:
            return Snapshot(self, len(self._head), self._identity)
        part = int((now - int(now)) * self._parts)
        tick = (int(now) - self._began) * self._parts + part
        ends = self._ticks[tick % len(self._ticks)].ends
        written = int((now - int(now)) * self._rate) + 1 - self._first(part)
        size = self._offset(tick) + ends[min(written, len(ends)) - 1]
        return Snapshot(self, size, self._identity)

    def read(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes of a span, some ticks at a time."""
        gathered = [self._head[start:end]]
        length = len(gathered[0])
        groups, rest = divmod(max(0, start - len(self._head)), self._starts[-1])
        tick = groups * len(self._ticks) + bisect_right(self._starts, rest) - 1
        while (place := self._offset(tick)) < end:
            group, rank = divmod(tick, len(self._ticks))
            raw = self._ticks[rank].fill(self._began + tick // self._parts, tick, group)
            gathered.append(raw[max(0, start - place) : end - place])
            length += len(gathered[-1])
            if length >= _PIECE:
                yield b"".join(gathered)
                gathered, length = [], 0
            tick += 1
        yield b"".join(gathered)

    def _offset(self, tick: int) -> int:
        groups, rank = divmod(tick, len(self._ticks))
        return len(self._head) + groups * self._starts[-1] + self._starts[rank]

    def _first(self, part: int) -> int:
        return part * self._rate // self._parts

    def _lines(self, dice: Random, tick: int) -> list[Line]:
        part = tick % self._parts
        numbers = range(self._first(part), self._first(part + 1))
        micros = [number * _MICROS // self._rate for number in numbers]
        before, after = [], []
        if len(micros) >= _ROOM:
            before = chatter.openers(micros[0], group=tick == 0)
            after = chatter.closers(micros[-1], group=tick == _KINDS * self._parts - 1)
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
