"""The header `Accept`, as HTTP defines it."""

from __future__ import annotations

import pytest

from platui_emulator.http.admin import HTML, JSON, preference


@pytest.mark.parametrize(
    ("accept", "json", "html"),
    [
        (None, 1.0, 1.0),
        ("  ", 1.0, 1.0),
        ("*/*", 1.0, 1.0),
        ("application/json", 1.0, 0.0),
        ("Application/JSON ; charset=utf-8", 1.0, 0.0),
        ("text/html,application/xhtml+xml,*/*;q=0.8", 0.8, 1.0),
        ("application/json;q=0, */*", 0.0, 1.0),
        ("application/*;q=0.3, application/json;q=0.9", 0.9, 0.0),
        ("*/*;q=0.1, text/*;q=0.5", 0.1, 0.5),
        ("application/json;q=7", 1.0, 0.0),
        ("application/json;q=-1", 0.0, 0.0),
        ("application/json;q=much", 1.0, 0.0),
        (",;=,", 0.0, 0.0),
    ],
)
def test_the_most_specific_range_decides(accept: str | None, json: float, html: float) -> None:
    """With its weight; what is not named is not wanted."""
    assert (preference(accept, JSON), preference(accept, HTML)) == (json, html)
