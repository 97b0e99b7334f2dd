"""Out of the log: saving, other programs, and copying, from a saved log's view."""

from __future__ import annotations

import asyncio
import stat
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import PATIENCE, pauses
from tests.texts.dialogs import NO_FILE_NAME
from textual.widgets import Input

from platui.config.settings import Settings
from platui.core.clock import SystemClock
from platui.service.logs.file import follow_file
from platui.ui import pager
from platui.ui.command_app import ClipboardAndBrowser, CommandApp
from platui.ui.dialogs import save as replacing
from platui.ui.log_file_app import LogFileApp
from platui.ui.screens.logs.copy_and_save import SaveLog
from platui.ui.screens.logs.log_file import LogFileScreen
from platui.ui.terminal.detection import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.pilot import Pilot

LOG = (
    b"\x1b[32mline 0\x1b[0m\n"
    b"section_start:1700000000:build\r\x1b[0KBuilding\nline 2\n"
    b"Traceback (most recent call last):\n"
    b'  File "x.py", line 1, in <module>\n'
    b"    f()\n"
    b"ValueError: no\x1b]0;owned\x07 such table\n"
    b"section_end:1700000009:build\r\x1b[0Kline 7\n"
)


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a saved log, in the folder that one is in."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "nightly.log"
    path.write_bytes(LOG)
    return path


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the texts that were handed over for the clipboard."""
    texts: list[str] = []

    async def note(_: ClipboardAndBrowser, text: str, what: str) -> None:
        texts.append(f"{what}: {text}")

    monkeypatch.setattr(ClipboardAndBrowser, "_copy", note)
    return texts


def viewer(path: Path) -> LogFileApp:
    """Return the viewer of a file."""
    feed = follow_file(path, SystemClock())
    return LogFileApp(path, feed, Settings(), Terminal(usable=True))


async def until(pilot: Pilot[int], true: Callable[[], object]) -> None:
    """Wait until something is so."""
    for pause in pauses(PATIENCE):
        await pilot.pause(pause)
        if true():
            return
    raise AssertionError("it does not come to be")


async def opened(pilot: Pilot[int]) -> LogFileScreen:
    """Wait for the log; return its screen."""
    screen = pilot.app.screen
    assert isinstance(screen, LogFileScreen)
    await until(
        pilot, lambda: screen.body.age.fetched_at is not None and screen.focused is not None
    )
    return screen


async def test_s_saves_plain_text_for_its_owner_alone(saved: Path) -> None:
    """Under the name that is offered, in the folder one is in."""
    app = viewer(saved)
    async with app.run_test(notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("s", "enter")
        target = saved.with_name("nightly-copy.log")
        await until(pilot, lambda: any(str(target) in n.message for n in app._notifications))
        text = target.read_text()
        assert text.splitlines()[0] == "line 0"
        assert "ValueError: no such table" in text
        assert "\x1b" not in text
        assert "section_start" not in text
        assert stat.S_IMODE(target.stat().st_mode) == 0o600
        assert [path.name for path in saved.parent.iterdir() if ".part" in path.name] == []


async def test_nothing_is_overwritten_without_being_asked(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name stays as it was typed; a second enter replaces, another name does not."""
    monkeypatch.setattr(replacing, "READING", 0.0)
    there = saved.with_name("nightly-copy.log")
    there.write_text("mine")
    app = viewer(saved)
    async with app.run_test(notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("s", "tab", "enter")
        dialog = app.screen
        await until(pilot, lambda: "replaces it" in dialog.query_one("#how").text)  # type: ignore[attr-defined]
        assert there.read_text() == "mine"
        await pilot.press("end", "x")
        await until(pilot, lambda: not dialog.query_one("#how").text)  # type: ignore[attr-defined]
        await pilot.press("backspace", "enter")
        await until(pilot, lambda: "replaces it" in dialog.query_one("#how").text)  # type: ignore[attr-defined]
        assert there.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: there.read_bytes() == LOG)
        await until(pilot, lambda: app.screen is not dialog)


