"""What holds for every table that is declared, and what schemas say of those that are printed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib import import_module
from inspect import getsource
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.boards import LOGIN, SLOW, board
from tests.support.lane import NOW as BOARD_NOW
from tests.support.report_company import COMPANY, TAX_API
from tests.support.schemas import schemas

from platui.cli.output.lists import csv_lines
from platui.core.text import clean
from platui.models.values.access_changes import Change, ChangeKind, changes_of
from platui.models.values.connection import RequestRecord, Urgency
from platui.models.values.files import ArchiveEntry
from platui.models.values.reports import DamagedReport
from platui.models.values.stored_triage import PastIncident
from platui.models.values.table import ROLES, Cell
from platui.models.values.tests import FailedTest
from platui.models.values.triage_board import BoardState as Stands
from platui.models.values.triage_board import Mark
from platui.models.values.write_states import AuditEntry
from platui.models.wire.commits import Commit
from platui.models.wire.files import FileDiff
from platui.models.wire.jobs import Artifact, Bridge, Job, Runner
from platui.models.wire.people import User
from platui.models.wire.pipelines import DetailedStatus, Pipeline
from platui.models.wire.projects import Namespace, Project
from platui.models.wire.schedules import Schedule, Variable
from platui.models.wire.tests import CaseResult
from platui.present import tables
from platui.present.schedules.runs import ScheduleState
from platui.present.tables.access import PlaceRow, people_table, places_table
from platui.present.tables.memberships import member_of, membership_of
from platui.present.tables.pipelines import PipelineLine
from platui.present.tables.projects import LastRun
from platui.present.tables.reports import Saved, saved_object
from platui.present.tables.schedules import schedule_line
from platui.present.tables.spec import Context, TableSpec
from platui.present.tables.triage import BoardLine, table_of
from platui.present.tables.triage_history import Over
from platui.present.tables.triage_json import CSV_PATHS
from platui.present.triage.labels import Names
from platui.report.changes.compare import compare_reports
from platui.report.export.sheets import changes_sheet, people_sheet, places_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOW: Final = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
AT: Final = Context(NOW, utc=True)
HOSTILE: Final = "A\x1b[31m\u202eb\nc [red]d[/]"
REPORT: Final = COMPANY.opened()
MOMENTS: Final = {"created_at": NOW, "started_at": NOW, "updated_at": NOW}


def _declared() -> dict[str, TableSpec[Any]]:
    """Return every table that a module of tables declares, by module and name."""
    found: dict[str, TableSpec[Any]] = {}
    for one in iter_modules(tables.__path__):
        module = import_module(f"{tables.__name__}.{one.name}")
        own = re.findall(r"^([A-Z_]+): Final", getsource(module), re.MULTILINE)
        values = ((name, getattr(module, name)) for name in own)
        found |= {f"{one.name}.{key}": it for key, it in values if isinstance(it, TableSpec)}
    return found


def _hostile(kind: Any, **more: Any) -> Any:
    """Return a record of the platform in which every text attacks who shows it."""
    texts = {key: HOSTILE for key, field in kind.model_fields.items() if field.default == ""}
    return kind(**texts | more)


def _pipelines() -> list[Pipeline]:
    running = _hostile(Pipeline, id=7, **MOMENTS, user=_hostile(User), coverage=91.23456)
    return [Pipeline(id=1), running, Pipeline(id=8, status="running", created_at=NOW)]


def _steps(kind: Callable[..., Any], **more: Any) -> list[Any]:
    full = _hostile(
        kind, id=2, **{**MOMENTS, "updated_at": None}, duration=3.14159, pipeline=_pipelines()[1],
        user=_hostile(User), commit=_hostile(Commit, id="ab"), **more,
    )  # fmt: skip
    return [kind(id=1), full]


def _requests() -> list[RequestRecord]:
    record = RequestRecord(1, NOW, "GET", f"projects/a%2F{HOSTILE}/jobs", 200, 4, "live", 2_000,
                           Urgency.USER)  # fmt: skip
    return [record, replace(record, number=2, status=None), replace(record, number=3, status=429)]


def _changes() -> list[Any]:
    first, *others = COMPANY.people
    *places, last = COMPANY.places
    later = replace(
        COMPANY,
        people=[first._replace(email=HOSTILE), *others],
        places=[*places, replace(last, id=77, path="Finland/new")],
        memberships=COMPANY.memberships[:-1],
    )
    changes = compare_reports(REPORT, later.opened())
    found = [one for kind in ChangeKind for one in changes_of(changes, kind)[:1]]
    assert len({type(one) for one in found}) == len(Change.__args__)
    return found


def _over() -> list[Over]:
    found = board({1: "gr", 2: "grr"}, causes={1: LOGIN})
    incidents = [item.incident for item in found.items if item.incident is not None]
    marks = Mark(), Mark(owner=HOSTILE, note=HOSTILE)
    past = (PastIncident(one, BOARD_NOW, BOARD_NOW, cause=HOSTILE) for one in incidents)
    names = Names(found.names)
    return [Over(one, mark, names) for one, mark in zip(past, marks, strict=True)]


_GREEN: Final = "g" + "r" * 18 + "g"
"""Pipelines of which the newest is green again."""


def _board_lines() -> dict[str, list[BoardLine]]:
    found = board(
        {1: "gr", 2: "grr", 3: "g*", 4: "g*", 5: _GREEN, 6: _GREEN}, causes={1: LOGIN},
        marks={2: Mark(owner=HOSTILE, note=HOSTILE)}, late={4: SLOW},
    )  # fmt: skip
    lines: dict[str, list[BoardLine]] = {}
    for item in found.items:
        lane = item.lane._replace(way=HOSTILE)
        line = BoardLine(replace(item, lane=lane), Names(found.names), 1, "kkkkkkkkkkkk")
        name = next(name for name in _OF_STANDINGS if table_of(item) is SPECS[name])
        lines.setdefault(name, []).append(line)
    return lines


def _schedules() -> list[Any]:
    plain = ScheduleState(Schedule(id=1))
    full = ScheduleState(
        _hostile(Schedule, id=2, next_run_at=NOW + timedelta(days=1), owner=_hostile(User)),
        _pipelines()[1],
        knows_last=True,
    )
    return [schedule_line(one, NOW, NOW) for one in (plain, full)]


def _samples() -> dict[str, Sequence[Any]]:
    """Return records of every declared table: some that say next to nothing, some that attack."""
    jobs = _steps(Job, runner=_hostile(Runner), artifacts=(_hostile(Artifact),))
    pipelines = _pipelines()
    projects = [Project(id=1), _hostile(Project, id=2, created_at=NOW, last_activity_at=NOW)]
    artifacts = [Artifact(), _hostile(Artifact, size=7)]
    return {
        "memberships.PERSON_MEMBERSHIPS": [
            membership_of(REPORT, one) for one in REPORT.memberships_of(0)
        ],
        "memberships.MEMBERS": [
            member_of(REPORT, TAX_API, one) for one in REPORT.all_members(TAX_API)
        ],
        "access.PLACES": [REPORT.place(row) for row in range(REPORT.place_count)],
        "access_changes.CHANGES": _changes(),
        "commits.CHANGED_FILES": [FileDiff(), _hostile(FileDiff)],
        "commits.COMMITS": [Commit(id="a"), _hostile(Commit)],
        "tests.TESTS": [
            FailedTest("", CaseResult(status="failed")),
            FailedTest(HOSTILE, _hostile(CaseResult, execution_time=1.5), is_new=True),
        ],
        "artifacts.ARCHIVE_FILES": [ArchiveEntry("a/b", 0), ArchiveEntry(HOSTILE, 7)],
        "jobs.ARTIFACTS": artifacts,
        "jobs.NUMBERED_ARTIFACTS": list(enumerate(artifacts)),
        "requests.AUDIT": [
            AuditEntry(NOW, "p", "start", "projects/1", "sent", "a"),
            AuditEntry(NOW, HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE),
        ],
        "jobs.JOBS": jobs,
        "pipelines.PIPELINES": pipelines,
        "pipelines.PIPELINE_LINES": [
            PipelineLine(pipelines[0], None), PipelineLine(pipelines[1], jobs[1]),
        ],
        "projects.NAMESPACES": [Namespace(id=1), _hostile(Namespace, id=2)],
        "projects.PROJECTS": [
            LastRun(projects[0], is_known=False),
            LastRun(projects[1], pipelines[1], is_watched=True),
        ],
        "records.BRIDGES": _steps(Bridge, downstream_pipeline=pipelines[1]),
        "records.JOB_RECORDS": jobs,
        "records.PIPELINE_RECORDS": [
            pipelines[0],
            pipelines[1].model_copy(update={"detailed_status": _hostile(DetailedStatus)}),
        ],
        "records.VARIABLES": [
            Variable(key="a"), Variable(key="MY_TOKEN", value="x"),
            _hostile(Variable, value=HOSTILE),
        ],
        "reports.SAVED": [
            Saved(REPORT.info, 1), Saved(DamagedReport("2026", NOW, "It is damaged.")),
        ],
        "requests.REQUESTS": _requests(),
        "schedules.SCHEDULES": _schedules(),
        "triage_history.HISTORY": _over(),
        **_board_lines(),
    }  # fmt: skip


OF_REPORT: Final[dict[str, tuple[TableSpec[Any], Sequence[Any]]]] = {
    "access.people_table": (
        people_table(REPORT), [REPORT.person(row) for row in range(REPORT.person_count)],
    ),
    "access.places_table": (
        places_table(REPORT),
        [PlaceRow(REPORT.place(row), REPORT.level_counts(row)) for row in range(2)],
    ),
}  # fmt: skip
"""Tables with a column for each level of a report."""


def _without_samples(name: str) -> bool:
    """Return whether a table is another one with fewer columns, or is tested with its rows."""
    return name.startswith("access_changes.") or name in {
        "jobs.PIPELINE_JOBS", "project_rows.NAMESPACE_TREE", "projects.PROJECT_RECORDS",
    }  # fmt: skip


SPECS: Final = {**_declared(), **{name: spec for name, (spec, _) in OF_REPORT.items()}}
_OF_STANDINGS: Final = {
    "triage.BROKEN": {Stands.BROKEN},
    "triage.RECOVERED": {Stands.RECOVERED},
    "triage.NOT_BROKEN": {Stands.LATE, Stands.RUNNING},
}
"""Tables of items of the board, and how those stand."""
SAMPLES: Final = {**_samples(), **{name: some for name, (_, some) in OF_REPORT.items()}}


def test_every_table_has_samples() -> None:
    """A new one needs some: the tests below are for it, too."""
    assert {name for name in SPECS if not _without_samples(name)} == (
        set(SAMPLES) - {"access_changes.CHANGES"}
    )


@pytest.mark.parametrize("name", SPECS)
def test_columns_are_declared_consistently(name: str) -> None:
    """Each is known by one key, exported under one name, and named only where it is."""
    spec = SPECS[name]
    keys = [one.key for one in spec.columns]
    assert len(keys) == len(set(keys))
    assert len(spec.exported) == len(set(spec.exported))
    assert set(spec.screen) <= {one.key for one in spec.screen_columns}
    assert set(spec.cli) <= {one.key for one in spec.cli_columns}
    assert all(one.exported or one.csv is True for one in spec.columns)
    assert all(one.minimum <= one.width for one in spec.layout)


def _check_cell(cell: Cell) -> None:
    assert cell.text == clean(cell.text)
    assert not cell.parts or "".join(text for text, _ in cell.parts) == cell.text
    assert {cell.role, *(role for _, role in cell.parts)} <= ROLES


@pytest.mark.parametrize("name", SAMPLES)
def test_records_are_shown_clean_and_sorted(name: str) -> None:
    """Whatever a record says or lacks, on a screen, in a printed table, in JSON and in CSV."""
    spec, some = SPECS[name], SAMPLES[name]
    assert len(some) > 1
    rows = spec.rows(some, AT)
    for row in rows:
        assert len(row.cells) == len(row.sort) == len(spec.layout)
        assert row.search == row.search.lower() == clean(row.search)
        for cell in row.cells:
            _check_cell(cell)
    for values in zip(*(row.sort for row in rows), strict=True):
        sorted(value for value in values if value is not None)
    for one in some:
        texts = spec.cli_texts(one, AT)
        assert [text for text in texts if not text or text != clean(text)] == []
        assert tuple(json.loads(json.dumps(spec.object(one, AT)))) == spec.exported
    heads, *lines = csv_lines([spec.object(one, AT) for one in some], spec.csv_names)
    assert heads == ",".join(one.replace(".", "_") for one in spec.csv_names)
    assert len(lines) == len(some)
    assert [line for line in lines if line != clean(line)] == []


def test_a_list_is_one_cell_of_csv() -> None:
    """As the parents of a merge commit."""
    lines = csv_lines([{"parent_ids": ["a1", "b2"], "title": "x"}], ("parent_ids", "title"))
    assert [*lines] == ["parent_ids,title", "a1 b2,x"]


PRINTED: Final[dict[str, tuple[str, set[str]]]] = {
    "audit-entry": ("requests.AUDIT", set()),
    "job": ("jobs.JOBS", {"project"}),
    "job-record": ("records.JOB_RECORDS", {"project", "log_command"}),
    "namespace": ("projects.NAMESPACES", set()),
    "pipeline": ("pipelines.PIPELINES", {"project"}),
    "pipeline-record": (
        "records.PIPELINE_RECORDS", {"project", "variables", "jobs", "bridges"},
    ),
    "project": ("projects.PROJECTS", set()),
    "report-people": ("access.people_table", set()),
    "report-change": ("access_changes.CHANGES", set()),
    "report-places": ("access.PLACES", set()),
    "schedule": ("schedules.SCHEDULES", {"project"}),
    "triage-past": ("triage_history.HISTORY", set()),
}  # fmt: skip
"""Schemas of JSON that is made from a table, and what its command adds."""


@pytest.mark.parametrize("schema", PRINTED)
def test_a_schema_has_what_its_table_exports(schema: str) -> None:
    """No key more and none less; a column that is new is new in its schema."""
    name, added = PRINTED[schema]
    found = {key for key in SPECS[name].exported if not key.startswith("level:")}
    assert set(schemas()[schema]["properties"]) == {*found, *added}


@pytest.mark.parametrize("name", _OF_STANDINGS)
def test_the_schema_of_the_board_has_what_the_tables_of_its_items_export(name: str) -> None:
    """Each standing has its own keys."""
    for standing in _OF_STANDINGS[name]:
        items = schemas()["triage"]["properties"][standing.value]["items"]
        assert set(items["properties"]) == set(SPECS[name].exported)


def test_the_csv_of_the_board_is_made_of_keys_that_its_items_export() -> None:
    """A key that is renamed would leave its column empty."""
    known = {key for name in _OF_STANDINGS for key in SPECS[name].exported}
    read = {path.partition(".")[0] for paths in CSV_PATHS.values() for path in paths}
    assert read - known == {"standing"}


def test_the_schema_of_saved_reports_has_what_their_table_exports() -> None:
    """It has one form for those that can be opened, and one for those that are damaged."""
    forms = schemas()["report-kept"]["oneOf"]
    assert [set(one["properties"]) for one in forms] == [
        set(saved_object(one)) for one in SAMPLES["reports.SAVED"]
    ]


def test_exports_of_reports_have_the_columns_of_their_tables() -> None:
    """The export's list of fields is the one that tables are made from."""
    assert (
        people_table(REPORT).exported[: len(REPORT.levels) * -1]
        == (people_sheet(REPORT).columns[: len(REPORT.levels) * -1])
    )
    assert set(people_table(REPORT).exported) == set(people_sheet(REPORT).columns)
    assert SPECS["access.PLACES"].exported == places_sheet(REPORT).columns
    changes = compare_reports(REPORT, REPORT)
    assert SPECS["access_changes.CHANGES"].exported == changes_sheet(changes).columns
