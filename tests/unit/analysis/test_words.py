"""Which words of two lines differ."""

from __future__ import annotations

import pytest

from platui.analysis.line_differences import differing_words, similarity


@pytest.mark.parametrize(
    ("left", "right", "differs"),
    [
        ("dbt 1.7.3 ok", "dbt 1.8.0 ok", (["7", "3"], ["8", "0"])),
        ("02:47:03 a b", "12:00:59 a c", (["b"], ["c"])),
        ("OK created x [SUCCESS 12 in 1s]", "ERROR creating x [ERROR in 9s]",
         (["OK created", "SUCCESS 12"], ["ERROR creating", "ERROR"])),
        ("same", "same", ([], [])),
        ("", "new", ([], ["new"])),
    ],
)  # fmt: skip
def test_differing_words(left: str, right: str, differs: tuple[list[str], list[str]]) -> None:
    """What is masked does not differ."""
    one, other = differing_words(left, right)
    found = ([left[a:b] for a, b in one], [right[a:b] for a, b in other])
    assert [[" ".join(w.split()) for w in side] for side in found] == [*differs]


def test_a_line_of_thousands_of_words_differs_as_a_whole() -> None:
    """It would take too long for one line of a screen."""
    assert differing_words("a b " * 5000, "a") == ([(0, 20_000)], [(0, 1)])


def test_likeness() -> None:
    """From no word to every word."""
    assert similarity("a b", "c d") == 0
    assert similarity("a b 02:47:03", "a b 11:11:11") == 1
    assert similarity("", "") == 0
    assert 0.5 < similarity("OK created model x", "OK creating model x") < 1
