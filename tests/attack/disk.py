"""Commands that save are killed at random moments, and meet a disk that takes no more."""

from __future__ import annotations

import json
import random
import shutil
import signal
import tempfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tests.attack.cases import Case
from tests.attack.home import Ended, run_at_home
from tests.support.processes import emulator_process

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.processes import Desk

_SERIES: Final = 40
_COMMANDS: Final = 8
"""Commands of a series, in one home."""
_LONGEST_LIFE: Final = 1.2
"""Seconds after which a command that is killed is killed at the latest."""
_LARGEST_FILE: Final = 60_000
"""Bytes that a file may have where the disk is full."""
_GROUP: Final = "acme/platform/"
_HARMS: Final = ("kills", "full disk")


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the platform runs until the generator is closed."""
    with (
        emulator_process("--speed", "0", "--rate-limit", "100000") as platform,
        tempfile.TemporaryDirectory() as folder,
    ):
        watching = Path(folder, "home")
        watching.mkdir()
        first = Home(watching, platform)
        first.run("triage", "watch", _GROUP)
        broken = json.loads(first.run("triage", "--json").out)["broken"]
        incidents = [one["incident"] for one in broken]
        yield [
            Case(f"{harm} × {seed}", partial(_survives, watching, platform, incidents, harm, seed))
            for harm in _HARMS
            for seed in range(_SERIES)
        ]


@dataclass
class Home:
    """A user's folders, and what was confirmed to be in them."""

    folder: Path
    platform: Desk
    notes: dict[str, set[str]] = field(default_factory=dict)
    """Incident -> notes that it may have: the last confirmed one, and later attempts."""
    watched: set[str] = field(default_factory=set)
    starts: int = 0
    """Confirmed starts of pipelines."""

    def run(self, *arguments: str, **harmed: Any) -> Ended:
        """Run a command; harmed as `run_at_home` can."""
        return run_at_home(self.folder, *arguments, environ=self.platform.environ(), **harmed)


def _survives(
    watching: Path, platform: Desk, incidents: Sequence[str], harm: str, seed: int
) -> str:
    chance = random.Random(f"{harm}{seed}")
    with tempfile.TemporaryDirectory() as folder:
        home = Home(shutil.copytree(watching, Path(folder, "home")), platform)
        for number in range(_COMMANDS):
            harmed: dict[str, Any] = (
                {"life": chance.random() * _LONGEST_LIFE}
                if harm == "kills"
                else {"largest": chance.randrange(_LARGEST_FILE)}
            )
            if chance.random() < 0.3:
                harmed = {}
            if fault := _act(home, chance, incidents, f"{seed}-{number}", harmed):
                return fault
        return _missing(home)


def _act(
    home: Home, chance: random.Random, incidents: Sequence[str], name: str, harmed: dict[str, Any]
) -> str:
    """Run one command that saves, and keep what it confirms; return what is wrong with it."""
    act = chance.choice(("note", "watch", "run"))
    if act == "note":
        incident, note = chance.choice(incidents), f"note {name}"
        ended = home.run("triage", "note", incident, note, **harmed)
        possible = home.notes.setdefault(incident, {""})
        home.notes[incident] = {note} if ended.code == 0 else possible | {note}
    elif act == "watch":
        group = f"acme/{chance.choice(('finance', 'ingestion', 'marketing'))}/"
        ended = home.run("triage", "watch", group, **harmed)
        if ended.code == 0:
            home.watched.add(group)
    else:
        profile = urlsplit(home.platform.base_url).netloc
        ended = home.run(
            "run", home.platform.project, "--ref", "main", "--yes", "--unlock", profile, **harmed
        )
        home.starts += ended.code == 0
    if "Traceback" in ended.errors:
        return f"traceback: {ended.errors[-400:]!r}"
    if ended.code not in {0, 2, 3, 4, 5, 141, -signal.SIGKILL}:
        return f"{act}: exit code {ended.code}: {ended.errors[-200:]!r}"
    return ""


def _missing(home: Home) -> str:
    """Return what was confirmed and is not there."""
    watched = home.run("triage", "watched")
    if watched.code or (gone := home.watched - set(watched.out.split())):
        return f"watch list: {watched.code} {watched.errors!r} without {gone}"
    shown = home.run("triage", "--json", "--all")
    if shown.code not in {0, 1, 3}:
        return f"triage: exit code {shown.code}: {shown.errors[-300:]!r}"
    found = {one["incident"]: one["note"] or "" for one in json.loads(shown.out)["broken"]}
    for incident, possible in home.notes.items():
        if incident in found and found[incident] not in possible:
            return f"{incident} has the note {found[incident]!r}, not one of {possible}"
    audit = home.run("audit", "--all", "--json")
    lines = [json.loads(line) for line in audit.out.splitlines()]
    if audit.code or len(lines) < 2 * home.starts:
        return f"audit: {len(lines)} lines of {home.starts} confirmed starts; {audit.errors!r}"
    return ""
