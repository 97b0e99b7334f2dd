"""`platui log --file`: a saved log on a terminal, into pipes, and as it grows."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.session import PROGRAM, Session, at_home
from tests.texts.dialogs import NO_MATCHES

if TYPE_CHECKING:
    from pathlib import Path

LINES = 3000


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Return a saved log with colours, progress and things that steer terminals."""
    path = tmp_path / "job 7.log"
    lines = [f"\x1b[32mline {number}\x1b[0m" for number in range(LINES)]
    lines[5] = "10%\r50%\r100% done"
    lines[6] = "\x1b]0;owned\x07title \x1b[2J\x9b2J cleared"
    path.write_text("\n".join(lines) + "\n")
    return path


def printed(home: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run `platui log` into pipes, to its end."""
    return subprocess.run(
        [*PROGRAM, "log", *words],
        input=given,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **at_home(home), "TERM": "xterm"},
    )


def test_into_a_pipe_it_is_plain(saved: Path, tmp_path: Path) -> None:
    """Progress in its last state, no escape; from a file and from standard input."""
    done = printed(tmp_path, "--file", str(saved))
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr, len(lines)) == (0, b"", LINES)
    assert lines[5] == "100% done"
    assert lines[6] == "title  cleared"
    assert lines[-1] == f"line {LINES - 1}"
    assert printed(tmp_path, "--file", "-", given=saved.read_bytes()).stdout == done.stdout
    assert printed(tmp_path, "--file", str(saved), "--raw").stdout == saved.read_bytes()


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    """With exit code 2 and nothing on stdout."""
    done = printed(tmp_path, "--file", str(tmp_path / "none.log"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"none.log" in done.stderr


def test_the_cause_of_a_failure_is_printed(tmp_path: Path) -> None:
    """By the last line, or by what a successful run did not have; else exit code 4."""
    failed, successful = tmp_path / "failed.log", tmp_path / "successful.log"
    failed.write_text("$ ./run\n12 rows\nno flux\ntidy\nERROR: Job failed: exit code 1\n")
    successful.write_text("$ ./run\n9 rows\ntidy\nJob succeeded\n")
    told = json.loads(printed(tmp_path, "--file", str(failed), "--cause", "--json").stdout)
    assert (told["line"], told["text"], told["from"]) == (4, "tidy", "last_line")
    words = ("--file", str(failed), "--cause", "--against", str(successful))
    told = json.loads(printed(tmp_path, *words, "--json").stdout)
    assert (told["line"], told["text"], told["from"]) == (3, "no flux", "novelty")
    lines = printed(tmp_path, *words).stdout.decode().splitlines()
    assert (lines[0], lines[-1]) == ("no flux", "3:no flux")
    piped = printed(tmp_path, "--file", "-", "--cause", given=failed.read_bytes())
    assert piped.stdout.splitlines()[0] == b"tidy"
    empty = tmp_path / "empty.log"
    empty.touch()
    refused = printed(tmp_path, "--file", str(failed), "--cause", "--against", str(empty))
    assert (refused.returncode, refused.stdout) == (4, b"")
    nothing = printed(tmp_path, "--file", str(successful), "--cause")
    assert (nothing.returncode, nothing.stdout) == (4, b"")
    assert b"No failure found" in nothing.stderr


def test_errors_of_the_users_own_are_known(tmp_path: Path) -> None:
    """As in the dashboard; a file named as the config that is broken is refused."""
    saved, config = tmp_path / "x.log", tmp_path / "config.toml"
    saved.write_text("well\n" * 5 + "QUOTA-17 is spent\n")
    config.write_text('[[errors]]\nname = "quota"\npattern = "QUOTA-[0-9]+"\n')
    words = ("--config", str(config), "--file", str(saved))
    assert b"6:QUOTA-17 is spent" in printed(tmp_path, *words, "--errors").stdout
    config.write_text("broken = [")
    told = printed(tmp_path, *words)
    assert (told.returncode, told.stdout) == (2, b"")
    assert b"config.toml" in told.stderr


def test_an_own_pattern_that_takes_too_long_is_named(tmp_path: Path) -> None:
    """On stderr, with what to do; what others know is printed all the same."""
    saved, config = tmp_path / "x.log", tmp_path / "config.toml"
    saved.write_text("stalled " + "a" * 60 + "!\nERROR: no orders\n")
    config.write_text('[[errors]]\nname = "pump"\npattern = "stalled (a|a)+$"\n')
    done = printed(tmp_path, "--config", str(config), "--file", str(saved), "--errors")
    assert (done.returncode, b"2:ERROR: no orders" in done.stdout) == (0, True)
    assert b"error pattern pump" in done.stderr
    assert b"[[errors]]" in done.stderr


def test_raw_bytes_do_not_reach_a_terminal(saved: Path, tmp_path: Path) -> None:
    """They are cleaned there, and that is said."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, "log", "--file", str(saved), "--raw"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.PIPE,
        env={**os.environ, **at_home(tmp_path), "TERM": "xterm", "NO_COLOR": "1"},
    ) as process:
        os.close(theirs)
        seen = b""
        while b"line 2999" not in seen and (data := os.read(ours, 1 << 16)):
            seen += data
        process.wait(20)
        assert process.stderr is not None
        assert b"cleaned" in process.stderr.read()
    os.close(ours)
    assert b"\x1b" not in seen


def test_on_a_terminal_it_is_the_dashboards_view(saved: Path, tmp_path: Path) -> None:
    """At its end; lines by number, help, and no key that needs a platform."""
    with Session("log", "--file", str(saved), home=tmp_path) as session:
        session.until(lambda text: f"line {LINES - 1}" in text and "whole file" in text)
        assert "job 7.log" in session.screen.lines[0]
        assert f"{LINES:,} lines" in session.text
        session.press(":", "7", "enter")
        session.until("title  cleared")
        session.press("?")
        session.until("type to search")
        session.press("token")
        session.until(NO_MATCHES)
        session.press("esc")
        session.until(lambda text: NO_MATCHES not in text)
        session.press(":", "projects", "enter")
        session.until("no platform")
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()


def test_it_goes_with_the_file(saved: Path, tmp_path: Path) -> None:
    """With `--follow`, on a terminal too."""
    with Session("log", "--file", str(saved), "--follow", home=tmp_path) as session:
        session.until("following")
        with saved.open("a") as file:
            file.write("one more line\n")
        session.until("one more line")
        session.press("ctrl+c")
        session.end()


def test_what_comes_through_a_pipe_is_viewed_with_keys_of_the_terminal(
    saved: Path, tmp_path: Path
) -> None:
    """`cat … | platui log --file -`, as one does with less."""
    command = f"cat '{saved}' | {' '.join(PROGRAM)} log --file -"
    with Session(home=tmp_path, program=("/bin/sh", "-c", command)) as session:
        session.until(lambda text: f"line {LINES - 1}" in text)
        assert "standard input" in session.screen.lines[0]
        session.press("g")
        session.until(f"lines 1–20 of {LINES:,}")
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