async def test_an_enter_before_the_question_was_read_replaces_nothing(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two at once are one."""
    monkeypatch.setattr(replacing, "READING", 60.0)
    there = saved.with_name("nightly-copy.log")
    there.write_text("mine")
    app = viewer(saved)
    async with app.run_test() as pilot:
        await opened(pilot)
        await pilot.press("s", "enter")
        dialog = app.screen
        assert isinstance(dialog, replacing.SaveDialog)
        await until(pilot, lambda: "replaces it" in dialog.how.text)
        await pilot.press("enter")
        assert not dialog.is_writing
        assert app.screen is dialog
        assert there.read_text() == "mine"


async def test_the_name_that_is_offered_is_replaced_by_what_is_typed(saved: Path) -> None:
    """An arrow keeps it."""
    app = viewer(saved)
    async with app.run_test() as pilot:
        await opened(pilot)
        await pilot.press("s", "x")
        assert app.screen.query_one(Input).value == "x"
        await pilot.press("escape", "s", "end", "x")
        assert app.screen.query_one(Input).value == "nightly-copy.logx"


async def test_a_folder_that_is_not_there_is_said_in_place(saved: Path) -> None:
    """With what was typed still there."""
    app = viewer(saved)
    async with app.run_test() as pilot:
        await opened(pilot)
        await pilot.press("s", "home", *"none/", "enter")
        dialog = app.screen
        await until(pilot, lambda: "Folder not found" in dialog.query_one("#how").text)  # type: ignore[attr-defined]
        assert dialog.query_one("Input").value == "none/nightly-copy.log"  # type: ignore[attr-defined]


async def test_a_name_that_is_empty_is_said_in_place(saved: Path) -> None:
    """Until something is typed; nothing is written meanwhile."""
    app = viewer(saved)
    async with app.run_test() as pilot:
        await opened(pilot)
        await pilot.press("s", "ctrl+u", "space", "enter")
        dialog = app.screen
        await until(pilot, lambda: NO_FILE_NAME in dialog.query_one("#how").text)  # type: ignore[attr-defined]
        assert list(saved.parent.iterdir()) == [saved]
        await pilot.press("b", "enter")
        await until(pilot, lambda: app.screen is not dialog)
        assert saved.with_name("b").exists()


async def test_y_copies_what_one_has_chosen_or_gone_to(saved: Path, copied: list[str]) -> None:
    """The lines chosen, else the error, else the line, else the path; clean in any case."""
    app = viewer(saved)
    async with app.run_test() as pilot:
        screen = await opened(pilot)
        await pilot.press("y")
        await until(pilot, lambda: copied)
        assert len(copied) == 1
        assert copied[0].endswith(f": {saved}")
        screen.body.view.position.reveal(0)
        await pilot.press("y")
        await until(pilot, lambda: len(copied) > 1)
        assert copied[-1] == "1 line: line 0"
        screen.body.view.position.reveal(4)
        await pilot.press("y")
        await until(pilot, lambda: len(copied) > 2)
        assert copied[-1].startswith("4 lines: Traceback (most recent call last):\n")
        assert copied[-1].endswith("ValueError: no such table")
        screen.body.view.position.reveal(0)
        await pilot.press("space", "j", "y")
        await until(pilot, lambda: len(copied) > 3)
        assert copied[-1] == "2 lines: line 0\nBuilding"
        assert screen.body.view.selection.span is None


async def test_y_copies_nothing_that_was_left(saved: Path, copied: list[str]) -> None:
    """A line gone to before, now out of sight; of a long error a part in sight is enough."""
    frames = b'  File "x.py", line 1, in f\n    f()\n' * 30
    error = b"Traceback (most recent call last):\n" + frames + b"ValueError: no such table\n"
    saved.write_bytes(b"line 0\n" * 100 + error + b"line\n" * 100)
    app = viewer(saved)
    async with app.run_test() as pilot:
        position = (await opened(pilot)).body.view.position
        position.reveal(0)
        position.go_to_last()
        await pilot.press("y")
        await until(pilot, lambda: copied)
        assert copied[-1].endswith(f": {saved}")
        position.reveal(161)
        position.go_to(100)
        assert position.focus_in_sight is None
        await pilot.press("y")
        await until(pilot, lambda: len(copied) > 1)
        assert copied[-1].startswith("62 lines: Traceback (most recent call last):\n")


async def test_y_copies_all_of_a_line_however_long_it_is(
    saved: Path, copied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """To its end, which nobody sees; what is more than a clipboard takes is said to be."""
    hints: list[str] = []
    monkeypatch.setattr(CommandApp, "hint", lambda _, words: hints.append(words))
    long = "x" * 900_000 + "end"
    saved.write_bytes(f"first\n{long}\nlast\n{long * 5}\n".encode())
    app = viewer(saved)
    async with app.run_test() as pilot:
        screen = await opened(pilot)
        screen.body.view.position.reveal(1)
        await pilot.press("y")
        await until(pilot, lambda: copied)
        assert copied[-1] == f"1 line: {long}"
        await pilot.press("space", "j", "y")
        await until(pilot, lambda: len(copied) > 1)
        assert copied[-1] == f"2 lines: {long}\nlast"
        screen.body.view.position.reveal(3)
        await pilot.press("y")
        await until(pilot, lambda: hints)
        assert hints == ["This line is too long to copy. s saves the log."]
        assert len(copied) == 2


async def test_the_menu_copies_a_section(saved: Path, copied: list[str]) -> None:
    """Of the line one is at; and says what else there is."""
    app = viewer(saved)
    async with app.run_test() as pilot:
        screen = await opened(pilot)
        screen.body.view.position.reveal(2)
        await pilot.press("Y")
        await until(pilot, lambda: app.screen is not screen)
        await pilot.press(*"section build", "enter")
        await until(pilot, lambda: copied)
        assert copied[0].startswith("6 lines: Building\nline 2\n")


@pytest.mark.parametrize(
    ("variable", "words"),
    [("no-such-program --flag", "not found: no-such-program"),
     ("less 'unfinished", "$PAGER is invalid")],
)  # fmt: skip
async def test_a_pager_that_does_not_work_is_said(
    saved: Path, monkeypatch: pytest.MonkeyPatch, variable: str, words: str
) -> None:
    """And the view stays."""
    monkeypatch.setenv("PAGER", variable)
    app = viewer(saved)
    async with app.run_test(notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("v")
        await until(pilot, lambda: any(words in n.message for n in app._notifications))


async def test_a_pager_does_not_take_the_keys_of_a_dialog(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long log is written while one opens it."""
    monkeypatch.setenv("PAGER", "less")
    written, shown = asyncio.Event(), list[object]()

    async def write_late(*_: object) -> None:
        await written.wait()

    monkeypatch.setattr(SaveLog, "_write_for", write_late)
    monkeypatch.setattr(pager, "run_viewer", lambda _, __, path, ___: shown.append(path))
    app = viewer(saved)
    async with app.run_test(notifications=True) as pilot:
        await opened(pilot)
        await pilot.press("v", "s")
        assert isinstance(app.screen, replacing.SaveDialog)
        written.set()
        await until(pilot, lambda: any("was not opened" in n.message for n in app._notifications))
        assert not shown
        await pilot.press("escape", "v")
        await until(pilot, lambda: shown)


async def test_a_folder_that_is_gone_is_said_in_place(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that platui was started in: a whole path can still be saved to."""
    gone = tmp_path / "gone"
    gone.mkdir()
    app = viewer(saved)
    async with app.run_test() as pilot:
        await opened(pilot)
        monkeypatch.chdir(gone)
        gone.rmdir()
        await pilot.press("s", "enter")
        dialog = app.screen
        await until(pilot, lambda: "Not saved" in dialog.query_one("#how").text)  # type: ignore[attr-defined]
        dialog.query_one("Input").value = str(tmp_path / "there.log")  # type: ignore[attr-defined]
        await pilot.press("enter")
        await until(pilot, (tmp_path / "there.log").exists)
