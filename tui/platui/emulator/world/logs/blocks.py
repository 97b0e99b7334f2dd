"""The middle of a finished log of any size: blocks of one size, each in an eighth of a second.

A block is a function of its number, so none is needed to find another. There are few different
ones, printed with other times and numbers; a planted error makes a block the only one of its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.emulator.world.logs import chatter
from platui.emulator.world.logs.stencils import Stencil, breadth

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from platui.emulator.world.chance import Chance
    from platui.emulator.world.logs.stencils import Line

BLOCK: Final = 64 * 1024
PHASES: Final = 8
"""Blocks in a second; together they are a group, with a section around it."""

_VARIANTS: Final = 4
_MIXER: Final = 2_654_435_761
_PHASE: Final = 1_000_000 // PHASES
_STEP: Final = _PHASE // 1000
_ROOMY: Final = 400
"""Bytes left that are worth another line instead of dots."""
_TRIES: Final = 12
_BEFORE_ERROR: Final = 300
"""Lines of a block before its planted error."""
_MOST_ERRORS: Final = 12

_ERRORS: Final = (
    b"ERROR 23505 #%d: duplicate key value violates constraint pk_orders, id=%d",
    b"ERROR 22P02 #%d: invalid input syntax for type numeric, row %d",
    b"ERROR 57014 #%d: canceling statement due to timeout, query %d",
)


class Planted(NamedTuple):
    """An error in a block."""

    place: int
    """How many lines of the block stand before it."""
    text: str
    lines: Sequence[Line]


class Blocks:
    """So many blocks in a row, from a second on."""

    def __init__(self, chance: Chance, key: Sequence[int | str], count: int, began: int) -> None:
        self._dice: Callable[..., Random] = lambda *more: chance.dice("blocks", *key, *more)
        self._began = began
        self.count = count
        self.planted = self._plant()
        self._stencils: dict[int, Stencil] = {}
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

    def _stencil(self, number: int) -> Stencil:
        phase, variant = number % PHASES, (number * _MIXER >> 9) % _VARIANTS
        kind = -1 - (variant * PHASES + phase)
        planted = self.planted.get(number)
        found = self._stencils.get(kind if planted is None else number)
        if found is None:
            lines = _block(self._dice("kind", kind), phase, planted.lines if planted else ())
            found = self._stencils[kind if planted is None else number] = Stencil(lines)
        return found

    def _plant(self) -> dict[int, Planted]:
        """Choose the blocks that hold an error, evenly over all of them."""
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
