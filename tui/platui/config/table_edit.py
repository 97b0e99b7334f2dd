"""One table of a TOML text with other values: its comments, its order and all others stay."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

Table = Mapping[str, Any]

_HEADER: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_LONGEST: Final = 200
"""Lines of one statement; what goes on for longer is not taken apart."""


class _Statement(NamedTuple):
    """One key with its value, as it is written; or a line that says nothing."""

    lines: list[str]
    said: dict[str, Any]


def edited_table(text: str, header: re.Match[str], meant: Table) -> str | None:
    """Return a text in which a table says something else.

    Args:
        text: as it is.
        header: the table's header in it, to the end of its line.
        meant: what it is to say, without what stands below a header of its own.

    Returns:
        The text; None where the table cannot be taken apart. Whether it means what it should
        is for the caller to see.
    """
    following = _HEADER.search(text, header.end())
    end = following.start() if following else len(text)
    inside = text[header.end() : end]
    statements = _statements(inside.replace("\r\n", "\n"))
    if statements is None:
        return None
    there = {key for one in statements for key in one.said}
    last = max((at for at, one in enumerate(statements) if one.said), default=0)
    lines: list[str] = []
    for at, one in enumerate(statements):
        lines += one.lines if _says(one, meant) else _rewritten(one, meant)
        if at == last:
            lines += [line for key in meant if key not in there for line in _written(key, meant)]
    turn = "\r\n" if "\r\n" in inside else "\n"
    joined = turn.join(lines)
    if inside.endswith("\n") and not joined.endswith("\n"):
        joined += turn
    return f"{text[: header.end()]}{joined}{text[end:]}"


def _statements(inside: str) -> list[_Statement] | None:
    """Take the lines of a table apart; None where they are not understood."""
    found: list[_Statement] = []
    lines = inside.split("\n")
    at = 0
    while at < len(lines):
        for end in range(at + 1, min(len(lines), at + _LONGEST) + 1):
            said = _read("\n".join(lines[at:end]))
            if said is not None:
                found.append(_Statement(lines[at:end], said))
                at = end
                break
        else:
            return None
    return found


def _says(one: _Statement, meant: Table) -> bool:
    """Return whether a statement stays: a part of a dotted key is as it was, or nobody's."""
    return all(
        key in meant and (meant[key] == value or isinstance(value, dict))
        for key, value in one.said.items()
    )


def _rewritten(one: _Statement, meant: Table) -> list[str]:
    """Return a statement with another value, or what stays where its key is gone."""
    comment = _comment_of(one)
    [key] = one.said
    if key not in meant:
        return [comment] if comment else []
    *lines, last = _written(key, meant)
    return [*lines, f"{last} {comment}" if comment else last]


def _comment_of(one: _Statement) -> str:
    """Return the comment behind a value; those between the lines of one go with it."""
    last = one.lines[-1]
    before = "\n".join([*one.lines[:-1], ""])
    for sign in re.finditer("#", last):
        if _read(before + last[: sign.start()]) == one.said:
            return last[sign.start() :]
    return ""


def _written(key: str, meant: Table) -> list[str]:
    import tomli_w  # noqa: PLC0415  (writing is rare; starting is not)

    return tomli_w.dumps({key: meant[key]}).rstrip("\n").split("\n")


def _read(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None
