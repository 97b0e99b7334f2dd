"""`platui report list`, `show` and what else asks saved reports: what a script can lean on."""

from __future__ import annotations

import json
import os
from itertools import takewhile
from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell
from tests.support.report_texts import AFTER_AT, BEFORE_AT, write_reports

from platui.cli.exit_codes import Exit
from platui.models.values.access import CAVEATS, PEOPLE_TERMS, PLACE_TERMS

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
        patch.setattr("platui.service.access.report_folders.data_dir", lambda: folder)
        yield folder


@pytest.fixture
def shell(cache: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who has no profile, and both reports."""
    shell = Shell(monkeypatch, capfd)
    if not (cache / "reports").exists():
        for path in write_reports(cache):
            assert shell("report", "import", str(path)).code == 0
    return shell


@pytest.fixture
def nobody(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Shell:
    """Return somebody who has no profile, and no report."""
    monkeypatch.setattr("platui.service.access.report_folders.data_dir", lambda: tmp_path / "data")
    return Shell(monkeypatch, capfd)


def test_the_list_is_newest_first(shell: Shell) -> None:
    """A table for people, an object a line for programs."""
    told = shell("report", "list", "--utc")
    assert told.code == 0
    row = told.lines[1].split()
    assert row[1].startswith(AFTER)
    assert [row[0], *row[2:]] == [
        "1", "2026-03-08", "20:00", "UTC", "4", "8", "3", "1", "after.json"
    ]  # fmt: skip
    first, second = shell("report", "--profile", "imported", "list", "--json").objects
    assert (first["id"][:16], second["id"][:16]) == (AFTER, BEFORE)
    assert list(first) == [
        "id", "fetched_at", "origin", "bytes", "sha256", "people", "groups", "projects",
        "memberships", "levels", "damaged",
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
        ("3", 'No saved report "3".'),
        ("0", 'No saved report "0".'),
        ("202", 'No saved report "202".'),
        ("9" * 5000, 'No saved report "999'),
        ("2026", "Several saved reports begin with 2026."),
        ("\x1b[2J", 'No saved report "�[2J".'),
        ("", 'No saved report "".'),
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
    assert "fetched 2026-03-08 20:00 UTC from after.json" in told.lines[0]
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


def test_a_report_in_sum_counts_who_has_no_membership(shell: Shell) -> None:
    """The highest levels add up to all people, those of the warning included."""
    lines = iter(shell("report", "show", "--report", "previous").lines)
    assert any(line.startswith("LEVEL") for line in lines)
    rows = [line.split() for line in takewhile(bool, lines)]
    assert rows[-1] == ["none", "0", "0.0", "%", "1"]
    assert sum(int(row[4]) for row in rows) == 4


def test_terms_find_people(shell: Shell) -> None:
    """The same as in the dashboard; a term may begin with `-`."""
    told = shell("report", "show", "level:owner", "-state:blocked")
    assert [line.split()[:2] for line in told.lines] == [["NAME", "USER"], ["Jane", "Doe"]]
    assert "1 of 5 people, 2 memberships" in told.err
    assert "not for security auditing" in told.err
    (jane,) = shell("report", "show", "level:owner", "-state:blocked", "--json").objects
    assert jane == {
        "user_id": 1, "name": "Jane Doe", "username": "jane", "email": "jane@acme.example",
        "state": "active", "service_identity_uuid": None, "is_listed": True, "highest": "OWNER",
        "memberships": 2, "level:AUDITOR": 0, "level:GUEST": 0, "level:REPORTER": 0,
        "level:DEVELOPER": 0, "level:OWNER": 2,
    }  # fmt: skip
    nobody = shell("report", "show", "level:guest", "jane")
    assert (nobody.code, nobody.out) == (0, "")
    assert "0 of 5 people" in nobody.err


def test_rows_are_as_many_and_in_the_order_that_is_asked_for(shell: Shell) -> None:
    """Into a pipe they are all there, unless somebody says how many."""
    assert len(shell("report", "show", "--all").lines) == 6
    assert len(shell("report", "show", "--sort", "name").lines) == 6
    csv = shell("report", "show", "--csv", "--sort", "name", "--limit", "2")
    assert [line.split(",")[1] for line in csv.lines] == ["name", "Bot", "Jane Doe"]
    assert csv.lines[0].startswith("user_id,name,username,email,state,")
    hostile = shell("report", "show", "--csv", "user:hostile").lines[1]
    assert "\"'=HYPERLINK" in hostile
    assert "\x1b" not in hostile


def test_on_a_terminal_rows_are_no_wider_than_it_and_no_more_than_one_reads(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left out is said; what is for programs is whole all the same."""
    for module in ("output.stdout", "commands.report.messages"):
        monkeypatch.setattr(f"platui.cli.{module}.is_terminal", lambda: True)
    monkeypatch.setattr("platui.cli.commands.report.messages._TERMINAL_ROWS", 2)
    told = shell("report", "show", "--sort", "file", COLUMNS="40")
    assert len(told.lines) == 3
    assert max(map(len, told.lines)) <= 40
    assert told.lines[1].split() == ["Jane", "Doe", "jane", "OWNER", "2"]  # counts and levels stay
    assert "2026-03-08" in shell("report", "list", COLUMNS="80").lines[1]
    assert shell("report", "list", COLUMNS="80").lines[1].endswith("after.json")
    narrow = shell("report", "list", COLUMNS="30")
    assert "Columns omitted, terminal too narrow: " in narrow.err
    held = shell("report", "show", "--person", "john", COLUMNS="50").lines
    assert max(map(len, held)) <= 50
    assert held[-1].split() == ["DEVELOPER", "DEVELOPER", "finance", "finance/payroll"]
    assert "3 more: " in told.err
    assert len(shell("report", "show", "--sort", "file", "--limit", "4").lines) == 5
    assert len(shell("report", "show", "--csv").lines) == 6


def test_a_person_is_shown_with_all_they_hold(shell: Shell) -> None:
    """And what may come from a group above."""
    told = shell("report", "show", "--person", "jane")
    assert told.lines[:3] == ["Jane Doe  jane  jane@acme.example", "active, id 1", "OWNER 2"]
    assert told.lines[-1].split() == ["OWNER", "OWNER", "finance", "group", "finance/tax"]
    assert told.lines[-2].split() == ["OWNER", "OWNER", "direct", "group", "finance"]
    (john,) = shell("report", "show", "--person", "john@acme.example", "--json").objects
    assert [
        (one["place_path"], one["level"], one["is_inherited"]) for one in john["memberships"]
    ] == [
        ("finance", "DEVELOPER", False),
        ("finance/payroll", "DEVELOPER", True),
        ("finance/tax", "OWNER", False),
    ]
    assert john["levels"]["OWNER"] == 1
    held = [(one["effective_level"], one["effective_place_path"]) for one in john["memberships"]]
    assert held == [
        ("DEVELOPER", "finance"), ("DEVELOPER", "finance"), ("OWNER", "finance/tax"),
    ]  # fmt: skip
    csv = shell("report", "show", "--person", "2", "--csv", "--report", "previous")
    assert csv.lines[-1].endswith(",finance/tax,MAINTAINER,false")
    unlisted = shell("report", "show", "--person", "99")
    assert "list of users" in unlisted.lines[0]
    nobody = shell("report", "show", "--person", "")
    assert (nobody.code, nobody.out) == (Exit.REFUSED, "")  # and not all: a variable may be empty
    several = shell("report", "show", "--person", "doe")
    assert (several.code, several.out) == (Exit.REFUSED, "")
    assert "jane, john" in several.err


def test_a_group_is_shown_with_its_members(shell: Shell) -> None:
    """Direct ones, highest first, and the levels of all below."""
    told = shell("report", "show", "--group", "finance")
    assert told.lines[:3] == [
        "finance  Finance  group, id 10",
        "2 direct members; below it 1 group, 1 project",
        "By effective level: OWNER 1 (1 direct), DEVELOPER 1 (1 direct)",
    ]
    assert [line.split()[0] for line in told.lines[5:]] == ["LEVEL", "OWNER", "DEVELOPER"]
    (project,) = shell("report", "show", "--project", "finance/payroll", "--json").objects
    assert [one["user_id"] for one in project["members"]] == [2, 99]
    assert [one["effective_place_path"] for one in project["members"]] == [
        "finance",
        "finance/payroll",
    ]
    assert shell("report", "show", "--group", "20", "--csv").lines[1].startswith("2,John Doe,")
    payroll = shell("report", "show", "--group", "finance/payroll")
    assert "1 more person inherited from parent groups: use --inherited." in payroll.err
    every = shell("report", "show", "--group", "finance/payroll", "--inherited")
    assert every.lines[2] == (
        "By effective level: OWNER 1 (1 inherited), DEVELOPER 1 (1 direct), GUEST 1 (1 direct)"
    )
    assert [line.split()[:4] for line in every.lines[-3:]] == [
        ["-", "OWNER", "finance", "Jane"],
        ["DEVELOPER", "DEVELOPER", "direct,", "also"],
        ["GUEST", "GUEST", "direct", "id"],
    ]
    (whole,) = shell("report", "show", "--group", "20", "--inherited", "--json").objects
    (jane,) = whole["members_of_groups_above"]
    assert (jane["username"], jane["effective_level"], jane["effective_place_path"]) == (
        "jane", "OWNER", "finance",
    )  # fmt: skip
    table = shell("report", "show", "--group", "20", "--inherited", "--csv").lines
    assert table[0].endswith(",level,is_direct,effective_level,effective_place_path")
    assert [line.rsplit(",", 4)[1:] for line in table[1:]] == [
        ["OWNER", "false", "OWNER", "finance"],
        ["DEVELOPER", "true", "DEVELOPER", "finance"],
        ["GUEST", "true", "GUEST", "finance/payroll"],
    ]
    missing = shell("report", "show", "--group", "pay")
    assert missing.code == Exit.REFUSED
    assert "finance/payroll" in missing.err


def test_terms_find_groups_and_projects(shell: Shell) -> None:
    """With --groups."""
    told = shell("report", "show", "-g", "kind:project")
    assert told.lines[1].split() == ["finance/payroll", "project", "2", "Payroll"]
    assert "1 of 4 groups and projects" in told.err
    assert [one["place_path"] for one in shell("report", "show", "-g", "--json").objects] == [
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
        ["--limit", "0"],
        ["--sort", "colour"],
        ["--sort", "name", "--groups"],
        ["--person", "jane", "--sort", "name"],
    ],
)
def test_what_contradicts_itself_is_usage(shell: Shell, words: list[str]) -> None:
    """Before anything is looked at."""
    said = shell("report", "show", *words)
    assert (said.code, said.out) == (Exit.USAGE, "")


