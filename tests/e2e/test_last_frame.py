"""The frame of the last run is on the screen before the program is there, and its keys count."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.processes import Desk, emulator_process
from tests.support.session import Session

from platui.ui.line_filters import to_ascii

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = (120, 40)
KEEPER = "platui.ui.controllers.app.frame_keeper"
MARK = "◌ as of"
LIGHT, DARK = b"48;2;251;250;247", b"48;2;16;21;28"  # Backgrounds


@pytest.fixture(scope="module")
def platform() -> Iterator[Desk]:
    """Run a platform whose time stands still, with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000", "--speed", "0") as desk:
        yield desk


def start(platform: Desk, home: Path, *arguments: str, **options: Any) -> Session:
    """Start the dashboard."""
    environ = {**platform.environ(), **options.pop("environ", {})}
    return Session(*arguments, home=home, environ=environ, **{"size": SIZE, **options})


def leave(session: Session, *keys: str) -> None:
    """Leave from where one is."""
    session.press(*(keys or ("q",)))
    assert session.end() == 0


@pytest.fixture(scope="module")
def used(platform: Desk, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the home of a user whose last run ended on the board, in the middle of it."""
    return user(platform, tmp_path_factory.mktemp("home"))


@pytest.fixture
def home(used: Path) -> Iterator[Path]:
    """Return that home; the next test finds it as this one did."""
    before = used.with_name("before")
    shutil.copytree(used, before)
    yield used
    shutil.rmtree(used)
    before.rename(used)


def user(platform: Desk, tmp_path: Path) -> Path:
    """Run the dashboard once; returns the home."""
    with start(platform, tmp_path) as first:
        first.until("Watch list")
        first.press("enter")
        first.until("broken (")
        first.settle()
        first.press("j", "j", "j")
        first.settle()
        leave(first)
    return tmp_path


def frames(home: Path) -> list[Path]:
    """Return the stored frames."""
    return list((home / ".local/state/platui/frames").glob("*.frame"))


def first_frame(session: Session) -> str:
    """Wait for the frame of the last run; returns the screen before the program is there."""
    session.until(MARK)
    session.settle(quiet=0.05)
    return session.text


def without_mark(text: str) -> bool:
    """Tell whether the program has replaced the frame of the last run."""
    return "broken" in text and MARK not in text


def body(text: str) -> str:
    """Return what stands between summary and footer; a minute may have passed."""
    return re.sub(r"\d+", "0", "\n".join(text.splitlines()[2:-1]))


def test_it_is_the_board_as_the_program_shows_it_then(platform: Desk, home: Path) -> None:
    """At its top, with its own footer, and in the same cells: nothing moves when it arrives."""
    for _ in range(3):  # between two frames, an age may become a digit longer and move columns
        with start(platform, home) as second:
            old = first_frame(second)
            live = second.until(without_mark)
            leave(second)
        if body(old) == body(live):
            break
    assert old.splitlines()[2].startswith(" ✖")
    assert body(old) == body(live)
    assert old.splitlines()[-1].split()[:2] == live.splitlines()[-1].split()[:2]


def test_the_rest_is_written_as_a_difference(platform: Desk, home: Path) -> None:
    """The board is on the line once."""
    with start(platform, home) as second:
        first_frame(second)
        once = second.size
        second.until(without_mark)
        second.settle()
        assert second.size - once < once / 2
        leave(second)


def test_a_light_one_stays_light(platform: Desk, tmp_path: Path) -> None:
    """The terminal had answered that it is light, whatever COLORFGBG claims."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('theme = "auto"\n', encoding="utf-8")
    environ = {"COLORFGBG": "15;0", "COLORTERM": "truecolor"}
    with start(platform, tmp_path, environ=environ) as first:
        first.until("Watch list")
        first.press("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "enter")
        first.until("broken (")
        first.settle()
        leave(first)
    with start(platform, tmp_path, environ=environ) as second:
        first_frame(second)
        second.until(without_mark)
        second.settle()
        leave(second)
    assert LIGHT in second.kept.getvalue()
    assert DARK not in second.kept.getvalue()


def test_keys_of_the_meantime_count(platform: Desk, home: Path) -> None:
    """A search typed at what one sees, while the program is still loading."""
    with start(platform, home) as second:
        second.until(MARK)
        second.press("/", "f", "x")
        second.until("/fx")
        second.press("esc")
        second.settle()
        leave(second)
    with start(platform, home) as third:
        third.until(MARK)
        leave(third, "q")


def test_enter_counts_before_anything_is_shown(platform: Desk, home: Path) -> None:
    """The terminal is not in raw mode yet, and makes a line feed of it."""
    with start(platform, home) as second:
        second.press("enter")
        second.until("esc back")
        second.press("esc")
        second.until("broken")
        second.settle()
        leave(second)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {"size": (100, 30)}),
        ((), {"environ": {"NO_COLOR": "1"}}),
        ((), {"environ": {"TERM": "linux"}}),
        (("--ascii",), {}),
        (("--utc",), {}),
    ],
    ids=["size", "no colours", "console", "ascii", "utc"],
)
def test_another_start_shows_none(
    platform: Desk, home: Path, arguments: tuple[str, ...], options: dict[str, Any]
) -> None:
    """It would be too wide, or in colours that are not wanted."""
    with start(platform, home, *arguments, **options) as second:
        second.until("broken")
        second.settle()
        assert MARK.encode() not in second.kept.getvalue()
        leave(second)


