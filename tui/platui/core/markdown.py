"""Text from outside in Markdown, in which nothing of it is markup: GitHub's and GitLab's kinds."""

from __future__ import annotations

import re
from typing import Final

from platui.core.origins import is_of_origin
from platui.core.text import clean

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]<>()#|!~&$^]|(?<=:)/(?=/)|(?<=www)\.")
"""Signs that mean something, also in the middle of text, and what makes a bare link one."""

_TICKS: Final = re.compile("`+")


def plain(text: str) -> str:
    """Return clean text as words of a paragraph, behind others or in a cell of a table."""
    return _MARKUP.sub(r"\\\g<0>", text)


def code(text: str) -> str:
    """Return text, cleaned, in the letters of programs; nobody is called by an `@name` in it."""
    text = clean(text)
    if not text.strip():
        return ""
    fence = "`" * (1 + max(map(len, _TICKS.findall(text)), default=0))
    # One space at each end is taken off again, where both are there.
    is_padded = text[0] in "` " or text[-1] in "` "
    return f"{fence} {text} {fence}" if is_padded else f"{fence}{text}{fence}"


def link(text: str, address: str, origin: str) -> str:
    """Return words that lead to an address; the words alone where it leads elsewhere."""
    shown = plain(clean(text))
    if not is_of_origin(address, origin):
        return shown
    # Between angle brackets, where parentheses are letters like others.
    return f"[{shown}](<{address.replace('<', '%3C').replace('>', '%3E')}>)"
