"""The finished log of a long job, of any size: a beginning, blocks, and an end that fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.records import PlantedError
from platui.emulator.world.logs import chatter, frames
from platui.emulator.world.logs.blocks import BLOCK, PHASES, Blocks, fitted
from platui.emulator.world.logs.stencils import Stencil, breadth

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.emulator.world.chance import Chance
    from platui.emulator.world.plans import Attempt, Run

SMALLEST: Final = 4 * BLOCK
"""Bytes from which on there is room for a beginning, a middle and an end."""

_STAMP: Final = 32
_AROUND: Final = 3
"""Seconds of the job that its blocks do not use."""


def seconds_for(size: int) -> int:
    """Return how long a job has to run to write so many bytes."""
    return size // (BLOCK * PHASES) + 1 + _AROUND


class FinishedLog:
    """The log of a job that failed, as a `LongText`.

    It has the size that was asked for, if the job ran long enough to write that much.
    """

    def __init__(self, chance: Chance, run: Run, attempt: Attempt, size: int) -> None:
        if attempt.started is None or attempt.finished is None:
            raise ValueError(f"job {attempt.spec.name} does not end")
        key = ("long log", run.id, attempt.index)
        began = int(attempt.started) + 1
        self._head = frames.opening(chance, run, attempt, began - 1)
        words = frames.last_words(run, attempt, attempt.finished)
        rest = size - len(self._head) - len(words.raw)
        time_for = max(0, int(attempt.finished) - began - _AROUND + 2) * PHASES
        count = max(0, min(rest // BLOCK - 1, time_for))
        self._blocks = Blocks(chance, key, count, began)
        closing = chatter.closers(0, group=True)[1:] if self._blocks.leaves_group_open else []
        room = min(rest - count * BLOCK, 2 * BLOCK) - breadth(closing)
        filler = fitted(chance.dice(*key), room, range(0, 90_000, 30))
        self._filler = Stencil([*closing, *filler])
        self._words = words
        second = began + (count + PHASES - 1) // PHASES
        self._tail = self._filler.fill(second, count, max(0, count - 1) // PHASES) + words.raw
        self.size = len(self._head) + count * BLOCK + len(self._tail)
        self.identity = f"{key} {self.size} {began} {chance.number(*key)}"

    def prepare(self) -> None:
        """Do now what takes longer than sending it."""
        self._blocks.prepare()

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of a span, a block at a time."""
        end = self.size if end is None else min(end, self.size)
        body = len(self._head)
        closing = body + self._blocks.count * BLOCK
        if start < min(end, body):
            yield self._head[start:end]
        for number in range(max(0, start - body) // BLOCK, self._blocks.count):
            place = body + number * BLOCK
            if place >= end:
                return
            raw = self._blocks.fill(number)
            whole = place >= start and place + BLOCK <= end
            yield raw if whole else raw[max(0, start - place) : end - place]
        if end > max(start, closing):
            yield self._tail[max(0, start - closing) : end - closing]

    def line_count(self) -> int:
        """Return how many logical lines the log has."""
        inside = sum(map(self._blocks.lines, range(self._blocks.count)))
        return frames.line_count(self._head) + inside + frames.line_count(self._tail)

    def errors(self) -> list[PlantedError]:
        """Return what was planted, in the order of the log; why the script ended is last."""
        blocks, found = self._blocks, []
        line, offset = frames.line_count(self._head), len(self._head)
        for number in range(blocks.count):
            if (planted := blocks.planted.get(number)) is not None:
                at = offset + blocks.offset(number, planted.place)
                sections = ("step_script", *blocks.sections(number))
                found.append(PlantedError(line + planted.place + 1, at, planted.text, sections))
            line += blocks.lines(number)
            offset += BLOCK
        return [*found, self._reason(line + self._filler.lines, offset + self._filler.size)]

    def _reason(self, lines: int, offset: int) -> PlantedError:
        """Return the last of the script's own words, which say why it failed."""
        *before, last = self._words.raw.split(b"\n")[: self._words.reasons]
        return PlantedError(
            lines + self._words.reasons,
            offset + sum(len(text) + 1 for text in before),
            last[_STAMP:].decode("utf-8", "replace"),
            ("step_script",),
        )