@pytest.mark.parametrize(
    ("term", "sentence"),
    [
        ("state:bloked", "No person with state bloked; known: active, blocked."),
        ("-domain:acme.exmple", "No person with domain acme.exmple; known: acme.example"),
        ("group:nosuch", "No members in group nosuch, or group not found."),
        ("state:blocked group:finance", ""),
    ],
)
def test_a_value_that_nobody_has_is_said(shell: Shell, term: str, sentence: str) -> None:
    """On stderr, with those there are: it may be a slip."""
    said = shell("report", "show", term)
    assert said.code == 0
    assert sentence in said.err
    assert ("No person" in said.err or "No members" in said.err) == bool(sentence)


@pytest.mark.parametrize(
    ("term", "sentence"),
    [
        ("group:nosuch", "Group nosuch not found."),
        ("-user:jnae", "User jnae not found, or without direct memberships."),
        ("user:jane kind:group", ""),
    ],
)
def test_a_value_that_no_place_has_is_said(shell: Shell, term: str, sentence: str) -> None:
    """As of people."""
    said = shell("report", "show", "--groups", term)
    assert said.code == 0
    assert sentence in said.err
    assert ("not found" in said.err) == bool(sentence)


def test_it_is_said_how_many_are_shown_and_of_which_memberships(shell: Shell) -> None:
    """Of what a limit left out, too."""
    said = shell("report", "show", "level:owner", "--limit", "1")
    assert "2 of 5 people, 3 memberships matching the terms." in said.err
    assert "Report of 2026-03-08" in said.err
    assert "1 more; 1 is shown." in said.err
    assert "3 memberships in total" in shell("report", "show", "user:john").err
    assert said.err.count("not for security auditing") == 1
    assert max(map(len, said.err.splitlines())) <= 80


