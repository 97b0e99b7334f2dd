"""A guide as lines: with the keys in use, and broken to a width."""

from __future__ import annotations

import re
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from platui.present.guide.report_views import REPORT_VIEWS
from platui.present.guide.views import VIEWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

GUIDES: Final[Mapping[str, str]] = {**VIEWS, **REPORT_VIEWS}
"""Name of a view -> what it shows."""

KEY: Final = re.compile(r"\{([a-z_]+\.[a-z_]+)\}")
"""What stands for the key of an action."""

_NO_KEY: Final = "(no key)"
_INDENT: Final = "  "


def with_keys(text: str, key_of: Callable[[str], str]) -> str:
    """Return a text with keys in it.

    Args:
        text: where `{action.id}` stands for the key of an action.
        key_of: returns it, as people say it; empty: the action has none.
    """
    return KEY.sub(lambda found: key_of(found[1]) or _NO_KEY, text)


def broken(text: str, width: int) -> Iterator[str]:
    """Yield the lines of a text: paragraphs wrapped, what is indented as it stands.

    A paragraph is what no empty line parts; one whose first line is indented is not wrapped.
    """
    for number, paragraph in enumerate(text.strip("\n").split("\n\n")):
        if number:
            yield ""
        if paragraph.startswith(_INDENT):
            yield from paragraph.splitlines()
        else:
            yield from wrap(paragraph, width, break_on_hyphens=False)
