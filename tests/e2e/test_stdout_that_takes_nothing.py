"""Where what is printed is not taken: a full disk, a stream that the caller has closed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.session import at_home

FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", [("--version",), ("config", "example")])
def test_a_full_disk_is_a_sentence_and_no_verdict(words: tuple[str, ...]) -> None:
    """Exit code 1 would say that what was waited for has failed."""
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "platui", *words],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 141
    assert done.stderr == "platui: Cannot write to standard output: No space left on device.\n"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("words", [("config", "nothing"), ("triage", "note", "abc", "text")])
def test_errors_on_a_full_disk_are_no_verdict(words: tuple[str, ...], tmp_path: Path) -> None:
    """Nor the exit code of a crash of Python."""
    environ = {**at_home(tmp_path), "PLATUI_URL": "http://127.0.0.1:9", "PLATUI_TOKEN": "x"}
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "platui", *words],
            env={**os.environ, **environ}, stderr=full, stdout=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (141, b"")


_BOTH = """
import sys
from platui.cli import main
def dispatch(_):
    print("data")
    print("a problem", file=sys.stderr, flush=True)
main.dispatch = dispatch
sys.exit(main.run())
"""


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_errors_on_a_full_disk_lose_no_output() -> None:
    """What was printed before is written."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with FULL.open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", _BOTH],
            env=environ, stderr=full, stdout=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (141, b"data\n")


@pytest.mark.parametrize("end", ["", " | head -0"])
def test_what_is_said_to_a_closed_stderr_is_no_output(end: str) -> None:
    """It is lost, as the caller wished, and not mixed into the data."""
    line = f'"$0" -c "$1" 2>&-{end}; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["/bin/bash", "-c", line, sys.executable, _BOTH],
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == ((141, b"") if end else (0, b"data\n"))


_READS = """
import sys
from platui.cli import main
main.dispatch = lambda _: print(sys.stdin.buffer.read())
sys.exit(main.run())
"""


def test_a_closed_stdin_is_empty() -> None:
    """As if it were /dev/null."""
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -c "$1" <&-', sys.executable, _READS],
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"b''\n")


@pytest.mark.parametrize("end", [">&-", "1</dev/null"])
def test_a_closed_stdout_loses_no_data_unnoticed(end: str) -> None:
    """It ends as on a full disk, if anything is printed; so does one that is open for reading."""
    for words, code in (("config example", 141), ("--version", 141), ("config nothing", 2)):
        done = subprocess.run(
            ["/bin/sh", "-c", f'exec "{sys.executable}" -m platui {words} {end}'],
            stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code
        assert ("Cannot write to standard output" in done.stderr) is (code == 141)
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    ("word", "code", "shown"),
    [("--help", 0, b"COMMAND ~]"), ("nothing…", 2, b'Unknown command "nothing~".')],
)
def test_what_an_encoding_cannot_write_is_no_traceback(
    word: str, code: int, shown: bytes, encoding: str
) -> None:
    """Help and errors have the signs of --ascii instead."""
    done = subprocess.run(
        [sys.executable, "-m", "platui", word],
        env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, shown in done.stdout + done.stderr) == (code, True), done
