"""What an app of ours is before it shows anything: look, safety, crash, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import rich
import textual
from rich.segment import Segment, Segments
from textual import on
from textual._compositor import CompositorUpdate
from textual.app import ReturnType
from textual.binding import Binding
from textual.events import Key, Resize, Unmount
from textual.notifications import Notify

from platui.core.text import clean
from platui.ui.collector import Collector
from platui.ui.driver import TerminalDriver
from platui.ui.filters import AsciiFilter, ControlFilter, without_controls
from platui.ui.frames import Painted
from platui.ui.key_order import KeyOrder
from platui.ui.themed_app import ThemedApp
from platui.ui.theming import DEFAULT_THEME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from textual.binding import BindingType
    from textual.events import Event
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel
    from textual.screen import Screen

    from platui.ui.held_terminal import HeldTerminal
    from platui.ui.terminal import Terminal

_INTERRUPTED: Final = 130


class BaseApp(ThemedApp[ReturnType], inherit_bindings=False):
    """An app with platui's look and manners. A subclass's `on_mount` calls no super."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+c",
            "interrupt",
            "Quit",
            id="app.interrupt",
            show=False,
            priority=True,
            tooltip="Leave platui",
        ),
        Binding(
            "ctrl+z",
            "suspend_process",
            "Suspend",
            id="app.suspend",
            show=False,
            tooltip="To the shell; fg comes back",
        ),
        Binding(
            "ctrl+l",
            "paint_anew",
            "Redraw",
            id="app.redraw",
            show=False,
            tooltip="Paint the whole screen again, after something else wrote on it",
        ),
    ]
    # What is told lies above the keys of the footer: who reads it may need one of them at once.
    CSS = """
    ToastRack { margin-bottom: 1; overflow-y: hidden; }
    Toast { width: auto; max-width: 100%; margin-top: 0; padding: 0 1; }
    Toast.-information { border-left: outer $accent; }
    """

    def __init__(
        self,
        terminal: Terminal,
        *,
        theme: str = DEFAULT_THEME,
        accent: str = "",
        ascii_only: bool = False,
    ) -> None:
        """Prepare the app; a theme that is not usable becomes a problem.

        Args:
            terminal: what can be drawn on.
            theme: the first one.
            accent: `#rrggbb` in place of that of every theme; empty: each has its own.
            ascii_only: whether nothing but ASCII is drawn.
        """
        self.held: HeldTerminal | None = None
        """Where apps follow each other on the terminal, what passes between them."""
        self.ascii_only: Final = ascii_only or not terminal.unicode
        self._last_filters: Final[list[LineFilter]] = [ControlFilter()]
        if self.ascii_only:
            self._last_filters.append(AsciiFilter())
        super().__init__(terminal, theme, accent, driver_class=TerminalDriver)
        self.animation_level = "none"
        self._key_order: Final = KeyOrder(self, super().on_event, self.takes)
        self._painted: Final = Painted()
        self._collector: Final = Collector()

    @property
    def hands_over(self) -> bool:
        """Return whether another app follows on the same terminal; no app, unless it says so."""
        return False

    def run_in_terminal(self) -> int:
        """Run until the user or a signal ends it; returns the exit status."""
        self.run(mouse=self.terminal.mouse)
        # Textual says nothing where the loop was interrupted from outside.
        return _INTERRUPTED if self.return_code is None else self.return_code

    def freeze_collector(self) -> None:
        """Let the collector run in the pauses between keys, not over what the start has made."""
        self._collector.begin()

    def write_to_terminal(self, sequence: str) -> None:
        """Write an escape sequence of our own making, between two frames."""
        if self._driver is not None:
            self._driver.write(sequence)
            self._driver.flush()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every painted line passes, ours last."""
        return [*super().get_line_filters(), *self._last_filters]

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,  # noqa: ARG002  (nobody's toast is markup)
    ) -> None:
        """Show a toast: clean text, whoever made it, and whatever Textual's default is."""
        super().notify(
            "\n".join(map(clean, message.split("\n"))),
            title=clean(title),
            severity=severity,
            timeout=timeout,
            markup=False,
        )

    @on(Notify)
    def _give_way(self, message: Notify) -> None:
        """Keep the last toast of low weight alone, and one of each that says the same.

        More would pile up over what one reads.
        """
        new = message.notification
        if new.severity == "information":
            self._drop_hints()
        for shown in list(self._notifications):
            if (shown.title, shown.message) == (new.title, new.message):
                self._unnotify(shown, refresh=False)

    def _drop_hints(self) -> None:
        for shown in list(self._notifications):
            if shown.severity == "information":
                self._unnotify(shown, refresh=False)

    def clear_hints(self) -> None:
        """Take away toasts of low weight: they are of before, and lie over what comes now."""
        self._drop_hints()
        self._refresh_notifications()

    # Leaving and coming back

    def on_mount(self) -> None:
        """Paint the whole screen again after Ctrl+Z and `fg`."""
        self.app_resume_signal.subscribe(self, lambda _: self.paint_anew())

    @on(Unmount)
    def _let_collect(self) -> None:
        """Give the collector back."""
        self._collector.end()

    def paint_anew(self) -> None:
        """Paint every line, whatever the terminal is thought to show."""
        self._painted.forget()
        self.refresh(layout=True)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Write what changed; a private method of Textual's, which a test pins."""
        if isinstance(renderable, CompositorUpdate):
            renderable = self._painted.update(renderable)
        elif renderable is not None:
            self._painted.forget()
        super()._display(screen, renderable)

    async def on_event(self, event: Event) -> None:
        """Take keys in order; only Ctrl+C may overtake."""
        if isinstance(event, Resize):
            self._painted.forget()
        if isinstance(event, Key):
            self._collector.put_off()
        if isinstance(event, Key) and not event.is_forwarded and event.key != "ctrl+c":
            await self._key_order.take(event)
        else:
            await super().on_event(event)

    @property
    def letters_wait(self) -> bool:
        """Return whether a letter has been typed already behind the key that is acted on."""
        return self._key_order.letters_wait

    def takes(self, key: Key) -> bool:
        """Return whether a key is to have an effect at all."""
        del key
        return True

    def action_paint_anew(self) -> None:
        """Repair a screen that something else wrote on."""
        self.paint_anew()

    async def action_interrupt(self) -> None:
        """Quit, as people expect of Ctrl+C; Textual would copy, in a token's field too."""
        await self.action_quit()

    def _fatal_error(self) -> None:
        """Say what broke, and where, without the values of variables: tokens are among them."""
        from rich.traceback import Traceback  # noqa: PLC0415  (20 ms that a good run never needs)

        traceback = Traceback(show_locals=False, width=None, suppress=[rich, textual])
        rendered = self.console.render(traceback, self.console.options)
        self._exit_renderables.append(Segments(_harmless(segment) for segment in rendered))
        self._close_messages_no_wait()


def _harmless(segment: Segment) -> Segment:
    """Return a segment of the crash screen: an error's text may be the platform's own."""
    lines = segment.text.split("\n")
    return Segment("\n".join(map(without_controls, lines)), segment.style)
