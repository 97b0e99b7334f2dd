"""The base class of all apps: output, key order, toasts, crash output, exit."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final

import rich
import textual
from rich.color import ColorSystem
from rich.segment import Segment, Segments
from textual import constants, on
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.app import App, ReturnType, ScreenStackError
from textual.events import Event, Key, Paste, Resize, Unmount
from textual.filter import LineFilter, Monochrome, NoColor
from textual.notifications import Notify, SeverityLevel
from textual.reactive import Initialize, Reactive
from textual.widgets._toast import ToastHolder, ToastRack

from platui.core.memory import share_free_memory
from platui.core.text import clean
from platui.ui.active_keys import bind
from platui.ui.line_filters import (
    AsciiFilter,
    ControlFilter,
    UprightFilter,
    to_ascii,
    without_controls,
)
from platui.ui.terminal.collector import Collector
from platui.ui.terminal.detection import Colours, Terminal
from platui.ui.terminal.driver import TerminalDriver
from platui.ui.terminal.frames import FrameOutput
from platui.ui.terminal.key_queue import KeyQueue
from platui.ui.terminal.strips import save_memory
from platui.ui.terminal.timers import mend_timers
from platui.ui.terminal.too_small import SmallTerminal, at_least
from platui.ui.theme_switcher import ThemeSwitcher
from platui.ui.themes import DEFAULT_THEME, palette_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.binding import BindingType
    from textual.geometry import Size
    from textual.screen import Screen
    from textual.theme import Theme

    from platui.core.errors import ConfigError
    from platui.ui.terminal.handover import TerminalHandover

TOAST_SECONDS: Final = 4.0
_REDRAW: Final = "Repaint the whole screen"
_SUSPEND: Final = "Suspend to the shell; fg resumes"
_INTERRUPTED: Final = 130
_SWITCH: Final = 0.0005  # Seconds that a thread, importing or reading rows, delays a key
_SYSTEMS: Final = {
    Colours.NONE: ColorSystem.STANDARD,
    Colours.SIXTEEN: ColorSystem.STANDARD,
    Colours.MANY: ColorSystem.EIGHT_BIT,
    Colours.TRUE: ColorSystem.TRUECOLOR,
}


def _first_theme_name(app: TerminalApp[object]) -> str:
    return app.theme_switcher.first.name


def _drop_hints(app: App[Any]) -> None:
    """Drop information without a title; titled, it is the result of a write or an end."""
    for shown in list(app._notifications):  # noqa: SLF001  (no public access)
        if shown.severity == "information" and not shown.title:
            app._unnotify(shown, refresh=False)  # noqa: SLF001  (no public access)


def _remove_gone_toasts(app: App[Any]) -> None:
    """Remove toasts of gone notifications with their holders, which Textual keeps for ever."""
    shown = {ToastRack._toast_id(one) for one in app._notifications}  # noqa: SLF001  (pinned by a test)
    with suppress(ScreenStackError):  # Before the first screen
        for screen in app.screen_stack:  # also those below a dialog
            for holder in screen.query(ToastHolder):
                if holder.id not in shown:
                    holder.remove()


class TerminalApp(App[ReturnType], inherit_bindings=False):
    """The base class of all apps. Do not call `super().on_mount()`: Textual calls both."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ctrl+c", "app.interrupt", "Quit", "Quit platui", show=False, priority=True),
        bind(
            "ctrl+z",
            "app.suspend",
            "Suspend",
            _SUSPEND,
            action="suspend_process",
            show=False,
            priority=True,
        ),
        bind("ctrl+l", "app.redraw", "Redraw", _REDRAW, show=False, priority=True),
    ]
    # Toasts take lines of their own above the footer: they cover no row and no dialog. Those of a
    # dialog hide the lines of the screen below, which may have toasts, too.
    CSS = """
    ToastRack { layer: default; margin-bottom: 1; overflow-y: hidden; }
    ModalScreen > ToastRack { visibility: visible; background: $background; }
    Toast { width: auto; max-width: 100%; margin-top: 0; padding: 0 1; }
    Toast.-information { border-left: outer $accent; }
    """
    theme: Reactive[str] = Reactive(Initialize(_first_theme_name))
    has_alt_keys = False  # Whether alt+key is bound to anything

    def __init__(
        self,
        terminal: Terminal,
        *,
        theme: str = DEFAULT_THEME,
        accent: str = "",
        ascii_only: bool = False,
    ) -> None:
        share_free_memory()
        save_memory()
        mend_timers()
        self.handover: TerminalHandover | None = None  # The terminal state for a following app
        self.terminal: Final = terminal
        self.ascii_only: Final = ascii_only or not terminal.unicode
        self._last_filters: Final[list[LineFilter]] = [ControlFilter()]
        if self.ascii_only:
            self._last_filters.append(AsciiFilter())
        if not terminal.italics:
            self._last_filters.append(UprightFilter())
        self.problems: Final[list[ConfigError]] = []  # Theme errors, for the subclass to show
        self.theme_switcher: Final = ThemeSwitcher(self, theme, accent)
        super().__init__(
            ansi_color=True if terminal.ansi_theme else None, driver_class=TerminalDriver
        )
        self._disable_tooltips = True  # No widget has one; Textual adds its own to each screen
        self._set_colours()
        self.animation_level = "none"
        self.key_queue: Final = KeyQueue(self, super().on_event)
        self.output: Final = FrameOutput(self, edits=terminal.edits)
        self.small_terminal: Final = SmallTerminal(self)
        self.collector: Final = Collector()
        self.is_ready = False  # Whether the first screen is mounted

    def run_in_terminal(self) -> int:
        """Run the app; return the exit status."""
        sys.setswitchinterval(_SWITCH)
        self.run(mouse=self.terminal.mouse)
        # Textual sets no code after an interrupt from outside.
        return _INTERRUPTED if self.return_code is None else self.return_code

    def write_to_terminal(self, sequence: str) -> None:
        """Write an escape sequence between two frames."""
        if self._driver is not None:
            self._driver.write(to_ascii(sequence) if self.ascii_only else sequence)
            self._driver.flush()

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._last_filters]

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = TOAST_SECONDS,
        markup: bool = False,  # noqa: ARG002  (never markup)
    ) -> None:
        """Show a toast with sanitized text, without markup."""
        super().notify(
            "\n".join(map(clean, message.split("\n"))),
            title=clean(title),
            severity=severity,
            timeout=timeout,
            markup=False,
        )

    @on(Notify)
    def _drop_outdated(self, message: Notify) -> None:
        """Keep only the last hint, and one toast per text."""
        new = message.notification
        if new.severity == "information" and not new.title:
            _drop_hints(self)
        for shown in list(self._notifications):
            if (shown.title, shown.message) == (new.title, new.message):
                self._unnotify(shown, refresh=False)
        _remove_gone_toasts(self)

    def clear_hints(self) -> None:
        _drop_hints(self)
        self._refresh_notifications()
        _remove_gone_toasts(self)

    @property
    def available_themes(self) -> dict[str, Theme]:
        first = self.theme_switcher.first
        return {first.name: first, **super().available_themes}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return `$status-failed` and similar variables, also for Textual's themes."""
        return palette_of(self).variables()

    def _set_colours(self) -> None:
        """Use the detected number of colours instead of Textual's and Rich's detection."""
        self.no_color = self.terminal.colours is Colours.NONE
        others = [one for one in self._filters if not isinstance(one, NoColor | Monochrome)]
        self._filters = [*others, NoColor()] if self.no_color else others
        if constants.COLOR_SYSTEM == "auto":
            # A private attribute of Rich; a test pins it.
            self.console._color_system = _SYSTEMS[self.terminal.colours]  # noqa: SLF001

    def on_mount(self) -> None:
        """Watch the theme file; repaint after Ctrl+Z and `fg`."""

        def now_ready() -> None:  # of `setattr`, Textual would compile the signature: 3 ms
            self.is_ready = True

        self.call_after_refresh(now_ready)
        self.theme_switcher.follow_file()
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())

    @on(Unmount)
    def _end_collector(self) -> None:
        self.collector.end()

    def action_redraw(self) -> None:
        self.output.forget()
        self.refresh(layout=True)
        self.small_terminal.draw()

    @property
    def size(self) -> Size:
        """The size of the screens; a small terminal may be smaller."""
        return at_least(super().size)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Write only changes; a private method of Textual, pinned by a test."""
        if self.small_terminal.is_shown:
            self.post_display_hook()
            return
        if isinstance(renderable, LayoutUpdate | ChopsUpdate) and not self.terminal.whole_frames:
            is_shown = self._running and not self._closed and not self.is_headless
            is_shown = is_shown and not self.output.shows_last_frame
            if is_shown and not self._batch_count and self._driver is not None:
                self.output.show(self._driver, renderable)
            self.post_display_hook()
            return
        if renderable is not None:
            self.output.forget()
        super()._display(screen, renderable)

    async def on_event(self, event: Event) -> None:
        """Queue keys and pastes in order, except Ctrl+C."""
        if isinstance(event, Resize):
            self.output.resized(event.size)
            event = self.small_terminal.fit(event)
            if self.is_ready and self.screen_stack and event.size == self.screen.outer_size:
                self.screen.refresh()  # its layout stays, so that Textual paints nothing
        if self.small_terminal.takes(event):
            return
        if isinstance(event, Key | Paste):
            if not self.screen_stack:
                return  # It came while the app was closing
            self.collector.delay()
            self.output.release()
            if not event.is_forwarded and (isinstance(event, Paste) or event.key != "ctrl+c"):
                await self.key_queue.take(event)
                return
        await super().on_event(event)

    def accepts_key(self, _key: Key, /) -> bool:
        return True

    async def action_interrupt(self) -> None:
        """Quit on Ctrl+C; Textual would copy, even in a token input."""
        await self.action_quit()

    def _fatal_error(self) -> None:
        """Print the traceback without local variables, which may contain tokens."""
        from rich.traceback import Traceback  # noqa: PLC0415  (20 ms)

        traceback = Traceback(show_locals=False, width=None, suppress=[rich, textual])
        harmless = (
            Segment("\n".join(map(without_controls, one.text.split("\n"))), one.style)
            for one in self.console.render(traceback, self.console.options)
        )
        self._exit_renderables.append(Segments(harmless))
        self._close_messages_no_wait()
