"""Parse terminal input with Textual's parser; a key sequence that it fails on is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from textual._xterm_parser import XTermParser

if TYPE_CHECKING:
    from textual.message import Message


# Before a key, except one that begins a sequence or a reply, or ends a reply
_BEHIND_ESCAPE: Final = re.compile(r"(?<=\x1b)(?=[^\x1b\[\]O_\\])")


class InputParser:
    """Textual 8.2.8 fails on keys with more parameters (`ESC [97;5:3u`) and on huge numbers.

    It also takes Escape and the next key for alt+key if both arrive together, as on a slow line:
    both would do nothing, or be one letter.
    """

    def __init__(
        self, *, takes_alt: Callable[[str], bool] = lambda _: True, debug: bool = False
    ) -> None:
        """`takes_alt` returns whether alt+key has a meaning now; otherwise, it is two keys.

        It is called with the character of the key.
        """
        self._takes_alt = takes_alt
        self._debug = debug
        self._last = ""
        self.restart()

    def restart(self) -> None:
        """Forget the beginning of a sequence or paste."""
        self._parser = XTermParser(self._debug)

    def feed(self, text: str) -> Iterator[Message]:
        pieces = _BEHIND_ESCAPE.split(self._last + text)
        pieces[0] = pieces[0][len(self._last) :]
        self._last = text[-1:]
        for number, piece in enumerate(pieces):
            if number and not self._takes_alt(piece[:1]):
                yield from self._end_escape()
            yield from self._feed(piece)

    def _end_escape(self) -> Iterable[Message]:
        """Let the parser not wait for the rest of a sequence."""
        if self._parser._timeout_time is not None:  # noqa: SLF001  (pinned by a test)
            self._parser._timeout_time = 0.0  # noqa: SLF001  (the same)
        return self._parser.tick()

    def _feed(self, text: str) -> Iterator[Message]:
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
