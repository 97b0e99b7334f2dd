"""Ten typical questions to the access report, and to SQLite.

`python -m tests.bench report_questions`

Both have the same report of 2,000,000 memberships; SQLite has it in memory, with indexes for all of
these. Both give the same answer, as the dashboard shows it: people in order of their names, how
many memberships they have, how many people by highest level, state, domain and identity. How long
SQLite takes to find the people alone, in no order, is told besides.

The memberships of a person, and of a project, are asked for twenty times in each turn, each time of
another one, and told is the time of one. They are asked for twice: where, or who, and at which
level, all rows of it; and with what the dashboard shows beside them, again in all rows: the highest
level held there or in a group above, and in which one. Each turn opens the report
anew, sorts it by name as the screen does when it opens, and asks each question once, so that
nothing is known from an answer before.

Time is the processor's, of the one thread that asks: what others do on the machine is not in it.
While ours are asked another thread wakes up every millisecond; told is the longest that it was
late, and the longest while nothing was asked: that is the machine's own.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tests.bench.figures import Comparison, Figure, Table
from tests.bench.report import emulated

from platui.models.values.access import Membership, PeopleOrder, PeopleResult
from platui.report.importing import read_report
from platui.report.open_report import OpenedReport
from platui.report.reading.draft import ReadRequest
from platui.report.saved_report import open_saved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tests.bench.figures import Options

    from platui.report.queries.membership_rows import MembershipRows

_AIM: Final = 0.5
_TICK: Final = 0.001
_IDLE: Final = 0.5
_TABLES: Final = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, text TEXT, state TEXT, domain TEXT,
  identity TEXT, highest INTEGER, memberships INTEGER);
CREATE TEMP TABLE found (id INTEGER PRIMARY KEY);
CREATE TABLE place (row INTEGER PRIMARY KEY, last INTEGER, kind TEXT, name TEXT, segment TEXT,
  path TEXT);
CREATE TABLE above (place INTEGER, around INTEGER, PRIMARY KEY (place, around)) WITHOUT ROWID;
CREATE TABLE member (place INTEGER, person INTEGER, level INTEGER);
"""
_INDEXES: Final = """
CREATE INDEX by_person ON member (person, place, level);
CREATE INDEX by_place ON member (place, level, person);
CREATE INDEX by_level ON member (level, person);
CREATE INDEX by_state ON person (state);
CREATE INDEX by_name ON person (name);
UPDATE person SET (highest, memberships) =
  (SELECT MAX(level), COUNT(*) FROM member WHERE person = id);
ANALYZE;
"""
_SOME: Final = 20
"""People, and projects, that are asked for in a turn: of one alone the clock would be measured."""
_LEVELS: Final = ("GUEST", "PLANNER", "REPORTER", "DEVELOPER", "MAINTAINER", "OWNER")
_OWNER: Final = len(_LEVELS) - 1
_WITH_ALL: Final = (
    "SELECT id FROM person WHERE id IN found ORDER BY name",
    "SELECT SUM(memberships) FROM person WHERE id IN found",
    "SELECT highest, COUNT(*) FROM person WHERE id IN found GROUP BY highest",
    "SELECT state, COUNT(*) FROM person WHERE id IN found GROUP BY state",
    "SELECT domain, COUNT(*) FROM person WHERE id IN found GROUP BY domain",
    "SELECT identity IS NULL, COUNT(*) FROM person WHERE id IN found GROUP BY 1",
)
"""What else is asked where people are found."""
_FROM_ABOVE: Final = """
  SELECT m.person, m.place, m.level, MAX(u.level), u.place FROM member m
  LEFT JOIN above a ON a.place = m.place
  LEFT JOIN member u ON u.person = m.person AND u.place = a.around
"""
_FINANCE: Final = """
  FROM place g CROSS JOIN member m ON m.place BETWEEN g.row AND g.last
  WHERE g.kind = 'group' AND (g.name GLOB 'finance*' OR g.segment GLOB 'finance*'
    OR g.path GLOB 'finance*')
"""


@dataclass(frozen=True)
class Question:
    """What is asked of both."""

    name: str
    ours: Callable[[OpenedReport], object]
    statement: str
    values: Sequence[tuple[object, ...]] = ((),)
    """Of each time that it is asked in one turn; ours asks as often."""
    finds_people: bool = True
    aim: float | None = _AIM


