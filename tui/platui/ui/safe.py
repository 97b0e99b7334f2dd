"""The one way from a text of outside to something that Textual draws.

A plain `str` given to a widget is parsed as markup: it can run actions, crash the app, or
carry escape sequences. What passes here can not. Cells of tables and trees take `text_of`,
everything else takes `plain`; `BaseApp.notify` makes a toast as harmless by itself.
"""

from __future__ import annotations

from rich.text import Text
from textual.content import Content

from platui.core.text import clean


def text_of(text: str) -> Text:
    """Return text for a cell or node: one line, no markup, nothing that steers a terminal."""
    return Text(clean(text), no_wrap=True, end="")


def plain(text: str) -> Content:
    """Return content for a label, title, option, tab or tooltip, as harmless as a cell."""
    return Content(clean(text))
