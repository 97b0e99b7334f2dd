"""Switch the theme of an app, adapted to its terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import ConfigError
from platui.core.file_changes import FileChanges
from platui.core.text import clean
from platui.ui.contrast import warnings
from platui.ui.terminal.detection import Colours
from platui.ui.themes import (
    AUTO,
    PLAIN_THEME,
    PaletteTheme,
    ansi_theme,
    default_theme,
    find_theme,
    forget_palette,
    palette_for,
    palette_of,
    resolve_auto,
    user_theme_file,
)
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.theme import Theme

    from platui.ui.terminal.app import TerminalApp

_NO_COLOUR: Final = "No colours: NO_COLOR or CLICOLOR=0 is set."
_OWN_COLOURS: Final = "This terminal supports only its own 16 colours."
FILE_CHECK_INTERVAL: Final = 0.8  # Seconds, where the system does not report changes


class ThemeSwitcher:
    """Switches the theme by name, terminal background or change of its file."""

    def __init__(self, app: TerminalApp[Any], name: str, accent: str) -> None:
        self._app = app
        self._terminal = app.terminal
        self._accent = accent
        self.name = name  # As requested, perhaps `auto`
        self.is_dark = app.terminal.dark is not False
        # Set before Textual starts, so that colours are computed once.
        self.first: Final = self._theme_or_default(name)

    def use(self, name: str) -> None:
        """Switch to a theme. Raises ConfigError if it is missing or unusable."""
        theme = find_theme(resolve_auto(name, dark=self.is_dark))
        if not self._can_show(theme):
            why = _NO_COLOUR if self._terminal.colours is Colours.NONE else _OWN_COLOURS
            raise ConfigError(why, hint=f"It uses the theme {PLAIN_THEME}.")
        self.name = name
        self._show(theme)
        self.follow_file()

    def _show(self, theme: Theme) -> None:
        self._app.register_theme(self._fitted(theme))
        forget_palette(self._app)
        if self._app.theme == theme.name:
            # Textual does not detect another theme of the same name.
            self._app.mutate_reactive(type(self._app).theme)
        else:
            self._app.theme = theme.name

    def warn(self) -> None:
        name = self._app.theme
        if user_theme_file(name) is None:
            return
        if found := warnings(palette_of(self._app)):
            more = f" All warnings: platui themes check {name}" if len(found) > 1 else ""
            sentence = clean(f"Theme {name}: {found[0]}{more}")
            self._app.notify(sentence, severity="warning")

    @property
    def follows_background(self) -> bool:
        return self.name == AUTO and not self._terminal.ansi_theme

    def set_background(self, dark: bool) -> None:  # noqa: FBT001  (called back with it)
        if dark == self.is_dark:
            return
        self.is_dark = dark
        if self.follows_background:
            self._show(self._theme_or_default(AUTO))
            self.follow_file()

    def follow_file(self) -> None:
        """Reload the theme whenever its file changes."""
        self._app.workers.cancel_group(self._app, "theme")
        path = user_theme_file(self._app.theme)
        if path is not None:
            self._app.run_worker(work(self._watch_file, path), group="theme", exclusive=True)

    async def _watch_file(self, path: Path) -> None:
        with FileChanges(path) as changes:
            shown = reported = doubtful = await asyncio.to_thread(_state_of, path)
            while True:
                if doubtful in (shown, reported):
                    await changes.wait(FILE_CHECK_INTERVAL)
                else:
                    await asyncio.sleep(FILE_CHECK_INTERVAL)
                state = await asyncio.to_thread(_state_of, path)
                if state in (shown, reported):
                    doubtful = state
                    continue
                try:
                    theme = await asyncio.to_thread(find_theme, path.stem)
                except ConfigError as problem:
                    # An editor may be writing it: report only if it persists.
                    if state == doubtful:
                        reported = state
                        sentence = clean(f"{problem.sentence} {problem.hint}".strip())
                        self._app.notify(sentence, severity="error")
                    doubtful = state
                    continue
                shown = reported = doubtful = state
                if self._can_show(theme) and self._app.theme == theme.name:
                    self._show(theme)
                    self.warn()

    def _theme_or_default(self, name: str) -> Theme:
        try:
            theme = find_theme(resolve_auto(name, dark=self.is_dark))
        except ConfigError as problem:
            self._app.problems.append(problem)
            theme = default_theme()
        return self._fitted(theme) if self._can_show(theme) else ansi_theme()

    def _fitted(self, theme: Theme) -> Theme:
        if self._accent and not theme.ansi:
            from platui.ui.derived_palettes import accented  # noqa: PLC0415  (where one is wanted)

            theme = PaletteTheme(accented(palette_for(theme), self._accent))
        if theme.ansi or self._terminal.colours is not Colours.MANY:
            return theme
        from platui.ui.derived_palettes import in_256  # noqa: PLC0415  (where there are few)

        return PaletteTheme(in_256(palette_for(theme)))

    def _can_show(self, theme: Theme) -> bool:
        if self._terminal.colours is Colours.NONE:
            # Other themes may mark the cursor's row only by colour.
            return False
        return theme.ansi or not self._terminal.ansi_theme


def _state_of(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