def questions(report: OpenedReport) -> list[Question]:
    """Return the questions; of a report like the one that is asked, to pick somebody in it."""
    some = range(0, report.person_count, report.person_count // _SOME)
    ids = [(report.person(row).id,) for row in some]
    group = max(range(report.place_count), key=lambda row: report.place(row).projects)
    last = report.arrays.place_end[group] - 1
    projects = [row for row in range(report.place_count) if report.place(row).kind == "project"]
    projects = projects[:: len(projects) // _SOME]
    rows = [(row,) for row in projects]

    def people(
        query: str, order: PeopleOrder = PeopleOrder.NAME
    ) -> Callable[[OpenedReport], object]:
        return lambda opened: opened.people(query, order)

    return [
        Question(
            "a person",
            lambda opened: [_pairs(one, one.places) for one in map(opened.memberships_of, some)],
            "SELECT place, level FROM member WHERE person = ? ORDER BY place",
            ids,
            finds_people=False,
        ),
        Question(
            "members",
            lambda opened: [_pairs(one, one.people) for one in map(opened.members_of, projects)],
            "SELECT person, level FROM member WHERE place = ? ORDER BY level DESC",
            rows,
            finds_people=False,
        ),
        Question(
            "a person, from above",
            lambda opened: [list(opened.memberships_of(row)) for row in some],
            f"{_FROM_ABOVE} WHERE m.person = ? GROUP BY m.place ORDER BY m.place",
            ids,
            finds_people=False,
        ),
        Question(
            "members, from above",
            lambda opened: [list(opened.members_of(row)) for row in projects],
            f"{_FROM_ABOVE} WHERE m.place = ? GROUP BY m.person ORDER BY m.level DESC",
            rows,
            finds_people=False,
        ),
        Question(
            "subtree",
            lambda opened: opened.level_counts(group),
            "SELECT level, COUNT(*) FROM member WHERE place BETWEEN ? AND ? GROUP BY level",
            [(group, last)],
            finds_people=False,
        ),
        Question(
            "owners",
            people("level:owner"),
            "SELECT DISTINCT person FROM member WHERE level = ?",
            [(_OWNER,)],
        ),
        Question(
            "maintainers",
            people("level:>=maintainer"),
            "SELECT DISTINCT person FROM member WHERE level >= ?",
            [(_OWNER - 1,)],
        ),
        Question("a word", people("anna"), "SELECT id FROM person WHERE text LIKE '%anna%'"),
        Question(
            "blocked",
            people("state:blocked -level:owner"),
            "SELECT id FROM person p WHERE state = 'blocked' AND NOT EXISTS"
            " (SELECT 1 FROM member m WHERE m.person = p.id AND m.level = ?)",
            [(_OWNER,)],
        ),
        Question(
            "in a group",
            people("level:owner group:finance*"),
            f"SELECT DISTINCT m.person {_FINANCE} AND m.level = ?",
            [(_OWNER,)],
        ),
        Question(
            "all of it",
            people("level:owner state:blocked domain:*.example group:finance*"),
            f"""SELECT id FROM person WHERE state = 'blocked' AND domain GLOB '*.example'
              AND id IN (SELECT m.person {_FINANCE} AND m.level = ?)""",  # noqa: S608
            [(_OWNER,)],
        ),
        Question(
            "who has most",
            people("", PeopleOrder.MEMBERSHIPS),
            "SELECT person FROM member GROUP BY person ORDER BY COUNT(*) DESC",
            finds_people=False,
        ),
    ]


def opened(folder: Path) -> OpenedReport:
    """Return a saved report, opened anew."""
    return OpenedReport(open_saved(folder))


async def read(file: Path, folder: Path) -> None:
    """Read a report into a folder."""
    async for _ in read_report(ReadRequest(file, folder, datetime.now(UTC), "bench", "")):
        pass


def database(file: Path) -> sqlite3.Connection:
    """Return the report in SQLite; places have the rows that ours have."""
    report = json.loads(file.read_bytes())
    made = sqlite3.connect(":memory:")
    made.executescript(_TABLES)
    made.executemany(
        "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, NULL, NULL)",
        (
            (
                int(id_),
                user["name"].casefold(),
                _text(user),
                user["state"],
                user["email"].rpartition("@")[2],
                user["service_identity_uuid"],
            )
            for id_, user in report["users"].items()
        ),
    )
    places: list[tuple[object, ...]] = []

    def enter(kind: str, entry: dict[str, Any], *around: int) -> None:
        row = len(places)
        places.append(())
        made.executemany("INSERT INTO above VALUES (?, ?)", ((row, group) for group in around))
        levels = {
            "SECURITY_AUDITOR": -2,
            "MINIMAL_ACCESS": -1,
            **{n: i for i, n in enumerate(_LEVELS)},
        }
        made.executemany(
            "INSERT INTO member VALUES (?, ?, ?)",
            (
                (row, int(person), levels[member["max_access_level"]])
                for person, member in entry["members"].items()
            ),
        )
        for project in (entry.get("projects") or {}).values():
            enter("project", project, *around, row)
        for below in (entry.get("subgroups") or {}).values():
            enter("group", below, *around, row)
        name, path = entry["name"].casefold(), entry["path"].casefold()
        places[row] = (row, len(places) - 1, kind, name, path.rpartition("/")[2], path)

    for group in report["platform"]["groups"].values():
        enter("group", group)
    made.executemany("INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)", places)
    made.executescript(_INDEXES)
    return made


def _pairs(held: MembershipRows, column: Sequence[int]) -> list[tuple[int, int]]:
    """Return who or where, and at which level."""
    return list(zip(column, held.levels, strict=True))


def _text(user: dict[str, Any]) -> str:
    fields = (user["name"], user["username"], user["email"], user["service_identity_uuid"] or "")
    return " ".join(fields).casefold()


class BoardEventDetector:
    """A thread that wakes up every millisecond, and how late it was at worst."""

    def __init__(self) -> None:
        self._ends = threading.Event()
        self._late = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Tick for the length of a block."""
        thread = threading.Thread(target=self._tick)
        thread.start()
        try:
            yield
        finally:
            self._ends.set()
            thread.join()

    def taken(self) -> float:
        """Return how late it was at worst since this was asked before, in seconds."""
        late, self._late = self._late, 0.0
        return late

    def _tick(self) -> None:
        before = time.perf_counter()
        while not self._ends.wait(_TICK):
            now = time.perf_counter()
            self._late = max(self._late, now - before - _TICK)
            before = now


def check(report: OpenedReport, theirs: sqlite3.Connection, question: Question) -> None:
    """See that both find the same people, before it is asked how quickly."""
    found = question.ours(report)
    if question.finds_people and isinstance(found, PeopleResult):
        ours = sorted(report.person(row).id for row in found.rows)
        assert ours == sorted(id_ for (id_,) in _rows(theirs, question)), question.name
    elif isinstance(found, list):
        told = [*chain.from_iterable(found)]
        rows = _rows(theirs, question)
        assert len(told) == len(rows), question.name
        if isinstance(told[0], Membership):
            mine = [(report.person(one.person).id, one.place, one.held_at) for one in told]
            around = [
                (person, place, place if above is None or above < level else group)
                for person, place, level, above, group in rows
            ]
            assert sorted(mine) == sorted(around), question.name


def ask(folder: Path, theirs: sqlite3.Connection, turns: int) -> Iterator[Table]:
    """Ask both in turns."""
    asked = questions(opened(folder))
    for one in asked:
        check(opened(folder), theirs, one)
    times = [Comparison(one.name, "ms", one.aim) for one in asked]
    alone = [Comparison(one.name, "ms") for one in asked]
    stalls: list[list[float]] = [[] for _ in asked]
    idle: list[float] = []
    ticker = BoardEventDetector()
    with ticker.running():
        for _ in range(turns):
            report = opened(folder)
            report.people("", PeopleOrder.NAME)
            time.sleep(_TICK * 5)
            ticker.taken()
            time.sleep(_IDLE)
            idle.append(ticker.taken() * 1000)
            for one, comparison, found, stall in zip(asked, times, alone, stalls, strict=True):
                ticker.taken()
                mine = _milliseconds(lambda one=one, report=report: one.ours(report), one)  # type: ignore[misc]
                time.sleep(_TICK * 5)
                stall.append(ticker.taken() * 1000)
                comparison.add(mine, _milliseconds(lambda one=one: _answer(theirs, one), one))  # type: ignore[misc]
                found.add(mine, _milliseconds(lambda one=one: _rows(theirs, one), one))  # type: ignore[misc]
    yield Table("Questions to the access report", times, "platui", "SQLite, indexed")
    people = [found for one, found in zip(asked, alone, strict=True) if one.finds_people]
    yield Table("People of the same", people, "platui, all of it", "SQLite, found alone")
    late = [Figure(one.name, "ms", None, stall) for one, stall in zip(asked, stalls, strict=True)]
    yield Table("Stall while asked", [*late, Figure("nothing is asked", "ms", None, idle)])


def _answer(theirs: sqlite3.Connection, question: Question) -> object:
    if not question.finds_people:
        return _rows(theirs, question)
    theirs.execute("DELETE FROM found")
    (values,) = question.values
    theirs.execute(f"INSERT INTO found {question.statement}", values)
    return [theirs.execute(statement).fetchall() for statement in _WITH_ALL]


def _rows(theirs: sqlite3.Connection, question: Question) -> list[Any]:
    rows: list[Any] = []
    for values in question.values:
        rows += theirs.execute(question.statement, values).fetchall()
    return rows


def _milliseconds(work: Callable[[], object], question: Question) -> float:
    """Return the time of one of the times that a question is asked."""
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000 / len(question.values)


def tables(options: Options) -> Iterator[Table]:
    """Fetch a report and ask."""
    with emulated() as (file, folder):
        home = folder / "report"
        asyncio.run(read(file, home))
        yield from ask(home, database(file), options.turns(5, 2))
