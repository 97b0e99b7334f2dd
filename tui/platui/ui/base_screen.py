"""The screen that all of ours are."""

from __future__ import annotations

from textual.screen import Screen, ScreenResultType


class QuietScreen(Screen[ScreenResultType]):
    """A screen that paints nothing of its own but one cached blank strip.

    When a widget as large as the screen scrolls, Textual paints the lines of the screen
    behind it too; with `BLANK` they are not laid out, styled and filtered each time.
    """

    BLANK = True
