"""Every command that has `--json` prints what its schema says: a script can stand on it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from jsonschema import Draft202012Validator
from tests.support.clock import FakeClock
from tests.support.command_user import TRUTHFUL, User
from tests.support.platform import running_platform
from tests.support.report_texts import write_reports
from tests.support.schemas import misfits, schemas

from platui.cli.exit_codes import Exit
from platui.cli.group import platui, walk
from platui.present.guide import page_names, read_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import click

    from platui_emulator.server import RunningEmulator

pytestmark = TRUTHFUL

SCHEMAS: Final = {
    "namespaces": ["namespace"],
    "projects": ["project"],
    "pipelines": ["pipeline"],
    "pipeline": ["pipeline-record"],
    "changes": ["changes"],
    "tests": ["tests"],
    "jobs": ["job"],
    "job": ["job-record"],
    "artifacts": ["artifacts"],
    "schedules": ["schedule"],
    "file": ["file"],
    "log": ["log-cause"],
    "run": ["outcome"],
    "trigger": ["outcome"],
    "wait": ["waited"],
    "cancel": ["outcome"],
    "retry": ["outcome"],
    "play": ["outcome"],
    "schedule list": ["schedule"],
    "schedule create": ["outcome"],
    "schedule edit": ["outcome"],
    "schedule run": ["outcome"],
    "schedule own": ["outcome"],
    "schedule delete": ["outcome"],
    "project create": ["outcome"],
    "audit": ["audit-entry"],
    "cache info": ["cache-info"],
    "cache clear": ["cache-cleared"],
    "triage": ["triage", "triage-event"],
    "triage watched": ["triage-watched"],
    "triage history": ["triage-past"],
    "report fetch": ["report-arrival"],
    "report import": ["report-arrival"],
    "report list": ["report-kept"],
    "report show": [
        "report-summary", "report-people", "report-places", "report-person", "report-place",
    ],
    "report diff": ["report-change", "report-changes-of-person", "report-changes-in-place"],
    "report docs": ["report-docs"],
    "doctor": ["doctor"],
    "config path": ["config-path"],
    "config show": ["config-show"],
    "config check": ["config-check"],
    "keys": ["keys"],
    "themes": ["theme"],
    "themes check": ["theme-check"],
}  # fmt: skip
"""What each command prints with `--json`, by the schemas that its forms have."""


def _commands() -> dict[str, click.Command]:
    """Return every command by how it is called."""
    root = platui.make_context("platui", [], resilient_parsing=True)
    return {one.command_path.removeprefix("platui "): one.command for one in walk(root)}


def test_each_command_with_json_has_a_schema_and_each_schema_a_command() -> None:
    """What is new gets one; what nobody prints any more is taken away."""
    with_json = {
        name
        for name, command in _commands().items()
        if any("--json" in one.opts for one in command.params)
    }
    assert with_json == set(SCHEMAS)
    assert {one for names in SCHEMAS.values() for one in names} == set(schemas()) - {"defs"}


def _keys_of(schema: Any) -> set[str]:
    """Return the names of all properties in a schema, at any depth."""
    if isinstance(schema, list):
        return {key for one in schema for key in _keys_of(one)}
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})) | _keys_of(list(schema.values()))


def test_help_and_manual_ask_for_keys_that_there_are() -> None:
    """What `jq` is told to pick is a key of the command's schema: it would be silent of others."""
    epilogs = [command.epilog or "" for command in _commands().values()]
    topics = [read_page("topics", name).text for name in page_names("topics")]
    told = "\n".join((*epilogs, *topics))
    asked = re.findall(r"platui ([a-z ]+) (?:[^|\n]* )?--json \| jq (.*)$", told, re.MULTILINE)
    assert len(asked) > 5
    for typed, picked in asked:
        words = typed.split()
        name = next(name for name in (" ".join(words[:2]), words[0]) if name in SCHEMAS)
        keys = {key for schema in SCHEMAS[name] for key in _keys_of(schemas()[schema])}
        assert set(re.findall(r"\.([a-z_]+)", picked)) <= keys, (typed, picked)


def test_each_schema_is_one() -> None:
    """It is of JSON Schema 2020-12, and says what it is of."""
    for name, schema in schemas().items():
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"], name
        assert (schema["$id"], bool(schema["title"])) == (f"{name}.json", True)


class Checker(User):
    """Types commands, and holds their JSON against a schema."""

    def check(self, name: str, *words: str, codes: tuple[int, ...] = (0,)) -> list[Any]:
        """Run a command with `--json`; returns what it printed, each held against the schema."""
        said = self(*words, "--json")
        assert said.code in codes, said
        values = _documents(said.out)
        for value in values:
            assert not misfits(name, value), (words, misfits(name, value))
        return values

    def some(self, name: str, *words: str, codes: tuple[int, ...] = (0,)) -> list[Any]:
        """Run it as `check` does; it has to print something."""
        values = self.check(name, *words, codes=codes)
        assert values, words
        return values


def _documents(text: str) -> list[Any]:
    """Return the values of JSON that follow each other."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += len(text[at:]) - len(text[at:].lstrip())
    return found


@pytest.fixture(scope="module")
def company() -> Iterator[RunningEmulator]:
    """Run a platform of one's own: schedules, pipelines and projects are made in it."""
    with running_platform(clock=FakeClock()) as platform:
        yield platform


