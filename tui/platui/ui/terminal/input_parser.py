"""Parse terminal input with Textual's parser; a key sequence that it fails on is dropped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from textual._xterm_parser import XTermParser

if TYPE_CHECKING:
    from textual.message import Message

_SEQUENCES: Final = re.compile("(?=\x1b)")


class InputParser:
    """Textual 8.2.8 fails on keys with more parameters (`ESC [97;5:3u`) and on huge numbers."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self.restart()

    def restart(self) -> None:
        """Forget the beginning of a sequence or paste."""
        self._parser = XTermParser(self._debug)

    def feed(self, text: str) -> Iterator[Message]:
        # One by one: with an invalid sequence, the mark of a paste behind it must not be lost.
        for sequence in filter(None, _SEQUENCES.split(text)):
            try:
                yield from self._parser.feed(sequence)
            except (ValueError, OverflowError):
                self.restart()

    def tick(self) -> Iterable[Message]:
        """Return the events that a pause decides, such as a lone Escape."""
        return self._parser.tick()
