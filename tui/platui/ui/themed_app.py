"""An app's look: its theme, in as many colours as there are, dark or light as the terminal is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from rich.color import ColorSystem
from textual import constants
from textual.app import App, ReturnType
from textual.filter import Monochrome, NoColor
from textual.reactive import Initialize, Reactive

from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.ui.terminal import Colours
from platui.ui.theming import (
    AUTO,
    PLAIN_THEME,
    HouseTheme,
    ansi_theme,
    default_theme,
    find_theme,
    forget_palette,
    ground_theme,
    own_theme_file,
    palette_for,
    palette_of,
)
from platui.ui.works import work

if TYPE_CHECKING:
    from pathlib import Path

    from textual.theme import Theme

    from platui.ui.terminal import Terminal

_PLAIN_HINT: Final = f"It is shown with the theme {PLAIN_THEME}."
_SYSTEMS: Final = {
    Colours.NONE: ColorSystem.STANDARD,
    Colours.SIXTEEN: ColorSystem.STANDARD,
    Colours.MANY: ColorSystem.EIGHT_BIT,
    Colours.TRUE: ColorSystem.TRUECOLOR,
}
LOOK_EVERY: Final = 0.8
"""Seconds between two looks at the file of a theme that is worn."""


def _first_theme_name(app: ThemedApp[object]) -> str:
    return app.first_theme.name


class ThemedApp(App[ReturnType], inherit_bindings=False):
    """An app that wears themes of ours, the first one from its first frame on."""

    theme: Reactive[str] = Reactive(Initialize(_first_theme_name))

    def __init__(self, terminal: Terminal, theme: str, accent: str = "", **how: Any) -> None:
        """Choose the first theme; one that is not usable becomes a problem.

        Args:
            terminal: what can be drawn.
            theme: its name, or `auto`.
            accent: `#rrggbb` in place of that of every theme; empty: each has its own.
            how: what Textual's app is made with.
        """
        self.terminal: Final = terminal
        self._accent: Final = accent
        self.problems: Final[list[ConfigError]] = []
        """What is wrong with themes, for the subclass to tell once it is on screen."""
        self.is_dark = terminal.dark is not False
        """Whether the terminal's ground is, as far as it is known."""
        self._worn = theme
        """The name that was asked for, `auto` among them."""
        # Known before Textual starts, so that it draws its colours once and not twice.
        self.first_theme: Final = self._theme_or_default(theme)
        super().__init__(ansi_color=True if terminal.ansi_theme else None, **how)
        self._count_colours()

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Return the themes that are loaded, the first one from the very start."""
        return {self.first_theme.name: self.first_theme, **super().available_themes}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return `$status-failed` and its like, also in themes that are not ours."""
        return palette_of(self).variables()

    @property
    def worn(self) -> str:
        """Return the name of the theme that was asked for; `auto` where none was by name."""
        return self._worn

    def use_theme(self, name: str) -> None:
        """Show the theme of that name.

        Raises:
            ConfigError: there is none, or its file is not usable; the look stays.
        """
        theme = find_theme(ground_theme(name, dark=self.is_dark))
        if not self._can_show(theme):
            raise ConfigError(self._why_plain, hint=_PLAIN_HINT)
        self._worn = name
        self._show_theme(theme)
        self._follow_file()

    def _show_theme(self, theme: Theme) -> None:
        self.register_theme(self._fitted(theme))
        forget_palette(self)
        if self.theme == theme.name:
            # Another theme of the same name: Textual sees no change.
            self.mutate_reactive(ThemedApp.theme)
        else:
            self.theme = theme.name

    def warn_of_theme(self) -> None:
        """Say what is hard to read in a theme of the user's own; it is shown all the same."""
        if own_theme_file(self.theme) is None:
            return
        from platui.ui.theme_contrast import warnings  # noqa: PLC0415  (for themes of one's own)

        if told := warnings(palette_of(self)):
            more = f" There is more: platui themes check {self.theme}." if len(told) > 1 else ""
            sentence = clean(f"Theme {self.theme}: {told[0]}{more}")
            self.notify(sentence, severity="warning", timeout=8)

    # the terminal's ground

    @property
    def follows_ground(self) -> bool:
        """Return whether the theme is dark or light as the terminal is."""
        return self._worn == AUTO and not self.terminal.ansi_theme

    def tell_ground(self, dark: bool) -> None:  # noqa: FBT001  (called back with it)
        """Take what the terminal says of its ground, once or each time that it turns."""
        if dark == self.is_dark:
            return
        self.is_dark = dark
        if self.follows_ground:
            self._show_theme(self._theme_or_default(AUTO))
            self._follow_file()

    # its file

    def on_mount(self) -> None:
        """Look at the file of the first theme from now on."""
        self._follow_file()

    def _follow_file(self) -> None:
        """Read the theme anew whenever its file is saved, where it is one of the user's own."""
        self.workers.cancel_group(self, "theme")
        path = own_theme_file(self.theme)
        if path is not None:
            self.run_worker(
                work(self._watch_file, path), group="theme", exclusive=True, exit_on_error=True,
                description="look at the theme's file",
            )  # fmt: skip

    async def _watch_file(self, path: Path) -> None:
        worn = told = await asyncio.to_thread(_state_of, path)
        doubtful = worn
        while True:
            await asyncio.sleep(LOOK_EVERY)
            state = await asyncio.to_thread(_state_of, path)
            if state in (worn, told):
                continue
            try:
                theme = await asyncio.to_thread(find_theme, path.stem)
            except ConfigError as problem:
                # An editor may be in the midst of it: told only if it stays so.
                if state == doubtful:
                    told = state
                    sentence = clean(f"{problem.sentence} {problem.hint}".strip())
                    self.notify(sentence, severity="error", timeout=8)
                doubtful = state
                continue
            worn = told = state
            if self._can_show(theme) and self.theme == theme.name:
                self._show_theme(theme)
                self.warn_of_theme()

    # what the terminal has

    def _theme_or_default(self, name: str) -> Theme:
        try:
            theme = find_theme(ground_theme(name, dark=self.is_dark))
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
            # Rich's own, which it takes no other way; a test pins it.
            self.console._color_system = _SYSTEMS[self.terminal.colours]  # noqa: SLF001


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return what changes when a file is saved; None where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