def test_an_unknown_ending_is_no_csv(shell: Shell, tmp_path: Path) -> None:
    """Unless the form is given; without an ending it is."""
    said = shell("report", "export", "-o", str(tmp_path / "b.xlsx"))
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert "Use .csv, .jsonl, .md" in said.err
    assert not list(tmp_path.iterdir())
    assert shell("report", "export", "-o", str(tmp_path / "b.xlsx"), "--format", "csv").code == 0
    assert shell("report", "export", "-o", str(tmp_path / "b.JSONL")).code == 0
    assert (tmp_path / "b.JSONL").read_text().startswith("{")


def test_the_terms_are_listed(shell: Shell) -> None:
    """All of them, with an example each."""
    told = shell("report", "terms").out
    assert all(term.example in told for term in (*PEOPLE_TERMS, *PLACE_TERMS))


def test_two_reports_are_compared(shell: Shell) -> None:
    """The latest with the one before, unless others are named; what matters most comes first."""
    told = shell("report", "diff", "--utc")
    assert told.code == 0
    assert told.lines[0].startswith(f"From {BEFORE}")
    assert told.lines[1].startswith(f"To   {AFTER}")
    assert told.lines[2:4] == [
        "1 joined, 1 new owner, 1 raised, 1 added, 1 added with a new person",
        "3 memberships differ in total.",
    ]
    heads = [line for line in told.lines if line.endswith(")")]
    assert heads == [
        "NEW OWNERS (1)", "JOINED (1)", "RAISED (1)", "ADDED (1)", "ADDED WITH A NEW PERSON (1)"
    ]  # fmt: skip
    assert told.lines[-1].split() == ["Bot", "bot", "-", "REPORTER", "open"]
    at = told.lines.index("NEW OWNERS (1)")
    assert told.lines[at + 2].split() == [
        "John", "Doe", "john", "MAINTAINER", "OWNER", "finance/tax"
    ]  # fmt: skip
    back = shell("report", "diff", "latest", "previous")
    assert back.lines[2] == "1 left, 1 lowered, 1 dropped, 1 dropped with a gone person"
    objects = shell("report", "diff", "--json").objects
    assert [one["change"] for one in objects] == [
        "joined", "new_owner", "raised", "added", "added_with_person",
    ]  # fmt: skip
    assert objects[1] == {
        "change": "new_owner", "user_id": 2, "name": "John Doe", "username": "john",
        "email": "john@acme.example", "kind": "group", "place_id": 11,
        "place_path": "finance/tax", "before": "MAINTAINER", "after": "OWNER", "how": None,
        "memberships": None,
    }  # fmt: skip
    assert shell("report", "diff", "--json", "--limit", "1").objects == objects, "one of each kind"


