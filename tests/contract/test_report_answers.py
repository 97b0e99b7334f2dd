"""`platui report list`, `show` and what else asks saved reports: what a script can lean on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell
from tests.support.report_texts import write_reports

from platui.cli.exits import Exit
from platui.models.values.access import CAVEATS
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEFORE = "20260225T061320Z"
AFTER = "20260308T200000Z"
"""How their ids begin."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Keep the two reports where all tests look at them; none is brought in besides."""
    folder = tmp_path_factory.mktemp("reports")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("platui.service.reports.cache_dir", lambda: folder)
        yield folder


@pytest.fixture
def shell(
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> Shell:
    """Return somebody who has no profile, and both reports."""
    shell = Shell(monkeypatch, capfd)
    if not (cache / "reports").exists():
        for path in write_reports(tmp_path):
            assert shell("report", "import", str(path)).code == 0
    return shell


def test_the_list_is_newest_first(shell: Shell) -> None:
    """A table for people, an object a line for programs."""
    told = shell("report", "list", "--utc")
    assert told.code == 0
    assert told.lines[1].split()[:6] == [
        "1", told.lines[1].split()[1], "2026-03-08", "20:00", "UTC", "after.json"
    ]  # fmt: skip
    first, second = shell("report", "list", "--json").objects
    assert (first["id"][:16], second["id"][:16]) == (AFTER, BEFORE)
    assert list(first) == [
        "id", "fetched_at", "origin", "bytes", "sha256", "people", "groups", "projects",
        "memberships", "levels",
    ]  # fmt: skip
    assert first["fetched_at"] == "2026-03-08T20:00:00+00:00"
    assert first["levels"] == {
        "AUDITOR": 1, "GUEST": 1, "REPORTER": 1, "DEVELOPER": 2, "OWNER": 3
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "begin"),
    [
        ("latest", AFTER),
        ("previous", BEFORE),
        ("1", AFTER),
        ("2", BEFORE),
        (AFTER, AFTER),
        ("2026-02-25", BEFORE),
        ("202602", BEFORE),
    ],
)
def test_a_report_is_named_in_many_ways(shell: Shell, word: str, begin: str) -> None:
    """By what a person has at hand."""
    (told,) = shell("report", "show", "--json", "--report", word).objects
    assert told["id"].startswith(begin)


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("3", "No saved report is 3."),
        ("2026", "Several saved reports begin with 2026."),
        ("\x1b[2J", "No saved report is �[2J."),
        ("", "No saved report is ."),
    ],
)
def test_a_name_of_none_or_several_is_refused(shell: Shell, word: str, sentence: str) -> None:
    """With what there is."""
    said = shell("report", "show", "--report", word)
    assert (said.code, said.out) == (Exit.REFUSED, "")
    assert sentence in said.err


def test_a_report_in_sum_says_what_it_is_not(shell: Shell) -> None:
    """Counts, bars and caveats on one page."""
    told = shell("report", "show", "--utc", "--ascii")
    assert told.code == 0
    assert "came 2026-03-08 20:00 UTC from after.json" in told.lines[0]
    assert "5 people" not in told.out
    assert told.lines[1].startswith("4 people, 3 groups, 1 project, 8 memberships")
    assert all(caveat in told.out for caveat in CAVEATS)
    owners = next(line for line in told.lines if line.startswith("OWNER"))
    assert owners.split() == ["OWNER", "3", "37.5", "%", "2", "#" * 24]
    assert told.out.isascii()
    (one,) = shell("report", "show", "--json").objects
    assert one["caveats"] == list(CAVEATS)
    assert one["people_by_highest_level"]["OWNER"] == 2
    assert one["people_by_state"] == {"active": 3, "blocked": 1}


def test_terms_find_people(shell: Shell) -> None:
    """The same as in the dashboard; a term may begin with `-`."""
    told = shell("report", "show", "level:owner", "-state:blocked")
    assert [line.split()[:2] for line in told.lines] == [["NAME", "USER"], ["Jane", "Doe"]]
    assert "1 of 5 people, 2 memberships" in told.err
    assert "not for security auditing" in told.err
    (jane,) = shell("report", "show", "level:owner", "-state:blocked", "--json").objects
    assert jane == {
        "id": 1, "name": "Jane Doe", "username": "jane", "email": "jane@acme.example",
        "state": "active", "service_identity_uuid": None, "listed": True, "highest": "OWNER",
        "memberships": 2, "level:AUDITOR": 0, "level:GUEST": 0, "level:REPORTER": 0,
        "level:DEVELOPER": 0, "level:OWNER": 2,
    }  # fmt: skip
    nobody = shell("report", "show", "level:guest", "jane")
    assert (nobody.code, nobody.out) == (0, "")
    assert "0 of 5 people" in nobody.err


