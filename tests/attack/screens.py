"""The dashboard with each view open, on a platform that answers wrongly in every way."""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from tests.attack.altered_answers import ALTERED, right
from tests.attack.cases import Case
from tests.attack.home import run_at_home
from tests.attack.views import OpenView, open_views
from tests.attack.wrong_answers import TOLD, WAYS
from tests.attack.wrong_server import Request, WrongServer
from tests.support.processes import emulator_process
from tests.support.sequences import OURS, UNSEEN, between, copied, kinds, told
from tests.support.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.processes import Desk

MOST_WORKERS: Final = os.cpu_count() or 1
"""Dashboards at the same time, so that a key is answered in time."""
_CONFIG: Final = """
[profiles.attack]
url = "{url}"
admin_url = "{url}/admin"
timeout = 2
writes = "confirm"
"""
_ALL_WAYS: Final = {**WAYS, **ALTERED}
_MOMENTS: Final = ("from the start", "once it is open")
_KEYS: Final = 5
"""Keys of the view that are pressed in a case."""
_ANSWERED: Final = 10.0
"""Seconds for a key on a machine that is busy with other attacks."""
_TELLS_WITHIN: Final = 15.0
_MOST_MEMORY: Final = 400 * 1024
"""KB."""
_HELP: Final = "Keys and commands"
_QUESTION: Final = "[ No ]"
_TROUBLE: Final = re.compile(
    "[✖✗⚠]|stale|retry|not signed in|requests resume|no response", re.IGNORECASE
)
_LEFT: Final = frozenset({0, 130})


@dataclass(frozen=True)
class Stage:
    """A wrong server, and a home that has seen right answers from it."""

    server: WrongServer
    elsewhere: WrongServer
    platform: Desk
    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """Return what a user sets."""
        return {
            "PLATUI_TOKEN": self.platform.token,
            "PLATUI_ADMIN_KEY": self.platform.admin_key,
            "PLATUI_TRIGGER_TOKEN": self.platform.trigger_token,
            "EDITOR": "true",
            "PAGER": "true",
        }

    def prepare(self) -> None:
        """Fill the home: a watch list, an access report."""
        config = self.home / ".config" / "platui" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(_CONFIG.format(url=self.server.url))
        for command in (("triage", "watch", "acme/platform/"), ("report", "fetch")):
            ended = run_at_home(self.home, *command, environ=self.environ)
            if ended.code:
                raise AssertionError(ended.errors)


def cases(workers: int, _: float) -> Iterator[list[Case]]:
    """Yield the cases; servers and platform run until the generator is closed."""
    with (
        emulator_process("--speed", "0", "--rate-limit", "1000000") as platform,
        tempfile.TemporaryDirectory() as folder,
    ):
        made = [_stage(platform, Path(folder, f"home-{number}")) for number in range(workers)]
        stages: SimpleQueue[Stage] = SimpleQueue()
        for stage in made:
            stage.prepare()
            stages.put(stage)
        try:
            yield [
                Case(f"{view.id} × {way} × {moment}", partial(_survives, stages, view, way, moment))
                for view in open_views(platform, Path(folder))
                for way in _ALL_WAYS
                for moment in _MOMENTS
            ]
        finally:
            for stage in made:
                stage.server.stop()
                stage.elsewhere.stop()


def _stage(platform: Desk, home: Path) -> Stage:
    server, elsewhere = WrongServer(right), WrongServer(WAYS["empty object"])
    for one in (server, elsewhere):
        one.start()
    server.elsewhere = elsewhere
    server.upstream = platform.base_url.removeprefix("http://")
    return Stage(server, elsewhere, platform, home)


def _survives(stages: SimpleQueue[Stage], view: OpenView, way: str, moment: str) -> str:
    stage = stages.get()
    try:
        with tempfile.TemporaryDirectory() as folder:
            home = shutil.copytree(stage.home, Path(folder, "home"))
            return "; ".join(Attack(stage, view, way, moment, home).faults())
    finally:
        stage.server.ended.set()
        stages.put(stage)


