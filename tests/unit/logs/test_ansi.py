"""Escape sequences: colours are understood, nothing else comes through."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.text import clean
from platui.logs.ansi import to_spans, without_escapes
from platui.models.values.log import PLAIN, Span, SpanStyle

RED = SpanStyle(foreground="red")


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("31", RED),
        ("", PLAIN),
        ("0", PLAIN),
        ("31;0", PLAIN),
        ("31;;1", SpanStyle(bold=True)),
        ("1;31", SpanStyle(foreground="red", bold=True)),
        ("2;3;4;7;9", SpanStyle(dim=True, italic=True, underline=True, reverse=True, strike=True)),
        ("1;2;3;4;7;9;22;23;24;27;29", PLAIN),
        ("1;21", PLAIN),
        ("97;100", SpanStyle("bright-white", "bright-black")),
        ("90;107", SpanStyle("bright-black", "bright-white")),
        ("37;40", SpanStyle("white", "black")),
        ("31;41;39;49", PLAIN),
        ("38;5;1", RED),
        ("38;5;9", SpanStyle("bright-red")),
        ("38;5;16", SpanStyle("#000000")),
        ("38;5;231", SpanStyle("#ffffff")),
        ("38;5;208", SpanStyle("#ff8700")),
        ("48;5;232", SpanStyle(background="#080808")),
        ("48;5;255", SpanStyle(background="#eeeeee")),
        ("38;5;256", PLAIN),
        ("38;2;1;2;255", SpanStyle("#0102ff")),
        ("38;2;1;2;256", PLAIN),
        ("38;2;1;2;3;1", SpanStyle("#010203", bold=True)),
        ("38:2:1:2:3", SpanStyle("#010203")),
        ("38:2::1:2:3", SpanStyle("#010203")),
        ("38:5:208;1", SpanStyle("#ff8700", bold=True)),
        ("58;5;3;31", RED),
        ("58:2::1:2:3;31", RED),
        ("4:3", SpanStyle(underline=True)),
        ("4;4:0", PLAIN),
        ("38", PLAIN),
        ("38;5", PLAIN),
        ("38;2;1", PLAIN),
        ("38;7;31", RED),
        ("5;6;8;10;26;31;51;75;108;999;123456789", RED),
        ("99", PLAIN),
        ("38;5:3;31", RED),
    ],
)
def test_sgr_codes(codes: str, style: SpanStyle) -> None:
    """What is known is applied, the rest changes nothing."""
    assert to_spans(f"\x1b[{codes}mx") == (Span("x", style),)
    assert to_spans(f"\x9b{codes}mx") == (Span("x", style),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("a\x1b[2Jb", "ab"),
        ("a\x1b[Hb", "ab"),
        ("a\x1b[?25lb", "ab"),
        ("a\x1b[?1049hb", "ab"),
        ("a\x1b[>4;1mb", "ab"),
        ("a\x1b[6nb", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]0;title\x1b\\b", "ab"),
        ("a\x9d0;title\x9cb", "ab"),
        ("a\x1b]52;c;ZXZpbA==\x07b", "ab"),
        ("a\x1b]8;;https://evil\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x1bP1$r0m\x1b\\b", "ab"),
        ("a\x90q#0~\x9cb", "ab"),
        ("a\x1bXsos\x1b\\b\x1b^pm\x1b\\c\x1b_apc\x1b\\d", "abcd"),
        ("a\x1bcb", "ab"),
        ("a\x1b(0b", "ab"),
        ("a\x1b#8b", "ab"),
        ("a\x1b=b\x1b>c\x1b7d\x1b8e", "abcde"),
        ("a\x1bNb", "ab"),
        ("a\x1b", "a"),
        ("a\x1b[", "a"),
        ("a\x1b[31", "a"),
        ("a\x1b[3\x1b[31mb", "ab"),
        ("a\x1b\x1b[31mb", "ab"),
        ("a\x1b]0;never ended", "a0;never ended"),
        ("\x1bPtmux;\x1b\x1b]52;c;AA==\x07\x1b\\b", "tmux;b"),
        ("a\x00b\x07c\x08d\x7fe\x85f", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"),
        ("\u202eabc\u200b\u2066", "\ufffdabc\ufffd\ufffd"),
        ("a\ufeffb\U000e0041", "a\ufffdb\ufffd"),
        ("a\x0bb\x0cc", "a b c"),
        ("[b]x[/b] [@click=app.quit]y[/]", "[b]x[/b] [@click=app.quit]y[/]"),
        ("日本 e\u0301 👍", "日本 e\u0301 👍"),
    ],
)
def test_nothing_but_text_comes_out(text: str, expected: str) -> None:
    """Every escape is dropped whole; other control characters show as what they are."""
    assert "".join(span.text for span in to_spans(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10%\r20%\r100%", "100%"),
        ("10%\r", "10%"),
        ("10%\r\x1b[0m", "10%"),
        ("10%\r\x1b[K", ""),
        ("10%\r\x1b[0Kdone", "done"),
        ("10%\x1b[K", "10%"),
        ("\x1b[0Ktext", "text"),
        ("10%\x1b[2K\x1b[1Gdone", "done"),
        ("10%\x1b[2K", ""),
        ("10%\x1b[Gdone", "done"),
        ("10%\x1b[5Gdone", "10%done"),
        ("a\rb\r\r", "b"),
        ("\r\r\r", ""),
        ("10%\r\x1b[J", ""),
    ],
)
def test_of_a_progress_bar_the_last_state_stays(text: str, expected: str) -> None:
    """A carriage return starts anew when something follows."""
    assert "".join(span.text for span in to_spans(text)) == expected


def test_colours_hold_across_a_carriage_return() -> None:
    """A terminal keeps its pen when the line starts anew."""
    assert to_spans("\x1b[31m10%\r20%") == (Span("20%", RED),)


def test_neighbours_of_one_style_are_one_span() -> None:
    """Codes that change nothing do not split the text."""
    assert to_spans("\x1b[31ma\x1b[31mb\x1b[?25hc\x1b[md") == (Span("abc", RED), Span("d"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\tx", "        x"),
        ("ab\tx", "ab      x"),
        ("1234567\tx", "1234567 x"),
        ("12345678\tx", "12345678        x"),
        ("\x1b[31mab\t\x1b[0m\tx", "ab              x"),
        ("日本\tx", "日本    x"),
        ("e\u0301\tx", "e\u0301       x"),
        ("long text\rab\tx", "ab      x"),
    ],
)
def test_tabs_go_to_the_next_stop(text: str, expected: str) -> None:
    """Eight columns, counted as they show, escapes and wide characters considered."""
    assert "".join(span.text for span in to_spans(text)) == expected


hostile = st.lists(
    st.one_of(
        st.sampled_from(
            ["\x1b", "[", "]", "P", "\\", "\x07", "\x9b", "\x9d", "\x9c", "m", "K", "31", ";", "\r"]
        ),
        st.text(max_size=3),
    ),
    max_size=40,
).map("".join)


@given(hostile)
def test_no_sequence_of_bytes_steers_the_terminal(text: str) -> None:
    """Whatever comes in, what goes out is clean, unlike its neighbours, and not empty."""
    spans = to_spans(text)
    for span in spans:
        assert span.text
        assert clean(span.text) == span.text
        assert not re.search("[\x00-\x1f\x7f-\x9f]", span.text)
    assert all(one.style != two.style for one, two in pairwise(spans))
    assert "\x1b" not in without_escapes(text)


@pytest.mark.parametrize(
    "piece",
    ["\x1b]0;x", "\x1b]", "\x1bP", "\x9d", "\x1b[1", "\x1b[31;", "\x1b", "\r", "\x9b;", "\x1b "],
)
def test_a_hostile_line_takes_linear_time(piece: str) -> None:
    """A hundred kilobytes of anything are read at once."""
    text = piece * (100_000 // len(piece))
    before = time.process_time()
    to_spans(text)
    assert time.process_time() - before < 1


@pytest.mark.parametrize(
    "piece",
    [
        "a\x1b[m", "a\x1b[31mb\x1b[m", "\x1b", "\x1b[", "\x1b[1;", "\x1b]", "\x1b]x", "\x9d",
        "\x9dx", "\r", "x\r", "\t\x1b[31m", "x\x1b[2K", "\x1b[ ", "\x1b[38;5;", "\x1bP\x1b",
    ],
)  # fmt: skip
def test_a_line_of_nothing_but_escapes_costs_no_more_than_its_length(piece: str) -> None:
    """Twice as much takes twice as long: with its square, this would take minutes."""
    spans = to_spans(piece * (400_000 // len(piece)))
    assert all(span.text == clean(span.text) for span in spans)


def test_what_is_nothing_but_variants_leaves_no_span() -> None:
    """Spans are never empty, and never like their neighbours."""
    assert to_spans("\ufe0f") == ()
    assert to_spans("\x1b[1ma\x1b[m\ufe0f\x1b[1mb") == (Span("ab", SpanStyle(bold=True)),)
