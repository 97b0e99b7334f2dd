"""Which processes there are, and the emulator as one of them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psutil
from tests.support.platform import ask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import httpx


def wait_until(true: Callable[[], object], seconds: float = 20.0) -> bool:
    """Return whether it came true in time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def is_gone(process: psutil.Process) -> bool:
    """Return whether a process does nothing any more; a zombie is its parent's to bury."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@dataclass(frozen=True)
class Desk:
    """The emulator's own desk, and its project API as its user."""

    base_url: str
    token: str
    project: str
    trigger_token: str
    process: subprocess.Popen[bytes] | None = None
    faults_url: str = ""
    """The same platform behind a relay, which faults strike."""
    admin_key: str = ""

    def requests(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the requests that came to the platform."""
        answer = ask("GET", f"{self.base_url}/-/emulator/requests", params={"after": after})
        return list(answer.json()["requests"])

    def get(self, path: str) -> httpx.Response:
        """Ask the project API."""
        address = f"{self.base_url}/api/v4/{path}"
        return ask("GET", address, headers={"PRIVATE-TOKEN": self.token})

    def start_pipeline(self) -> int:
        """Start a pipeline of the project, as another program would; returns its id."""
        path = self.project.replace("/", "%2F")
        answer = ask(
            "POST",
            f"{self.base_url}/api/v4/projects/{path}/pipeline",
            headers={"PRIVATE-TOKEN": self.token},
            json={"ref": "main"},
        )
        answer.raise_for_status()
        return int(answer.json()["id"])

    def environ(self) -> dict[str, str]:
        """Return what a user sets to work with this platform."""
        return {"PLATUI_URL": self.base_url, "PLATUI_TOKEN": self.token}

    def end(self) -> None:
        """Kill it, as a machine that fails does."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()


@contextmanager
def emulator_process(*options: str) -> Iterator[Desk]:
    """Run `platui emulator` for the length of a block."""
    with subprocess.Popen(
        [sys.executable, "-m", "platui", "emulator", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            yield Desk(
                said["base_url"], said["token"], said["project"], said["trigger_token"],
                process, said["faults_url"], said["admin_key"],
            )  # fmt: skip
        finally:
            process.kill()


def emulator_of(dashboard: psutil.Process) -> tuple[psutil.Process, Desk]:
    """Return the emulator that `platui demo` has started, and its desk."""
    (emulator,) = dashboard.children()
    listening = {
        connection.laddr.port
        for connection in emulator.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN
    }
    # It has other doors, too: the relay with faults, the storage of artifacts.
    spoken_to = {one.raddr.port for one in dashboard.net_connections("tcp") if one.raddr}
    (port,) = listening & spoken_to
    base_url = f"http://127.0.0.1:{port}"
    issued = ask("GET", f"{base_url}/-/emulator/credentials").json()
    return emulator, Desk(base_url, issued["personal"], issued["project_path"], issued["trigger"])


def running_below(home: Path) -> list[int]:
    """Return the processes whose home lies in a folder; other tests run beside this one."""
    found: list[int] = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME", "").startswith(str(home)):
                found.append(process.pid)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found
