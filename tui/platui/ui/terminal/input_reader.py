"""Read the terminal's input in the event loop, and parse it into events."""

from __future__ import annotations

import codecs
import os
from typing import TYPE_CHECKING, Final

from textual import constants

from platui.ui.terminal.input_parser import InputParser
from platui.ui.terminal.pastes import PasteFilter

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from textual.message import Message

    from platui.ui.terminal.background import ReplyFilter

_CHUNK: Final = 4096
_PASTE_PAUSE: Final = 5.0  # Seconds without input after which the end of a paste is lost


class InputReader:
    """A byte that is not UTF-8 (Latin-1 key, old mouse report) is an unknown key, not a crash."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        descriptor: int,
        replies: ReplyFilter,
        *,
        on_event: Callable[[Message], object],
        on_cut: Callable[[], object],
        on_end: Callable[[], object],
        takes_alt: Callable[[str], bool],
        debug: bool = False,
    ) -> None:
        """`on_cut` is called for the dropped rest of a paste, `on_end` when there is no input."""
        self._loop = loop
        self._descriptor = descriptor
        self._replies = replies
        self._on_event = on_event
        self._on_end = on_end
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._parser = InputParser(takes_alt=takes_alt, debug=debug)
        self._pastes = PasteFilter(on_cut)
        self._pause: asyncio.TimerHandle | None = None
        self._paste_pause: asyncio.TimerHandle | None = None
        self._is_first_read = True

    def start(self) -> None:
        self._loop.add_reader(self._descriptor, self._read)

    def stop(self) -> None:
        self._loop.remove_reader(self._descriptor)
        for timer in (self._pause, self._paste_pause):
            if timer is not None:
                timer.cancel()
        self._pause = self._paste_pause = None

    def _read(self) -> None:
        try:
            received = os.read(self._descriptor, _CHUNK)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            received = b""
        if not received:
            self.stop()
            self._on_end()
            return
        if self._is_first_read:  # typed before the terminal was raw, enter is a line feed
            self._is_first_read = False
            received = received.replace(b"\n", b"\r")
        text = self._replies.feed(self._pastes.feed(self._decoder.decode(received)))
        if text:  # an empty text would end the parser
            self._parse(text)
        if text or self._replies.is_holding:
            self._expect_rest()
        if self._paste_pause is not None:
            self._paste_pause.cancel()
        if self._pastes.is_inside:
            self._paste_pause = self._loop.call_later(_PASTE_PAUSE, self._end_paste)

    def _parse(self, text: str) -> None:
        try:
            for event in self._parser.feed(text):
                self._on_event(event)
        except BaseException:
            self._parser.restart()
            self._pastes.end()
            raise

    def _end_paste(self) -> None:
        if mark := self._pastes.end():
            self._parse(mark)

    def _expect_rest(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
        self._pause = self._loop.call_later(constants.ESCAPE_DELAY + 0.002, self._no_rest)

    def _no_rest(self) -> None:
        self._pause = None
        if held := self._replies.give_up():
            self._parse(held)
            self._expect_rest()
            return
        for event in self._parser.tick():
            self._on_event(event)
