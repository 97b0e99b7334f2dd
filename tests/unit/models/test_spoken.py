"""Nested messages become one text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.models.wire.record import flatten_messages


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("401 Unauthorized", "401 Unauthorized"),
        ({"base": ["Reference not found"]}, "Reference not found"),
        ({"name": ["is taken", "is short"]}, "name: is taken, is short"),
        ({"name": ["is taken"], "path": ["is odd"]}, "name: is taken; path: is odd"),
        ({"namespace": {"path": ["is odd"]}}, "namespace: path: is odd"),
        ({"error": "Try again later."}, "Try again later."),
        ([{"key": "a"}, {"key": "b"}], "key: a; key: b"),
        (["a", "", None, "b"], "a, b"),
        (400, "400"),
        (None, ""),
        ([], ""),
        ({"name": []}, ""),
    ],
)
def test_messages_are_flattened(said: object, text: str) -> None:
    """Fields are named, wrappers that say nothing are not."""
    assert flatten_messages(said) == text


def test_depth_has_an_end() -> None:
    """A message nested without end is no reason to fail."""
    said: object = "deep"
    for _ in range(5000):
        said = [said]
    assert flatten_messages(said) == ""


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_JSON)
def test_any_json_gives_text(said: object) -> None:
    """Whatever comes, text comes out."""
    assert isinstance(flatten_messages(said), str)
