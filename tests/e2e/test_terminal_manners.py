"""In a real terminal: every way to leave gives it back, and nothing odd brings the app down."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import pexpect
import psutil
import pytest
from tests.support.processes import emulator_process
from tests.support.pty import APPS, Program, Pty
from tests.support.session import Session

from platui.cli.main import dispatch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Return the file that an app leaves when it has ended in order."""
    return tmp_path / "mark"


@pytest.fixture
def terminal(mark: Path) -> Iterator[Pty]:
    """Return a terminal with the app ready in it."""
    with Pty("manners.py", environ={"MANNERS_MARK": str(mark)}) as pty:
        pty.expect("READY 80x24")
        yield pty


def wait_until(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Return whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_in_order(terminal: Pty, mark: Path, number: signal.Signals) -> None:
    """The terminal is itself again, state is flushed, and the status tells the signal."""
    assert not terminal.has_modes_of_before()
    terminal.process.send_signal(number)
    assert terminal.end() == 128 + number
    assert terminal.terminal_is_itself()
    assert mark.read_text() == "flushed"


def test_ctrl_c_ends_it(terminal: Pty, mark: Path) -> None:
    """As a user's wish, not as an error."""
    terminal.send("\x03")
    assert terminal.end() == 0
    assert terminal.terminal_is_itself()
    assert mark.read_text() == "flushed"


@pytest.mark.parametrize("where", ["before the terminal is restored", "at the end"])
def test_a_signal_ends_what_hangs(where: str) -> None:
    """Leaving in order may take two seconds, not for ever."""
    with Pty("manners.py", environ={"MANNERS_HANG": where}) as pty:
        pty.expect("READY 80x24")
        pty.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        assert pty.end() == 128 + signal.SIGTERM
        assert 1.5 < time.monotonic() - began < 6
        assert pty.terminal_is_itself()


def test_hundreds_of_signals_while_it_hangs_print_nothing() -> None:
    """More than the pipe that wakes the event loop takes."""
    with Pty("manners.py", environ={"MANNERS_HANG": "at the end"}) as pty:
        pty.expect("READY 80x24")
        process = pty.process
        while process.status() != psutil.STATUS_ZOMBIE:
            process.send_signal(signal.SIGTERM)
            time.sleep(0.002)
        assert pty.end() == 128 + signal.SIGTERM
        assert "Traceback" not in pty.written


def test_ctrl_c_again_while_it_leaves_is_no_traceback(tmp_path: Path) -> None:
    """What is typed in a hurry reaches the terminal that was just given back."""
    with (
        emulator_process() as platform,
        Session(home=tmp_path, environ=platform.environ()) as session,
    ):
        session.until("0 of 60 marked")
        session.press("ctrl+c")
        while "\x1b[?1004l" not in session.written:
            session.listen(0.01)
        pid, ended = session.child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT
        while os.waitid(os.P_PID, pid, ended) is None:
            os.kill(pid, signal.SIGINT)
            time.sleep(0.0002)  # often enough to fill the pipe that wakes the event loop
        status = session.end()
        assert status in {0, 128 + signal.SIGINT} or session.child.signalstatus == signal.SIGINT
        assert "Traceback" not in session.written
        assert session.terminal_is_itself()


@pytest.mark.parametrize(
    ("inherited", "expected"),
    [(signal.default_int_handler, signal.SIG_DFL), (signal.SIG_IGN, signal.SIG_IGN)],
    ids=["default", "ignored"],
)
def test_ctrl_c_while_the_dashboard_is_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, inherited: Any, expected: signal.Handlers
) -> None:
    """The signal ends the process itself, unless the caller ignores it."""
    seen = []

    def run_dashboard(*_: object) -> int:
        seen.append(signal.getsignal(signal.SIGINT))
        return 0

    monkeypatch.setattr("platui.cli.dashboard.run_dashboard", run_dashboard)
    before = signal.signal(signal.SIGINT, inherited)
    try:
        assert dispatch([":projects"]) == 0
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [expected]


def test_ctrl_c_ends_what_hangs_after_the_dashboard() -> None:
    """It does not break off what is still to be done, and does not wait for it for ever."""
    with Pty("manners.py", environ={"MANNERS_HANG": "after it"}) as pty:
        pty.expect("READY 80x24")
        pty.send("\x03")
        pty.expect("LEFT")
        began = time.monotonic()
        pty.send("\x03")
        assert pty.end() == 128 + signal.SIGINT
        assert 1.5 < time.monotonic() - began < 6
        assert "Traceback" not in pty.written


