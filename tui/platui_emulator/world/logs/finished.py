"""The finished log of a long job, of any size: a beginning, blocks, and an end that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator.records import PlantedError
from platui_emulator.world.clock import SeededRandom, job_id
from platui_emulator.world.logs import filler_lines as chatter
from platui_emulator.world.logs import runner
from platui_emulator.world.logs.failures import fail
from platui_emulator.world.logs.filler_lines import Line, LineTemplate, breadth
from platui_emulator.world.logs.writing import Draft, write

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.plans import Attempt, Run


_FLAG: Final = 31
"""Position of the flag that marks a continued line."""


class LogEnding(NamedTuple):
    """How a log ends."""

    raw: bytes
    reasons: int
    """How many of its lines, from the first on, are the script's: they say why it failed."""


def opening(chance: SeededRandom, run: Run, attempt: Attempt, began: int) -> bytes:
    """Return the log up to the first output of the script, within one second."""
    draft, dice = Draft(), chance.dice("log", job_id(run.id, attempt.index))
    runner.prepare_executor(draft, dice, attempt)
    runner.prepare_script(draft, dice, run, attempt)
    runner.get_sources(draft, dice, run)
    draft.place = draft.script
    draft.command(f"python -m {run.blueprint.package}.replay --table {attempt.spec.subject}")
    return write(draft, began, began + 0.999, stamped=True).data


def last_words(run: Run, attempt: Attempt, ended: float) -> LogEnding:
    """Return the output of the last second."""
    draft = Draft()
    fail(draft, run, attempt)
    reasons = len(draft.script)
    runner.finish(draft, attempt)
    return LogEnding(write(draft, ended - 0.9, ended, stamped=True).data, reasons)


def line_count(raw: bytes) -> int:
    """Return how many lines a stamped text has where continued ones are one."""
    return sum(1 for line in raw.split(b"\n") if line and line[_FLAG : _FLAG + 1] != b"+")


BLOCK: Final = 64 * 1024
PHASES: Final = 8
"""Blocks in a second; together they are a group, with a section around it."""

_VARIANTS: Final = 4
_MIXER: Final = 2_654_435_761
_PHASE: Final = 1_000_000 // PHASES
_STEP: Final = _PHASE // 1000
_ROOMY: Final = 400
_TRIES: Final = 12
_BEFORE_ERROR: Final = 300
_MOST_ERRORS: Final = 12

_ERRORS: Final = (
    b"ERROR 23505 #%d: duplicate key value violates constraint pk_orders, id=%d",
    b"ERROR 22P02 #%d: invalid input syntax for type numeric, row %d",
    b"ERROR 57014 #%d: canceling statement due to timeout, query %d",
)


class Planted(NamedTuple):
    """An error in a block."""

    place: int
    text: str
    lines: Sequence[Line]


