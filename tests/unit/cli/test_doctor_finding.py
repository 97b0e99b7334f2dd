"""How findings are told."""

from __future__ import annotations

import pytest

from platui.cli.commands.doctor.finding import (
    Finding,
    exit_code,
    failed,
    failure,
    finding_lines,
    skipped,
    summary,
    works,
)
from platui.cli.commands.doctor.terminal import check_escape_sequences
from platui.cli.exit_codes import Exit
from platui.core.errors import ForbiddenError

WORDS = "there is a lot to be said of this one thing, more than fits on a line of a terminal"


def told(finding: Finding, width: int = 80, *, ascii_only: bool = False) -> list[str]:
    """Return its lines without colours."""
    return list(finding_lines(finding, width, ascii_only=ascii_only, coloured=False))


def test_a_line_has_sign_word_name_and_what() -> None:
    """What is too long goes on below, and the remedy stands on its own."""
    assert told(works("clock", "right")) == ["✔ ok      clock       right"]
    lines = told(works("clock", WORDS, f"Do this: {WORDS}"))
    assert lines[0].startswith("▲ warning clock       there is a lot")
    assert [line[:22] for line in lines[1:]] == [" " * 22] * (len(lines) - 1)
    assert lines[2].startswith(f"{' ' * 22}→ Do this: there")
    assert max(map(len, lines)) <= 80


def test_in_a_pipe_a_finding_is_one_line() -> None:
    """And its remedy another one, for grep."""
    assert told(failed("token", WORDS, WORDS), 0) == [
        f"✖ failed  token       {WORDS}", f"{' ' * 22}→ {WORDS}",
    ]  # fmt: skip


def test_ascii_does_as_well() -> None:
    """No information is in a sign or a colour alone."""
    lines = [
        line
        for one in (
            works("a", "b"),
            works("a", "b", "c"),
            failed("a", "b", "c"),
            skipped("a", "b"),
        )
        for line in told(one, ascii_only=True)
    ]
    assert lines == [
        "+ ok      a           b", "! warning a           b", " " * 22 + "-> c",
        "x failed  a           b", " " * 22 + "-> c", "> skipped a           b",
    ]  # fmt: skip


def test_a_colour_ends_before_the_name() -> None:
    """So that what is copied of it is plain."""
    [line] = finding_lines(works("a", "b"), 80, ascii_only=False, coloured=True)
    assert line == "\x1b[32m✔ ok     \x1b[0m a           b"


def test_the_first_failure_gives_the_code() -> None:
    """What comes later may come of it; a warning is none."""
    refused = failure("user", ForbiddenError("no", status=403))
    assert exit_code([works("a", "b"), works("a", "b", "c"), skipped("a", "b")]) is Exit.DONE
    assert exit_code([works("a", "b", "c"), refused, failed("a", "b", "c")]) is Exit.REFUSED


def test_the_last_line_says_how_all_of_it_is() -> None:
    """In numbers, where not all is well."""
    bad, odd = failed("a", "b", "c"), works("a", "b", "c")
    assert summary([works("a", "b"), skipped("a", "b")]) == "No problems found."
    assert summary([odd]) == "1 warning."
    assert summary([bad, odd, odd]) == "1 failed, 2 warnings."


def test_what_a_platform_says_is_clean() -> None:
    """By the one door for text."""
    assert "\x1b" not in works("user", "x\x1b]52;c;eA==\x07").what


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "unknown"),
        ({"TERM_PROGRAM": "Apple_Terminal"}, "does not support OSC 52"),
        ({"TERM_PROGRAM": "WezTerm"}, "supported by WezTerm"),
        ({"STY": "1.pts"}, "GNU screen"),
        ({"TMUX": "/nowhere", "PATH": ""}, "tmux's buffer"),
    ],
)
def test_what_a_terminal_takes_is_told_as_far_as_it_is_known(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], words: str
) -> None:
    """Nothing is asserted that nobody can know."""
    monkeypatch.setattr("platui.cli.commands.doctor.terminal._is_terminal", lambda: True)
    [found] = check_escape_sequences(environ, None)
    assert words in found.what
