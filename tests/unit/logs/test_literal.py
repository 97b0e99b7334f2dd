"""Words that an expression surely needs: never some that a hit can do without."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from platui.logs.pattern import required_words


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("exit code", "exit code"),
        (r"exit code \d+", "exit code "),
        (r"row (\d+) of table", " of table"),
        (r"\[step\] failed", "[step] failed"),
        ("colou?r", "colo"),
        ("ab*cde", "cde"),
        ("ab{0,3}cde", "cde"),
        ("go+al", "go"),
        ("(?:some|thing) else", " else"),
        ("(?P<name>some) else", " else"),
        ("[abc]+def", "def"),
        ("[]a]bc", "bc"),
        ("^start.*end$", "start"),
        ("a|b", ""),
        ("some|thing", ""),
        ("(?i)some", ""),
        (r"\x41\x42CD", ""),
        ("[[a]b]cde", ""),
        ("(?!some)thing", ""),
        (r"a.b.c", ""),
        ("", ""),
    ],
)
def test_words_of_an_expression(expression: str, words: str) -> None:
    """The longest ones; none where there is a choice, or anything out of the ordinary."""
    assert required_words(expression) == words


pieces = st.sampled_from(
    ["a", "b", "ab", ".", "a?", "b*", "a+", "a{0,2}", "a{2}", "(ab)", "(a|b)", "(?:ab)?", "[ab]",
     "[^a]", r"\b", r"\.", r"\w", "|", "^", "$", "a+?", "b??", "(a(b)?)*"]
)  # fmt: skip


@given(st.lists(pieces, max_size=6).map("".join), st.text("ab.c", max_size=12))
def test_a_hit_has_them(expression: str, line: str) -> None:
    """Whatever an expression finds, the words stand in the line."""
    if regex.search(expression, line):
        assert required_words(expression) in line
