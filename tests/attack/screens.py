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
from tests.attack.cases import combined
from tests.attack.dashboard import NO_PROGRAMS, leave, listen
from tests.attack.home import run_at_home
from tests.attack.views import OpenView, open_views
from tests.attack.wrong_answers import ENDING, WAYS
from tests.attack.wrong_server import Request, WrongServer
from tests.support.processes import emulator_process
from tests.support.sequences import OURS, UNSEEN, between, copied, kinds, told
from tests.support.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tests.attack.cases import Case
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
_SHOWN_WITHIN: Final = 15.0
_MOST_MEMORY: Final = 400 * 1024
"""KB."""
_HELP: Final = "Keys and commands"
_QUESTION: Final = "[ No ]"
_TROUBLE: Final = re.compile(
    "[✖✗⚠]|stale|retry|not signed in|requests resume|no response", re.IGNORECASE
)


@dataclass(frozen=True)
class Fixture:
    """A wrong server, and a home that has seen right answers from it."""

    server: WrongServer
    elsewhere: WrongServer
    platform: Desk
    home: Path

    @property
    def secrets(self) -> tuple[str, ...]:
        """Return what only the platform may receive."""
        return self.platform.token, self.platform.admin_key, self.platform.trigger_token

    @property
    def environ(self) -> dict[str, str]:
        """Return what a user sets."""
        return {
            "PLATUI_TOKEN": self.platform.token,
            "PLATUI_ADMIN_KEY": self.platform.admin_key,
            "PLATUI_TRIGGER_TOKEN": self.platform.trigger_token,
            **NO_PROGRAMS,
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
        made = [_fixture(platform, Path(folder, f"home-{number}")) for number in range(workers)]
        fixtures: SimpleQueue[Fixture] = SimpleQueue()
        for fixture in made:
            fixture.prepare()
            fixtures.put(fixture)
        try:
            views = {view.id: view for view in open_views(platform, Path(folder))}
            yield combined(partial(_survives, fixtures, views), views, _ALL_WAYS, _MOMENTS)
        finally:
            for fixture in made:
                fixture.server.stop()
                fixture.elsewhere.stop()


def _fixture(platform: Desk, home: Path) -> Fixture:
    server, elsewhere = WrongServer(right), WrongServer(WAYS["empty object"])
    for one in (server, elsewhere):
        one.start()
    server.elsewhere = elsewhere
    server.upstream = platform.base_url.removeprefix("http://")
    return Fixture(server, elsewhere, platform, home)


def _survives(
    fixtures: SimpleQueue[Fixture], views: Mapping[str, OpenView], view: str, way: str, moment: str
) -> str:
    fixture = fixtures.get()
    try:
        with tempfile.TemporaryDirectory() as folder:
            home = shutil.copytree(fixture.home, Path(folder, "home"))
            return "; ".join(Attack(fixture, views[view], way, moment, home).faults())
    finally:
        fixture.server.ended.set()
        fixtures.put(fixture)


class Attack:
    """One dashboard under attack."""

    def __init__(self, fixture: Fixture, view: OpenView, way: str, moment: str, home: Path) -> None:
        self._fixture = fixture
        self._view = view
        self._way = way
        self._is_half_right = moment == _MOMENTS[1]
        self._home = home
        self._chance = random.Random(f"{view.id}{way}{moment}")
        self._confirmed = 0
        self._faults: list[str] = []

    def faults(self) -> list[str]:
        """Run it, and return what was lost."""
        server = self._fixture.server
        server.begin(right if self._is_half_right else _ALL_WAYS[self._way])
        self._fixture.elsewhere.begin(WAYS["empty object"])
        with Session(
            self._view.line, home=self._home, environ=self._fixture.environ, size=(120, 40)
        ) as session:
            session.until(lambda text: text.strip())
            listen(session, 1.0)
            if self._is_half_right:
                server.way = _ALL_WAYS[self._way]
                session.press("r")
            elif self._way in ENDING:
                self._shows_fault(session)
            for key in self._view.some_keys(self._chance, _KEYS):
                self._press(session, key)
            self._answers(session)
            self._judge_running(session)
            self._faults += leave(session)
            self._judge_written(session)
        self._judge_requests(server.heard)
        return self._faults

    def _press(self, session: Session, key: str) -> None:
        """Press a key, perhaps confirm what it asks, and open the view again."""
        session.press(key)
        listen(session, 0.5)
        if _QUESTION in session.text and self._chance.random() < 0.7:
            session.press("y")
            self._confirmed += 1
            listen(session, 0.5)
        for back in ("esc", "esc", self._view.line, "enter"):
            session.press(back)
            listen(session, 0.05)
        listen(session, 0.3)

    def _shows_fault(self, session: Session) -> None:
        """Look for words about the fault where nothing was loaded."""
        until = time.monotonic() + _SHOWN_WITHIN
        while not _shows_fault(session.text) and time.monotonic() < until:
            session.listen(0.2)
        if not _shows_fault(session.text):
            self._faults.append(f"the fault is not shown\n{session.text}")

    def _answers(self, session: Session) -> None:
        """Open the help and close it again."""
        for _ in range(4):
            session.press("esc")
            listen(session, 0.1)
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

    def _judge_written(self, session: Session) -> None:
        written = session.kept.getvalue().decode(errors="surrogateescape")
        if strange := kinds(written) - OURS:
            self._faults.append(f"sequences {strange}")
        # What is copied may have several lines.
        lines = (line for text in copied(written) for line in text.split("\n"))
        shown = (between(written), *lines, *told(written))
        if found := [one[0] for text in shown if (one := UNSEEN.search(text))]:
            self._faults.append(f"characters {found}")
        self._faults += [
            f"a secret is in {place}"
            for place, text in (("the terminal", written), *_files(self._home))
            for secret in self._fixture.secrets
            if secret in text
        ]

    def _judge_requests(self, heard: list[Request]) -> None:
        secrets = self._fixture.secrets
        if any(one.contains(secret) for one in self._fixture.elsewhere.heard for secret in secrets):
            self._faults.append("the token went to another host")
        writes = Counter((one.method, one.target, one.body) for one in heard if one.writes)
        self._faults += [
            f"{method} {target} was sent {times} times, confirmed {self._confirmed} times"
            for (method, target, _), times in writes.items()
            if times > self._confirmed
        ]


def _shows_fault(text: str) -> bool:
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
