"""Parse terminal input with Textual's parser; a key sequence that it fails on is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from textual._xterm_parser import XTermParser

if TYPE_CHECKING:
    from textual.message import Message


class InputParser:
    """Textual 8.2.8 fails on keys with more parameters (`ESC [97;5:3u`) and on huge numbers."""

    def __init__(self, *, debug: bool = False) -> None:
        self._debug = debug
        self.restart()

    def restart(self) -> None:
        """Forget the beginning of a sequence or paste."""
        self._parser = XTermParser(self._debug)

    def feed(self, text: str) -> Iterator[Message]:
        while text:
            counted = _CountedText(text)
            try:
                yield from self._parser.feed(counted)
            except (ValueError, OverflowError):
                self.restart()
            # After an error, go on behind the last character of the invalid sequence.
            text = text[counted.read :]

    def tick(self) -> Iterable[Message]:
        """Return the events that a pause decides, such as a lone Escape."""
        return self._parser.tick()


class _CountedText(str):
    """Text that counts how many of its characters the parser has read, one by one."""

    __slots__ = ("read",)

    read: int

    def __getitem__(self, index: Any) -> str:
        self.read = index + 1
        return super().__getitem__(index)
