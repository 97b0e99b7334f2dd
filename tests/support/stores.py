"""Every store that lies on the disk, used alike: for tests of what happens to files."""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from tests.support.clock import START, FakeClock

from platui.models.values.drafts import SentPipeline
from platui.models.values.routes import Route, SavedView
from platui.models.values.triage_board import SavedBoard
from platui.models.values.write_states import AuditEntry
from platui.models.values.writes import NewPipeline
from platui.store.audit import AuditFile
from platui.store.cache import EntryKey, StoredPage
from platui.store.choices import ChoicesFile
from platui.store.pages import PageStore
from platui.store.request_counter import FileRequestCounter
from platui.store.saved_boards import SavedBoards
from platui.store.saved_views import SavedViews
from platui.store.sent_writes import SentWrites
from platui.store.triage import TriageStore
from platui.store.visited import VisitedRoutes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from platui.core.observers import OnNotice

URL: Final = "https://data.example.com"
SECOND: Final = START.timestamp()


@dataclass(frozen=True, slots=True)
class Store:
    """A store of numbers, whatever it is made for."""

    name: str
    pattern: str
    """Of its one file."""
    add: Callable[[Path, int, OnNotice], None]
    """Opens it in a folder, and puts a number there."""
    numbers: Callable[[Path, OnNotice], set[int]]
    """Opens it, and returns which are there."""
    lasts: bool
    """Whether it keeps what cannot be had again."""
    holds_many: bool = True

    def file(self, folder: Path) -> Path:
        """Return its file."""
        (path,) = folder.glob(self.pattern)
        return path


def _page_key(number: int) -> EntryKey:
    return EntryKey(URL, "me", f"projects?page={number}")


def _add_page(folder: Path, number: int, say: OnNotice) -> None:
    pages = PageStore(folder / "pages.sqlite3", 10_000_000, FakeClock(), say)
    pages.put(_page_key(number), StoredPage(b"[]" * 100, START))
    pages.close()


def _pages(folder: Path, say: OnNotice) -> set[int]:
    pages = PageStore(folder / "pages.sqlite3", 10_000_000, FakeClock(), say)
    found = {number for number in range(250) if pages.get(_page_key(number)) is not None}
    pages.close()
    return found


def _place(number: int) -> SavedView:
    return SavedView(Route("jobs", number), (), (), "", SECOND, "prod", {})


def _placed(folder: Path, say: OnNotice) -> set[int]:
    found = SavedViews(folder, say).load("prod")
    return set() if found is None else {int(found.route.project or 0)}


def _save_place(folder: Path, number: int, say: OnNotice) -> None:
    places = SavedViews(folder, say)
    places.load("prod")
    places.save(_place(number))


def _boards(folder: Path, say: OnNotice) -> set[int]:
    found = SavedBoards(folder, say).load("prod", URL)
    return set() if found is None else {found.watched}


def _save_board(folder: Path, number: int, say: OnNotice) -> None:
    boards = SavedBoards(folder, say)
    boards.load("prod", URL)
    boards.save("prod", URL, SavedBoard((), (), number, (), SECOND))


def _visited(folder: Path, say: OnNotice) -> set[int]:
    found = VisitedRoutes(folder, say).load("prod", URL)
    return {int(route.project or 0) for route in found}


def _save_visited(folder: Path, number: int, say: OnNotice) -> None:
    visited = VisitedRoutes(folder, say)
    visited.load("prod", URL)
    visited.save("prod", URL, [Route("jobs", number)])


def _sent(folder: Path, say: OnNotice) -> set[int]:
    found = SentWrites(folder, "prod", URL, say).value.pipelines
    return {one.pipeline for one in found if one.pipeline is not None}


def _add_sent(folder: Path, number: int, say: OnNotice) -> None:
    SentWrites(folder, "prod", URL, say).add_pipeline(
        SentPipeline(NewPipeline(12, "main"), START, number)
    )


def _audited(folder: Path, _: OnNotice) -> set[int]:
    return {int(one.result) for one in AuditFile(folder / "audit.jsonl").entries(10_000)}


def _audit(folder: Path, number: int, _: OnNotice) -> None:
    entry = AuditEntry(START + timedelta(seconds=number), "prod", "POST", "x", str(number))
    AuditFile(folder / "audit.jsonl").append(entry)


def _count(folder: Path, number: int, _: OnNotice) -> None:
    ledger = FileRequestCounter(folder, URL, "me")
    ledger.add(SECOND + number / 1000)
    ledger.close()


def _counted(folder: Path, _: OnNotice) -> set[int]:
    ledger = FileRequestCounter(folder, URL, "me")
    # One beyond the other: what is sent after a moment is counted.
    found = {
        number
        for number in range(250)
        if ledger.count(SECOND + (number - 0.5) / 1000, SECOND + 1)
        > ledger.count(SECOND + (number + 0.5) / 1000, SECOND + 1)
    }
    ledger.close()
    return found


TRIAGE: Final = Store(
    "triage",
    "prod-*.json",
    lambda folder, number, say: (
        TriageStore(folder, "prod", URL, say).note([(7, number)], f"note {number}"), None
    )[1],
    lambda folder, say: {
        number for _, number in TriageStore(folder, "prod", URL, say).value.marks
    },
    lasts=True,
)  # fmt: skip
MEMORY: Final = Store(
    "memory",
    "prod.json",
    lambda folder, number, say: (ChoicesFile(folder, "prod", say).add_action(str(number)), None)[1],
    lambda folder, say: {int(one) for one in ChoicesFile(folder, "prod", say).value.actions},
    lasts=True,
)
SENT: Final = Store("sent", "prod-*.json", _add_sent, _sent, lasts=True)
AUDIT: Final = Store("audit", "audit.jsonl", _audit, _audited, lasts=True)
PAGES: Final = Store("pages", "pages.sqlite3", _add_page, _pages, lasts=False)
PLACES: Final = Store("places", "prod.json", _save_place, _placed, lasts=False, holds_many=False)
BOARDS: Final = Store("boards", "prod.json", _save_board, _boards, lasts=False, holds_many=False)
VISITED: Final = Store(
    "visited", "prod.json", _save_visited, _visited, lasts=False, holds_many=False
)
QUOTA: Final = Store("quota", "*.times", _count, _counted, lasts=False)

DOCUMENTS: Final = (TRIAGE, MEMORY, SENT)
STORES: Final = (*DOCUMENTS, AUDIT, PAGES, PLACES, BOARDS, VISITED, QUOTA)


def in_process(work: Callable[[], object]) -> int:
    """Do something in a process of its own; returns its exit code, 0 where nothing was raised."""
    process = get_context("fork").Process(target=_told, args=(work,))
    process.start()
    process.join(30)
    return -1 if process.exitcode is None else process.exitcode


def _told(work: Callable[[], object]) -> None:
    """Do it, and end at once: what the tests have registered for their own end is not for here."""
    code = 1
    try:
        work()
        code = 0
    finally:
        if code:
            traceback.print_exc()
            sys.stderr.flush()
        os._exit(code)
