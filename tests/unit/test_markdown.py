"""Text from outside in Markdown: nothing of it is markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.markdown import code, link, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("![x](https://y.z)", "\\!\\[x\\]\\(https:\\//y.z\\)"),
        ("<b>*_", "\\<b\\>\\*\\_"),
        ("www.x.y", "www\\.x.y"),
        ("#4711 ~~no~~", "\\#4711 \\~\\~no\\~\\~"),
        ("grün & klein", "grün \\& klein"),
    ],
)
def test_words_have_no_markup(text: str, shown: str) -> None:
    """No link, image, HTML, emphasis, or another column."""
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dbt_run", "`dbt_run`"),
        ("a`b", "``a`b``"),
        ("`x` ``y``", "``` `x` ``y`` ```"),
        (" x ", "`  x  `"),
        ("@all <script>", "`@all <script>`"),
        ("a\nb\x1b[2J", "`a b\ufffd[2J`"),
        ("", ""),
        (" \n", ""),
    ],
)
def test_code_is_as_it_is(text: str, shown: str) -> None:
    """Whatever ticks it has."""
    assert code(text) == shown


@given(st.text(alphabet="` ab\\|", max_size=12))
def test_no_text_gets_out_of_its_code(text: str) -> None:
    """Its fence is a run of ticks that the text has none of."""
    shown = code(text)
    if shown:
        fence = re.match("`+", shown)
        assert fence is not None
        assert [run for run in re.findall("`+", shown) if run == fence[0]] == [fence[0]] * 2


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://x.example/a/-/jobs/1", "[job \\#1](<https://x.example/a/-/jobs/1>)"),
        ("https://x.example/a>(c)", "[job \\#1](<https://x.example/a%3E(c)>)"),
        ("https://x.example/a b", "job \\#1"),
        ("https://x.example/\n\n# x", "job \\#1"),
        ("https://x.example@evil.example/", "job \\#1"),
        ("https://evil.example/", "job \\#1"),
        ("javascript:alert(1)", "job \\#1"),
        ("", "job \\#1"),
    ],
)  # fmt: skip
def test_a_link_leads_to_the_platform_or_nowhere(address: str, shown: str) -> None:
    """And its address stays within its brackets."""
    assert link("job #1", address, "https://x.example/api/v4") == shown
