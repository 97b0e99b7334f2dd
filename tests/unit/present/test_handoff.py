"""The hand-off: all there is to know, and nothing of it markup."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.board import board_of, item
from tests.support.boards import LOGIN, MEMORY, SLOW, STEP, board
from tests.support.lane import HOUR, NOW

from platui.core.errors import ServerFailedError
from platui.models.values.stored_triage import PastIncident, StoredTriage
from platui.models.values.triage import CommitSummary, FailurePoint, Signature
from platui.models.values.triage_board import Mark
from platui.present.triage.handoff import handoff, handoff_name
from platui.present.triage.handoff_lines import HandoffText
from platui.present.triage.labels import Names

if TYPE_CHECKING:
    from platui.models.values.triage_board import Board

HOSTILE = "a|b](https://evil.example) <img src=x> `@all` ![y](z) *x* #1 ~~s~~ \x1b[31m\n# no"


def facts(found: Board, **fields: Any) -> HandoffText:
    """Return facts in UTC."""
    url = "https://platform.example/api/v4"
    return replace(HandoffText("prod", url, Names(found.names), NOW, utc=True), **fields)


def test_a_board_that_was_paused_says_how_old_it_is() -> None:
    """The handoff has the time at which it was written."""
    note = "- The oldest data is from 14 Mar 01:12."
    for fetched_at, is_told in ((NOW - 2 * HOUR, True), (NOW, False), (None, False)):
        found = board({1: "gr"}, causes={1: LOGIN}, fetched_at=fetched_at)
        assert (note in handoff(found, StoredTriage(), facts(found)).splitlines()) is is_told


def test_a_hand_off_tells_what_is_red_and_whose_it_is() -> None:
    """One cause in two projects, one that somebody knows, and what runs, is late and recovered."""
    found = board(
        {1: "grr", 2: "gr", 3: "gr", 4: "g*", 5: "g" + "r" * 18 + "g", 6: "g*"},
        causes={1: LOGIN, 2: LOGIN, 3: MEMORY},
        late={6: SLOW},
        marks={
            2: Mark(owner="ada"),
            3: Mark(acked="bb", snoozed_until=NOW + HOUR, note="vendor | informed"),
        },
    )
    (past,) = (item.recovery for item in found.items if item.recovery)
    over = PastIncident(found.items[0].incident, NOW, NOW, "aa", "disk is full")  # type: ignore[arg-type]
    memory = StoredTriage(
        marks=MappingProxyType({past.key: Mark(owner="grace")}),
        history=MappingProxyType({past.key: over}),
    )
    assert handoff(found, memory, facts(found)) == GOLDEN


GOLDEN = """\
# Handoff: prod, 2026-03-14 03:12 UTC

2 broken (1 cause) · 1 late · 1 running · 1 recovered today · 1 quiet; \
6 projects watched.

## Causes

1. `password has expired: db` in 2 projects: `acme/p1`, `acme/p2`, \
3 failed, since 13 Mar 08:21 (18h)
2. `Killed`: `acme/p3` `main`, since 13 Mar 08:21 (18h), acknowledged, snoozed until 14 Mar 04:12

## Broken

### 1. Same cause in 2 projects: `password has expired: db`

`password for SVC has expired`