@pytest.fixture
def checker(
    company: RunningEmulator, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Checker:
    """Return who types commands there, the organization's key at hand."""
    one = Checker(company, monkeypatch, capfd)
    one.environ |= {"PLATUI_ADMIN_URL": company.admin_url, "PLATUI_ADMIN_KEY": company.admin_key}
    return one


def test_lists_are_as_their_schemas_say(checker: Checker) -> None:
    """A page of each, and with what their options add."""
    checker.some("namespace", "namespaces", "--all")
    checker.some("project", "projects", "--all")
    checker.some("project", "projects", "--limit", "3", "--last-run")
    [pipeline, *_] = checker.some("pipeline", "pipelines", checker.project)
    some = [pipeline, *checker.some("job", "jobs", checker.project)]
    some += checker.some("job", "jobs", checker.project, str(pipeline["id"]))
    for command in (("schedules",), ("schedule", "list")):
        some += checker.some("schedule", *command, checker.project)
    assert {one["project"] for one in some} == {checker.project}


def test_records_are_as_their_schemas_say(checker: Checker) -> None:
    """Of pipelines and jobs in many states, and of files that are text or not."""
    pipelines = {one["status"]: one["id"] for one in checker.get("pipelines?per_page=40")}
    for number in pipelines.values():
        [record] = checker.some("pipeline-record", "pipeline", checker.project, str(number))
        states = {one["status"]: one["id"] for one in record["jobs"]}
        for job in states.values():
            checker.some("job-record", "job", checker.project, str(job))
        if "failed" in states:
            checker.some("log-cause", "log", checker.project, str(states["failed"]), "--cause")
    for number in pipelines.values():
        checker.some("tests", "tests", checker.project, str(number))
    checker.some("changes", "changes", checker.project, str(pipelines["failed"]))
    jobs = checker.get("jobs?per_page=100")
    archived = next(one["id"] for one in jobs if one.get("artifacts_file"))
    checker.some("artifacts", "artifacts", checker.project, str(archived))
    checker.some("file", "file", checker.project, "README.md")
    checker.some("waited", "wait", checker.project, str(pipelines["success"]))
    checker.some("waited", "wait", checker.project, str(pipelines["failed"]), codes=(1,))


def test_what_writes_prints_is_as_its_schema_says(checker: Checker) -> None:
    """What would be sent, and what came of it."""
    yes = ("--yes", "--unlock", "here")
    project, form = (
        checker.project,
        ("--description", "one", "--ref", "main", "--cron", "0 1 * * *"),
    )
    [started] = checker.some("outcome", "run", project, "--ref", "main", *yes)
    [made] = checker.some("outcome", "schedule", "create", project, *form, *yes)
    number, schedule = str(started["id"]), (project, str(made["id"]))
    checker.some("outcome", "run", project, "--ref", "main", "--var", "A=1", "--dry-run", *yes)
    checker.some("outcome", "trigger", project, "--ref", "main", *yes)
    checker.some("outcome", "trigger", project, "--ref", "main", "--dry-run", *yes)
    checker.some("outcome", "cancel", project, number, *yes)
    checker.some("outcome", "retry", project, number, *yes)
    job = str(checker.get("jobs?per_page=1")[0]["id"])
    checker.some("outcome", "play", project, job, "--dry-run", *yes, codes=(0, 4))
    checker.some("outcome", "schedule", "edit", *schedule, "--cron", "5 1 * * *", *yes)
    checker.some("outcome", "schedule", "own", *schedule, *yes)
    checker.some("outcome", "schedule", "run", *schedule, "--dry-run", *yes)
    checker.some("outcome", "schedule", "delete", *schedule, "--confirm", "one", *yes)
    checker.some("outcome", "project", "create", "of a schema", "--dry-run", *yes)
    checker.some("audit-entry", "audit")


def test_triage_is_as_its_schemas_say(checker: Checker) -> None:
    """The board, what is watched, and what is over; the tests of triage have more of each."""
    checker("triage", "watch", checker.project, f"{checker.project.partition('/')[0]}/finance/")
    checker.some("triage", "triage", "--project", checker.project)
    checker.some("triage-watched", "triage", "watched")
    checker.check("triage-past", "triage", "history")


def test_reports_are_as_their_schemas_say(checker: Checker, tmp_path: Path) -> None:
    """Of two of them, of what changed in between, and of one that is fetched."""
    before, after = write_reports(tmp_path)
    checker.some("report-arrival", "report", "import", str(before))
    [later] = checker.some("report-arrival", "report", "import", str(after))
    assert later["changes"]
    checker.some("report-kept", "report", "list")
    checker.some("report-summary", "report", "show")
    people = checker.some("report-people", "report", "show", "level:owner")
    places = checker.some("report-places", "report", "show", "--groups")
    checker.some("report-person", "report", "show", "--person", str(people[0]["user_id"]))
    place = next(one["place_path"] for one in places if one["depth"] == 1)
    checker.some("report-place", "report", "show", "--group", place)
    checker.some("report-place", "report", "show", "--group", place, "--inherited")
    checker.some("report-change", "report", "diff")
    checker.some("report-changes-of-person", "report", "diff", "--by", "person")
    checker.some("report-changes-in-place", "report", "diff", "--by", "group")
    checker.some("report-docs", "report", "docs")
    checker.some("report-arrival", "report", "fetch")


def test_what_is_told_of_platui_itself_is_as_its_schemas_say(checker: Checker) -> None:
    """Its keys and its themes need no platform; what the doctor finds is another matter."""
    checker.some("doctor", "doctor", codes=tuple(Exit))
    checker.some("keys", "keys")
    checker.some("cache-info", "cache", "info")
    checker.some("cache-cleared", "cache", "clear", "--yes")
    checker.some("config-path", "config", "path")
    checker.some("config-show", "config", "show")
    checker.some("config-check", "config", "check", codes=(0, 2))
    checker.some("theme", "themes")
    checker.some("theme-check", "themes", "check", "platui-dark")
    checker.check("theme-check", "themes", "check", "no-such-theme", codes=(0, 1, 2, 4))
