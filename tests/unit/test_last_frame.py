"""The stored frame that the next start shows first."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.test_import_weight import loaded_by

from platui.core.last_frame import LastFrame, LastFrames, frames_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

SIZE = (80, 24)
FRAME = LastFrame(b"\x1b[?1049h 38 broken", b"\x1b[?1049l", b'{"rows": []}', dark=False)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user."""
    return {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "HOME": str(tmp_path),
        "TERM": "xterm-256color",
        "PLATUI_TOKEN": "glpat-of-somebody",
        "PLATUI_ADMIN_KEY": "key-of-somebody",
    }


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return a configuration file."""
    path = tmp_path / "config.toml"
    path.write_text('theme = "platui-dark"\n', encoding="utf-8")
    return path


def frames(environ: Mapping[str, str], *arguments: str, version: str = "1.0") -> LastFrames:
    """Return the frames of a start."""
    return LastFrames(arguments, environ, version)


def stored(environ: Mapping[str, str]) -> Path:
    """Return the one stored file."""
    [path] = Path(frames_folder(environ)).iterdir()
    return path


@pytest.fixture
def saved(environ: dict[str, str], config: Path) -> dict[str, str]:
    """Store a frame; returns the environment of its start."""
    frames(environ).save("work", SIZE, FRAME, [config])
    return environ


def shown(found: LastFrame | None) -> tuple[object, ...] | None:
    """Return the parts of a frame."""
    return None if found is None else (found.shown, found.restored, found.cells, found.dark)


def test_the_same_start_finds_it(saved: dict[str, str]) -> None:
    """With all its parts, in a private file that holds no secret."""
    assert shown(frames(saved).load(SIZE)) == shown(FRAME)
    path = stored(saved)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.name.startswith("work.")
    assert b"of-somebody" not in path.read_bytes()


def test_a_folder_may_end_with_a_slash(environ: dict[str, str]) -> None:
    """As users write it in their shell's profile."""
    environ["XDG_STATE_HOME"] += "/"
    for _ in range(2):
        frames(environ).save("work", SIZE, FRAME, [])
        assert frames(environ).load(SIZE) is not None


@pytest.mark.parametrize("name", ["PLATUI_TOKEN", "TERM_SESSION_ID", "TERMINATOR_UUID"])
def test_a_secret_and_what_names_a_window_may_differ(saved: dict[str, str], name: str) -> None:
    """A token that was renewed, or another window, opens the same view."""
    assert frames(saved | {name: "another"}).load(SIZE) is not None


@pytest.mark.parametrize(
    "change",
    [
        {"PLATUI_PROFILE": "other"},
        {"PLATUI_URL": "https://other.example"},
        {"TERM": "linux"},
        {"COLORTERM": "truecolor"},
        {"COLORFGBG": "0;15"},
        {"NO_COLOR": "1"},
        {"TMUX": "/tmp/tmux-0/default,1,0"},  # noqa: S108  (a value of this variable)
        {"STY": "1234.pts-0.host"},
        {"LC_ALL": "C"},
        {"TZ": "Asia/Tokyo"},
        {"PLATUI_WHOLE_FRAMES": "1"},
        {"TEXTUAL_DISABLE_KITTY_KEY": "1"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_environment_does_not(saved: dict[str, str], change: dict[str, str]) -> None:
    """What decides profile, colours, glyphs or times."""
    assert frames(saved | change).load(SIZE) is None


def test_another_start_does_not(saved: dict[str, str]) -> None:
    """Other arguments, another size, another version."""
    assert frames(saved, "--ascii").load(SIZE) is None
    assert frames(saved).load((80, 25)) is None
    assert frames(saved, version="1.1").load(SIZE) is None


@pytest.mark.parametrize("change", ["edited", "deleted"])
def test_a_changed_configuration_makes_it_invalid(
    saved: dict[str, str], config: Path, change: str
) -> None:
    """Its theme or default profile may be another one."""
    if change == "edited":
        config.write_text('theme = "platui-light"\n', encoding="utf-8")
    else:
        config.unlink()
    assert frames(saved).load(SIZE) is None


def test_a_new_configuration_makes_it_invalid(environ: dict[str, str], tmp_path: Path) -> None:
    """There was none when it was stored."""
    new = tmp_path / "new.toml"
    frames(environ).save("work", SIZE, FRAME, [new])
    assert frames(environ).load(SIZE) is not None
    new.write_text("", encoding="utf-8")
    assert frames(environ).load(SIZE) is None


def test_a_damaged_file_is_ignored(saved: dict[str, str]) -> None:
    """Each byte changed, each length: nothing of it reaches the terminal."""
    path = stored(saved)
    content = path.read_bytes()
    for at in range(len(content)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert frames(saved).load(SIZE) is None, at
        path.write_bytes(content[:at])
        assert frames(saved).load(SIZE) is None, at
    path.write_bytes(content + b"x")
    assert frames(saved).load(SIZE) is None


@pytest.mark.parametrize("kind", ["readable", "link", "folder", "pipe", "huge"])
def test_what_is_not_our_private_file_is_ignored(
    saved: dict[str, str], tmp_path: Path, kind: str
) -> None:
    """Somebody else may have put it there."""
    path = stored(saved)
    content = path.read_bytes()
    if kind == "readable":
        path.chmod(0o644)
    elif kind == "huge":
        with path.open("ab") as file:
            file.truncate(2_000_000)
    else:
        path.unlink()
        if kind == "link":
            (tmp_path / "elsewhere").write_bytes(content)
            path.symlink_to(tmp_path / "elsewhere")
        elif kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path, 0o600)
    assert frames(saved).load(SIZE) is None


def test_the_newest_eight_are_kept(environ: dict[str, str], config: Path) -> None:
    """One per size and arguments, or they would grow without end."""
    for columns in range(80, 100):
        frames(environ).save("work", (columns, 24), FRAME, [config])
    assert len(list(Path(frames_folder(environ)).iterdir())) == 8
    assert frames(environ).load((99, 24)) is not None


def test_another_default_profile_replaces_it(saved: dict[str, str], config: Path) -> None:
    """The start finds that of the profile which it opens, and no older one."""
    config.write_text('default_profile = "other"\n', encoding="utf-8")
    frames(saved).save("other", SIZE, FRAME, [config])
    assert stored(saved).name.startswith("other.")
    assert frames(saved).load(SIZE) is not None


def test_it_can_be_deleted(saved: dict[str, str]) -> None:
    """That of another size stays."""
    frames(saved).save("work", (120, 40), FRAME, [])
    frames(saved).delete(SIZE)
    assert frames(saved).load(SIZE) is None
    assert frames(saved).load((120, 40)) is not None


@pytest.mark.parametrize("module", ["platui.core.last_frame", "platui.ui.terminal.handover"])
def test_it_is_there_before_slow_imports(module: str) -> None:
    """Each of these takes 2 to 8 ms."""
    assert not loaded_by(module) & {"typing", "pathlib", "json", "re", "hashlib", "dataclasses"}
