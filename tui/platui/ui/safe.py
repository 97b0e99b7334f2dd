"""The one way from a text of outside to something that Textual draws.

A plain `str` given to a widget is parsed as markup: it can run actions, crash the app, or
carry escape sequences. What passes here can not. `BaseApp.notify` makes a toast as harmless
by itself.
"""

from __future__ import annotations

from textual.content import Content

from platui.core.text import clean


def plain(text: str) -> Content:
    """Return content for a label, title, option, tab or tooltip, as harmless as letters."""
    return Content(clean(text))