class Attack:
    """One dashboard under attack."""

    def __init__(self, stage: Stage, view: OpenView, way: str, moment: str, home: Path) -> None:
        self._stage = stage
        self._view = view
        self._way = way
        self._is_half_right = moment == _MOMENTS[1]
        self._home = home
        self._chance = random.Random(f"{view.id}{way}{moment}")
        self._confirmed = 0
        self._faults: list[str] = []

    def faults(self) -> list[str]:
        """Run it, and return what was lost."""
        server = self._stage.server
        server.begin(right if self._is_half_right else _ALL_WAYS[self._way])
        self._stage.elsewhere.begin(WAYS["empty object"])
        with Session(
            self._view.line, home=self._home, environ=self._stage.environ, size=(120, 40)
        ) as session:
            session.until(lambda text: text.strip())
            _listen(session, 1.0)
            if self._is_half_right:
                server.way = _ALL_WAYS[self._way]
                session.press("r")
            elif self._way in TOLD:
                self._tells(session)
            for key in self._view.some_keys(self._chance, _KEYS):
                self._press(session, key)
            self._answers(session)
            self._judge_running(session)
            self._leave(session)
            self._judge_written(session)
        self._judge_requests(server.heard)
        return self._faults

    def _press(self, session: Session, key: str) -> None:
        """Press a key, perhaps confirm what it asks, and open the view again."""
        session.press(key)
        _listen(session, 0.5)
        if _QUESTION in session.text and self._chance.random() < 0.7:
            session.press("y")
            self._confirmed += 1
            _listen(session, 0.5)
        for back in ("esc", "esc", self._view.line, "enter"):
            session.press(back)
            _listen(session, 0.05)
        _listen(session, 0.3)

    def _tells(self, session: Session) -> None:
        """Look for words about the fault where nothing was loaded."""
        until = time.monotonic() + _TELLS_WITHIN
        while not _tells(session.text) and time.monotonic() < until:
            session.listen(0.2)
        if not _tells(session.text):
            self._faults.append(f"it tells nothing of the fault\n{session.text}")

    def _answers(self, session: Session) -> None:
        """Open the help and close it again."""
        for _ in range(4):
            session.press("esc")
            _listen(session, 0.1)
        for key, is_open in (("?", True), ("esc", False)):
            began = time.monotonic()
            session.press(key)
            while (_HELP in session.text) != is_open or session.screen.is_half_drawn:
                if time.monotonic() - began > _ANSWERED or not session.child.isalive():
                    self._faults.append(f"{key} is not answered\n{session.text}")
                    return
                session.listen(0.1)

    def _judge_running(self, session: Session) -> None:
        if not session.child.isalive():
            self._faults.append(f"it ended\n{session.text}")
        elif (memory := _most_memory(session.child.pid)) > _MOST_MEMORY:
            self._faults.append(f"{memory // 1024} MB")

    def _leave(self, session: Session) -> None:
        for _ in range(3):
            if session.child.isalive():
                session.press("\x03")
                _listen(session, 0.5)
        if session.end() not in _LEFT:
            self._faults.append(f"exit code {session.child.exitstatus}")
        if not session.terminal_is_itself():
            self._faults.append("the terminal was not restored")

    def _judge_written(self, session: Session) -> None:
        written = session.kept.getvalue().decode(errors="surrogateescape")
        if "Traceback" in (last := written.rpartition("\x1b[?1049l")[2]):
            self._faults.append(f"traceback: {between(last)[-2000:]}")
        if strange := kinds(written) - OURS:
            self._faults.append(f"sequences {strange}")
        # What is copied may have several lines.
        lines = (line for text in copied(written) for line in text.split("\n"))
        shown = (between(written), *lines, *told(written))
        if found := [one[0] for text in shown if (one := UNSEEN.search(text))]:
            self._faults.append(f"characters {found}")
        secrets = (self._stage.platform.token, self._stage.platform.admin_key)
        self._faults += [
            f"a secret is in {place}"
            for place, text in (("the terminal", written), *_files(self._home))
            for secret in secrets
            if secret in text
        ]

    def _judge_requests(self, heard: list[Request]) -> None:
        if any(one.has_token for one in self._stage.elsewhere.heard):
            self._faults.append("the token went to another host")
        writes = Counter((one.method, one.target, one.body) for one in heard if one.writes)
        self._faults += [
            f"{method} {target} was sent {times} times, confirmed {self._confirmed} times"
            for (method, target, _), times in writes.items()
            if times > self._confirmed
        ]


def _tells(text: str) -> bool:
    """Return whether a screen shows a fault, or anything but that it is loading."""
    body = "".join(text.splitlines()[1:-1])
    return bool(_TROUBLE.search(text)) or (bool(body.strip()) and "Loading" not in body)


def _files(home: Path) -> Iterator[tuple[str, str]]:
    for path in home.rglob("*"):
        if path.is_file():
            yield path.name, path.read_bytes().decode("latin-1")


def _most_memory(pid: int) -> int:
    """Return the most that a process has held, in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1])  # type: ignore[index]


def _listen(session: Session, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        session.listen(left)