def test_rows_are_as_many_and_in_the_order_that_is_asked_for(shell: Shell) -> None:
    """Into a pipe they are all there, unless somebody says how many."""
    assert len(shell("report", "show", "--all").lines) == 6
    csv = shell("report", "show", "--csv", "--sort", "name", "-n", "2")
    assert [line.split(",")[1] for line in csv.lines] == ["name", "Bot", "Jane Doe"]
    assert csv.lines[0].startswith("id,name,username,email,state,")
    hostile = shell("report", "show", "--csv", "user:hostile").lines[1]
    assert "\"'=HYPERLINK" in hostile
    assert "\x1b" not in hostile


def test_a_person_is_shown_with_all_they_hold(shell: Shell) -> None:
    """And what may come from a group above."""
    told = shell("report", "show", "--person", "jane")
    assert told.lines[:3] == ["Jane Doe  jane  jane@acme.example", "active, id 1", "OWNER 2"]
    assert told.lines[-1].split() == ["OWNER", "group", "finance/tax", "also", "above"]
    (john,) = shell("report", "show", "--person", "john@acme.example", "--json").objects
    assert [(one["place_path"], one["level"], one["inherited"]) for one in john["memberships"]] == [
        ("finance", "DEVELOPER", False),
        ("finance/payroll", "DEVELOPER", True),
        ("finance/tax", "OWNER", False),
    ]
    assert john["levels"]["OWNER"] == 1
    csv = shell("report", "show", "--person", "2", "--csv", "--report", "previous")
    assert csv.lines[-1].endswith(",finance/tax,MAINTAINER,false")
    unlisted = shell("report", "show", "--person", "99")
    assert "list of users lacks it" in unlisted.lines[0]
    several = shell("report", "show", "--person", "doe")
    assert (several.code, several.out) == (Exit.REFUSED, "")
    assert "jane, john" in several.err


def test_a_group_is_shown_with_its_members(shell: Shell) -> None:
    """Direct ones, highest first, and the levels of all below."""
    told = shell("report", "show", "--group", "finance")
    assert told.lines[:2] == [
        "finance  Finance  group, id 10",
        "2 direct members; below it 1 group, 1 project",
    ]
    assert [line.split()[0] for line in told.lines[4:]] == ["LEVEL", "OWNER", "DEVELOPER"]
    (project,) = shell("report", "show", "--project", "finance/payroll", "--json").objects
    assert [one["user_id"] for one in project["members"]] == [2, 99]
    assert shell("report", "show", "--group", "20", "--csv").lines[1].startswith("2,John Doe,")
    missing = shell("report", "show", "--group", "pay")
    assert missing.code == Exit.REFUSED
    assert "finance/payroll" in missing.err


def test_terms_find_groups_and_projects(shell: Shell) -> None:
    """With --groups."""
    told = shell("report", "show", "-g", "kind:project")
    assert told.lines[1].split() == ["finance/payroll", "project", "2", "Payroll"]
    assert "1 of 4 groups and projects" in told.err
    assert [one["path"] for one in shell("report", "show", "-g", "--json").objects] == [
        "finance", "finance/payroll", "finance/tax", "open"
    ]  # fmt: skip


def test_a_term_that_cannot_be_read_is_marked(shell: Shell) -> None:
    """Below the query, also behind wide letters."""
    said = shell("report", "show", "name:日本", "leve:owner", "x")
    assert (said.code, said.out) == (Exit.USAGE, "")
    query, mark = said.err.splitlines()[1:3]
    assert query.strip() == "name:日本 leve:owner x"
    at = query.index("leve") + 2  # two of the letters before it are two columns wide
    assert mark.index("^") == at
    assert mark.strip() == "^" * len("leve:")
    assert "Did you mean level:?" in said.err


@pytest.mark.parametrize(
    "words",
    [
        ["--person", "x", "--group", "y"],
        ["--person", "x", "level:owner"],
        ["--json", "--csv"],
        ["-n", "0"],
        ["--sort", "colour"],
    ],
)
def test_what_contradicts_itself_is_usage(shell: Shell, words: list[str]) -> None:
    """Before anything is looked at."""
    said = shell("report", "show", *words)
    assert (said.code, said.out) == (Exit.USAGE, "")


def test_the_terms_are_listed(shell: Shell) -> None:
    """All of them, with an example each."""
    told = shell("report", "terms").out
    assert all(term.example in told for term in (*PEOPLE_TERMS, *PLACE_TERMS))
