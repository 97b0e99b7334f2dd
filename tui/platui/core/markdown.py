"""Escape untrusted text for Markdown, as GitHub and GitLab render it."""

from __future__ import annotations

import re
from typing import Final

from platui.core.origins import is_of_origin
from platui.core.text import clean

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>()#|!~&$^]|(?<=:)/(?=/)|(?<=www)\.")
"""Markup characters, and the parts that turn text into a bare link."""

_TICKS: Final = re.compile("`+")


def plain(text: str) -> str:
    """Escape clean text for a paragraph or a table cell."""
    return _MARKUP.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """Return cleaned text as inline code, in which an `@name` mentions no user."""
    text = clean(text)
    if not text.strip():
        return ""
    fence = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    # Renderers strip one space from each end if both are present.
    is_padded = text[0] in "` " or text[-1] in "` "
    return f"{fence} {text} {fence}" if is_padded else f"{fence}{text}{fence}"


def link(text: str, address: str, origin: str) -> str:
    """Return a link; the text alone if the address is not of `origin`."""
    shown = plain(clean(text))
    if not is_of_origin(address, origin):
        return shown
    # Angle brackets allow parentheses in the address.
    return f"[{shown}](<{address.replace('<', '%3C').replace('>', '%3E')}>)"
