"""Help pages (`views/ID.md`, `dialogs/ID.md`, `topics/NN-ID.md`) for `?` and `platui docs`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Final, Literal

from platui.core.named_tuple import NamedTuple

Kind = Literal["views", "dialogs", "topics"]

KEY: Final = re.compile(r"\{([a-z_]+\.[a-z_]+)\}")
_NUMBER: Final = re.compile(r"\d+-")
_CODE: Final = re.compile(r"^ {4}", re.MULTILINE)
_INDENT: Final = "  "
_NO_KEY: Final = "(no key)"


class Page(NamedTuple):
    title: str
    text: str


def page_names(kind: Kind) -> list[str]:
    return list(_files(kind))


def read_page(kind: Kind, name: str) -> Page:
    """Read a page; code blocks are indented by two cells."""
    text = _files(kind)[name].read_text(encoding="utf-8")
    title = ""
    if text.startswith("# "):
        title, _, text = text.removeprefix("# ").partition("\n")
    return Page(title, _CODE.sub(_INDENT, text.strip("\n")))


def _files(kind: Kind) -> dict[str, Path]:
    files = sorted(Path(__file__).with_name(kind).glob("*.md"))
    return {_NUMBER.sub("", file.stem): file for file in files}


def with_keys(text: str, key_of: Callable[[str], str]) -> str:
    """Replace each `{action.id}` by its key from `key_of` (empty: no key)."""
    return KEY.sub(lambda found: key_of(found[1]) or _NO_KEY, text)


def wrapped(text: str, width: int) -> Iterator[str]:
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        if paragraph.startswith(_INDENT):
            yield from paragraph.splitlines()
        else:
            yield from wrap(paragraph, width, break_on_hyphens=False)
