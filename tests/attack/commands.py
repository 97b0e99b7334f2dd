"""Every command against a server that answers wrongly in every way."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from tests.attack.cases import Case
from tests.attack.wrong_answers import WAYS, WrongServer
from tests.support.session import at_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOKEN: Final = "attack-token-5f0c"
_PROJECT: Final = "acme/etl"
_READS: Final = (
    ("projects",), ("namespaces",), ("pipelines", _PROJECT), ("pipeline", _PROJECT, "7"),
    ("changes", _PROJECT, "7"), ("tests", _PROJECT, "7"), ("jobs", _PROJECT),
    ("jobs", _PROJECT, "7"), ("job", _PROJECT, "7"), ("log", _PROJECT, "7"),
    ("log", _PROJECT, "7", "--cause"), ("artifacts", _PROJECT, "7"),
    ("artifacts", _PROJECT, "7", "a.txt"), ("schedules", _PROJECT),
    ("file", _PROJECT, "a.yml"), ("triage", _PROJECT), ("doctor",),
    ("report", "fetch"), ("wait", _PROJECT, "7", "--timeout", "3"),
)  # fmt: skip
_WRITES: Final = (
    ("run", _PROJECT, "--ref", "main"), ("cancel", _PROJECT, "7"), ("retry", _PROJECT, "7"),
    ("play", _PROJECT, "7"), ("trigger", _PROJECT, "--ref", "main"),
    ("schedule", "create", _PROJECT, "--cron", "0 1 * * *", "--ref", "main", "--description", "x"),
    ("schedule", "run", _PROJECT, "7"), ("project", "create", "x"),
)  # fmt: skip
_CONFIG: Final = """
[profiles.attack]
url = "{url}"
admin_url = "{url}"
timeout = 2
writes = "confirm"
"""
_EXIT_CODES: Final = frozenset({0, 1, 2, 3, 4, 5, 130, 141})
_INTERRUPTED: Final = 130
_LONGEST: Final = 90.0
_GRACE: Final = 5.0
_MOST_MEMORY: Final = 400 * 1024
"""KB resident."""
_CONTROLS: Final = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")


def cases(workers: int, _: float) -> Iterator[list[Case]]:
    """Yield the cases; servers run until the generator is closed."""
    servers: SimpleQueue[WrongServer] = SimpleQueue()
    running: list[WrongServer] = []
    for _worker in range(workers):
        server, elsewhere = WrongServer(), WrongServer()
        for one in (server, elsewhere):
            one.start()
            running.append(one)
        server.elsewhere = elsewhere
        servers.put(server)
    try:
        yield [
            Case(f"{' '.join(command)} × {way}", partial(_survives, servers, command, way))
            for command in (*_READS, *_WRITES)
            for way in WAYS
        ]
    finally:
        for one in running:
            one.stop()


def _survives(servers: SimpleQueue[WrongServer], command: Sequence[str], way: str) -> str:
    server = servers.get()
    elsewhere = server.elsewhere
    assert elsewhere is not None
    try:
        server.begin(way)
        elsewhere.begin("empty object")
        with tempfile.TemporaryDirectory() as folder:
            return _faults(server, elsewhere, command, Path(folder))
    finally:
        server.ended.set()
        servers.put(server)


def _faults(server: WrongServer, elsewhere: WrongServer, command: Sequence[str], home: Path) -> str:
    config = home / ".config" / "platui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(_CONFIG.format(url=server.url))
    is_write = command in _WRITES
    environ = {
        **at_home(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "PLATUI_TOKEN": TOKEN,
        "PLATUI_ADMIN_KEY": TOKEN,
        "PLATUI_TRIGGER_TOKEN": TOKEN,
    }
    arguments = [sys.executable, "-m", "platui", *command, *(("--yes",) if is_write else ())]
    said, memory, code = _run(arguments, environ)
    if code is None:
        return f"not ended after {_LONGEST:.0f} s"
    faults: list[str] = []
    if code == _INTERRUPTED and b"Ctrl+C" not in said:
        faults.append(f"it did not say that it waits: {said[-200:]!r}")
    if code not in _EXIT_CODES:
        faults.append(f"exit code {code}")
    if b"Traceback" in said:
        faults.append(f"traceback: {said.decode(errors='replace')[-300:]!r}")
    if found := _CONTROLS.search(said):
        faults.append(f"control character {found[0]!r}")
    if TOKEN.encode() in said:
        faults.append("the token was printed")
    if memory > _MOST_MEMORY:
        faults.append(f"{memory // 1024} MB")
    if any(one.has_token for one in elsewhere.heard):
        faults.append("the token went to another host")
    if is_write and (sent := sum(one.method != "GET" for one in server.heard)) > 1:
        faults.append(f"sent {sent} times")
    faults += [
        f"the token is in {path.name}"
        for path in home.rglob("*")
        if path.is_file() and TOKEN.encode() in path.read_bytes()
    ]
    return "; ".join(faults)


def _run(arguments: Sequence[str], environ: dict[str, str]) -> tuple[bytes, int, int | None]:
    """Return the output, the most memory in KB, and the exit code; None: it did not end."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(
            arguments, env=environ, stdin=subprocess.DEVNULL, stdout=out, stderr=out
        )
        deadline, code = time.monotonic() + _LONGEST, None
        memory = 0
        while code is None:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                code, memory = os.waitstatus_to_exitcode(status), usage.ru_maxrss
                process.returncode = code
            elif time.monotonic() > deadline:
                # One that says that it waits, and how to stop it, has survived.
                process.send_signal(signal.SIGINT)
                code = _ended_within(process, _GRACE)
                if code is None:
                    process.kill()
                    process.wait()
                    break
            else:
                time.sleep(0.02)
        out.seek(0)
        return out.read(), memory, code


def _ended_within(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
