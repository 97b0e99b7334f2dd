"""Theme files: found by name, read with care, and never a reason not to start."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from textual.theme import Theme

import platui
from platui.core.errors import ConfigError
from platui.ui import themes as theming
from platui.ui.contrast import warnings
from platui.ui.theme_file import BACKGROUNDS, FOREGROUNDS, SETTINGS, ThemeFile
from platui.ui.themes import PaletteTheme, all_themes, find_theme, load_theme, theme_files

if TYPE_CHECKING:
    from pathlib import Path

GOOD = (platui.themes_dir() / "platui-dark.toml").read_text()


def house_themes() -> tuple[list[PaletteTheme], list[ConfigError]]:
    """Return every theme that has a file, and what is wrong with those not usable."""
    offered = all_themes()
    themes = [one.theme for one in offered if isinstance(one.theme, PaletteTheme)]
    return themes, [one.problem for one in offered if one.problem is not None]


@pytest.fixture
def own_themes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's own theme folder."""
    monkeypatch.setattr(theming, "config_dir", lambda: tmp_path)
    folder = tmp_path / "themes"
    folder.mkdir()
    return folder


def test_the_house_has_its_four_themes() -> None:
    """They load, are named after their files, and Textual can make its colours of them."""
    themes, problems = house_themes()
    assert problems == []
    assert {theme.name for theme in themes} == {
        "ansi", "high-contrast", "platui-dark", "platui-light",
    }  # fmt: skip
    for theme in themes:
        assert (
            theme.to_color_system().generate()["primary"].lower()
            == theme.variables["status-running"]
        )


def test_a_users_theme_is_found_and_wins(own_themes: Path) -> None:
    """A file in the user's folder adds a theme, or replaces one of the house."""
    (own_themes / "mine.toml").write_text(GOOD.replace("#d7dee8", "#ffffff"))
    (own_themes / "platui-dark.toml").write_text(GOOD.replace("dark = true", "dark = false"))
    mine = find_theme("mine")
    assert (mine.name, mine.foreground) == ("mine", "#ffffff")
    assert find_theme("platui-dark").dark is False
    assert {"mine", "platui-light"} <= theme_files().keys()


def test_textuals_own_themes_are_found_too() -> None:
    """`theme = "nord"` works without a file."""
    theme = find_theme("nord")
    assert isinstance(theme, Theme)
    assert not isinstance(theme, PaletteTheme)


@pytest.mark.parametrize(
    "name",
    ["platui-drak", "", "../../etc/passwd", ".hidden", "a\0b", "x" * 500],
    ids=ascii,
)
def test_a_name_that_is_none_is_told(name: str) -> None:
    """A wrong name, however odd, gives one sentence and looks at no other file."""
    with pytest.raises(ConfigError, match="Unknown theme") as caught:
        find_theme(name)
    assert caught.value.hint
    if name == "platui-drak":
        assert "platui-dark" in caught.value.hint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("dark = ", "mine.toml"),
        ("dark = true\n", "backgrounds is missing"),
        (GOOD.replace("dark = true", "dark = 3"), "dark must be true or false"),
        (GOOD.replace("dark = true", "drak = true"), "drak is unknown; did you mean 'dark'?"),
        (GOOD.replace('"#ff7b86"', '"dim #ff7b86"'), "only be bold, italic or underlined"),
        (GOOD.replace("failed =", "faild ="), "foregrounds.faild is unknown"),
        (GOOD.replace('failed = "#ff7b86"', ""), "foregrounds.failed is missing"),
        (GOOD.replace('"#ff7b86"', '"#ff7b8"'), "'#ff7b8' is not a colour"),
        (GOOD.replace('"#ff7b86"', '"red"'), "ansi = true"),
        (GOOD.replace('"#ff7b86"', '"bold"'), "ansi = true"),
        (GOOD.replace('"#ff7b86"', "7"), "not a colour in quotes"),
        (GOOD.replace('"#ff7b86"', '""'), "not a colour in quotes"),
        (GOOD.replace('"#ff7b86"', '"red on blue"'), "must be one colour"),
        (GOOD.replace('"#ff7b86"', '"link https://x.example"'), "must be one colour"),
        (GOOD.replace("contrast = 4.5", "contrast = true"), "contrast must be a number"),
        ("backgrounds = 1\n", "backgrounds is missing"),
    ],
)
def test_a_bad_file_names_itself_and_the_key(own_themes: Path, content: str, said: str) -> None:
    """The sentence says which file, which key and what is wrong; the others still load."""
    path = own_themes / "mine.toml"
    path.write_text(content)
    with pytest.raises(ConfigError) as caught:
        load_theme(path)
    assert said in caught.value.sentence
    assert "mine.toml" in caught.value.sentence
    assert caught.value.hint or "did you mean" in caught.value.sentence
    themes, problems = house_themes()
    assert len(themes) == 4
    assert [problem.sentence for problem in problems] == [caught.value.sentence]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"dark = '\x1b[2J'"])
def test_a_file_of_rubbish_is_told_safely(own_themes: Path, content: bytes) -> None:
    """Neither bytes that are no text nor control characters come through."""
    path = own_themes / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load_theme(path)
    assert caught.value.sentence.isprintable()


def test_a_file_tells_all_that_is_wrong(own_themes: Path) -> None:
    """Not only the first: somebody who mends it wants to see the rest."""
    path = own_themes / "mine.toml"
    path.write_text(
        GOOD.replace('failed = "#ff7b86"', "").replace("#f2c572", "ocre").replace("dark", "drak", 1)
        + '\n[colours]\nred = "#ff0000"\n'
    )
    told = [(one.sentence, one.hint) for one in ThemeFile(path).problems]
    assert [words.split(": ")[1].split()[0] for words, _ in told] == [
        "colours", "foregrounds.failed", "foregrounds.pending",
    ]  # fmt: skip
    assert "failures" in told[1][1]
    assert '"#d7dee8"' in told[2][1]


@pytest.mark.parametrize("name", ["ansi", "high-contrast", "platui-dark", "platui-light"])
def test_a_theme_of_the_house_documents_every_key(name: str) -> None:
    """Each file is what is written for who begins a theme from it."""
    path = platui.themes_dir() / f"{name}.toml"
    text = path.read_text()
    about = text.splitlines()[0].partition(": ")[2]
    assert ThemeFile(path).text(about) == text
    for key in (*SETTINGS, *(key.name for key in (*BACKGROUNDS, *FOREGROUNDS))):
        assert re.search(rf"^(# )?{key} = ", text, re.MULTILINE), key


def test_what_is_hard_to_read_is_told_where_it_is_worst(own_themes: Path) -> None:
    """It can be used: whose it is may like it so, and may say so in the file."""
    path = own_themes / "mine.toml"
    faint = GOOD.replace("#93a0b1", "#5c6673").replace('cursor = "#26344a"', 'cursor = "#11161d"')
    path.write_text(faint)
    told = warnings(load_theme(path).palette)
    assert told == [
        "muted has a contrast of 2.6 on panel, less than 4.5.",
        "skipped has a contrast of 2.6 on panel, less than 4.5.",
        "cursor is too similar to base: the row under the cursor is not visible.",
    ]
    path.write_text(faint.replace("contrast = 4.5", "contrast = 2.5"))
    assert len(warnings(load_theme(path).palette)) == 1
    themes, _ = house_themes()
    assert not [said for one in themes if one.name != "mine" for said in warnings(one.palette)]
