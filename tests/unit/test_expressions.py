"""Expressions that would take the memory or stack of the process are known by their text."""

from __future__ import annotations

import pytest

from platui.core.expressions import is_too_complex


@pytest.mark.parametrize(
    "expression",
    [
        r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}",
        r"(\d{1,3}\.){3}\d{1,3}",
        r"ERROR.{0,5000}timeout",
        r"[^(]*x{3}",
        r"\({3}a{999}",
        "(a{99}) {99}",
        "{e<=2}{}",
        "x" * 1000,
        r"HTTP \(?5\d\d\)?",
        r"retry \(?1",
        r"foo\(?Region",
        "[(?1]",
        r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2},\d{3} ERROR [^)]*\)",
        r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12} \(?exit",
        r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2},\d{3} [^\[:(]+",
    ],
)
def test_what_people_search_for_is_not_too_complex(expression: str) -> None:
    """Counts of digits, and of characters in between."""
    assert not is_too_complex(expression)


@pytest.mark.parametrize(
    "expression",
    [
        "a{999999}",
        "((a{999}){999}){999}",
        "(?:(?:a*|b){999}){999}",
        "(big{99}[(]){999}",
        "([)]big{99}){999}",
        "([a[b](]a{99}{2}(?V1)){999}",
        "(?x)(a{99} # (\n){999}",
        "(?x)(a{99}) {999}",
        "(a{99})(?#c){999}",
        "a{ 0, 99999 }",
        "(?R)",
        "(a|(?1)b)",
        "[(?#](a{999}{999})",
        "(?V1)[(?#](a{999}{999})",
        "(big{99}[[:alpha:](]){999}",
        "[^]](b{99}[](]){999}",
        "(?x)# [\n(?R) # ]",
        "(?x)# [\na{999}{999} # ]",
        "(?P<n>a|(?&n)b)",
    ],
)
def test_repeats_of_repeats_and_calls_are_too_complex(expression: str) -> None:
    """Wherever brackets stand."""
    assert is_too_complex(expression)
