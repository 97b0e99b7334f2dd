"""Copying: the way that this terminal allows, and a sentence that promises no more."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

import pytest

from platui.ui.terminal import clipboard
from platui.ui.terminal.clipboard import copy, osc52
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from pathlib import Path


class Written:
    """A terminal that keeps what is written to it."""

    def __init__(self, *, has_clipboard: bool = True) -> None:
        self.terminal = Terminal(usable=True, has_window=has_clipboard)
        self.sequences: list[str] = []

    async def copy(self, text: str, environ: dict[str, str]) -> str:
        """Copy to this terminal; returns what is said of it."""
        return await copy(text, self.terminal, self.sequences.append, environ)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the state folder of this test."""
    monkeypatch.setattr(clipboard, "state_dir", lambda: tmp_path / "state")
    return tmp_path / "state"


def tmux(folder: Path, script: str) -> dict[str, str]:
    """Put a `tmux` of ours on the path; returns the environment inside it."""
    program = folder / "tmux"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {"TMUX": "/tmp/tmux-0/default,1,0", "PATH": f"{folder}:/usr/bin:/bin"}  # noqa: S108


async def test_text_is_sent_to_the_terminal() -> None:
    """One OSC 52 with all of it, and nothing that claims success."""
    app = Written()
    outcome = await app.copy("żółw\n", {})
    [sequence] = app.sequences
    found = re.fullmatch("\x1b]52;c;([A-Za-z0-9+/=]*)\x07", sequence)
    assert found is not None
    assert base64.b64decode(found[1]).decode() == "żółw\n"
    assert "clipboard" in outcome


@pytest.mark.parametrize(("size", "sent"), [(74_994, True), (74_995, False), (5_000_000, False)])
async def test_a_long_text_goes_to_a_file(state: Path, size: int, sent: bool) -> None:  # noqa: FBT001
    """Terminals drop longer sequences in silence."""
    app = Written()
    outcome = await app.copy("x" * size, {})
    assert bool(app.sequences) is sent
    if not sent:
        path = state / "copied.txt"
        assert outcome == f"Written to {path}."
        assert path.read_bytes() == b"x" * size
        assert path.stat().st_mode & 0o077 == 0


async def test_a_console_gets_a_file(state: Path) -> None:
    """There is no clipboard behind it."""
    app = Written(has_clipboard=False)
    outcome = await app.copy("x", {})
    assert app.sequences == []
    assert outcome == f"Written to {state / 'copied.txt'}."


@pytest.fixture
def blocked_state(state: Path) -> None:
    """Put a file where the state folder should be."""
    state.write_text("in the way")


@pytest.mark.usefixtures("blocked_state")
async def test_a_file_that_can_not_be_written_is_told() -> None:
    """The text is nowhere, and the sentence says so."""
    outcome = await Written(has_clipboard=False).copy("x", {})
    assert outcome.startswith("Not copied")


def test_screen_gets_small_wrapped_pieces() -> None:
    """GNU screen passes on strings of its own kind only, and short ones."""
    sequence = osc52(b"x" * 500, screen=True)
    assert sequence.startswith("\x1bP\x1b]52;c;")
    assert sequence.endswith("\x07\x1b\\")
    pieces = re.findall("\x1bP(.*?)\x1b\\\\", sequence)
    assert max(map(len, pieces)) <= 90
    joined = "".join(pieces).removeprefix("\x1b]52;c;").removesuffix("\x07")
    assert base64.b64decode(joined) == b"x" * 500


async def test_tmux_takes_a_buffer_of_any_length(tmp_path: Path) -> None:
    """With `-w`, which its default settings let through to the terminal around it."""
    environ = tmux(tmp_path, f'echo "$@" >{tmp_path}/args; cat >{tmp_path}/fed')
    environ["PLATUI_TOKEN"] = "planted"
    app = Written()
    outcome = await app.copy("y" * 200_000, environ)
    assert (tmp_path / "args").read_text() == "load-buffer -w -\n"
    assert (tmp_path / "fed").read_text() == "y" * 200_000
    assert app.sequences == []
    assert "tmux" in outcome


async def test_an_old_tmux_takes_a_buffer_without_offering_it(tmp_path: Path) -> None:
    """Before 3.2 there is no `-w`."""
    environ = tmux(tmp_path, f'[ "$2" = -w ] && exit 1; cat >{tmp_path}/fed')
    outcome = await Written().copy("text", environ)
    assert (tmp_path / "fed").read_text() == "text"
    assert "tmux buffer" in outcome
    assert "terminal" not in outcome


@pytest.mark.parametrize("script", ["exit 1", "sleep 60"])
async def test_a_tmux_that_fails_or_hangs_leaves_a_file(
    tmp_path: Path, state: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not waited for, and the text is not lost."""
    monkeypatch.setattr(clipboard, "_PATIENCE", 0.05)
    outcome = await Written().copy("text", tmux(tmp_path, f"exec {script}"))
    assert outcome == f"Written to {state / 'copied.txt'}."
    assert (state / "copied.txt").read_text() == "text"


async def test_other_programs_do_not_see_our_secrets(tmp_path: Path) -> None:
    """A token in the environment stays in this process."""
    environ = tmux(tmp_path, f"env >{tmp_path}/env; cat >/dev/null")
    await Written().copy("text", {**environ, "PLATUI_TOKEN": "planted"})
    assert "planted" not in (tmp_path / "env").read_text()
