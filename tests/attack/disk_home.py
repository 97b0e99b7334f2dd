"""A home in which commands save, and what they confirmed to be in it."""

from __future__ import annotations

import json
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tests.attack.home import Ended, run_at_home

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tests.support.processes import Desk

_GROUPS: Final = ("finance", "ingestion", "marketing")
_CODES: Final = frozenset({0, 2, 3, 4, 5, 141, -signal.SIGKILL})
_DAMAGED: Final = "damaged"
"""How the program says that something could not be read."""


@dataclass(frozen=True)
class Act:
    """A command that saves, and what is saved when it confirms it."""

    kind: str
    arguments: tuple[str, ...]
    subject: str = ""
    value: str = ""


def some_act(chance: random.Random, incidents: Sequence[str], name: str, platform: Desk) -> Act:
    """Return a note, a group to watch, or the start of a pipeline."""
    kind = chance.choice(("note", "watch", "run"))
    if kind == "note":
        incident, note = chance.choice(incidents), f"note {name}"
        return Act(kind, ("triage", "note", incident, note), incident, note)
    if kind == "watch":
        group = f"acme/{chance.choice(_GROUPS)}/"
        return Act(kind, ("triage", "watch", group), value=group)
    unlock = urlsplit(platform.base_url).netloc
    start = ("run", platform.project, "--ref", "main", "--yes", "--json", "--unlock", unlock)
    return Act(kind, start)


@dataclass
class Home:
    """A user's folders, and what was confirmed to be in them."""

    folder: Path
    platform: Desk
    inside: tuple[str, ...] = ()
    damaged: bool = False
    """Whether we damage files: what was in them may be lost, if the program says so."""
    fills: bool = False
    """Whether the disk may take the beginning of a write, and not its end."""
    notes: dict[str, set[str]] = field(default_factory=dict)
    """Incident -> notes that it may have: the last confirmed one, and later attempts."""
    watched: set[str] = field(default_factory=set)
    starts: set[int] = field(default_factory=set)
    """Pipelines whose start was confirmed."""
    said: list[str] = field(default_factory=list)

    def run(self, *arguments: str, **harmed: Any) -> Ended:
        """Run a command; harmed as `run_at_home` can."""
        ended = run_at_home(
            self.folder,
            *arguments,
            environ=self.platform.environ(),
            inside=self.inside,
            **harmed,
        )
        self.said.append(ended.errors)
        return ended

    def do(self, acts: Sequence[Act], harmed: Mapping[str, Any]) -> str:
        """Run commands at once, and keep what they confirm; return what is wrong with them."""
        with ThreadPoolExecutor(len(acts)) as pool:
            ended = list(pool.map(lambda act: self.run(*act.arguments, **harmed), acts))
        self._keep(list(zip(acts, ended, strict=True)))
        for act, one in zip(acts, ended, strict=True):
            if "Traceback" in one.errors:
                return f"{act.kind}: traceback: {one.errors[-1500:]}"
            if one.code not in _CODES:
                return f"{act.kind}: exit code {one.code}: {one.errors[-200:]!r}"
        return ""

    def _keep(self, done: Sequence[tuple[Act, Ended]]) -> None:
        for incident in {act.subject for act, _ in done if act.kind == "note"}:
            of_it = [(act, ended) for act, ended in done if act.subject == incident]
            # Of notes that were written at once, any may be the last one.
            is_confirmed = any(ended.code == 0 for _, ended in of_it)
            before = set[str]() if is_confirmed else self.notes.get(incident, {""})
            self.notes[incident] = before | {act.value for act, _ in of_it}
        for act, ended in done:
            if ended.code == 0 and act.kind == "watch":
                self.watched.add(act.value)
            elif ended.code == 0 and act.kind == "run":
                self.starts.add(json.loads(ended.out)["id"])

    def missing(self) -> str:
        """Return what was confirmed and is not there."""
        for look in (self._missing_groups, self._missing_notes, self._missing_starts):
            lost = look()
            if lost and not (self.damaged and _DAMAGED in "".join(self.said)):
                return lost
        return ""

    def _missing_groups(self) -> str:
        watched = self.run("triage", "watched")
        gone = self.watched - set(watched.out.split())
        return f"watch list: {watched.code} {watched.errors!r} without {gone}" if gone else ""

    def _missing_notes(self) -> str:
        shown = self.run("triage", "--json", "--all")
        if shown.code not in {0, 1, 3}:
            return f"triage: exit code {shown.code}: {shown.errors[-300:]!r}"
        found = {one["incident"]: one["note"] or "" for one in json.loads(shown.out)["broken"]}
        for incident, possible in self.notes.items():
            if (note := found.get(incident)) not in possible:
                return f"{incident} has the note {note!r}, not one of {possible}"
        return ""

    def _missing_starts(self) -> str:
        audit = self.run("audit", "--all", "--json")
        if audit.code:
            return f"audit: exit code {audit.code}: {audit.errors[-300:]!r}"
        lines = [json.loads(line) for line in audit.out.splitlines()]
        sent = {line["write"] for line in lines if line["result"] == "sent"}
        done = {line["result"]: line["write"] for line in lines if line["result"] != "sent"}
        gone = {one for one in self.starts if done.get(f"done: #{one}") not in sent}
        if self.fills and len(gone) <= len(sent - {*done.values()}):
            return ""  # their result is unknown to the audit log, as it says
        return f"audit: {len(lines)} lines without {gone} of {self.starts}" if gone else ""
