"""What is taken from a file that a hand may have changed has the shape it must have."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from platui.store.json_shape import SHAPE_ERRORS, expect_type, parse_time


def test_what_has_its_shape_is_taken() -> None:
    """A value of one of the types, and a moment with its zone."""
    assert expect_type(None, int, type(None)) is None
    assert parse_time("2026-03-14T10:00:00+00:00") == datetime(2026, 3, 14, 10, tzinfo=UTC)


@pytest.mark.parametrize(("value", "kind"), [(True, int), ("1", int), (1.0, int), ([], dict)])
def test_another_type_is_none_of_ours(value: Any, kind: type) -> None:
    """True is no number, although Python's bool is an int."""
    with pytest.raises(SHAPE_ERRORS):
        expect_type(value, kind)


@pytest.mark.parametrize("text", ["2026-03-14T10:00:00", "yesterday", 5, None])
def test_a_moment_says_its_zone(text: Any) -> None:
    """Without one nobody knows when it was."""
    with pytest.raises(SHAPE_ERRORS):
        parse_time(text)
