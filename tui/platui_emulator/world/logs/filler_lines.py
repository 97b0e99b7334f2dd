"""The typical output of a long job: loaded rows, progress bars, warnings, odd bytes."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random


SECOND: Final = b"\x00s"
"""Placeholder of `2026-09-25T07:33:00`."""
CLOCK: Final = b"\x00c"
"""Stands for `07:33:00`."""
EPOCH: Final = b"\x00e"
"""Placeholder of seconds since 1970, ten digits."""
TICK: Final = b"\x00t"
"""Placeholder of the block number, eight digits."""
GROUP: Final = b"\x00g"
"""Placeholder of the group number, six digits."""

_OPEN: Final = re.compile(rb"(\x00[scetg])")
_MORE: Final = {SECOND: 17, CLOCK: 6, EPOCH: 8, TICK: 6, GROUP: 4}


class Line:
    """A logical line: its text with places left open, and its bytes once these are filled in."""

    __slots__ = ("raw", "width")

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.width = len(raw) + sum(_MORE[name] for name in _OPEN.findall(raw))


class LineTemplate:
    """A stretch of lines to be filled in."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = len(lines)
        self.ends = tuple(accumulate(line.width for line in lines))
        self.size = self.ends[-1] if self.ends else 0
        parts = _OPEN.split(b"".join(line.raw for line in lines))
        self._parts = parts
        self._open = parts[1::2]

    def fill(self, second: int, tick: int, group: int) -> bytes:
        """Return the bytes of the stretch at a second since 1970."""
        moment = datetime.fromtimestamp(second, UTC)
        values = {
            SECOND: f"{moment:%Y-%m-%dT%H:%M:%S}".encode(),
            CLOCK: f"{moment:%H:%M:%S}".encode(),
            EPOCH: b"%010d" % second,
            TICK: b"%08d" % tick,
            GROUP: b"%06d" % group,
        }
        parts = self._parts.copy()
        parts[1::2] = [values[name] for name in self._open]
        return b"".join(parts)


def breadth(lines: Iterable[Line]) -> int:
    """Return the bytes of lines together."""
    return sum(line.width for line in lines)


_RESET: Final = b"\x1b[0;m"
_CLEAR: Final = b"\x1b[0K"
_TABLES: Final = (
    b"orders", b"customers", b"payments", b"shipments", b"page_views", b"inventory_levels",
    b"refunds", b"subscriptions",
)  # fmt: skip
_PLACES: Final = ("São Paulo", "Łódź", "Köln", "東京", "Ångermanland", "Порт-Луи", "🚚 depot 4")


def out(micro: int, text: bytes, stream: bytes = b"01O") -> Line:
    """Return a line of standard output, written so many microseconds into its second."""
    return Line(b"%s.%06dZ %s %s\n" % (SECOND, micro, stream, text))


def begin(micro: int, name: bytes, header: bytes, options: bytes = b"") -> Line:
    """Return the marker that opens a section, and its header, which continues it."""
    stamp = b"%s.%06dZ 00O" % (SECOND, micro)
    marker = b"section_start:%s:%s%s\r%s" % (EPOCH, name, options, _CLEAR)
    shown = b"%s\x1b[36;1m%s%s%s" % (_CLEAR, header, _RESET, _RESET)
    return Line(b"%s %s\n%s+%s\n" % (stamp, marker, stamp, shown))


def end(micro: int, name: bytes) -> Line:
    return Line(b"%s.%06dZ 00O section_end:%s:%s\r%s\n" % (SECOND, micro, EPOCH, name, _CLEAR))


def padding(micro: int, size: int) -> Line:
    """Return a line of exactly so many bytes, its end included."""
    bare = out(micro, b"").width
    return out(micro, b"." * (size - bare))


NARROWEST: Final = out(0, b"").width


def chat(dice: Random, micro: int, number: int) -> Line:
    """Return some line of the main program; `number` is its place in the stretch."""
    return _KINDS[bisect(_WEIGHTS, dice.random() * _WEIGHTS[-1])](dice, micro, number)


