"""Patterns of callers: found where `re` finds them, and never in more than a moment."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui_emulator.http.patterns import LONGEST, Pattern, PatternError

_atoms = st.sampled_from(["a", "b", "0", ".", "[ab]", "[^a]", r"\d", r"\w", "^", "$", r"\b", "\\."])
_texts = st.text("ab0.", max_size=6)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    times = st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"])
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, times).map(lambda two: f"({two[0]}){two[1]}"),
    )


@given(st.recursive(_atoms, _larger, max_leaves=6), st.lists(_texts, min_size=3, max_size=3))
def test_it_finds_what_python_finds(pattern: str, texts: list[str]) -> None:
    """The engine of the standard library is the measure, on texts that it can afford."""
    read = Pattern(pattern)
    for text in texts:
        assert read.found_in(text) == (re.search(pattern, text) is not None), (pattern, text)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a|a)*!",
        "(a|aa)+$!",
        "(.*)*!",
        ".*" * 49 + "!",
        "((((a*)*)*)*)*!",
        "(a{0,1000}){1000}!",
        "(?:a?){90}a{90}!",
        "(" * 32 + "a" + ")*" * 32 + "!",
    ],
)
def test_no_pattern_takes_long(pattern: str) -> None:
    """Each would take Python's engine longer than this suite lives; ours ends."""
    assert not Pattern(pattern).found_in("a" * 60)


@pytest.mark.parametrize(
    "pattern",
    ["(", ")", "a)", "[a", "*", "a**", "a++", "(?=a)", "(?<!a)b", r"(a)\1", "a{2,1}", "a{1001}",
     "\\", "[b-a]", "a" * (LONGEST + 1)],
)  # fmt: skip
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    """Look-around and back references are none here."""
    with pytest.raises(PatternError):
        Pattern(pattern)


def test_letters_of_any_case() -> None:
    """The one flag that is known stands at the beginning."""
    assert Pattern("(?i)^FEATURE/").found_in("feature/x")
    assert not Pattern("^FEATURE/").found_in("feature/x")
