"""`platui themes`: what there is, what is wrong with it, and a new one."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell
from tests.support.pty import Program
from tests.support.session import PROGRAM, at_home

from platui.ui import themes as theming

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's own theme folder, which is not there yet."""
    monkeypatch.setattr(theming, "config_dir", lambda: tmp_path)
    return tmp_path / "themes"


@pytest.fixture
def shell(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Shell:
    """Return what types commands, without a terminal."""
    del folder
    return Shell(monkeypatch, capfd)


def test_every_theme_is_listed_with_its_contrast(shell: Shell, folder: Path) -> None:
    """The house's first, then one's own, then Textual's; what is broken is told, too."""
    assert shell("themes", "new", "mine").code == 0
    (folder / "broken.toml").write_text("dark = 1")
    said = shell("themes")
    assert said.code == 0
    assert "\x1b" not in said.out
    rows = [line.split() for line in said.lines]
    names = [row[0] for row in rows[1:]]
    assert names[:6] == ["ansi", "high-contrast", "platui-dark", "platui-light", "broken", "mine"]
    assert {"nord", "textual-light"} <= {*names}
    assert rows[2] == ["high-contrast", "dark", "7.1", "platui"]
    assert str(folder / "mine.toml") in said.out
    assert "broken.toml: dark must be true or false. Write dark = true." in said.err


def test_json_tells_where_each_is_from_and_how_it_reads(shell: Shell, folder: Path) -> None:
    """One object on each line, also of what is not usable."""
    shell("themes", "new", "mine")
    (folder / "broken.toml").write_text("dark = 1")
    told = {one["name"]: one for one in shell("themes", "--json").objects}
    assert told["broken"].keys() == {"name", "from", "path", "problem"}
    assert told["mine"]["from"] == "user"
    assert told["mine"]["path"] == str(folder / "mine.toml")
    assert told["nord"]["path"] is None
    assert told["ansi"]["least_contrast"] is None
    for one in told.values():
        if one["problem"] is None and not one["is_ansi"]:
            assert one["least_contrast"] >= one["contrast"]
            assert one["warnings"] == []
            assert re.fullmatch(r"#[0-9a-f]{6}", one["backgrounds"]["cursor"].split()[-1])


@pytest.mark.parametrize("source", ["platui-dark", "high-contrast", "ansi", "nord", "ansi-light"])
def test_a_new_theme_is_like_the_one_it_is_made_from(
    shell: Shell, folder: Path, source: str
) -> None:
    """With a comment on every key; it is right as it stands, and reads as well."""
    said = shell("themes", "new", "mine", "--from", source)
    assert (said.code, said.lines) == (0, [str(folder / "mine.toml")])
    assert 'theme = "mine"' in said.err
    told = {one["name"]: one for one in shell("themes", "--json").objects}
    same = ("is_dark", "is_ansi", "contrast", "least_contrast", "backgrounds", "foregrounds")
    assert [told["mine"][key] for key in same] == [told[source][key] for key in same]
    text = (folder / "mine.toml").read_text()
    assert f"made from {source}." in text
    assert all("#" in line for line in text.splitlines() if '= "' in line)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("mine",), "already exists"),
        (("../mine",), "Invalid theme name"),
        (("auto",), "Invalid theme name"),
        (("mine.toml",), "Invalid theme name"),
        (("other", "--from", "nrod"), "Did you mean 'nord'?"),
    ],
)
def test_a_new_theme_replaces_nothing(
    shell: Shell, folder: Path, words: tuple[str, ...], said: str
) -> None:
    """A file that is there stays, and nothing is written elsewhere."""
    assert shell("themes", "new", "mine").code == 0
    before = (folder / "mine.toml").read_bytes()
    answer = shell("themes", "new", *words)
    assert answer.code == 2
    assert said in answer.err
    assert (folder / "mine.toml").read_bytes() == before
    assert [path.name for path in folder.parent.rglob("*.toml")] == ["mine.toml"]


def test_one_in_the_place_of_the_houses_says_so(shell: Shell) -> None:
    """It is allowed, and no surprise later."""
    assert "replaces the theme platui-light" in shell("themes", "new", "platui-light").err


def test_a_check_tells_all_that_is_wrong(shell: Shell, folder: Path) -> None:
    """File, key and remedy of each; by name or by file."""
    shell("themes", "new", "mine")
    path = folder / "mine.toml"
    good = path.read_text()
    path.write_text(good.replace("#ff7b86", "#ff7b8").replace("muted =", "mutd ="))
    for word in ("mine", str(path)):
        said = shell("themes", "check", word)
        assert (said.code, said.out) == (2, "")
        assert said.err.count("mine.toml: ") == 3
        assert "foregrounds.mutd is unknown; did you mean 'muted'?" in said.err
        assert "foregrounds.failed '#ff7b8' is not a colour. Write" in said.err
    [told] = shell("themes", "check", "mine", "--json").objects
    assert told["is_usable"] is False
    assert [bool(one["remedy"]) for one in told["problems"]] == [False, True, True]


def test_a_check_warns_of_what_is_hard_to_read(shell: Shell, folder: Path) -> None:
    """It can be used: the exit code is 0."""
    shell("themes", "new", "mine")
    path = folder / "mine.toml"
    path.write_text(path.read_text().replace("#93a0b1", "#5c6673"))
    said = shell("themes", "check", "mine", "nord")
    assert said.code == 0
    assert "mine: muted has a contrast of 2.2 on cursor, less than 4.5." in said.err
    assert said.lines[0].startswith("mine: valid, but hard to read")
    assert said.lines[1].startswith("nord: valid; the lowest contrast is 4.5")
    assert shell("themes", "check", "nowhere/x.toml").code == 2
    assert shell("themes", "check", "nrod").code == 2


def test_a_terminal_sees_what_each_looks_like(tmp_path: Path) -> None:
    """In as many colours as it has, in none without, and in no more than its width."""
    for environ, wanted in (
        ({"COLORTERM": "truecolor"}, "38;2;125;219;163"),
        ({"TERM": "screen-256color"}, "38;5;"),
        ({"NO_COLOR": "1"}, ""),
    ):
        with Program([*PROGRAM, "themes"], environ={**at_home(tmp_path), **environ}) as program:
            assert program.end() == 0
            lines = program.written.split("\r\n")
            plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
            assert max(map(len, plain)) <= 80 or "Create your own" in program.written
            assert ("\x1b[" in program.written) is bool(wanted)
            assert wanted in program.written
            assert any("✔" in line for line in plain) is bool(wanted)


def test_json_is_what_a_program_reads(shell: Shell) -> None:
    """No line of it steers a terminal."""
    said = shell("themes", "check", "nord", "--json")
    assert json.loads(said.out)["problems"] == []
    assert said.out.isascii()


def test_no_file_in_the_folder_keeps_the_others_from_being_listed(
    shell: Shell, folder: Path
) -> None:
    """Nested without end, a number without end, much too long, nobody's text, a pipe."""
    folder.mkdir()
    files = {
        "deep": b"a = " + b"[" * 4000,
        "number": b"contrast = " + b"1" * 5000,
        "long": b"dark = true\n#" + b"x" * 300_000,
        "bytes": b"\xff\xfe",
    }
    for name, content in files.items():
        (folder / f"{name}.toml").write_bytes(content)
    os.mkfifo(folder / "pipe.toml")
    said = shell("themes", "--json")
    told = {one["name"]: one for one in map(json.loads, said.lines)}
    assert said.code == 0
    for name in (*files, "pipe"):
        assert "Theme file" in told[name]["problem"]
        assert shell("themes", "check", name).code == 2
