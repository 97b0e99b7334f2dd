"""The words by which an error of the user's own is found: none may be missing from a match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.config.error_patterns import needed_words


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("pump stalled", ("stalled",)),
        ("Quota|LIMIT reached", ("quota", "reached")),
        (r"job \d+ lost", ("lost",)),
        ("loads? failed?", ("faile",)),
        ("(?:load|sync) job [a-z]+", ("job",)),
        ("[[a-z]x]over", ("over",)),
        (r"a\|load", ("load",)),
        ("load{2}er", ("loa",)),
        ("(ab(c|d)e)*", ()),
        ("ab|load", ()),
        (r"\x6foo", ()),
        ("(?x) a b # load", ()),
        ("", ()),
    ],
)
def test_words_are_taken_from_what_no_match_is_without(
    pattern: str, words: tuple[str, ...]
) -> None:
    """Nothing of a group, of a class, or of what need not be there."""
    assert needed_words(pattern) == words


pieces = st.sampled_from(
    [
        "load", "ab", "x", " ", ".", "?", "*", "+", "|", "(ab)", "(?:load|x)", "[lo]", "[^]d]",
        "\\|", "\\d", "{2}", "{0,1}", "-", "((a)b)?", "[(]",
    ]
)  # fmt: skip


@given(st.lists(pieces, min_size=2, max_size=8).map("".join), st.data())
def test_no_match_is_without_one_of_them(pattern: str, data: st.DataObject) -> None:
    """Whatever the pattern is made of."""
    words = needed_words(f"{pattern}load")
    try:
        made = re.compile(f"{pattern}load")
    except (re.error, FutureWarning):
        return
    if words:
        found = made.search(data.draw(st.from_regex(made)))
        assert found is not None
        assert any(word in found.group().lower() for word in words)
