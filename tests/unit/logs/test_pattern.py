"""Patterns: smart case in every script, plain words and expressions, and what is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.errors import PatternError
from platui.logs.pattern import MAX_LENGTH, fold, make_pattern
from platui.models.values.search import SearchQuery


def ranges(text: str, line: str, *, regex: bool = False) -> list[str]:
    """Return what of a line is found."""
    pattern = make_pattern(SearchQuery(text, regex))
    found = pattern.ranges(line)
    assert pattern.found_in(line) or not found
    assert pattern.query == SearchQuery(text, regex)
    return [line[start:end] for start, end in found]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("error", "Error, ERROR and error", ["Error", "ERROR", "error"]),
        ("Error", "Error, ERROR and error", ["Error"]),
        ("aa", "aaaaa", ["aa", "aa"]),
        ("ärger", "ÄRGER Ärger", ["ÄRGER", "Ärger"]),
        ("Ärger", "ÄRGER Ärger", ["Ärger"]),
        ("λόγος", "ΛΌΓΟΣ", ["ΛΌΓΟΣ"]),
        ("лог", "ЛОГ и Лог", ["ЛОГ", "Лог"]),
        ("k", "\u212a K", ["K"]),
        ("i", "İ I", ["I"]),
        ("a.c", "abc a.c", ["a.c"]),
        ("x", "", []),
    ],
)
def test_plain_words_have_smart_case(text: str, line: str, found: list[str]) -> None:
    """Small letters find capitals, too; a capital finds itself."""
    assert ranges(text, line) == found


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("err(or)?", "Error ERR", ["Error", "ERR"]),
        ("Err", "Error ERR", ["Err"]),
        (r"\S+\D", "ab 12", ["ab "]),
        (r"\p{Lu}x", "ax Bx", ["ax", "Bx"]),
        (r"(?P<Name>x)", "X", ["X"]),
        ("x*", "axxb", ["xx"]),
        ("^$", "", []),
        ("ä", "Ä", ["Ä"]),
    ],
)
def test_expressions_have_smart_case(text: str, line: str, found: list[str]) -> None:
    """Capitals that are no letters to be found do not count; empty finds are not painted."""
    assert ranges(text, line, regex=True) == found


@given(text=st.text())
def test_folding_keeps_every_place(text: str) -> None:
    """A place in the folded text is the same place in the text, and each letter stands alone."""
    folded = fold(text)
    assert len(folded) == len(text)
    assert folded == "".join(map(fold, text))
    pairs = zip(text, folded, strict=True)
    assert all(letter.isascii() for letter, small in pairs if small.isascii())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(", "missing ) at character 2"),
        ("[a", "unterminated character set at character 3"),
        ("*a", "nothing to repeat at character 1"),
        ("(" * 999, "too complex"),
        ("((a*|b){999}){999}", "too complex"),
        ("a{999999}", "too complex"),
        ("((?1)|a){2}", "too complex"),
        ("a{99999999999999}", "too complex"),
        ("(?P<\x1b>x)", "bad character in group name at character 6"),
    ],
)
def test_what_is_no_expression_is_said_with_its_place(text: str, sentence: str) -> None:
    """Counted from 1; and what helps."""
    with pytest.raises(PatternError) as caught:
        make_pattern(SearchQuery(text, is_regex=True))
    assert sentence in caught.value.sentence
    assert "Tab" in caught.value.hint


@pytest.mark.parametrize("text", ["", "x" * (MAX_LENGTH + 1), "a\nb", "\n"])
def test_nothing_and_too_much_are_no_patterns(text: str) -> None:
    """Nor is what nobody types."""
    for regex in (False, True):
        with pytest.raises(PatternError):
            make_pattern(SearchQuery(text, regex))
