"""Every command against a server that answers wrongly in every way."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from tests.attack.cases import combined
from tests.attack.home import LONGEST, run_at_home
from tests.attack.wrong_answers import WAYS
from tests.attack.wrong_server import WrongServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.attack.cases import Case

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
_COMMANDS: Final = {" ".join(words): words for words in (*_READS, *_WRITES)}
_CONFIG: Final = """
[profiles.attack]
url = "{url}"
admin_url = "{url}"
timeout = 2
writes = "confirm"
"""
_EXIT_CODES: Final = frozenset({0, 1, 2, 3, 4, 5, 130, 141})
_INTERRUPTED: Final = 130
_MOST_MEMORY: Final = 400 * 1024
"""KB resident."""
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\udc80-\udcff]")


def cases(workers: int, _: float) -> Iterator[list[Case]]:
    """Yield the cases; servers run until the generator is closed."""
    servers: SimpleQueue[WrongServer] = SimpleQueue()
    running: list[WrongServer] = []
    for _worker in range(workers):
        server, elsewhere = (WrongServer(WAYS["empty object"]) for _ in range(2))
        for one in (server, elsewhere):
            one.start()
            running.append(one)
        server.elsewhere = elsewhere
        servers.put(server)
    try:
        yield combined(partial(_survives, servers), _COMMANDS, WAYS)
    finally:
        for one in running:
            one.stop()


def _survives(servers: SimpleQueue[WrongServer], command: str, way: str) -> str:
    server = servers.get()
    elsewhere = server.elsewhere
    assert elsewhere is not None
    try:
        server.begin(WAYS[way])
        elsewhere.begin(WAYS["empty object"])
        with tempfile.TemporaryDirectory() as folder:
            return _faults(server, elsewhere, _COMMANDS[command], Path(folder))
    finally:
        server.ended.set()
        servers.put(server)


def _faults(server: WrongServer, elsewhere: WrongServer, command: Sequence[str], home: Path) -> str:
    config = home / ".config" / "platui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(_CONFIG.format(url=server.url))
    is_write = command in _WRITES
    secrets = ("PLATUI_TOKEN", "PLATUI_ADMIN_KEY", "PLATUI_TRIGGER_TOKEN")
    confirmed = ("--yes",) if is_write else ()
    ended = run_at_home(home, *command, *confirmed, environ=dict.fromkeys(secrets, TOKEN))
    said, code = ended.out + ended.errors, ended.code
    if code is None:
        return f"not ended after {LONGEST:.0f} s"
    faults: list[str] = []
    if code == _INTERRUPTED and "Ctrl+C" not in said:
        faults.append(f"it did not say that it waits: {said[-200:]!r}")
    if code not in _EXIT_CODES:
        faults.append(f"exit code {code}")
    if "Traceback" in said:
        faults.append(f"traceback: {said[-300:]!r}")
    if found := _CONTROLS.search(said):
        faults.append(f"control character {found[0]!r}")
    if TOKEN in said:
        faults.append("the token was printed")
    if ended.memory > _MOST_MEMORY:
        faults.append(f"{ended.memory // 1024} MB")
    if any(one.contains(TOKEN) for one in elsewhere.heard):
        faults.append("the token went to another host")
    if is_write and (sent := sum(one.writes for one in server.heard)) > 1:
        faults.append(f"sent {sent} times")
    faults += [
        f"the token is in {path.name}"
        for path in home.rglob("*")
        if path.is_file() and TOKEN.encode() in path.read_bytes()
    ]
    return "; ".join(faults)
