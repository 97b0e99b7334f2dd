"""Statuses in sentences."""

from __future__ import annotations

import pytest

from platui.present.status import standing


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("failed", "failed"),
        ("success", "succeeded"),
        ("waiting_for_resource", "waits for a resource"),
        ("running", "is running"),
        ("of_another_platform", "is of another platform"),
    ],
)
def test_how_something_stands_is_the_end_of_a_sentence(status: str, words: str) -> None:
    """As people say it; no name of the platform's with underscores."""
    assert standing(status) == words
