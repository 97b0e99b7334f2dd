"""Statuses in sentences."""

from __future__ import annotations

import pytest

from platui.present.guide import read_page
from platui.present.projects import STAR
from platui.present.status import STATUSES, glyph_of, standing
from platui.ui.line_filters import to_ascii


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


def test_each_sign_has_its_own_ascii_sign() -> None:
    """Of statuses, of watched projects and of late runs, as the help lists them."""
    signs = {glyph_of(status) for status in STATUSES} | {STAR, "◐"}
    assert len(set(map(to_ascii, signs))) == len(signs)
    rows = [line.split() for line in read_page("topics", "signs").text.splitlines()]
    listed = {words[0]: words[1] for words in rows if words and words[0] in signs}
    assert listed == {sign: to_ascii(sign) for sign in signs - {STAR}}