def test_without_unicode_it_is_ascii(platform: Desk, tmp_path: Path) -> None:
    """Its header, too, which differs from that of the program."""
    mark = to_ascii(MARK)
    with start(platform, tmp_path, "--ascii") as first:
        first.until("Watch list")
        first.press("enter")
        first.until("broken (")
        first.settle()
        leave(first)
    with start(platform, tmp_path, "--ascii") as second:
        second.until(mark)
        second.until(lambda text: "broken" in text and mark not in text)
        assert re.sub(rb"\x1b\].*?\x07", b"", second.kept.getvalue()).isascii()  # without titles
        leave(second)


def test_that_of_another_view_is_not_shown(platform: Desk, tmp_path: Path) -> None:
    """A dashboard of another size was left in a view, and the next start opens that one."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('start = "last"\n', encoding="utf-8")
    for size, view in ((SIZE, "pipelines"), ((100, 30), "schedules")):
        with start(platform, tmp_path, size=size) as session:
            session.until("● live")
            session.press(":", f"{view} {platform.project}", "enter")
            session.until(f"› {view.capitalize()}")
            session.settle()
            leave(session, ":q\r")
    with start(platform, tmp_path) as third:
        third.until("› Schedules")
        third.settle()
        assert MARK.encode() not in third.kept.getvalue()
        leave(third, ":q\r")
    with start(platform, tmp_path) as fourth:
        assert "› Schedules" in first_frame(fourth)
        fourth.settle()
        leave(fourth, ":q\r")


def test_without_colours_none_is_stored(platform: Desk, home: Path) -> None:
    """Nor with the output of whole frames."""
    before = frames(home)
    for environ in ({"NO_COLOR": "1"}, {"PLATUI_WHOLE_FRAMES": "1"}):
        with start(platform, home, environ=environ) as second:
            second.until("broken")
            second.settle()
            leave(second)
    assert frames(home) == before


def test_a_damaged_one_costs_nothing(platform: Desk, home: Path) -> None:
    """The start is as it was without."""
    [path] = frames(home)
    path.write_bytes(path.read_bytes()[:-20])
    with start(platform, home) as second:
        second.until(without_mark)
        assert MARK.encode() not in second.kept.getvalue()
        leave(second)
    with start(platform, home) as third:
        third.until(MARK)
        leave(third)


def test_none_is_stored_where_the_configuration_was_edited_meanwhile(
    platform: Desk, home: Path
) -> None:
    """It was drawn with the settings of before."""
    config = home / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    with start(platform, home) as second:
        second.until(without_mark)
        config.write_text('theme = "platui-light"\n', encoding="utf-8")
        leave(second)
    assert frames(home) == []


def test_an_error_before_the_program_gives_the_terminal_back(
    platform: Desk, tmp_path: Path
) -> None:
    """The message is on the shell's screen, and the shell has its echo."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('start = "triage"\n', encoding="utf-8")
    home = user(platform, tmp_path)
    # A change that the frame does not notice.
    state = config.stat()
    with config.open("r+", encoding="utf-8") as file:
        file.write("start = \"triage'\n")
    os.utime(config, ns=(state.st_atime_ns, state.st_mtime_ns))
    with start(platform, home) as second:
        assert second.end() == 2
        written = second.kept.getvalue()
        assert MARK.encode() in written
        assert written.index(b"\x1b[?1049l") < written.index(b"config.toml")
        assert written.count(b"\x1b[?1049l") == 1


