"""Terminal driver, based on Textual's. It differs in these points (measured on 8.2.8).

- Keys are read in the event loop, not in a polling thread: an idle dashboard never wakes up, and
  it exits in 10 ms instead of 240.
- The mouse reports clicks and wheel, not moves: 300 moves over a table were 3.4 MB of output.
- SIGTERM, SIGHUP and SIGINT exit cleanly; a closed terminal is not written to.
- Frames are written in the event loop: waking up a thread takes longer than writing.
- Replies about the background colour are removed from the input.
- A console (`linux`, `vt100`) gets no sequence that it would print as text.
- Before a following app, the last frame stays, and no typed key is lost.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from textual.drivers.linux_driver import LinuxDriver
from textual.geometry import Size
from textual.messages import InBandWindowResize

from platui.ui.terminal.background import (
    DISABLE_REPORTS,
    ENABLE_REPORTS,
    QUERY_COLOUR,
    QUERY_REPORTS,
    ReplyFilter,
)
from platui.ui.terminal.handover import RESTORE_SEQUENCE, SIGNALS
from platui.ui.terminal.input_reader import InputReader
from platui.ui.terminal.last_resort import HeldTerminal, LastResort
from platui.ui.terminal.output import DirectOutput, HangupSafeFile

if TYPE_CHECKING:
    from textual.message import Message

    from platui.ui.terminal.app import TerminalApp

_UNTIL_READY: Final = 0.02  # Seconds between two checks for the first frame
_REPLY_TIME: Final = 2.0  # Seconds for the reply of a terminal
_OF_WINDOWS: Final = re.compile(
    r"\x1b\[\?(?:1000|1004|1006|1049|2004|2026|2031|2048)(?:[hl]|\$p)|\x1b\[[<>]\d*u|\x1b\].*?(?:\x07|\x1b\\)"
)
"""Modern sequences, which VT100 and older Linux consoles print in part."""
_OF_WORDS: Final = frozenset("bf\x7f\t")  # Keys that have a meaning with alt in an input
_KEYS_OFF: Final = "\x1b[<u"  # The keyboard protocol is counted
_ERASED: Final = "\x1b[1;1H\x1b[J"
_PLAIN: Final = "\x1b[m"  # Another program may have left its colours


class TerminalDriver(LinuxDriver):
    """Reads and writes in the event loop; falls back to Textual's writer thread."""

    def __init__(
        self,
        app: TerminalApp[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._screen_file = HangupSafeFile(cast("TextIO", self._file))
        self._file = cast("Any", self._screen_file)
        self._output: DirectOutput | None = None
        self._theme = app.theme_switcher
        self._is_console = not app.terminal.has_window
        self._handover = app.handover
        self._frames = app.output
        self._is_ready: Callable[[], bool] = lambda: app.is_ready
        self._is_mute = self._is_handed_over = False
        """Whether the terminal is left unchanged: during a takeover, and for a following app."""
        self.modes = ""  # The sequence that sets the modes of the terminal
        self._starts = False
        self._encoding = self._screen_file.encoding or "utf-8"
        self._replies = ReplyFilter(self._set_background, self._enable_reports)
        self._input = InputReader(
            self._loop,
            self.fileno,
            self._replies,
            on_event=self.process_message,
            on_cut=self._paste_cut,
            on_end=partial(self._leave, signal.SIGHUP),
            takes_alt=partial(_takes_alt, app),
            debug=debug,
        )
        self._last_resort = LastResort()
        self._has_reports = False  # Whether the terminal reports changes of dark and light

    def start_application_mode(self) -> None:
        for number in SIGNALS:
            self._loop.add_signal_handler(number, self._leave, number)
        # Of hundreds of signals, those that the event loop has no room for would be printed.
        signal.set_wakeup_fd(signal.set_wakeup_fd(-1), warn_on_full_buffer=False)
        if self._output is None:  # `bg` may stop us during this, and `fg` repeats it
            with suppress(OSError):
                path = os.ttyname(self._screen_file.fileno())
                self._output = DirectOutput(self._loop, path)
        # Modes of a taken-over terminal are on already, and some are counted.
        self._is_mute = self._handover is not None and self._handover.holds_terminal
        # SIGCONT also comes after a SIGSTOP, and where nothing was stopped.
        held = self._last_resort.terminal
        if held is not None:
            self.write(_KEYS_OFF)
            self._must_signal_resume = True  # to paint again
            self._stop_writer_thread()
        self.modes = ""
        self._starts = True
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's gap
        self.write(_PLAIN)
        self._starts = False
        if held is not None:
            self.attrs_before = held.attributes  # those of now may be our own
        signal.signal(signal.SIGWINCH, partial(self._resized, signal.getsignal(signal.SIGWINCH)))
        if self._handover is not None and self._is_mute:
            self._is_mute = False
            if (shown := self._handover.shown) is not None:
                self._frames.take(shown.cells, Size(*self._get_terminal_size()))
                self._handover.shown = None
            self.attrs_before, signalled = self._handover.take()
            self._request_terminal_sync_mode_support()
            if signalled:
                self._loop.call_soon(self._leave, signalled)
        screen, restored = self._screen_file.fileno(), self.restore_sequence.encode()
        self._last_resort.hold(HeldTerminal(self.fileno, screen, self.attrs_before, restored))
        if self._last_resort.is_interrupted:  # while the app was suspended
            self._loop.call_soon_threadsafe(self._leave, signal.SIGINT)
        if self._theme.follows_background:
            self.ask_ground()

    def _stop_writer_thread(self) -> None:
        """Stop the thread of the last start: Textual replaces it without stopping it."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            self._writer_thread.stop()

    def _resized(self, report: Any, number: int, stack: object) -> None:
        """Forget what the terminal shows: it may have been moved, even if the size is the same."""
        self._loop.call_soon_threadsafe(self._frames.forget)
        report(number, stack)

    @property
    def restore_sequence(self) -> str:
        return _OF_WINDOWS.sub("", RESTORE_SEQUENCE) if self._is_console else RESTORE_SEQUENCE

    @property
    def _hands_over(self) -> bool:
        return self._handover is not None and bool(getattr(self._app, "has_next_app", False))

    def stop_application_mode(self) -> None:
        """Restore the terminal and clear it, or leave it to the next app."""
        self._is_handed_over = self._hands_over
        if self._has_reports:  # the theme of a following app may be fixed
            self._has_reports = False
            self.write(DISABLE_REPORTS)
        if self._is_handed_over:
            self.disable_input()
            return
        # tmux may leave lines of a resized screen behind.
        self.write(_ERASED)
        super().stop_application_mode()
        self._last_resort.terminal = None

    def close(self) -> None:
        if self._is_handed_over and not self._hands_over:  # an error while ending: no app follows
            self.stop_application_mode()
        for number in SIGNALS:
            self._loop.remove_signal_handler(number)
        if not self._is_handed_over:
            self._last_resort.take_interrupts()
        if self._handover is not None and self._is_handed_over:
            screen = self._screen_file.fileno()
            self._handover.hold(
                self.fileno, screen, self.attrs_before, SIGNALS, self.restore_sequence.encode()
            )
        if self._output is not None:
            self._output.close()
            self._output = None
        super().close()

    def _leave(self, number: int) -> None:
        self._last_resort.start(number)
        self._exit_when_ready(128 + number)

    def _exit_when_ready(self, status: int) -> None:
        """Exit after the first frame: Textual crashes if it ends while it mounts a screen."""
        if self._is_ready():
            self._app.exit(return_code=status)
        else:
            self._loop.call_later(_UNTIL_READY, self._exit_when_ready, status)

    def ask_ground(self) -> None:
        """Query the background colour; the reply arrives in the input, or never."""
        self.write(QUERY_COLOUR)
        # Apple Terminal prints the end of this query.
        if os.environ.get("TERM_PROGRAM", "") != "Apple_Terminal":
            self.write(QUERY_REPORTS)
        self.flush()
        self._replies.expect(True)
        self._loop.call_later(_REPLY_TIME, self._replies.expect, False)

    def _set_background(self, dark: bool) -> None:  # noqa: FBT001  (its only argument)
        # Before the first frame, if the reply came early.
        self._app.call_next(self._theme.set_background, dark)

    def _enable_reports(self) -> None:
        if self._theme.follows_background and not self._has_reports:
            self._has_reports = True
            self.write(ENABLE_REPORTS)
            self.flush()

    def waits_for_terminal(self, then: Callable[[], object]) -> bool:
        """Return whether output is pending; if so, call `then` after it is written."""
        if self._output is None or not self._output.is_behind:
            return False
        self._output.once_clear(then)
        return True

    def write(self, data: str) -> None:
        if self._is_console:
            data = _OF_WINDOWS.sub("", data)
        if self._starts and not data.endswith("$p"):  # modes, not queries
            self.modes += data
        if self._is_mute:
            return
        if self._output is None:
            super().write(data)
        else:
            self._output.write(data.encode(self._encoding, "backslashreplace"))

    def flush(self) -> None:
        if self._output is not None:
            self._output.flush()

    def send_message(self, message: Message) -> None:
        """Post a message to the app, without a task."""
        self._app.post_message(message)

    def run_input_thread(self) -> None:
        """Read in the event loop; Textual's thread ends at once."""
        self._loop.call_soon_threadsafe(self._listen)

    def _listen(self) -> None:
        if not self.exit_event.is_set():
            self._input.start()

    def _paste_cut(self) -> None:
        self._app.notify("The pasted text was cut at 256 KB.", severity="warning")

    def disable_input(self) -> None:
        if not self._loop.is_closed():
            self._input.stop()
        if self._hands_over:
            # The next app reads the pending input: do not flush it.
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        else:
            super().disable_input()

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write("\x1b[?1000h\x1b[?1006h")

    def _disable_mouse_support(self) -> None:
        if self._mouse:
            self.write("\x1b[?1006l\x1b[?1000l")

    def _query_in_band_window_resize(self) -> None:
        """Do nothing: SIGWINCH reports the size, and this mode enables pixel mouse reports."""

    def process_message(self, message: Message) -> None:
        """Drop offers of in-band resize reports."""
        if not isinstance(message, InBandWindowResize):
            super().process_message(message)

    def _get_terminal_size(self) -> tuple[int, int]:
        for descriptor in (self._screen_file.fileno(), self.fileno):
            with suppress(OSError):
                size = os.get_terminal_size(descriptor)
                if size.columns and size.lines:
                    return size.columns, size.lines
        return 80, 24


def _takes_alt(app: TerminalApp[Any], key: str) -> bool:
    """Return whether alt+key has a meaning now: with some, an input moves by words."""
    if app.has_alt_keys or key not in _OF_WORDS:
        return app.has_alt_keys
    focused = app.focused if app.screen_stack else None
    return focused is not None and focused.check_consume_key("x", "x")