def test_changes_are_told_by_person_and_by_group(shell: Shell) -> None:
    """As a table, and an object a line."""
    by_person = shell("report", "diff", "--by", "person")
    assert "John Doe  john" in by_person.lines
    assert "Bot  bot  joined (new)" in by_person.lines
    assert by_person.lines[-1].split()[-7:] == [
        "with",
        "a",
        "new",
        "person",
        "-",
        "REPORTER",
        "open",
    ]
    objects = shell("report", "diff", "--by", "person", "--json").objects
    assert [one["username"] for one in objects] == ["john", "hostile", "bot"]
    joined = {"change": "joined", "how": "new", "before": None, "after": None}
    assert [one["own"] for one in objects] == [[], [], [joined]]
    by_group = shell("report", "diff", "--by", "group")
    assert "finance/tax (group)" in by_group.lines
    assert "\x1b" not in by_group.out
    tax, opened = shell("report", "diff", "--by", "group", "--json").objects
    assert [one["change"] for one in opened["changes"]] == ["added_with_person"]
    assert tax["place_path"] == "finance/tax"
    assert [
        (one["change"], one["before"], one["after"], one["user_id"]) for one in tax["changes"]
    ] == [("raised", "MAINTAINER", "OWNER", 2), ("added", None, "AUDITOR", 3)]