- `acme/p1` `main`: 2 failed, since 13 Mar 08:21 (18h), \
[last success 13 Mar 07:21](<https://platform.example/acme/p1/-/pipelines/1000>)
  - Failed: `Transformation` › `dbt_run`, `script_failure`: \
[job 88](<https://platform.example/acme/etl/-/jobs/88>)
  - Pipelines: [newest failed \\#1002](<https://platform.example/acme/p1/-/pipelines/1002>), \
[first failed \\#1001](<https://platform.example/acme/p1/-/pipelines/1001>)
  - First failed commit: `aaaa03e9`
  - Commits since last success: `aaaa03e8..aaaa03e9`
  - Name in `platui triage`: `acme/p1#1001`
- `acme/p2` `main`: 1 failed, since 13 Mar 08:21 (18h), \
[last success 13 Mar 07:21](<https://platform.example/acme/p2/-/pipelines/2000>)
  - Failed: `Transformation` › `dbt_run`, `script_failure`: \
[job 88](<https://platform.example/acme/etl/-/jobs/88>)
  - Pipelines: [newest failed \\#2001](<https://platform.example/acme/p2/-/pipelines/2001>)
  - First failed commit: `aaaa07d1`
  - Commits since last success: `aaaa07d0..aaaa07d1`
  - Owner: ada
  - Name in `platui triage`: `acme/p2#2001`

## Acknowledged or snoozed

### 2. `acme/p3` `main`

`Killed`

- 1 failed, since 13 Mar 08:21 (18h), \
[last success 13 Mar 07:21](<https://platform.example/acme/p3/-/pipelines/3000>)
- Failed: `Transformation` › `dbt_run`, `script_failure`: \
[job 88](<https://platform.example/acme/etl/-/jobs/88>)
- Pipelines: [newest failed \\#3001](<https://platform.example/acme/p3/-/pipelines/3001>)
- First failed commit: `aaaa0bb9`
- Commits since last success: `aaaa0bb8..aaaa0bb9`
- Snoozed until 14 Mar 04:12
- Acknowledged
- Note: vendor \\| informed
- Name in `platui triage`: `acme/p3#3001`

## Late

- `acme/p6` `main`: 48m, [\\#6001](<https://platform.example/acme/p6/-/pipelines/6001>)

## Running

- `acme/p4` `main`: running 19h, [\\#4001](<https://platform.example/acme/p4/-/pipelines/4001>)

## Recovered today

- `acme/p5` `main` (`hourly`): 14 Mar 02:21 after 18 failed, \
[\\#5019](<https://platform.example/acme/p5/-/pipelines/5019>), cause `disk is full`, owner grace
"""


def test_what_was_acknowledged_for_another_cause_is_not_acknowledged() -> None:
    """It stands with what is broken, and says so."""
    found = board({1: "grr"}, causes={1: MEMORY}, marks={1: Mark(acked="aa")})
    told = handoff(found, StoredTriage(), facts(found))
    assert "## Broken" in told
    assert "- Acknowledged for another cause\n" in told


def test_a_storm_is_told_in_a_few_lines_before_all_details() -> None:
    """A cause is a line: where, since its first on a default branch, whose, and what is known."""
    tags = [item(9, "rg", MEMORY, name=None, ref="refs/tags/v1.2", tag=True)]
    many = [item(one, "rg", LOGIN, mark=Mark(owner="ada")) for one in range(2, 9)]
    old = [item(1, "rrrg", LOGIN, ref="own"), item(1, "rrg", LOGIN, name="Hourly")]
    found = board_of(*many, *old, *tags)
    told = handoff(found, StoredTriage(), facts(found)).splitlines()
    at = told.index("## Causes")
    assert told[at + 2].endswith(
        "` in 8 projects (9 incidents): `team/p1`, `team/p2`, `team/p3`, `team/p4`, `team/p5` "
        "and 3 more, 12 failed, since 14 Mar 02:21 (51m)"
    )
    assert told[at + 3] == "2. `Killed`: `team/p9` `v1.2`, since 14 Mar 03:21 (0s)"
    assert told[at + 5] == "## Broken"


def test_an_owner_of_some_incidents_is_not_that_of_the_cause() -> None:
    """It is told with its incident, which comes right after the oldest."""
    marks = {9: Mark(owner="bob")}
    many = [item(one, "rg", LOGIN, mark=marks.get(one, Mark())) for one in range(1, 14)]
    found = board_of(*many)
    told = handoff(found, StoredTriage(), facts(found)).splitlines()
    line = next(at for at, line in enumerate(told) if line.startswith("1. "))
    assert "bob" not in told[line]
    assert "owner bob" in told[line + 2]
    all_of_them = [replace(one, mark=Mark(owner="bob")) for one in many]
    assert "owner `bob`" in handoff(board_of(*all_of_them), StoredTriage(), facts(found))


def test_a_hundred_incidents_fit_into_a_ticket() -> None:
    """Each cause once, with a line for some of its incidents; all of it is told on demand."""
    alike = [item(one, "rg", LOGIN, mark=Mark(note="known")) for one in range(1, 41)]
    alone = [
        item(one, "rg", replace(MEMORY, key=str(one), line="Fix @ada")) for one in range(41, 101)
    ]
    found = board_of(*alike, *alone)
    told = handoff(found, StoredTriage(), facts(found)).splitlines()
    assert len(told) < 200
    at = told.index("## Broken")
    shared = next(line for line in told[at:] if "in 40 projects" in line)
    below = told[told.index(shared) + 1 :][:6]
    assert all(line.startswith("   - `team/p") for line in below[:5])
    assert all(line.endswith("note: known") for line in below[:5])
    assert below[5].startswith("   - and 35 more: `team/p")
    assert sum("`Fix @ada`: `team/p" in line for line in told) == 60
    assert "--markdown --all" in told[-1]
    whole = handoff(found, StoredTriage(), replace(facts(found), full=True))
    part = handoff(found, StoredTriage(), replace(facts(found), hidden=3)).splitlines()
    assert part[4] == "Default branches only: 3 on other branches left out."
    assert whole.count("Name in `platui triage`") == 100


def test_hostile_texts_stay_texts() -> None:
    """Every one of the platform's is code; a person's is escaped; no line of theirs is one."""
    found = board({1: "gr"}, causes={1: LOGIN})
    (item,) = found.items
    assert item.incident is not None
    lane = item.lane._replace(ref=HOSTILE, way=HOSTILE)
    step = replace(
        STEP, name=HOSTILE, stage=HOSTILE, failure_reason=HOSTILE, web_url="javascript:x"
    )
    hostile = replace(
        item,
        lane=lane,
        incident=replace(item.incident, commit=CommitSummary("f" * 40, HOSTILE, HOSTILE)),
        point=FailurePoint(step, beside=(step,)),
        signature=Signature("aa", HOSTILE, HOSTILE),
        mark=Mark(note=HOSTILE, owner=HOSTILE),
    )
    group = found.groups[0]._replace(items=(hostile,), signature=hostile.signature)
    bad = replace(found, items=(hostile,), groups=(group,), names=((1, HOSTILE),))
    text = handoff(bad, StoredTriage(), replace(facts(bad), profile=HOSTILE))
    assert "\x1b" not in text
    assert "javascript:" not in text
    assert not [line for line in text.splitlines() if line.startswith(("# no", "#no"))]
    for line in text.splitlines():
        words = _without_code(line)
        assert "<img" not in words.replace("\\<", "")
        assert "](https://evil" not in words.replace("\\]\\(", "")
        assert "@all" not in words or line.startswith(("# Handoff", "- Owner", "- Note"))


def _without_code(line: str) -> str:
    """Return what of a line is not within backticks, as CommonMark reads it."""
    found, rest = "", line
    while "`" in rest:
        before, _, behind = rest.partition("`")
        if before.endswith("\\"):
            found, rest = f"{found}{before}`", behind
            continue
        size = 1 + len(behind) - len(behind.lstrip("`"))
        fence = "`" * size
        begin, end = len(before) + size, -1
        at = begin
        while (at := rest.find(fence, at)) >= 0:
            if rest[at + size : at + size + 1] != "`" and rest[at - 1] != "`":
                end = at
                break
            at += len(rest[at:]) - len(rest[at:].lstrip("`"))
        if end < 0:
            return found + rest
        found, rest = found + before, rest[end + size :]
    return found + rest


def test_what_is_not_known_is_said_first() -> None:
    """No access, cached, offline, without cause."""
    found = board(
        {1: "gr"}, inaccessible=(8, 9), watched=4, known=1, is_live=False, live=(),
        pending_causes=1, problem="What you say is not kept.",
    )  # fmt: skip
    text = handoff(found, StoredTriage(), replace(facts(found), offline_since=NOW - HOUR))
    assert text.split("## ")[0].splitlines()[4:] == [
        "**Missing data**",
        "",
        "- No response from the platform since 14 Mar 02:12.",
        "- Some data is cached; the oldest is from 14 Mar 03:12.",
        "- Not loaded yet: 1 project.",
        "- No access with this token, or deleted: `project 8`, `project 9`.",
        "- The cause of 1 incident is not loaded yet.",
        "- What you say is not kept.",
        "",
    ]
    assert "Cause unknown." in text
    failed = replace(found, error=ServerFailedError("It is *broken*.", status=502))
    assert "- It is \\*broken\\*." in handoff(failed, StoredTriage(), facts(failed))


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        ("prod", "handoff-prod-2026-03-14-0312.md"),
        ("../a b/é", "handoff-a-b-2026-03-14-0312.md"),
        ("///", "handoff-platform-2026-03-14-0312.md"),
    ],
)
def test_the_file_has_a_name_that_every_disk_takes(profile: str, name: str) -> None:
    """Whatever the profile is called."""
    assert handoff_name(replace(facts(board({})), profile=profile)) == name