def ignore_hangup() -> None:
    """Do what `nohup` does."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@pytest.mark.parametrize("preexec", [None, ignore_hangup])
def test_a_terminal_that_is_gone_ends_it(mark: Path, preexec: Callable[[], None] | None) -> None:
    """A dropped line leaves no process behind and flushes the state, also under nohup."""
    with Pty("manners.py", environ={"MANNERS_MARK": str(mark)}, preexec=preexec) as pty:
        pty.expect("READY 80x24")
        process = pty.process
        pty.drop_line()
        assert wait_until(lambda: process.status() == psutil.STATUS_ZOMBIE)
        _, status = os.waitpid(process.pid, 0)
        assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
        assert mark.read_text() == "flushed"


def test_ctrl_z_gives_the_terminal_back_until_fg(terminal: Pty) -> None:
    """Stopped it leaves a clean terminal; continued it paints everything again."""
    terminal.send("\x1a")
    assert wait_until(lambda: terminal.process.status() == psutil.STATUS_STOPPED)
    terminal.child.expect_exact(b"\x1b[?1004l")
    assert terminal.terminal_is_itself()
    terminal.process.send_signal(signal.SIGCONT)
    terminal.expect("\x1b[?1049h")
    terminal.expect("READY 80x24")
    terminal.send("k")
    terminal.until_shown("KEY<k>")
    terminal.send("\x03")
    assert terminal.end() == 0
    assert terminal.terminal_is_itself()


def test_an_interrupt_of_a_stopped_app_ends_it_when_it_continues(terminal: Pty, mark: Path) -> None:
    """Like an interrupt of a running app: the state is flushed, the terminal restored."""
    terminal.send("\x1a")
    assert wait_until(lambda: terminal.process.status() == psutil.STATUS_STOPPED)
    terminal.process.send_signal(signal.SIGINT)
    terminal.process.send_signal(signal.SIGCONT)
    assert terminal.end() == 128 + signal.SIGINT
    assert terminal.terminal_is_itself()
    assert mark.read_text() == "flushed"
    assert "Traceback" not in terminal.written


def test_a_continue_where_nothing_was_stopped_changes_nothing(terminal: Pty) -> None:
    """Its own modes are not taken for those of before, and keys are not switched on twice."""
    terminal.process.send_signal(signal.SIGCONT)
    terminal.expect("\x1b[?1049h")
    terminal.expect("READY 80x24")
    terminal.send("\x03")
    assert terminal.end() == 0
    assert terminal.terminal_is_itself()
    assert terminal.written.count("\x1b[>25u") == terminal.written.count("\x1b[<u")


def test_the_first_frame_has_no_colours_of_another_program(terminal: Pty) -> None:
    """That was killed in the middle of a line, for instance."""
    assert re.findall(r"\x1b\[[\d;:]*m", terminal.written)[0] == "\x1b[m"


def test_a_continue_where_nothing_was_stopped_leaves_no_thread(terminal: Pty) -> None:
    """The thread that wrote before it is stopped."""
    before = terminal.process.num_threads()
    for _ in range(5):
        terminal.process.send_signal(signal.SIGCONT)
        terminal.expect("\x1b[?1049h")
        terminal.expect("READY 80x24")
    assert wait_until(lambda: terminal.process.num_threads() == before)


def test_bg_leaves_nothing_open() -> None:
    """Behind the shell it may not write: stopped again half way, and begun anew by `fg`."""
    with Program(["/bin/sh", "-i"], environ={"PS1": "$ ", "ENV": ""}) as shell:
        shell.expect("$ ")
        shell.send(f"{sys.executable} {APPS / 'manners.py'}\n")
        shell.expect("READY 80x24")
        (app,) = shell.process.children()
        before = app.num_fds()
        for _ in range(2):
            shell.send("\x1a")
            assert wait_until(lambda: app.status() == psutil.STATUS_STOPPED)
            shell.expect("$ ")
            shell.send('bg; echo told to go "on"\n')
            shell.expect("told to go on")
            assert wait_until(lambda: app.status() == psutil.STATUS_STOPPED)
            shell.send("fg\n")
            shell.expect("READY 80x24")
            shell.send("k")
            shell.expect("KEY")
        assert app.num_fds() == before
        shell.send("\x03")
        shell.expect("$ ")
        assert not app.is_running()


@pytest.mark.parametrize(
    "rubbish",
    [b"\xe9", b"\xff\xfe", b"\x1b[M\x20\x80\x80", b"\xc3", b"\x1b[999;999;999~", b"\x80" * 5000],
    ids=["latin-1", "no utf-8", "old mouse report", "half a letter", "unknown key", "much"],
)
def test_rubbish_on_the_line_is_survived(terminal: Pty, rubbish: bytes) -> None:
    """The next key still works."""
    terminal.send(rubbish)
    time.sleep(0.15)  # longer than the wait for the rest of an escape sequence
    terminal.send("k")
    terminal.until_shown("KEY<k>")
    assert "Traceback" not in terminal.written


def test_keys_and_clicks_arrive(terminal: Pty) -> None:
    """Letters of any language, arrows, a lone Escape, a click, a paste of any length."""
    for keys, name in (("x", "x"), ("é", "é"), ("\x1b[A", "up"), ("\x1b", "escape"), ("z", "z")):
        terminal.send(keys)
        if name != "é":  # its name is long
            terminal.until_shown(f"KEY<{name}>")
    terminal.send("\x1b[<0;5;3M\x1b[<0;5;3m")
    terminal.until_shown("CLICK<4,2>")


def test_a_resize_is_followed(terminal: Pty) -> None:
    """Also to nothing and back."""
    terminal.child.setwinsize(30, 100)
    terminal.until_shown("READY 100x30")
    terminal.child.setwinsize(1, 1)
    time.sleep(0.1)
    terminal.child.setwinsize(24, 80)
    terminal.until_shown("READY 80x24")


def test_nothing_of_it_is_left_where_the_size_changed(terminal: Pty) -> None:
    """Some terminals keep lines of a screen that was resized: it is erased before it is left."""
    terminal.child.setwinsize(30, 100)
    terminal.until_shown("READY 100x30")
    terminal.send("\x03")
    terminal.end()
    last = terminal.written.rpartition("\x1b[?1049l")[0]
    assert not re.search(r"[^\x1b[?<\da-z;]", last.rpartition("\x1b[1;1H\x1b[J")[2])


def test_the_mouse_reports_clicks_only(terminal: Pty) -> None:
    """Never every move (1003), never pixels (1016), and no size reports that bring them."""
    terminal.send("\x1b[?2048;2$y")  # a terminal that offers those reports
    terminal.send("k")
    terminal.until_shown("KEY<k>")
    terminal.send("\x03")
    terminal.end()
    written = terminal.written
    assert "\x1b[?1000h\x1b[?1006h" in written
    for mode in ("1002", "1003", "1015", "1016"):
        assert f"\x1b[?{mode}h" not in written


def test_an_idle_app_writes_nothing_and_sleeps(terminal: Pty) -> None:
    """No thread polls the keyboard, nothing ticks."""
    time.sleep(0.5)
    terminal.child.expect([b"$", pexpect.TIMEOUT], timeout=0.1)
    before, switches = len(terminal.written), terminal.process.num_ctx_switches().voluntary
    time.sleep(1.0)
    assert len(terminal.written) == before
    assert terminal.process.num_ctx_switches().voluntary - switches <= 3


LIGHT_GROUND, DARK_GROUND = "48;2;251;250;247", "48;2;16;21;28"


def test_a_theme_follows_the_terminals_ground() -> None:
    """Light before the first frame where the answer is there by then; then as it turns."""
    environ = {"MANNERS_THEME": "auto", "COLORTERM": "truecolor"}
    with Pty("manners.py", environ=environ) as pty:
        pty.expect("\x1b]11;?\x1b\\\x1b[?2031$p")
        pty.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?2031;2$y")
        pty.expect("\x1b[?2031h")
        pty.expect(LIGHT_GROUND)
        pty.expect("READY 80x24")
        pty.send("\x1b[?997;1n")
        pty.expect(DARK_GROUND)
        pty.send("\x1b[?997;2n")
        pty.expect(LIGHT_GROUND)
        pty.send("k")
        pty.expect("KEY<k>")
        pty.send("\x03")
        assert pty.end() == 0
        assert pty.terminal_is_itself()
        assert "\x1b[?2031l" in pty.written
        assert pty.written.count("KEY<") == 1


def test_a_terminal_that_says_nothing_is_dark() -> None:
    """It is not waited for; what the environment says counts where it says anything."""
    for environ, ground in (({}, DARK_GROUND), ({"COLORFGBG": "0;15"}, LIGHT_GROUND)):
        environ |= {"MANNERS_THEME": "auto", "COLORTERM": "truecolor"}
        with Pty("manners.py", environ=environ) as pty:
            pty.expect("READY 80x24")
            pty.send("\x03")
            assert pty.end() == 0
            assert ground in pty.written
            assert "\x1b[?2031h" not in pty.written


@pytest.mark.parametrize(("name", "mouse"), [("linux", False), ("vt100", False), ("xterm", True)])
def test_consoles_get_ascii_and_no_mouse(name: str, mouse: bool) -> None:  # noqa: FBT001
    """Nothing they cannot show, nothing they would print as letters."""
    with Pty("manners.py", environ={"TERM": name}) as pty:
        pty.expect("READY 80x24")
        pty.send("\x03")
        assert pty.end() == 0
        assert ("\x1b[?1000h" in pty.written) is mouse
        assert mouse or pty.written.isascii()


def test_a_terminal_without_a_screen_gets_a_sentence() -> None:
    """`TERM=dumb` is refused before a single escape sequence is written."""
    with Pty("manners.py", environ={"TERM": "dumb"}) as pty:
        assert pty.end() == 3
        assert "TERM=dumb" in pty.written
        assert "\x1b" not in pty.written