def test_who_is_blocked_and_who_is_called_otherwise_is_told(nobody: Shell, tmp_path: Path) -> None:
    """Nobody left or joined for it; both values are there, for people and for programs."""
    before, after = write_reports(tmp_path)
    report = json.loads(before.read_bytes())
    report["users"]["1"] |= {"state": "blocked", "email": "jane@mail.example"}
    report["users"]["2"] |= {"state": "active"}
    after.write_text(json.dumps(report))
    for path, at in ((before, BEFORE_AT), (after, AFTER_AT)):
        os.utime(path, (at, at))
        said = nobody("report", "import", str(path))
        assert said.code == 0
    assert "1 blocked, 1 unblocked, 1 identity changed; see platui report diff" in said.err
    told = nobody("report", "diff").lines
    assert told[told.index("BLOCKED (1)") + 2].endswith("active → blocked            2")
    assert "e-mail: jane@acme.example → jane@mail.example" in told[-1]
    assert [
        (one["change"], one["how"], one["before"], one["after"])
        for one in nobody("report", "diff", "--json").objects
    ] == [
        ("blocked", "state", "active", "blocked"),
        ("unblocked", "state", "blocked", "active"),
        ("changed", "e-mail", "jane@acme.example", "jane@mail.example"),
    ]
    by_person = nobody("report", "diff", "--by", "person").lines
    assert "John Doe  john  unblocked (blocked → active)" in by_person
    by_group = nobody("report", "diff", "--by", "group")
    assert "not shown by group: 1 blocked, 1 unblocked, 1 identity changed." in by_group.err


def _held(path: Path) -> dict[tuple[str, str, str], str]:
    """Return each membership of a report's JSON, by person, kind and place."""
    held = {}
    report = json.loads(path.read_bytes())
    left = [("group", *one) for one in report["platform"]["groups"].items()]
    while left:
        kind, id_, place = left.pop()
        for user, member in place["members"].items():
            held[(user, kind, id_)] = member["max_access_level"]
        left += [("group", *one) for one in place.get("subgroups", {}).items()]
        left += [("project", *one) for one in place.get("projects", {}).items()]
    return held


def test_the_export_of_changes_has_every_membership_in_which_the_texts_differ(
    nobody: Shell, tmp_path: Path
) -> None:
    """Members of a new project, of a removed group, of who joined and left: none is missing."""
    before, after = write_reports(tmp_path)
    later = json.loads(after.read_bytes())
    groups = later["platform"]["groups"]
    del groups["10"]["subgroups"]
    del groups["10"]["members"]["1"]
    del later["users"]["1"]
    groups["12"]["projects"] = {
        "30": {"name": "New", "path": "open/new", "members": {
            "2": {"max_access_level": "OWNER"}, "4": {"max_access_level": "GUEST"},
        }}
    }  # fmt: skip
    after.write_text(json.dumps(later))
    for path, at in ((before, BEFORE_AT), (after, AFTER_AT)):
        os.utime(path, (at, at))
        assert nobody("report", "import", str(path)).code == 0
    old, new = _held(before), _held(after)
    expected = {
        (*key, old.get(key), new.get(key))
        for key in old.keys() | new.keys()
        if old.get(key) != new.get(key)
    }
    said = nobody("report", "export", "--what", "changes", "--format", "jsonl").objects
    rows = [one for one in said if one.get("place_id") and one["user_id"]]
    found = [
        (str(one["user_id"]), one["kind"], str(one["place_id"]), one["before"], one["after"])
        for one in rows
        if one["change"] != "new_owner"
    ]
    assert len(found) == len(expected)
    assert set(found) == expected
    assert said[0]["export"]["memberships_that_differ"] == len(expected)
    assert "membership" in nobody("report", "diff").lines[3]
    by_group = nobody("report", "diff", "--by", "group").lines
    at = by_group.index("open/new (project; added)")
    assert by_group[at + 2].split() == [
        "added", "with", "a", "new", "place", "-", "OWNER", "John", "Doe", "john"
    ]  # fmt: skip
    assert "finance/tax (group; removed)" in by_group
    by_person = nobody("report", "diff", "--by", "person").lines
    at = by_person.index("Jane Doe  jane  left (gone)")
    assert "OWNER" in by_person[at + 2]


