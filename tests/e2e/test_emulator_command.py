"""`platui emulator` as other programs start it: a process, one line of JSON, a signal."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psutil
import pytest
from tests.support.platform import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = [sys.executable, "-m", "platui.cli.commands.emulator"]
FIELDS = {
    "base_url", "admin_url", "faults_url", "token", "trigger_token", "admin_key", "project",
}  # fmt: skip

_HELLO = bytes.fromhex("16030100c4010000c00303") + bytes(190)
"""How a client of TLS begins."""


@contextmanager
def _running(*options: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run the command until the end of the block; hand out what it announced."""
    with subprocess.Popen(
        [*COMMAND, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield process, json.loads(process.stdout.readline())
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("number", "variant"), [(signal.SIGTERM, ()), (signal.SIGINT, ("--spec-only",))]
)
def test_it_announces_itself_answers_and_ends_cleanly(
    number: signal.Signals, variant: tuple[str, ...]
) -> None:
    """Exactly one line on stdout, narration on stderr, and exit code 0 on a signal."""
    options = ("--seed", "11", "--rate-limit", "30", "--fault", "expired:/user$", *variant)
    with _running(*options) as (process, said):
        assert said.keys() == FIELDS
        answer = ask(
            "GET",
            f"{said['base_url']}/api/v4/projects/{said['project'].replace('/', '%2F')}/pipelines",
            headers={"PRIVATE-TOKEN": said["token"]},
            params={"status": "failed"},
        )
        report = ask(
            "GET",
            f"{said['admin_url']}/api/v1/reporting/report",
            headers={"Authorization": f"Bearer {said['admin_key']}"},
        )
        refused = ask(
            "GET",
            f"{said['faults_url']}/api/v4/user",
            headers={"PRIVATE-TOKEN": said["token"]},
        )
        for _ in range(2):
            with socket.create_connection(("127.0.0.1", urlsplit(said["base_url"]).port)) as line:
                line.sendall(_HELLO)
                line.recv(1)
        process.send_signal(number)
        rest, narration = process.communicate(timeout=10)
    assert answer.json()
    assert refused.json()["error"] == "invalid_token"
    assert answer.headers.get("RateLimit-Limit") == (None if variant else "30")
    assert report.status_code == 200
    assert (process.returncode, rest) == (0, "")
    assert said["base_url"] in narration
    assert "Traceback" not in narration
    [warning] = narration.splitlines()[1:]
    assert "no HTTP request" in warning


def test_it_sleeps_while_nobody_asks() -> None:
    """An idle emulator uses no processor time that can be measured."""
    with _running() as (process, _):
        watched = psutil.Process(process.pid)
        before = watched.cpu_times()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        after = watched.cpu_times()
    assert (after.user + after.system) - (before.user + before.system) <= 0.02


def test_a_taken_port_is_one_clear_sentence() -> None:
    """Usage errors are exit code 2, without a traceback and without a word on stdout."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = subprocess.run(
            [*COMMAND, "--port", port], capture_output=True, text=True, timeout=20, check=False
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"platui emulator: Cannot listen on 127.0.0.1 port {port}: Address already in use.\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--port", "99999"),
        ("--rate-limit", "0"),
        ("--scenario", "utopia"),
        ("--speed", "-1"),
        ("--fault", "flood"),
        ("--fault", "expired:("),
        ("--faults-port", "-1"),
    ],
)
def test_options_that_make_no_sense_are_exit_code_2(options: tuple[str, str]) -> None:
    """Click or the emulator says what is wrong."""
    done = subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr


def test_another_host_is_allowed_and_warned_about() -> None:
    """Who says 0.0.0.0 gets it, and is told what that means."""
    with _running("--host", "0.0.0.0") as (process, said):  # noqa: S104  (what is tested)
        process.terminate()
        _, narration = process.communicate(timeout=10)
    assert said["base_url"].startswith("http://127.0.0.1:")
    assert "other machines" in narration


def test_signals_that_come_thick_and_fast_end_it_all_the_same() -> None:
    """An impatient hand, or a supervisor and a shell at once."""
    with _running() as (process, _):
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
        assert process.wait(timeout=20) == 0
