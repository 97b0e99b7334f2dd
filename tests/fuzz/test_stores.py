"""Saved files of any content are read or set aside, and the next save works."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.bodies import AT, bodies, tables
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_line
from tests.fuzz.strategies import as_json, changed, damaged
from tests.support.boards import LOGIN, board
from tests.support.stores import AUDIT, QUOTA, SECOND, SENT, TRIAGE, URL, VISITED

from platui.models.values.routes import Route, SavedView
from platui.models.values.triage_board import SavedBoard
from platui.models.wire import Job, Record
from platui.store.audit import AuditFile
from platui.store.choices import ChoicesFile
from platui.store.document import NewerVersionError
from platui.store.request_counter import FileRequestCounter
from platui.store.saved_boards import SavedBoards
from platui.store.saved_views import SavedViews
from platui.store.sent_writes import SentWrites
from platui.store.triage import TriageStore
from platui.store.visited import VisitedRoutes

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.core.observers import OnNotice


class Saved(NamedTuple):
    """A store with content."""

    name: str
    pattern: str
    """Of its one file."""
    save: Callable[[Path, OnNotice], object]
    load: Callable[[Path, OnNotice], object]


def _save_view(folder: Path, say: OnNotice) -> None:
    records: list[Record] = [
        one for body in bodies() if body.model is Job and body.is_list
        for one in body.decode(json.dumps(body.value).encode(), {}).items
    ]  # fmt: skip
    spec, _ = tables(records[0])[0]
    view = SavedView(
        Route("jobs", 7, "a/b", 8), spec.layout, tuple(spec.rows(records, AT)), "x", SECOND, "prod"
    )
    SavedViews(folder, say).save(view)


def _save_board(folder: Path, say: OnNotice) -> None:
    found = board({1: "gr", 2: "grr"}, causes={1: LOGIN})
    saved = SavedBoard(found.items, (), 2, (), SECOND)
    SavedBoards(folder, say).save("prod", URL, saved)


def _save_choices(folder: Path, say: OnNotice) -> None:
    choices = ChoicesFile(folder, "prod", say)
    choices.set_utc(utc=True)
    choices.add_action("x")
    choices.set_preview("jobs", "log")


def _save_triage(folder: Path, say: OnNotice) -> None:
    TRIAGE.add(folder, 7, say)


def _count(folder: Path, _: OnNotice) -> int:
    counter = FileRequestCounter(folder, URL, "me")
    try:
        return counter.count(SECOND, SECOND + 1)
    finally:
        counter.close()


STORES: Final = (
    Saved("view", "prod.json", _save_view, lambda at, say: SavedViews(at, say).load("prod")),
    Saved("board", "prod.json", _save_board,
          lambda at, say: SavedBoards(at, say).load("prod", URL)),
    Saved("choices", "prod.json", _save_choices,
          lambda at, say: ChoicesFile(at, "prod", say).value),
    Saved("triage", "prod-*.json", _save_triage,
          lambda at, say: TriageStore(at, "prod", URL, say).value),
    Saved("sent", "prod-*.json", lambda at, say: SENT.add(at, 7, say),
          lambda at, say: SentWrites(at, "prod", URL, say).value),
    Saved("visited", "prod.json", lambda at, say: VISITED.add(at, 7, say),
          lambda at, say: VisitedRoutes(at, say).load("prod", URL)),
    Saved("audit", "audit.jsonl", lambda at, say: AUDIT.add(at, 7, say),
          lambda at, _: list(AuditFile(at / "audit.jsonl").entries(100))),
    Saved("quota", "*.times", lambda at, say: QUOTA.add(at, 7, say), _count),
)  # fmt: skip


@tries(150)
@given(data=st.data(), store=st.sampled_from(STORES))
def test_a_file_of_any_content_is_read_or_set_aside(data: st.DataObject, store: Saved) -> None:
    """What is said is a line; the next save, and what is read then, are as usual."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store.save(folder, lambda _: None)
        (path,) = folder.glob(store.pattern)
        content = path.read_bytes()
        damage = damaged(content) | st.binary(max_size=40)
        if path.suffix == ".json":
            damage |= changed(json.loads(content)).map(as_json)
        damaged_content = data.draw(damage)
        path.write_bytes(damaged_content)
        told: list[str] = []
        # A file of a newer platui is not changed.
        with in_time(), suppress(NewerVersionError):
            store.load(folder, told.append)
            store.save(folder, told.append)
            before = len(told)
            store.load(folder, told.append)
            is_kept = path.exists() and path.read_bytes() == damaged_content
            assert is_kept or told[before:] == []
        for line in told:
            check_line(line.replace(name, ""), 500)
