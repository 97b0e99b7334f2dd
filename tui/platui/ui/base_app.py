"""What an app of ours is before it shows anything: look, safety, crash, leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import rich
import textual
from rich.color import ColorSystem
from rich.segment import Segment, Segments
from textual import constants, on
from textual._compositor import CompositorUpdate
from textual.app import App, ReturnType
from textual.binding import Binding
from textual.events import Key, Resize, Unmount
from textual.filter import Monochrome, NoColor
from textual.notifications import Notify
from textual.reactive import Initialize, Reactive

from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.ui.collector import Collector
from platui.ui.driver import TerminalDriver
from platui.ui.filters import AsciiFilter, ControlFilter, without_controls
from platui.ui.frames import Painted
from platui.ui.key_order import KeyOrder
from platui.ui.terminal import Colours
from platui.ui.theming import (
    DEFAULT_THEME,
    PLAIN_THEME,
    HouseTheme,
    ansi_theme,
    default_theme,
    find_theme,
    house_themes,
    palette_for,
    palette_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from textual.binding import BindingType
    from textual.events import Event
    from textual.filter import LineFilter
    from textual.notifications import SeverityLevel
    from textual.screen import Screen
    from textual.theme import Theme

    from platui.ui.held_terminal import HeldTerminal
    from platui.ui.terminal import Terminal

_INTERRUPTED: Final = 130
_PLAIN_HINT: Final = f"It is shown with the theme {PLAIN_THEME}."
_SYSTEMS: Final = {
    Colours.NONE: ColorSystem.STANDARD,
    Colours.SIXTEEN: ColorSystem.STANDARD,
    Colours.MANY: ColorSystem.EIGHT_BIT,
    Colours.TRUE: ColorSystem.TRUECOLOR,
}


def _first_theme_name(app: BaseApp[object]) -> str:
    return app.first_theme.name


class BaseApp(App[ReturnType], inherit_bindings=False):
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
    # What is told lies over the keys of the footer, which everybody can do without for a moment:
    # a sentence hides no line of a list or log.
    CSS = """
    ToastRack { margin-bottom: 0; overflow-y: hidden; }
    Toast { width: auto; max-width: 100%; margin-top: 0; padding: 0 1; }
    Toast.-information { border-left: outer $accent; }
    """
    theme: Reactive[str] = Reactive(Initialize(_first_theme_name))

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
        self.terminal: Final = terminal
        self._accent: Final = accent
        self.held: HeldTerminal | None = None
        """Where apps follow each other on the terminal, what passes between them."""
        self.ascii_only: Final = ascii_only or not terminal.unicode
        self.problems: Final[list[ConfigError]] = []
        """What is wrong with themes, for the subclass to tell once it is on screen."""
        # Known before Textual starts, so that it draws its colours once and not twice.
        self.first_theme: Final = self._theme_or_default(theme)
        self._last_filters: Final[list[LineFilter]] = [ControlFilter()]
        if self.ascii_only:
            self._last_filters.append(AsciiFilter())
        super().__init__(
            driver_class=TerminalDriver, ansi_color=True if terminal.ansi_theme else None
        )
        self._count_colours()
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

    # Look

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Return the themes that are loaded, the first one from the very start."""
        return {self.first_theme.name: self.first_theme, **super().available_themes}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return `$status-failed` and its like, also in themes that are not ours."""
        return palette_of(self).variables()

    def use_theme(self, name: str) -> None:
        """Show the theme of that name.

        Raises:
            ConfigError: there is none, or its file is not usable; the look stays.
        """
        theme = find_theme(name)
        if not self._can_show(theme):
            raise ConfigError(self._why_plain, hint=_PLAIN_HINT)
        self.register_theme(self._fitted(theme))
        self.theme = theme.name

    def load_themes(self) -> None:
        """Load every theme that has a file; those not usable become problems."""
        themes, problems = house_themes()
        self.problems.extend(problems)
        for theme in themes:
            self.register_theme(self._fitted(theme))

    def search_themes(self) -> None:
        """Offer every theme in the palette."""
        self.load_themes()
        super().search_themes()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what every painted line passes, ours last."""
        return [*super().get_line_filters(), *self._last_filters]

    def _theme_or_default(self, name: str) -> Theme:
        try:
            theme = find_theme(name)
        except ConfigError as problem:
            self.problems.append(problem)
            theme = default_theme()
        return self._fitted(theme) if self._can_show(theme) else ansi_theme()

    def _fitted(self, theme: Theme) -> Theme:
        """Return a theme with the profile's accent, in the colours that there are."""
        if self._accent and not theme.ansi:
            from platui.ui.accent import accented  # noqa: PLC0415  (where one is wanted)

            theme = HouseTheme(accented(palette_for(theme), self._accent))
        if theme.ansi or self.terminal.colours is not Colours.MANY:
            return theme
        from platui.ui.fewer_colours import in_256  # noqa: PLC0415  (where there are few)

        return HouseTheme(in_256(palette_for(theme)))

    def _can_show(self, theme: Theme) -> bool:
        """Return whether the terminal has what a theme needs."""
        if self.terminal.colours is Colours.NONE:
            # Any other may tell the row under the cursor by a colour alone.
            return False
        return theme.ansi or not self.terminal.ansi_theme

    @property
    def _why_plain(self) -> str:
        if self.terminal.colours is Colours.NONE:
            return "There are no colours to choose: NO_COLOR is set, or CLICOLOR=0."
        return "This terminal has 16 colours of its own, and no others."

    def _count_colours(self) -> None:
        """Draw with as many colours as were found; what Textual and Rich count is another thing.

        An empty NO_COLOR is none to us, and they know no CLICOLOR and few terminals.
        """
        self.no_color = self.terminal.colours is Colours.NONE
        others = [one for one in self._filters if not isinstance(one, NoColor | Monochrome)]
        self._filters = [*others, NoColor()] if self.no_color else others
        if constants.COLOR_SYSTEM == "auto":
            self.console._color_system = _SYSTEMS[self.terminal.colours]  # noqa: SLF001  (Rich's own; a test pins it)

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
