"""What terminals are sent to ring and notify: exact bytes, whatever the texts hold."""

from __future__ import annotations

import re

import pytest

from platui.ui.desktop_notifications import (
    notice_sequence,
    sequence_kind,
    title_sequence,
    wrap_for_multiplexer,
)

NOTHING: dict[str, str] = {}


@pytest.mark.parametrize(
    ("environ", "kind"),
    [
        ({"TERM": "xterm-kitty"}, "osc99"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "osc99"),
        ({"TERM": "foot"}, "osc777"),
        ({"TERM": "rxvt-unicode-256color"}, "osc777"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "6800"}, "osc777"),
        ({"TERM": "xterm-256color"}, "osc9"),
        ({"TERM": "tmux-256color", "TMUX": "/run/x,1,0"}, "osc9"),
        ({}, "osc9"),
    ],
)
def test_a_terminal_is_known_by_its_name(environ: dict[str, str], kind: str) -> None:
    """The user's word goes first."""
    assert sequence_kind("auto", environ) == kind
    assert sequence_kind("osc777", environ) == "osc777"
    assert sequence_kind("off", environ) == "off"


def test_each_kind_is_written_as_its_terminals_read_it() -> None:
    """Nothing where nothing is wanted."""
    assert notice_sequence("osc9", "platui", "x is red", NOTHING) == "\x1b]9;platui: x is red\a"
    assert notice_sequence("osc777", "platui", "x", NOTHING) == "\x1b]777;notify;platui;x\a"
    assert notice_sequence("osc9", "x is green", "", NOTHING) == "\x1b]9;x is green\a"
    assert re.fullmatch(
        r"\x1b\]99;i=(platui-[0-9a-f]{8}):d=0;platui\x1b\\\x1b\]99;i=\1:p=body;x\x1b\\",
        notice_sequence("osc99", "platui", "x", NOTHING),
    )
    assert notice_sequence("off", "platui", "x", NOTHING) == ""


def test_two_notices_of_kitty_stand_beside_each_other() -> None:
    """One that has the name of another takes its place."""
    told = [notice_sequence("osc99", title, "", NOTHING) for title in ("x is red", "y is green")]
    names = {re.findall(r"i=([^:]*)", one)[0] for one in told}
    assert len(names) == 2


@pytest.mark.parametrize("kind", ["osc9", "osc777", "osc99"])
def test_no_text_ends_its_sequence_or_begins_another(kind: str) -> None:
    """Names of projects come from outside."""
    evil = "a\x1b]52;c;ZXZpbA==\a\x9c\x07b\nc;d" + "e" * 500
    sequence = notice_sequence(kind, "p;q", evil, NOTHING)  # type: ignore[arg-type]
    inner = re.sub(r"\x1b\](9|777|99);|\x1b\\|\a", "", sequence)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f]", inner)
    assert len(sequence) < 500
    assert "p,q" in sequence


def test_a_multiplexer_hands_it_on() -> None:
    """Each in its own way."""
    plain = "\x1b]9;x\a"
    assert wrap_for_multiplexer(plain, {"TMUX": "1"}) == "\x1bPtmux;\x1b\x1b]9;x\a\x1b\\"
    assert wrap_for_multiplexer(plain, {"STY": "1"}) == "\x1bP\x1b]9;x\a\x1b\\"
    assert wrap_for_multiplexer(plain, NOTHING) == plain
    long = wrap_for_multiplexer("\x1b]99;" + "y" * 200 + "\x1b\\", {"STY": "1"})
    assert (
        "".join(re.findall(r"\x1bP(.*?)\x1b\\", long, re.DOTALL)) == "\x1b]99;" + "y" * 200 + "\a"
    )


def test_a_title_is_one_line_and_clean() -> None:
    """Whatever the profile is called."""
    assert title_sequence("platui\n\x1b]0;x\a ✖2").startswith("\x1b]2;platui")
    assert title_sequence("a\a").count("\a") == 1
