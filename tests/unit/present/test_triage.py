"""The triage board as rows: what each says, in which order, and what it stands for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.board import LOGIN, MEMORY, POINT, STEP, board_of, item
from tests.support.lane import HOUR, NOW

from platui.core.text import cells
from platui.models.values.triage import CommitSummary, FailurePoint, Flaky
from platui.models.values.triage_board import (
    BoardState,
    Late,
    LateKind,
    Mark,
    TypicalDuration,
)
from platui.models.values.triage_headings import QUIET, REST
from platui.present.tables.column_widths import lay_out
from platui.present.tables.triage import BROKEN
from platui.present.tables.triage_board import board_rows, is_cut, wrapped_rows
from platui.present.triage.labels import Names, newest_first, target_summary
from platui.present.triage.reasons import cause, flaky_words

if TYPE_CHECKING:
    from platui.models.values.table import Row
    from platui.models.values.triage_board import BoardItem

ACKED = Mark(acked=LOGIN.key)


def texts(row: Row) -> list[str]:
    """Return what a row says: its cells or title, then the lines below, both ends of each."""
    shown = row.cells if row.title is None else (row.cells[0], row.title)
    cells = " ".join(cell.text for cell in shown if cell.text)
    return [cells, *(" | ".join(filter(None, (b.left.text, b.right.text))) for b in row.below)]


def drawn(*items: object, opened: tuple[str, ...] = (), **fields: object) -> list[list[str]]:
    """Return what the rows of a board say."""
    board = board_of(*items, **fields)  # type: ignore[arg-type]
    return [texts(row) for row in board_rows(board, opened, NOW, utc=True).rows]


def test_an_incident_says_since_when_where_why_and_by_whom() -> None:
    """In three lines: the last successful pipeline at the right edge."""
    assert drawn(item(7, "rrrg", LOGIN, name="Nightly")) == [
        [
            "✖ p7 main 3 failed since 01:21 (1h) dbt_run",
            "Database Error: password for SVC",
            (
                "first failed commit 00000000 “Rename models” by A. Khan · Nightly | "
                "last success 00:21"
            ),
        ],
    ]


@pytest.mark.parametrize(
    ("word", "fields", "facts"),
    [
        ("rg", {"sha": "c" * 40}, (
            "same commit succeeded before: no code change | last success 02:21")),
        ("r", {}, "never succeeded"),
        ("*rg", {}, ("again running 0s · first failed commit 00000000 “Rename models” by A. Khan | "
                    "last success 01:21")),
    ],
)  # fmt: skip
def test_what_is_said_of_how_a_lane_broke(word: str, fields: dict[str, Any], facts: str) -> None:
    """Nobody is blamed where the same commit was green before."""
    assert drawn(item(7, word, LOGIN, **fields))[0][2] == facts


def test_a_retry_runs_since_it_was_asked_for() -> None:
    """Not since the pipeline was created, which may be hours ago; in a group it is told, too."""

    def retried(project: int) -> BoardItem:
        one = item(project, "rg", LOGIN)
        assert one.incident is not None
        red = one.incident.newest_red
        again = red._replace(status="running", ended_at=None, changed_at=NOW - timedelta(minutes=2))
        return replace(one, incident=replace(one.incident, on_top=again))

    assert drawn(retried(7))[0][2].startswith("retrying · running 2m · first failed commit")
    head = drawn(retried(1), item(2, "rg", LOGIN))[0]
    assert head[1].startswith("retrying · running 2m · 2 projects: ")
    assert drawn(retried(1), retried(2))[0][1].startswith("2 running again · 2 projects: ")
    opened = drawn(retried(1), item(2, "rg", LOGIN), opened=("cause:aa",))
    assert opened[1][1] == "retrying · running 2m"


def test_a_branch_of_somebody_takes_two_lines() -> None:
    """It is red on its own account: whoever pushed it knows."""
    rows = drawn(item(7, "rg", LOGIN, ref="fix/x"))
    assert [len(lines) for lines in rows] == [2]


def test_the_list_may_not_reach_back_to_the_beginning() -> None:
    """Then streak and start are at least that."""
    one = item(7, "rr", LOGIN)
    assert one.incident is not None
    one = replace(one, incident=replace(one.incident, is_at_least=True))
    assert drawn(one)[0] == [
        "✖ p7 main 2+ failed at least 51m dbt_run",
        "Database Error: password for SVC",
        "last success unknown",
    ]


def test_one_cause_in_several_projects_is_one_row_that_opens() -> None:
    """Its title is the cause, then its projects; opened, each incident has a line of its own."""
    items = [item(number, "rg", LOGIN) for number in (1, 2, 3)]
    head = [
        "✖▸ password has expired: db",
        "3 projects: p1, p2, p3 | since 03:21 (0s)",
    ]
    assert drawn(*items) == [head]
    opened = drawn(*items, opened=("cause:aa",))
    assert opened[0] == [head[0].replace("▸", "▾"), *head[1:]]
    assert [row[0] for row in opened[1:]] == [
        f"✖│ p{number} main 1 failed since 03:21 (0s) dbt_run" for number in (1, 2, 3)
    ]


def test_a_long_title_is_wrapped_on_demand() -> None:
    """Its other lines come before the projects."""
    shared = "connection is refused: a-very-long-name-of-a-host.internal.example"
    items = [item(number, "rg", replace(LOGIN, shared=shared)) for number in (1, 2)]
    [row] = board_rows(board_of(*items), (), NOW, utc=True).rows
    assert not is_cut(row, 80)
    assert is_cut(row, 50)
    [wrapped] = wrapped_rows([row], 50)
    assert texts(wrapped)[0] == "✖▸ connection is refused: a-very-long-name-of-a-"
    assert texts(wrapped)[1] == "host.internal.example"
    assert texts(wrapped)[2].startswith("2 projects: p1, p2")


def test_wide_characters_are_wrapped_by_their_cells() -> None:
    """Of a title and of an error, none is cut off; a line of ASCII that fits is left."""
    words = "接続が拒否されました: " * 4
    cause = replace(LOGIN, shared=words.strip(), line=words.strip())
    [row] = board_rows(board_of(item(1, "rg", cause)), (), NOW, utc=True).rows
    assert is_cut(row, 50)
    group = board_of(*(item(number, "rg", cause) for number in (1, 2)))
    rows = wrapped_rows([row, *board_rows(group, (), NOW, utc=True).rows], 50)
    assert rows[1].title is not None
    lines = [rows[1].title.text, *(line.left.text for one in rows for line in one.below)]
    error = [line for line in lines if "接" in line or "た" in line]
    assert "".join(error).replace(" ", "") == words.replace(" ", "") * 2
    assert max(map(cells, error)) <= 50


def test_the_row_of_an_incident_names_the_class_of_its_error() -> None:
    """Unless the error does: what is only named once is shorter."""
    killed = replace(MEMORY, kind="out of memory")
    assert drawn(item(1, "rg", killed))[0][1] == "out of memory: Killed"
    named = replace(killed, line="Killed: out of memory")
    assert drawn(item(1, "rg", named))[0][1] == "Killed: out of memory"


def test_the_head_of_a_cause_is_as_old_as_the_cause() -> None:
    """Its first incident on the default branch leads; a branch that is older is named."""
    items = [item(1, "rg", LOGIN), item(2, "rrrg", LOGIN), item(3, "rrrrrg", LOGIN, ref="fix/x")]
    spread = drawn(*items)[0][1]
    assert spread.startswith("a branch since 13 Mar (3h) · ")
    assert spread.endswith(": p2, p1, p3 | since 01:21 (1h)")
    assert "a branch" not in drawn(*items[:2])[0][1]


@pytest.mark.parametrize(
    ("word", "ref", "said"),
    [("rrg", "v8.5.0", "✖ p7 v8.5.0 2 failed"), ("grg", "v8.5.0", "✔ p7 v8.5.0 1 failed recovered"),
     ("*g", "refs/tags/1.2.3", "● p7 1.2.3 running"), ("rg", "main", "✖ p7 main 1 failed")],
)  # fmt: skip
def test_versions_are_one_lane_that_is_called_by_its_newest(word: str, ref: str, said: str) -> None:
    """A filter finds it by that."""
    [row] = board_rows(board_of(item(7, word, LOGIN, ref=ref)), (), NOW, utc=True).rows
    assert texts(row)[0].startswith(said)
    assert ref.removeprefix("refs/tags/") in row.search


def test_one_cause_in_one_project_names_its_pipelines() -> None:
    """They are told apart by what they are called."""
    items = [item(1, "rg", MEMORY, name=name) for name in ("Load", "Score")]
    assert drawn(*items)[0][2] == "2 incidents with the same cause: Load, Score"


def test_a_cause_of_several_incidents_has_their_owners_and_notes() -> None:
    """Each once, before the names, which may be many."""
    marks = [Mark(owner="ada", note="vendor"), Mark(owner="bob", note="vendor")]
    items = [item(number, "rg", LOGIN, mark=mark) for number, mark in enumerate(marks, 1)]
    assert drawn(*items)[0][1].startswith("owner ada, bob · “vendor” · 2 projects")


def test_a_mark_of_some_incidents_of_a_cause_says_of_how_many() -> None:
    """Else it would be taken for one of all of them."""
    marks = [Mark(owner="bob", note="only this"), *[Mark()] * 12]
    items = [item(number, "rg", LOGIN, mark=mark) for number, mark in enumerate(marks, 1)]
    assert drawn(*items)[0][1].startswith("owner bob (1 of 13) · “only this” (1 of 13) · 13 pro")


def test_a_symptom_is_not_called_a_cause() -> None:
    """And two groups of it are two rows."""
    slow = replace(MEMORY, is_symptom=True)
    near = [item(1, "rg", slow, name=name) for name in ("Load", "Score")]
    far = [item(1, "ccccccrg", slow, name=name) for name in ("Fit", "Test")]
    rows = board_rows(board_of(*near, *far), (), NOW, utc=True).rows
    assert [texts(row)[2] for row in rows] == [
        "2 similar incidents at about the same time: Load, Score",
        "2 similar incidents at about the same time: Fit, Test",
    ]
    assert len({row.key for row in rows}) == 2


def test_what_is_known_is_muted_and_says_so() -> None:
    """Below the others; in one line less."""
    marked = item(2, "rg", LOGIN, mark=replace(ACKED, owner="ada", note="vault\x1b[2J"))
    rows = board_rows(board_of(marked, item(1, "rg", MEMORY)), (), NOW, utc=True).rows
    assert [row.muted for row in rows] == [False, True, True]
    assert texts(rows[2])[2] == "acknowledged · owner ada · “vault\N{REPLACEMENT CHARACTER}[2J”"


@pytest.mark.parametrize(
    ("acked", "others", "keys"),
    [
        ((2,), True, ["1:1000", QUIET, "2:1000", REST, "3:1000"]),
        ((2,), False, ["1:1000", QUIET, "2:1000"]),
        ((), True, ["1:1000", "2:1000", "3:1000"]),
        ((1, 2), True, ["1:1000", "2:1000", "3:1000"]),  # nothing above them to tell them from
    ],
)
def test_what_is_quiet_stands_below_a_line_of_its_own(
    acked: tuple[int, ...], *, others: bool, keys: list[str]
) -> None:
    """Which stands for nothing, and is not found by a filter."""
    items = [
        item(one, "rg", None, point=None, mark=Mark(acked="") if one in acked else None)
        for one in (1, 2)
    ]
    drawn_rows = board_rows(board_of(*items, *[item(3, "*g")] * others), (), NOW, utc=True)
    assert [row.key for row in drawn_rows.rows] == keys
    dividers = [row for row in drawn_rows.rows if row.heading is not None]
    assert all(row.key not in drawn_rows.items and not row.search.strip() for row in dividers)


def test_incidents_of_one_cause_are_told_apart_by_what_their_pipelines_are_called() -> None:
    """In place of a project that all have, else behind the branch: the job stays the job."""
    ways = [item(1, "rg", LOGIN, name="Hourly"), item(1, "rg", LOGIN, name="All checks")]
    ways[1] = replace(ways[1], lane=ways[1].lane._replace(way="All checks"))
    for others, cell, ref in (([], 1, ""), ([item(2, "rg", LOGIN)], 2, "main ")):
        rows = board_rows(board_of(*ways, *others), ("cause:aa",), NOW, utc=True).rows
        told = [row.cells[cell].text for row in rows[1:]]
        assert {f"{ref}Hourly", f"{ref}All checks"} <= set(told), told
        assert {row.cells[5].text for row in rows} == {"dbt_run"}


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        (Mark(snoozed_until=NOW + 3 * HOUR), "snoozed until 06:12"),
        (
            Mark(acked="of before", snoozed_until=NOW + 3 * HOUR),
            "snoozed until 06:12 · acknowledged for another cause",
        ),
        (Mark(acked="of before"), "acknowledged for another cause · "),
        (Mark(snoozed_until=NOW - HOUR, owner="ada"), "owner ada · "),
    ],
)  # fmt: skip
def test_how_a_mark_stands(mark: Mark, said: str) -> None:
    """One that is over, or of another cause, keeps nothing quiet."""
    line = drawn(item(7, "rg", LOGIN, mark=mark))[0][2]
    assert line == said if said.startswith("snoozed") else line.startswith(said + "first failed")


@pytest.mark.parametrize(
    ("flaky", "flakes", "words"),
    [
        ((Flaky("dbt_run", "8f2c1ab0" * 5, 4, 5),), (), "passed and failed on 8f2c1ab0"),
        ((Flaky("lint", "8f2c1ab0" * 5, 4, 5),), ("lint",),
         "lint passed and failed on 8f2c1ab0"),
        ((Flaky("lint", "11" * 20, 4, 5), Flaky("dbt_run", "22" * 20, 4, 5)), ("seed",),
         "passed and failed on 22222222; lint, seed"),
        ((), ("seed",), "seed"),
        ((), (), ""),
    ],
)  # fmt: skip
def test_what_is_flaky_is_said_with_its_commit(
    flaky: tuple[Flaky, ...], flakes: tuple[str, ...], words: str
) -> None:
    """The job that failed is not named again; on the row it stands behind who broke it."""
    point = replace(POINT, flaky=flaky, flakes=flakes)
    assert flaky_words(point) == words
    line = drawn(item(7, "rg", LOGIN, point=point))[0][2]
    assert words in line


SLOW = Late(LateKind.SLOW, 2880, TypicalDuration(1260, 2000, 20))


@pytest.mark.parametrize(
    ("late", "words"),
    [
        (SLOW, ["◐ p7 main 48m, typical 21m"]),
        (Late(LateKind.WAITING, 720, what="fit", tags=("gpu", "linux")),
         ["◐ p7 main waiting 12m", "fit waiting for a runner tagged gpu, linux"]),
        (Late(LateKind.SILENT, 720, what="fit"), ["◐ p7 main no output for 12m fit"]),
        (Late(LateKind.MISSED, 60, what="nightly", due_at=NOW - HOUR, schedule=3),
         ["◷ p7 main did not run (1h)", "schedule “nightly” was due 02:12"]),
        (Late(LateKind.MISSED, 60, due_at=NOW - HOUR, schedule=3),
         ["◷ p7 main did not run (1h)", "schedule 3 was due 02:12"]),
    ],
)  # fmt: skip
def test_what_is_late_says_how(late: Late, words: list[str]) -> None:
    """In one line, or two where a line would not hold it."""
    assert drawn(item(7, "*g", late=late)) == [words]


def test_what_runs_and_what_recovered_take_one_line_each() -> None:
    """A word says how it stands, not only the colour."""
    running = replace(item(1, "*g", name="Nightly"), typical=TypicalDuration(540, 800, 20))
    assert drawn(running, item(2, "grg")) == [
        ["● p1 main running 0s of ~9m Nightly"],
        ["✔ p2 main 1 failed recovered 03:21"],
    ]


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (None, ""),
        (FailurePoint(None, words="jobs:x config\tis wrong"), "jobs:x config is wrong"),
        (FailurePoint(None), "failed without a failed job"),
        (FailurePoint(replace(STEP, failure_reason="runner_system_failure")),
         "runner system failure"),
        (POINT, "no known error in its log"),
    ],
)  # fmt: skip
def test_a_cause_without_a_signature(point: FailurePoint | None, words: str) -> None:
    """What is known of it is said; where nothing is yet, that."""
    one = item(7, "rg", None, point=point)
    assert cause(one) == words
    assert drawn(one)[0][1] == (words or "cause not loaded yet")


def test_what_a_row_stands_for() -> None:
    """And where an incident is to be found, folded or not."""
    items = [item(1, "rg", LOGIN), item(2, "rg", LOGIN), item(3, "*g")]
    board = board_of(*items)
    folded = board_rows(board, (), NOW, utc=True)
    keys = [one.key for one in items]
    assert keys == ["1:1000", "2:1000", "3:1000"]
    assert [row.key for row in folded.rows] == ["cause:aa", keys[2]]
    assert folded.causes == {"cause:aa"}
    assert [one.key for one in folded.items["cause:aa"]] == keys[:2]
    assert folded.places == {keys[0]: "cause:aa", keys[1]: "cause:aa", keys[2]: keys[2]}
    opened = board_rows(board, {"cause:aa"}, NOW, utc=True)
    assert [row.key for row in opened.rows] == ["cause:aa", *keys]
    assert opened.places == dict(zip(keys, keys, strict=True))
    assert opened.items[keys[1]] == (board.groups[0].items[1],)


def test_an_incident_is_known_by_its_first_red_pipeline_from_running_to_recovered() -> None:
    """So that a cursor stays on it."""
    assert item(7, "*").key == item(7, "r", LOGIN).key == "7:1000"
    assert item(7, "grrg").key == item(7, "crrg").key == "7:998"


def test_a_filter_finds_a_cause_by_each_of_its_incidents() -> None:
    """By project, branch, job, error, and by how it stands."""
    items = [item(1, "rg", LOGIN), item(2, "rg", replace(LOGIN, line="Sign in refused"), ref="dev")]
    [row] = board_rows(board_of(*items), (), NOW, utc=True).rows
    for word in ("team/p2", "dev", "dbt_run", "sign in", "password", "broken", "2 projects"):
        assert word in row.search
    assert row.search == row.search.lower()


def test_names_are_as_long_as_they_must_be() -> None:
    """Of two with one end the group is told; one without a name has its number."""
    names = Names([(1, "a/etl"), (2, "b/etl"), (3, "b/load\x1b")])
    labels = [names.label(one) for one in (1, 2, 3, 4, "c/d")]
    assert labels == ["a/etl", "b/etl", "load\N{REPLACEMENT CHARACTER}", "project 4", "d"]
    alike = Names(
        [(1, "acme/eu/etl"), (2, "acme/us/etl"), (3, "x/us/etl"), (4, "us/etl"), (5, "a/b")]
    )
    labels = [alike.label(number) for number in range(1, 6)]
    assert labels == ["eu/etl", "acme/us/etl", "x/us/etl", "us/etl", "b"]


def test_every_text_of_the_platform_is_clean() -> None:
    """Whatever it is: nothing on a row can steer a terminal, and a row has as many cells."""
    evil = "\x1b]0;x\x07\n\u202e"
    point = FailurePoint(
        replace(STEP, name=evil, stage=evil), flakes=(evil,), commit=CommitSummary(evil, evil, evil)
    )
    broken = item(7, "rg", None, point=point, ref=evil, name=evil, sha=evil)
    broken = replace(broken, is_main=True, mark=Mark(owner=evil, note=evil))
    other = item(8, "*g", ref=evil, name=evil)
    late = replace(
        other,
        state=BoardState.LATE,
        lane=other.lane._replace(project=9),
        late=replace(SLOW, what=evil),
    )
    board = board_of(broken, other, late, names=((7, evil),))
    for row in board_rows(board, (), NOW, utc=True).rows:
        assert len(row.cells) == len(BROKEN.layout)
        assert all(text.isprintable() for text in (*texts(row), row.search))


def test_ages_move_with_the_clock() -> None:
    """A day tells its date."""
    board = board_of(item(7, "rg", LOGIN))
    [row] = board_rows(board, (), NOW + timedelta(days=2), utc=True).rows
    assert "since 14 Mar (47h)" in texts(row)[0]


def test_what_is_acted_on_is_told_with_its_ref_and_its_age() -> None:
    """A version of days ago is no branch that broke just now; what is oldest comes last."""
    tag = item(1, "rrrg", LOGIN, ref="refs/tags/v1.2", tag=True)
    main = item(2, "rg", LOGIN)
    endless = item(3, "r" * 3, LOGIN)
    assert endless.incident is not None
    endless = replace(endless, incident=replace(endless.incident, is_at_least=True))
    runs = item(4, "*g")
    told = [target_summary(one, None, NOW, utc=True) for one in newest_first([tag, endless, main])]
    assert told == [
        "main · failing since 03:21 (0s)",
        "v1.2 · failing since 01:21 (1h)",
        "main · failing for at least 1h",
    ]
    assert target_summary(runs, runs.pipeline, NOW, utc=True) == "main · running since 03:12 (0s)"


LONG = "feature/DATA-3561-interactions-freshness"


@pytest.mark.parametrize(
    ("width", "widths"),
    [
        (118, [2, 14, 50, 8, 16, 18]),
        (102, [2, 14, 42, 8, 16, 10]),
        (78, [2, 14, 21, 8, 16, 7]),
        # How long it is red is never cut off; names give way to it.
        (58, [2, 13, 7, 8, 16, 7]),
        # How often it failed is worth more than on which branch.
        (45, [2, 13, 8, 16]),
    ],
)
def test_a_long_branch_has_the_room_that_others_leave(width: int, widths: list[int]) -> None:
    """Also while its row is folded away below a cause: who opens that moves nothing."""
    board = board_of(item(1, "rg", LOGIN), item(2, "rg", LOGIN, ref=LONG))
    named = replace(board, names=((1, "team/p1"), (2, "team/warehouse-core")))
    folded, opened = (board_rows(named, keys, NOW, utc=True) for keys in ((), ("cause:aa",)))
    assert folded.columns == opened.columns
    layout = lay_out(folded.columns, width)
    assert [slot.width for slot in layout.slots] == widths
