"""What may come from outside: texts, JSON of any shape, damaged bytes, bytes in pieces."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, Final

from hypothesis import strategies as st

NASTY: Final = (
    "\x1b[31m", "\x1b]0;owned\x07", "\x9b2J", "\x00", "\r", "\n", "\t", "\u202e", "\u200b",
    "\ufeff", "\ud800", "[red]", "[/]", "$(id)", "../", "%2F", "e\u0301", "日本",
    "\U0001f44d\U0001f3fd", "İ", "ß", "99999-99-99T99:99:99Z", "2026-03-14T03:12:00.000Z",
    "0001-01-01T00:00:00Z", "NaN", "-1", "", "https://evil.example/x", "failed", "running",
    "success", "main", "0 3 * * *", "a" * 5_000,
)  # fmt: skip
"""Texts that command a terminal, markup, a shell or a file system, or that look like something."""

texts: Final = st.sampled_from(NASTY) | st.text(
    st.characters(exclude_categories=[]) | st.sampled_from("\x1b\x9b\r\n\x00\u202e[]%/#:"),
    max_size=30,
)
numbers: Final = (
    st.integers(-3, 3)
    | st.integers()
    | st.sampled_from([2**31, 2**53, 2**63, -(2**63) - 1, 10**30, 10**400, -(10**400)])
    | st.floats()
    | st.sampled_from([1e308, -1e308, 1e18, 1e-300])
)
scalars: Final = st.none() | st.booleans() | numbers | texts


def json_values(
    keys: st.SearchStrategy[str] = texts, *, leaves: int = 12
) -> st.SearchStrategy[Any]:
    """Return JSON of any shape, with these keys."""
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
        max_leaves=leaves,
    )


def as_json(value: Any) -> bytes:
    """Return JSON as a careless platform writes it: with half pairs, NaN and Infinity."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


@st.composite
def changed(draw: st.DrawFn, value: Any) -> Any:
    """Return a JSON value of which a few parts are replaced, dropped, repeated or renamed."""
    for _ in range(draw(st.integers(1, 4))):
        value = _changed_once(draw, value)
    return value


def _changed_once(draw: st.DrawFn, value: Any) -> Any:
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 5)) == 0:
        return draw(json_values(leaves=4))
    keys = [*value] if isinstance(value, dict) else [*range(len(value))]
    key = draw(st.sampled_from(keys))
    other = value.copy()
    how = draw(st.sampled_from(["inside", "inside", "inside", "drop", "double"]))
    if how == "inside":
        other[key] = _changed_once(draw, value[key])
    elif how == "drop":
        del other[key]
    elif isinstance(other, list):
        other.insert(key, other[key])
    else:
        other[draw(texts)] = other[key]
    return other


@st.composite
def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    """Return bytes that are cut, overwritten, doubled or interrupted in a few positions."""
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = draw(st.integers(at, min(len(data), at + 40)))
        new = draw(
            st.binary(max_size=8) | st.sampled_from([b"", b"\xff", b"\x00", data[at:end] * 2])
        )
        data = draw(st.sampled_from([data[:at], data[:at] + new + data[end:]]))
    return data


@st.composite
def pieces(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """Return bytes as they may arrive: in arbitrary pieces, some of one byte, some empty."""
    cuts = draw(st.lists(st.integers(0, len(data)), max_size=12))
    return [data[start:end] for start, end in pairwise(sorted([0, *cuts, len(data)]))]