def test_that_something_is_different_is_an_exit_code_for_who_asks(shell: Shell) -> None:
    """Else it is none; and a report is not compared with itself, or with nothing."""
    assert shell("report", "diff", "--exit-code").code == Exit.FAILED
    same = shell("report", "diff", "latest", "1")
    assert (same.code, same.out) == (Exit.USAGE, "")
    first = shell("report", "diff", "", "previous")
    assert first.code == Exit.REFUSED
    assert "No report before 20260225T" in first.err
    assert shell("report", "diff", "1", "2", "3").code == Exit.USAGE


def test_parts_are_written_to_a_file_that_is_nobody_elses(shell: Shell, tmp_path: Path) -> None:
    """With what the report is not above the rows; over another one only when told."""
    file = tmp_path / "owners.md"
    said = shell("report", "export", "level:owner", "-o", str(file))
    assert (said.code, said.out) == (0, "")
    assert f"Wrote 2 rows to {file}." in said.err
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    assert text.startswith("# People")
    assert all(caveat in text for caveat in CAVEATS)
    again = shell("report", "export", "-o", str(file))
    assert again.code == Exit.USAGE
    assert "--force" in again.err
    assert file.read_text() == text
    assert shell("report", "export", "-o", str(file), "--force", "--format", "csv").code == 0
    assert file.read_text().startswith("#,People\n")
    assert not [one for one in tmp_path.iterdir() if one.name.endswith(".part")]
    assert shell("report", "export", "-o", str(tmp_path / "no" / "x")).code == Exit.USAGE


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (["user:jane"], "1,Jane Doe,jane,jane@acme.example,active,,true,OWNER,2,0,0,0,0,2"),
        (["--what", "memberships", "user:bot"], "4,Bot,bot,bot@acme.example,active,group,12,Open,"),
        (["--what", "places", "kind:project"], "20,project,Payroll,finance/payroll,1,2,0,0"),
        (["--what", "members", "--of", "finance/payroll"], '99,"","","","",project,20,Payroll,'),
        (
            ["--what", "effective", "--of", "finance/payroll"],
            '99,"","","","",project,20,Payroll,finance/payroll,GUEST,true,GUEST,finance/payroll',
        ),
        (["--what", "changes"], "added_with_person,4,"),
        (
            ["--what", "changes", "--since", "2", "--format", "jsonl"],
            '{"change":"added_with_person",',
        ),
        (["--what", "changes", "--format", "md"], "| added\\_with\\_person | 4 |"),
    ],
)
def test_each_part_can_be_exported_to_a_pipe(shell: Shell, words: list[str], last: str) -> None:
    """Header first, unless it is not wanted."""
    told = shell("report", "export", *words)
    assert told.code == 0
    assert told.lines[-1].startswith(last)
    assert CAVEATS[1] in told.out
    bare = shell("report", "export", *words, "--no-notes")
    assert CAVEATS[1] not in bare.out
    assert bare.lines[-1] == told.lines[-1]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--what", "members"], Exit.USAGE),
        (["--of", "finance"], Exit.USAGE),
        (["--what", "members", "--of", "gone"], Exit.REFUSED),
        (["--since", "previous"], Exit.USAGE),
        (["--what", "places", "--sort", "name"], Exit.USAGE),
        (["--what", "changes", "level:owner"], Exit.USAGE),
        (["leve:owner"], Exit.USAGE),
        (["--report", "gone"], Exit.REFUSED),
    ],
)
def test_an_export_of_nothing_there_writes_nothing(
    shell: Shell, tmp_path: Path, words: list[str], code: Exit
) -> None:
    """Nor does it make a file."""
    said = shell("report", "export", *words, "-o", str(tmp_path / "x"))
    assert (said.code, said.out) == (code, "")
    assert not (tmp_path / "x").exists()


def test_without_an_address_there_is_no_documentation(shell: Shell) -> None:
    """What to ask support for is said, and no profile named that there is none of."""
    said = shell("report", "docs")
    assert (said.code, said.out) == (Exit.USAGE, "")
    assert "No administration API is configured" in said.err
    assert "PLATUI_ADMIN_URL" in said.err
    assert "imported" not in said.err
    assert "platform's support" in said.err
