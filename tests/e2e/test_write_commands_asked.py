"""Writes from the command line on a terminal: what is asked, typed, answered and interrupted."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.leaving import leave
from tests.support.processes import Desk, emulator_process
from tests.support.session import PROGRAM, Session, at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PLANTED = "planted-s3cret-value"


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """Run a platform with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


def named(desk: Desk) -> dict[str, str]:
    """Return the environment of a user whose profile has a name."""
    return {**desk.environ(), "PLATUI_PROFILE": "here"}


def writes(desk: Desk) -> int:
    """Return how many requests have come that were to change something."""
    return sum(one["method"] != "GET" for one in desk.requests())


def test_a_secret_is_typed_unseen_and_the_question_answered(desk: Desk, tmp_path: Path) -> None:
    """The lock, the question, and nothing of the secret on the screen or the disk."""
    before = writes(desk)
    words = ("run", desk.project, "--ref", "main", "--secret", "KEY")
    with Session(*words, home=tmp_path, environ=named(desk), size=(120, 40)) as session:
        session.until("Value of KEY (not shown)")
        session.press(PLANTED, "enter")
        text = session.until("Type the profile's name")
        assert "Start a pipeline on main with 1 variable: " in text
        assert f"in {desk.project}" in text
        session.press("here", "enter")
        session.until("Send it? [y/N]")
        assert writes(desk) == before
        session.press("y", "enter")
        session.until(lambda text: re.search(r"^\d+\s+http", text, re.MULTILINE))
        assert session.end() == 0
        seen = session.kept.getvalue()
    assert writes(desk) == before + 1
    assert PLANTED.encode() not in seen
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not [data for data in kept if PLANTED.encode() in data]


@pytest.mark.parametrize(
    ("typed", "code"), [(b"\x04", 130), (b"caf\xe9\r", 2)], ids=["no input", "no UTF-8"]
)
def test_a_secret_that_is_not_typed_sends_nothing(
    desk: Desk, tmp_path: Path, typed: bytes, code: int
) -> None:
    """The end of input is Ctrl+C; a terminal of another encoding is told."""
    before = writes(desk)
    words = ("run", desk.project, "--ref", "main", "--secret", "KEY", "--unlock", "here")
    with Session(*words, home=tmp_path, environ=named(desk)) as session:
        session.until("Value of KEY (not shown)")
        session.child.send(typed)
        assert session.end() == code
        assert b"Traceback" not in session.kept.getvalue()
        assert b"caf" not in session.kept.getvalue()
    assert writes(desk) == before


@pytest.mark.parametrize("keys", [("enter",), ("n", "enter"), ("ctrl+c",), ("\x04",)])
def test_no_is_what_anything_else_than_yes_means(
    desk: Desk, tmp_path: Path, keys: tuple[str, ...]
) -> None:
    """Enter, n, Ctrl+C and the end of input send nothing, and end with 130.

    A yes that was typed before the question is none.
    """
    before = writes(desk)
    words = ("run", desk.project, "--ref", "main", "--unlock", "here")
    with Session(*words, home=tmp_path, environ=named(desk)) as session:
        session.press("y", "enter")
        session.until("Send it? [y/N]")
        session.settle(0.3)  # Ctrl+C just before the program waits for a line is seen after it
        session.press(*keys)
        text = session.until("Nothing was sent.")
        assert session.end() == 130
        assert "Traceback" not in text
    assert writes(desk) == before


def test_a_key_of_another_encoding_is_no_yes(desk: Desk, tmp_path: Path) -> None:
    """Nor does it end the program otherwise than any other answer."""
    before = writes(desk)
    words = ("run", desk.project, "--ref", "main", "--unlock", "here")
    environ = {**named(desk), "PYTHONIOENCODING": "utf-8:strict"}  # as in a locale of UTF-8
    with Session(*words, home=tmp_path, environ=environ) as session:
        session.until("Send it? [y/N]")
        session.child.send(b"\xe9\r")
        text = session.until("Nothing was sent.")
        assert session.end() == 130
        assert "Traceback" not in text
    assert writes(desk) == before


def test_an_act_for_the_first_time_is_explained(desk: Desk, tmp_path: Path) -> None:
    """And what it is about to be done to is named as people know it."""
    pipeline = desk.start_pipeline()
    words = ("cancel", desk.project, str(pipeline), "--unlock", "here")
    with Session(*words, home=tmp_path, environ=named(desk), size=(120, 40)) as session:
        text = session.until("Send it? [y/N]")
        assert f"Cancel pipeline #{pipeline} (main)" in text
        assert "optional feature" in text
        session.press("yes", "enter")
        session.until("Canceled pipeline")
        assert session.end() == 0


@pytest.mark.parametrize("option", ["--wait", "--follow"])
def test_ctrl_c_ends_the_waiting_and_not_the_pipeline(
    desk: Desk, tmp_path: Path, option: str
) -> None:
    """It says how to wait on, or to follow on; the pipeline is as it was."""
    environ = {**os.environ, **at_home(tmp_path), **named(desk)}
    words = ("run", desk.project, "--ref", "main", "--yes", "--unlock", "here", option)
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environ,
        text=True,
    ) as process:
        assert process.stderr is not None
        started = re.search(r"Pipeline #(\d+) started", process.stderr.readline())
        assert started is not None
        number, said = started[1], ""
        while not re.match(r"platui: (The pipeline|Pipeline #\d+) is ", said):
            said = process.stderr.readline()
            assert said
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        process.wait(30)
    assert process.returncode == 130
    assert f"pipeline #{number} continues" in rest
    follow = "--follow " if option == "--follow" else ""
    assert f"platui --url {desk.base_url} wait {desk.project} {follow}{number}\n" in rest
    assert "Traceback" not in rest
    path = f"projects/{desk.project.replace('/', '%2F')}/pipelines/{number}"
    assert desk.get(path).json()["status"] not in {"canceled", "canceling"}


def test_who_reads_no_more_of_the_logs_ends_the_following(desk: Desk, tmp_path: Path) -> None:
    """As a shell says of it; the pipeline goes on."""
    environ = {**os.environ, **at_home(tmp_path), **named(desk)}
    number = desk.start_pipeline()
    leave("wait", desk.project, str(number), "--follow", environ=environ, after="── ")