class Blocks:
    """So many blocks in a row, from a second on."""

    def __init__(
        self, chance: SeededRandom, key: Sequence[int | str], count: int, began: int
    ) -> None:
        self._dice: Callable[..., Random] = lambda *more: chance.dice("blocks", *key, *more)
        self._began = began
        self.count = count
        self.planted = self._plant()
        self._stencils: dict[int, LineTemplate] = {}
        """By number where an error is planted, else by -1 - kind."""

    def fill(self, number: int) -> bytes:
        """Return the bytes of a block."""
        second = self._began + number // PHASES
        return self._stencil(number).fill(second, number, number // PHASES)

    def lines(self, number: int) -> int:
        """Return how many logical lines a block has."""
        return self._stencil(number).lines

    def offset(self, number: int, line: int) -> int:
        """Return where a line begins in its block."""
        return self._stencil(number).ends[line - 1]

    def prepare(self) -> None:
        """Make all kinds of blocks now, so that no reader waits for one."""
        for number in {*range(min(self.count, _VARIANTS * PHASES * 8)), *self.planted}:
            self._stencil(number)

    @staticmethod
    def sections(number: int) -> tuple[str, str]:
        """Return the names of the sections around a block's lines, the outer one first."""
        return f"partition_{number // PHASES:06d}", f"batch_{number:08d}"

    @property
    def leaves_group_open(self) -> bool:
        """Whether the last group has fewer blocks than it would need to be closed."""
        return self.count % PHASES != 0

    def _stencil(self, number: int) -> LineTemplate:
        phase, variant = number % PHASES, (number * _MIXER >> 9) % _VARIANTS
        kind = -1 - (variant * PHASES + phase)
        planted = self.planted.get(number)
        found = self._stencils.get(kind if planted is None else number)
        if found is None:
            lines = _block(self._dice("kind", kind), phase, planted.lines if planted else ())
            found = self._stencils[kind if planted is None else number] = LineTemplate(lines)
        return found

    def _plant(self) -> dict[int, Planted]:
        errors = min(_MOST_ERRORS, self.count // 2)
        planted: dict[int, Planted] = {}
        for rank in range(errors):
            dice = self._dice("error", rank)
            number = int((rank + dice.random()) * self.count / errors)
            text = _ERRORS[rank % len(_ERRORS)] % (rank + 1, dice.randrange(10**7, 10**8))
            phase = number % PHASES
            micro = phase * _PHASE + _BEFORE_ERROR * _STEP
            lines = (
                chatter.out(micro, b"\x1b[31m%s\x1b[0m" % text, b"01E"),
                chatter.out(micro, b"  row skipped, %d of 50 allowed" % (rank + 1), b"01E"),
            )
            place = len(chatter.openers(0, group=phase == 0)) + _BEFORE_ERROR
            planted[number] = Planted(place, text.decode(), lines)
        return planted


def _block(dice: Random, phase: int, planted: Sequence[Line]) -> list[Line]:
    first, last = phase * _PHASE, (phase + 1) * _PHASE - 1
    before = chatter.openers(first, group=phase == 0)
    after = chatter.closers(last, group=phase == PHASES - 1)
    room = BLOCK - breadth(before) - breadth(after)
    inside = fitted(dice, room, range(first, last + 1, _STEP), planted)
    return [*before, *inside, *after]


def fitted(dice: Random, room: int, micros: range, planted: Sequence[Line] = ()) -> list[Line]:
    """Return lines that have exactly so many bytes together, the planted ones among them."""
    left, tries = room - breadth(planted), _TRIES
    lines: list[Line] = []
    for micro in micros:
        if len(lines) == _BEFORE_ERROR:
            lines += planted
        line = chatter.chat(dice, micro, len(lines))
        if line.width <= left - chatter.NARROWEST:
            lines.append(line)
            left -= line.width
            continue
        tries -= 1
        if left < _ROOMY or not tries:
            break
    return [*lines, chatter.padding(micros[-1], left)]


SMALLEST: Final = 4 * BLOCK
"""Bytes from which on there is room for a beginning, a middle and an end."""

_STAMP: Final = 32
_AROUND: Final = 3
"""Seconds of the job that its blocks do not use."""


def seconds_for(size: int) -> int:
    """Return how long a job has to run to write so many bytes."""
    return size // (BLOCK * PHASES) + 1 + _AROUND


class FinishedLog:
    """The log of a failed job, as a `LongText` of the requested size if the job ran long enough."""

    def __init__(self, chance: SeededRandom, run: Run, attempt: Attempt, size: int) -> None:
        if attempt.started is None or attempt.finished is None:
            raise ValueError(f"job {attempt.spec.name} does not end")
        key = ("long log", run.id, attempt.index)
        began = int(attempt.started) + 1
        self._head = opening(chance, run, attempt, began - 1)
        words = last_words(run, attempt, attempt.finished)
        rest = size - len(self._head) - len(words.raw)
        time_for = max(0, int(attempt.finished) - began - _AROUND + 2) * PHASES
        count = max(0, min(rest // BLOCK - 1, time_for))
        self._blocks = Blocks(chance, key, count, began)
        closing = chatter.closers(0, group=True)[1:] if self._blocks.leaves_group_open else []
        room = min(rest - count * BLOCK, 2 * BLOCK) - breadth(closing)
        filler = fitted(chance.dice(*key), room, range(0, 90_000, 30))
        self._filler = LineTemplate([*closing, *filler])
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
        return line_count(self._head) + inside + line_count(self._tail)

    def errors(self) -> list[PlantedError]:
        """Return the planted errors in the order of the log; the cause of the failure is last."""
        blocks, found = self._blocks, []
        line, offset = line_count(self._head), len(self._head)
        for number in range(blocks.count):
            if (planted := blocks.planted.get(number)) is not None:
                at = offset + blocks.offset(number, planted.place)
                sections = ("step_script", *blocks.sections(number))
                found.append(PlantedError(line + planted.place + 1, at, planted.text, sections))
            line += blocks.lines(number)
            offset += BLOCK
        return [*found, self._reason(line + self._filler.lines, offset + self._filler.size)]

    def _reason(self, lines: int, offset: int) -> PlantedError:
        *before, last = self._words.raw.split(b"\n")[: self._words.reasons]
        return PlantedError(
            lines + self._words.reasons,
            offset + sum(len(text) + 1 for text in before),
            last[_STAMP:].decode("utf-8", "replace"),
            ("step_script",),
        )