def _logged(dice: Random, micro: int, number: int) -> Line:
    rows = dice.randrange(20, 9000)
    return out(
        micro,
        b"%s  loaded batch %s-%05d of %s, %d rows"
        % (CLOCK, TICK, number, dice.choice(_TABLES), rows),
    )


def _row(dice: Random, micro: int, number: int) -> Line:
    head = b"%s  %s-%05d %s " % (CLOCK, TICK, number, dice.choice(_TABLES))
    end = b"[\x1b[32mOK\x1b[0m in %d.%02ds]" % (dice.randrange(9), dice.randrange(100))
    return out(micro, head + b"." * dice.randrange(3, 18) + b" " + end)


def _quiet(dice: Random, micro: int, number: int) -> Line:
    del dice
    return out(micro, b"  checkpoint %s-%05d" % (TICK, number))


def _blank(dice: Random, micro: int, number: int) -> Line:
    del dice, number
    return out(micro, b"")


def _warning(dice: Random, micro: int, number: int) -> Line:
    text = b"\x1b[0;33mWARNING: batch %s-%05d is late by %d s\x1b[0;m"
    return out(micro, text % (TICK, number, dice.randrange(2, 90)), b"01E")


def _coloured(dice: Random, micro: int, number: int) -> Line:
    text = b"\x1b[38;5;%dm%s\x1b[0m \x1b[1;38;2;%d;%d;90mpartition %05d\x1b[0m sealed"
    colours = (dice.randrange(20, 220), dice.choice(_TABLES), dice.randrange(256))
    return out(micro, text % (*colours, dice.randrange(256), number))


def _bar(dice: Random, micro: int, number: int) -> Line:
    """Return a bar that fills: each state is written alone and continues the one before."""
    stamp = b"%s.%06dZ 01E" % (SECOND, micro)
    table = dice.choice(_TABLES)
    states = [
        b"upload %s.%05d [%-12s] %3d%%" % (table, number, b"#" * (share * 12 // 100), share)
        for share in (8, 33, 75, 100)
    ]
    *before, last = states
    lines = [
        b"%s%s%s\r\n" % (stamp, b"+" if rank else b" ", state) for rank, state in enumerate(before)
    ]
    return Line(b"".join(lines) + b"%s+%s\n" % (stamp, last))


def _place(dice: Random, micro: int, number: int) -> Line:
    text = f"depot {dice.choice(_PLACES)}: {dice.randrange(900)} parcels, wave {number}"
    return out(micro, text.encode())


def _odd_bytes(dice: Random, micro: int, number: int) -> Line:
    """Return a line that is not UTF-8: what an old export writes."""
    return out(micro, b"caf\xe9 no. %05d \xff\xfe\x80 M\xfcnchen %d" % (number, dice.randrange(99)))


def _long(dice: Random, micro: int, number: int) -> Line:
    record = {
        "batch": number,
        "depot": dice.choice(_PLACES),
        "keys": [int(dice.random() * 1e9) for _ in range(dice.randrange(40, 330))],
    }
    return out(micro, json.dumps(record, ensure_ascii=False).encode())


_CHATTER: Final[tuple[tuple[Callable[[Random, int, int], Line], float], ...]] = (
    (_logged, 46), (_row, 17), (_quiet, 25), (_blank, 2), (_warning, 2), (_coloured, 4),
    (_bar, 2), (_place, 1.6), (_odd_bytes, 0.3), (_long, 0.15),
)  # fmt: skip
_KINDS: Final = tuple(kind for kind, _ in _CHATTER)
_WEIGHTS: Final = tuple(accumulate(weight for _, weight in _CHATTER))

INNER: Final = b"batch_" + TICK
OUTER: Final = b"partition_" + GROUP


def openers(micro: int, *, group: bool) -> list[Line]:
    """Return how the section of a stretch is opened, with that of its group around it or not."""
    outer = [begin(micro, OUTER, b"Partition %s" % GROUP)] if group else []
    return [*outer, begin(micro, INNER, b"Batch %s" % TICK, b"[collapsed=true]")]


def closers(micro: int, *, group: bool) -> list[Line]:
    return [end(micro, INNER), end(micro, OUTER)] if group else [end(micro, INNER)]
