"""Files, answers and themes of any content are shown in time, and clean."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error
from tests.fuzz.strategies import NASTY, as_json, damaged, json_values

from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.present.files import source as source_module
from platui.present.files.source import source_of
from platui.present.raw import raw_document
from platui.ui.palette import Palette
from platui.ui.theme_file import BACKGROUNDS, FOREGROUNDS, SETTINGS, ThemeFile

names = st.sampled_from([f"a.{end}" for end in sorted(source_module._LEXERS)] + ["Dockerfile", "x"])
parts = st.sampled_from(
    [
        "{", "}", "[", "]", "(", ")", '"', "'", '"""', "'''", "\\", "`", "```", "*", "**", "_", "#",
        "<<EOF", "<<-'X'", "${", "$(", "%{", "|", ">", "- ", ": ", "&a", "!!str", "/*", "*/", "--",
        "BEGIN", "select", "def f(", "class ", "f'{", "r'", "\t", "  ", "\n", "\r\n", "a", "1e",
        "0x",
        "\x1b[31m", "é", "RUN ", "FROM ", "[a](", "![", "~~", "| a | b |", "===", "\\\n", "\u2028",
    ]
)  # fmt: skip
contents = st.builds(
    lambda begin, part, times, end: f"{begin}{part * times}{end}",
    st.lists(parts, max_size=5).map("".join),
    st.lists(parts | st.text(max_size=3), min_size=1, max_size=3).map("".join),
    st.sampled_from([1, 2, 30, 400, 1_900]),
    st.lists(parts, max_size=8).map("".join),
)


@tries(60)
@given(name=names, content=contents)
def test_a_file_is_shown_in_time(name: str, content: str) -> None:
    """What is painted is the text of each line; its colours end when they take too long."""
    with pytest.MonkeyPatch.context() as patch, in_time(3):
        patch.setattr(source_module, "PATIENCE", 0.2)
        source = source_of(content.encode("utf-8", "replace"), name)
    document = source.document
    for y in range(document.line_count):
        text = document.text(y)
        assert text == clean(text)
        assert "".join(span.text for span in document.spans(y)) == text


@tries(60)
@given(json_values().map(as_json) | st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@example(b'{"a":' * 20_000)
@example(b"[" * 50_000 + b"]" * 50_000)
@example(b'"' + b"\\" * 50_001)
@example(b'"://:' + b"x" * 50_000)
@example(b"://a:" * 20_000)
def test_an_answer_of_any_bytes_is_shown(body: bytes) -> None:
    """As lines of clean text, of which each part has its role."""
    with in_time():
        document = raw_document(body)
        document.find("a")
    for y, line in enumerate(document.lines[:200]):
        assert line == clean(line)
        assert "".join(text for text, _ in document.pieces(y, 0, len(line))) == line


colours = st.sampled_from(
    ["#d7dee8", "bold #ff7b86", "red", "default", "not", "on", "link", "on red", "link x", "bold",
     "color(300)", "rgb(1,2,3)", "rgb(999,1,1)", "reverse", "dim", "#12", "none", "not bold red"]
)  # fmt: skip
styles: st.SearchStrategy[Any] = colours | st.text(max_size=9) | st.integers() | st.booleans()
themes = st.fixed_dictionaries(
    {
        "backgrounds": st.fixed_dictionaries({key.name: styles for key in BACKGROUNDS}),
        "foregrounds": st.fixed_dictionaries({key.name: styles for key in FOREGROUNDS}),
    },
    optional={name: styles | st.floats() for name in [*SETTINGS, "other"]},
).map(lambda theme: tomli_w.dumps(theme).encode())


@tries(60)
@given(
    themes
    | themes.flatmap(damaged)
    | st.binary(max_size=40)
    | st.sampled_from([one.encode("utf-8", "replace") for one in NASTY])
)
def test_a_theme_of_any_content_is_a_palette_or_refused(content: bytes) -> None:
    """Each problem names the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "mine.toml")
        path.write_bytes(content)
        try:
            with in_time():
                palette = ThemeFile(path).palette()
        except ConfigError as error:
            check_theme_error(error)
            return
        assert isinstance(palette, Palette)


def check_theme_error(error: ConfigError) -> None:
    """Check what is said of a theme."""
    check_error(error, 1_000)
    assert error.sentence.startswith("Theme file ")
