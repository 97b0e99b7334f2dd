"""Search in a log: whatever is typed finds lines or says why not, within its time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error
from tests.fuzz.strategies import texts
from tests.fuzz.test_logs import log_of, logs

from platui.config.error_patterns import Pattern, needed_words, takes_long
from platui.config.value_kinds import ReadContext, WrongValueError
from platui.core.errors import PatternError
from platui.core.text import clean
from platui.logs import pattern as pattern_module
from platui.logs.pattern import LinePattern, RegexPattern, fold, make_pattern
from platui.logs.search import TextSearch
from platui.models.values.search import SearchQuery

_PATIENCE: Final = 0.02
"""Seconds for a line in these tests."""

atoms = st.sampled_from(
    [
        "a", "b", "error", "É", ".", r"\w", r"\W", r"\d", r"\s", r"\S", r"\b", r"\B", "^", "$",
        r"\A",
        r"\Z", "[a-z]", "[^a]", r"[^\n]", "[[:alpha:]]", r"\p{Lu}", r"\1", "(?i)", "(?s)", "(?R)",
        r"\X", r"\R", r"\K", r"\m", r"\G", r"\x41", "(", ")", "[", "]", "{", "}", "*", "+", "?",
        "|",
        "\\", "-", "\x1b", "\n", "(?=a)", "(?<!b)", "(?>a+)", "(?:error){e<=2}", "[a--b]", "(?1)",
        "(?P<n>a)", "(?P=n)", "(?(1)a|b)", "(*FAIL)", "(*PRUNE)", "(*SKIP)", r"\L<x>", "(?r)",
        "(?V1)",
    ]
)  # fmt: skip
times = st.sampled_from(
    ["", "", "", "*", "+", "?", "{2}", "{2,}", "{0,9}", "*?", "++", "{,5}", "{999}"]
)
expressions = st.recursive(
    st.builds(str.__add__, atoms, times),
    lambda inner: (
        st.lists(inner, max_size=4).map("".join)
        | st.builds("({}){}".format, inner, times)
        | st.builds("(?:{}|{}){}".format, inner, inner, times)
    ),
    max_leaves=8,
)
lines = st.text("ab error\tÉ!", max_size=30) | st.sampled_from(
    ["a" * 60 + "!", "ab" * 400, " " * 3_000, "x" * 20_000, "a" * 20_000 + "!"]
)


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up sooner: what takes long is as lost after a fiftieth of the time."""
    monkeypatch.setattr(pattern_module, "PATIENCE", _PATIENCE)
    monkeypatch.setattr(pattern_module, "_LONG_PATIENCE", 5 * _PATIENCE)


def compiled(text: str, *, is_regex: bool) -> LinePattern | None:
    """Return a pattern; None if it is refused, with a sentence."""
    try:
        return make_pattern(SearchQuery(text, is_regex))
    except PatternError as error:
        check_error(error)
        return None


def found(pattern: LinePattern, line: str) -> bool | None:
    """Return whether a line matches; None if the pattern is too slow."""
    try:
        return pattern.found_in(line)
    except PatternError as error:
        check_error(error)
        return None


@tries(100)
@given(text=expressions | texts, line=lines)
@example("(a|aa)+$", "a" * 20_000 + "!")
@example("(a*)*b", "a" * 60 + "!")
@example("(?:a{1,1000}){1,1000}" * 5, "a" * 60)
@example("(?:error){e}" * 9, "x" * 20_000)
@example("((?:a*|b){999}){999}", "a")
@example("((a{999}){999}){999}", "a")
@example("((?1)|a){2}", "a" * 60 + "!")
def test_an_expression_ends_on_every_line(text: str, line: str) -> None:
    """What it finds lies in the line, has the words that it needs, and is found among others."""
    with in_time(4):
        pattern = compiled(text, is_regex=True)
        if pattern is None:
            return
        began = time.thread_time()
        is_found = found(pattern, line)
        assert time.thread_time() - began < 100 * _PATIENCE
        ranges = pattern.ranges(line)
    assert list(ranges) == sorted(ranges)
    assert all(0 <= start < end <= len(line) for start, end in ranges)
    assert not ranges or is_found is not False
    if is_found:
        assert pattern.words in (fold(line) if pattern.ignores_case else line)
        assert isinstance(pattern, RegexPattern)
        assert pattern.may_match(f"first\n{line}\nlast")


@tries(60)
@given(data=logs, text=expressions | texts, is_regex=st.booleans(), start=st.integers(0, 9))
@example(b"\n\n", "\n", False, 0)
def test_a_search_finds_what_each_line_alone_has(
    data: bytes,
    text: str,
    is_regex: bool,  # noqa: FBT001  (drawn)
    start: int,
) -> None:
    """From wherever it begins."""
    log = log_of([data])
    with in_time(4):
        pattern = compiled(text, is_regex=is_regex)
        if pattern is None:
            return
        expected = [found(pattern, log.text(y)) for y in range(log.line_count)]
        search = TextSearch(log, pattern, start=start)
        try:
            search.glance()
            assert not search.advance(1e9, ended=True)
        except PatternError as error:
            check_error(error)
            return
    if None not in expected:
        assert list(search.state().lines) == [y for y, one in enumerate(expected) if one]


@tries(80)
@given(text=expressions | texts, line=lines)
def test_an_expression_of_the_configuration_is_taken_or_refused(text: str, line: str) -> None:
    """Every line that it matches has one of the words by which lines are chosen."""
    import regex  # noqa: PLC0415  (as the program does)

    with in_time(4):
        try:
            Pattern(needs_word=True).read(text, ReadContext(Path("/")))
        except WrongValueError as error:
            check_text(error)
            return
        takes_long(text)
        words = needed_words(text)
        assert words
        try:
            hit = regex.search(text, line, timeout=_PATIENCE)
        except TimeoutError:
            return
    if hit:
        assert any(word in line.lower() for word in words)


def check_text(error: WrongValueError) -> None:
    """Check what is said of a wrong value; it is cleaned where it is shown."""
    assert clean(str(error))
