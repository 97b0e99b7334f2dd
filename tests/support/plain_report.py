"""The plainest reader of an access report there can be, and what ours has read in its terms."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from platui.report.reading.draft import Draft, ReadRequest
from platui.report.reading.reader import ReportReader
from platui.report.saved_report import SavedReport, open_saved

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_FIELDS = ("name", "username", "email", "service_identity_uuid", "state")


@dataclass
class Plain:
    """A report as lists: people, places with what is above them, and memberships."""

    people: list[tuple[Any, ...]] = field(default_factory=list)
    """Id, and the fields of a user entry."""
    places: list[tuple[Any, ...]] = field(default_factory=list)
    """Id, kind, name, path, row of the parent, depth."""
    members: list[tuple[int, int, str]] = field(default_factory=list)
    """Row of the place, id of the person, level."""


def plainly_read(text: bytes) -> Plain:
    """Return what a report says."""
    report, plain = json.loads(text), Plain()

    def group(id_: str, entry: dict[str, Any], parent: int, depth: int) -> None:
        row = place(id_, entry, 0, parent, depth)
        for inner, project in (entry.get("projects") or {}).items():
            place(inner, project, 1, row, depth + 1)
        for inner, subgroup in (entry.get("subgroups") or {}).items():
            group(inner, subgroup, row, depth + 1)

    def place(id_: str, entry: dict[str, Any], kind: int, parent: int, depth: int) -> int:
        name, path = entry.get("name") or "", entry.get("path") or ""
        plain.places.append((int(id_), kind, name, path, parent, depth))
        for person, member in (entry.get("members") or {}).items():
            held = member["max_access_level"]
            plain.members.append((len(plain.places) - 1, int(person), held))
        return len(plain.places) - 1

    for id_, user in report["users"].items():
        plain.people.append((int(id_), *_texts(user)))
    for id_, entry in report["platform"]["groups"].items():
        group(id_, entry, -1, 0)
    known = {person[0] for person in plain.people}
    for id_ in dict.fromkeys(person for _, person, _ in plain.members if person not in known):
        plain.people.append((id_, *_texts({})))
    return plain


def _texts(user: dict[str, Any]) -> tuple[str | None, ...]:
    return tuple(
        user.get(name) if name == "service_identity_uuid" else user.get(name) or ""
        for name in _FIELDS
    )


def read_here(
    folder: Path, text: bytes, opened: Callable[[Path], None] = lambda _: None
) -> SavedReport:
    """Return what our reader makes of a report, in this process.

    Args:
        folder: an empty folder.
        text: the JSON.
        opened: is called with the folder where people and places can be opened.
    """
    spool, final = folder / "spool.json", folder / "reports" / "20260301-abc"
    spool.write_bytes(text)
    order = ReadRequest(spool, final, datetime(2026, 3, 1, tzinfo=UTC), "host.example", "abc")
    draft = Draft(final)
    try:
        ReportReader(order, draft, lambda _: None).read(lambda: opened(draft.folder))
    finally:
        draft.discard()
    return open_saved(final)


def plainly_told(saved: SavedReport) -> Plain:
    """Return a saved report as lists."""
    arrays, plain = saved.arrays, Plain()
    for row, id_ in enumerate(arrays.person_id):
        texts = _between(arrays.person_text, arrays.person_at, row)
        identity = None if texts[3] == "\0" else texts[3]
        state = saved.states[arrays.person_state[row]]
        plain.people.append((id_, *texts[:3], identity, state))
    for row, id_ in enumerate(arrays.place_id):
        texts = _between(arrays.place_text, arrays.place_at, row)
        above = arrays.place_parent[row], arrays.place_depth[row]
        plain.places.append((id_, arrays.place_kind[row], *texts, *above))
        for number in range(arrays.place_first[row], arrays.place_first[row + 1]):
            person = arrays.person_id[arrays.member_person[number]]
            plain.members.append((row, person, saved.info.levels[arrays.member_level[number]][0]))
    return plain


def _between(text: memoryview, starts: memoryview, row: int) -> list[str]:
    return bytes(text[starts[row] : starts[row + 1]]).decode().split("\x1f")[:-1]