def test_a_signal_while_it_loads_ends_it(platform: Desk, home: Path) -> None:
    """As later: with the terminal as it was, and the exit code of the signal."""
    with start(platform, home) as second:
        second.until(MARK)
        os.kill(second.child.pid, signal.SIGTERM)
        assert second.end() == 128 + signal.SIGTERM
        assert b"\x1b[?1049l" in second.kept.getvalue()


def test_nothing_typed_is_stored(platform: Desk, home: Path) -> None:
    """Neither a prompt that is open nor a filter, whose rows the next start does not show."""
    with start(platform, home) as second:
        second.until(without_mark)
        second.press("/", "fx", "enter")
        second.settle()
        second.press(":", "q!", "enter")
        assert second.end() == 0
    assert frames(home) == []


@contextmanager
def storing(platform: Desk, home: Path, path: Path, hasty: str) -> Iterator[Session]:
    """Run the dashboard with other times of its frame keeper, until it stored a frame."""
    before = path.stat().st_mtime_ns
    code = f"import {KEEPER} as k; {hasty}\nfrom platui.cli.main import main; main()"
    with start(platform, home, program=(sys.executable, "-c", code)) as session:
        session.until(without_mark)
        deadline = time.monotonic() + 30
        while path.stat().st_mtime_ns == before:
            assert time.monotonic() < deadline
            session.listen(0.5)
        yield session


def rows_below_header(path: Path) -> object:
    """Return what a stored frame shows, but for its first line."""
    head, _, body = path.read_bytes().partition(b"\n")
    *before, cells, _ = map(int, head.split()[-6:])
    document = json.loads(body[sum(before) :][:cells])
    return document["rows"][1:]


def test_a_frame_with_another_header_only_is_not_stored_again(platform: Desk, home: Path) -> None:
    """Its time at the top would be the only news."""
    [path] = frames(home)
    with storing(platform, home, path, "k._EVERY = k._FIRST = 0.5") as second:
        second.settle(2.0)
        for key, words in (("=", "paused"), ("=", "live")):
            stored, rows = path.stat().st_mtime_ns, rows_below_header(path)
            second.press(key)
            second.until(words)
            second.settle(2.0)
            # An age may have grown meanwhile.
            assert path.stat().st_mtime_ns == stored or rows_below_header(path) != rows
        leave(second)


def test_a_killed_program_leaves_the_last_minute(platform: Desk, home: Path) -> None:
    """A frame is stored a minute after it changed, with the rows behind it."""
    [path] = frames(home)
    with storing(platform, home, path, "k._EVERY = 1.0") as second:
        os.kill(second.child.pid, signal.SIGKILL)
    with start(platform, home) as third:
        third.until(MARK)
        third.until(without_mark)
        leave(third)
