"""What is different between two reports: all of it, and nothing else."""

from __future__ import annotations

from dataclasses import asdict
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.plain_report import read_here
from tests.support.report_arrays import PlainPerson, PlainPlace, group, plain_report, project

from platui.core.errors import ReportError
from platui.models.values.access_changes import (
    OF_MEMBERSHIPS,
    AccessChanges,
    ChangeKind,
    MembershipChange,
    Trait,
    count_changed_memberships,
)
from platui.report.changes.compare import compare_reports
from platui.report.open_report import OpenedReport
from platui_emulator.http.render.report import ReportText
from platui_emulator.world.clock import SeededRandom
from platui_emulator.world.report.base import LargeReportBase
from platui_emulator.world.report.history import ReportHistory

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.report_arrays import PlainReport

PEOPLE = [
    PlainPerson(1, "Jane", "jane"),
    PlainPerson(2, "John", "john"),
    PlainPerson(3, "Ann", "ann", state="blocked"),
    PlainPerson(4, "Bob", "bob"),
    PlainPerson(5, "Zoe", "zoe"),
]
BEFORE = plain_report(
    PEOPLE,
    [
        group(
            1,
            "fin",
            {1: "OWNER", 2: "GUEST", 3: "ODD", 4: "GUEST", 7: "GUEST"},
            projects=[project(10, "fin/web", {2: "GUEST"}), project(11, "fin/old", {1: "OWNER"})],
        ),
        group(
            2, "ops", {5: "OWNER", 1: "GUEST"}, projects=[project(1, "ops/api", {1: "DEVELOPER"})]
        ),
    ],
)
AFTER = plain_report(
    [
        PlainPerson(6, "New\x1b", "new"),
        PlainPerson(5, "Zoe", "zoe", state="banned"),
        PlainPerson(3, "Ann", "ann"),
        PlainPerson(2, "John", "john"),
        PlainPerson(1, "Jane", "jane"),
        PlainPerson(7, "Late", "late", state="Active"),
    ],
    [
        group(2, "ops", {5: "OWNER", 2: "OWNER"}, projects=[project(10, "ops/web", {2: "GUEST"})]),
        group(
            1,
            "fin",
            {3: "RARE", 2: "DEVELOPER", 1: "GUEST", 6: "OWNER", 7: "GUEST"},
            name="Finance",
            projects=[project(12, "fin/new", {1: "OWNER", 2: "GUEST"})],
            groups=[
                group(
                    3,
                    "fin/sub",
                    projects=[project(1, "fin/sub/api2", {1: "DEVELOPER"}, name="api")],
                )
            ],
        ),
    ],
)


def _changes(before: PlainReport, after: PlainReport) -> AccessChanges:
    return compare_reports(before.opened(), after.opened())


CHANGES = _changes(BEFORE, AFTER)


def _told(changes: list[MembershipChange]) -> list[tuple[str, str, str, str]]:
    return [(one.person.username, one.place.path, one.before, one.after) for one in changes]


def test_who_joined_and_who_left_says_how() -> None:
    """New, or new in `users`; gone, or named by memberships alone. What they hold is counted."""
    joined = CHANGES.people(ChangeKind.JOINED)
    assert [(one.person.id, one.how, one.memberships) for one in joined] == [
        (6, "new", 1), (7, "unlisted", 1),
    ]  # fmt: skip
    assert joined[0].person.name == "New�"
    (left,) = CHANGES.people(ChangeKind.LEFT)
    assert (left.person.id, left.how, left.memberships) == (4, "gone", 1)
    assert (left.person.before, left.person.after) == (3, None)
    back = _changes(AFTER, BEFORE)
    assert [(one.person.id, one.how) for one in back.people(ChangeKind.LEFT)] == [
        (6, "gone"), (7, "unlisted"),
    ]  # fmt: skip


def test_who_is_active_no_more_or_again_neither_left_nor_joined() -> None:
    """It is told with both states."""
    for kind, told in (
        (ChangeKind.BLOCKED, (5, "active → banned", 1, "active", "banned")),
        (ChangeKind.UNBLOCKED, (3, "blocked → active", 1, "blocked", "active")),
    ):
        (one,) = CHANGES.people(kind)
        assert (one.person.id, one.how, one.memberships, one.before, one.after) == told
        assert one.trait is Trait.STATE
        assert CHANGES.counts[kind] == 1


def test_who_is_called_otherwise_is_told_trait_by_trait() -> None:
    """And of states what is no change between active and not; letters alone are none."""
    before = plain_report(
        [
            PlainPerson(1, "Jane", "jane", "jane@acme.example", "blocked", "uuid"),
            PlainPerson(2, "John", "john", "john@acme.example", "Active"),
            PlainPerson(3, "Ann", "ann", "", "active"),
        ],
        [],
    )
    after = plain_report(
        [
            PlainPerson(3, "Ann", "ann", "ann@mail.example", "deactivated"),
            PlainPerson(2, "John", "john", "john@acme.example", "active"),
            PlainPerson(1, "Jane Roe", "jroe", "jane@acme.example", "banned"),
        ],
        [],
    )
    changes = _changes(before, after)
    assert [(one.person.id, one.how, one.trait) for one in changes.people(ChangeKind.CHANGED)] == [
        (3, "e-mail: none → ann@mail.example", Trait.EMAIL),
        (1, "state: blocked → banned", Trait.STATE),
        (1, "user name: jane → jroe", Trait.USERNAME),
        (1, "name: Jane → Jane Roe", Trait.NAME),
        (1, "service identity: uuid → none", Trait.IDENTITY),
    ]
    assert changes.counts[ChangeKind.BLOCKED] == 1
    assert sum(changes.counts.values()) == 6
    ann, jane = changes.by_person()
    assert [one.kind for one in ann.own] == [ChangeKind.BLOCKED, ChangeKind.CHANGED]
    assert (len(jane.own), len(jane.changes)) == (4, 0)


def test_memberships_that_changed_are_told_with_both_levels() -> None:
    """Raised, lowered, another of unknown order, added, dropped; people who left are not."""
    assert _told(list(CHANGES.memberships(ChangeKind.RAISED))) == [
        ("john", "fin", "GUEST", "DEVELOPER")
    ]
    assert _told(list(CHANGES.memberships(ChangeKind.LOWERED))) == [
        ("jane", "fin", "OWNER", "GUEST")
    ]
    assert _told(list(CHANGES.memberships(ChangeKind.OTHERWISE))) == [("ann", "fin", "ODD", "RARE")]
    assert _told(list(CHANGES.memberships(ChangeKind.ADDED))) == [("john", "ops", "", "OWNER")]
    assert _told(list(CHANGES.memberships(ChangeKind.DROPPED))) == [("jane", "ops", "GUEST", "")]
    assert _told(list(CHANGES.memberships(ChangeKind.NEW_OWNER))) == [
        ("john", "ops", "", "OWNER"),
        ("new", "fin", "", "OWNER"),
        ("jane", "fin/new", "", "OWNER"),
    ]


def test_places_come_go_and_change_by_their_own_doing_only() -> None:
    """A project with a group's id is another place; what lies in a moved group did not move."""
    told = {
        kind: [(one.place.id, one.before, one.after) for one in CHANGES.places(kind)]
        for kind in (
            ChangeKind.PLACE_ADDED, ChangeKind.PLACE_REMOVED, ChangeKind.RENAMED, ChangeKind.MOVED,
        )
    }  # fmt: skip
    assert told == {
        ChangeKind.PLACE_ADDED: [(12, "", "fin/new"), (3, "", "fin/sub")],
        ChangeKind.PLACE_REMOVED: [(11, "fin/old", "")],
        ChangeKind.RENAMED: [(1, "fin", "Finance"), (1, "api", "api2")],
        ChangeKind.MOVED: [(10, "fin/web", "ops/web"), (1, "ops/api", "fin/sub/api2")],
    }


def test_a_group_moves_if_its_removed_parent_leaves_it_at_the_top() -> None:
    """And back below a parent that is added."""
    below = plain_report([], [group(1, "fin", groups=[group(2, "fin/web")]), group(3, "ops")])
    at_top = plain_report([], [group(2, "web"), group(3, "ops")])
    for before, after, was, now in (
        (below, at_top, "fin/web", "web"),
        (at_top, below, "web", "fin/web"),
    ):
        moved = _changes(before, after).places(ChangeKind.MOVED)
        assert [(one.place.id, one.before, one.after) for one in moved] == [(2, was, now)]


def test_changes_are_grouped_on_demand() -> None:
    """By place and by person, each change once."""
    places = [(one.place.path, len(one.changes)) for one in CHANGES.by_place()]
    assert places == [
        ("ops", 2), ("ops/web", 0), ("fin", 5), ("fin/new", 2), ("fin/sub", 0),
        ("fin/sub/api2", 0), ("fin/old", 1),
    ]  # fmt: skip
    owns = [[change.kind.value for change in one.own] for one in CHANGES.by_place()]
    assert owns == [
        [], ["moved"], ["renamed"], ["places added"], ["places added"], ["renamed", "moved"],
        ["places removed"],
    ]  # fmt: skip
    people = {
        one.person.username: (len(one.changes), *((own.kind.value, own.how) for own in one.own))
        for one in CHANGES.by_person()
    }
    assert people == {
        "new": (1, ("joined", "new")), "zoe": (0, ("blocked", "active → banned")),
        "ann": (1, ("unblocked", "blocked → active")), "john": (3,), "jane": (4,),
        "late": (0, ("joined", "unlisted")), "bob": (1, ("left", "gone")),
    }  # fmt: skip
    john = CHANGES.by_person()[3]
    assert [one.kind for one in john.changes] == [
        ChangeKind.RAISED, ChangeKind.ADDED, ChangeKind.ADDED_WITH_PLACE,
    ]  # fmt: skip


def test_more_levels_than_can_be_told_apart_are_no_comparison() -> None:
    """A report may have 254 of its own; of two that share few it is said, and nothing breaks."""

    def report(count: int, begin: str) -> PlainReport:
        held = {number: f"{begin}{number}" for number in range(count)}
        people = [PlainPerson(number, str(number), str(number)) for number in range(count)]
        return plain_report(people, [group(1, "fin", held)])

    changes = _changes(report(123, "A"), report(123, "B"))
    assert changes.counts[ChangeKind.OTHERWISE] == 123
    with pytest.raises(ReportError, match="more than 255 different access levels"):
        _changes(report(123, "A"), report(124, "B"))


def test_a_comparison_can_be_ended_and_equal_reports_have_no_changes() -> None:
    """It tells how far it is."""

    def stop(share: float) -> None:
        raise InterruptedError(share)

    with pytest.raises(InterruptedError):
        compare_reports(BEFORE.opened(), AFTER.opened(), stop)
    told: list[float] = []
    changes = compare_reports(AFTER.opened(), AFTER.opened(), told.append)
    assert set(changes.counts.values()) == {0}
    assert told == sorted(told)
    assert told[0] == 0


def _report(chance: Random) -> PlainReport:
    def members() -> dict[int, str]:
        levels = ["GUEST", "DEVELOPER", "OWNER", "ODD"]
        return {id_: chance.choice(levels) for id_ in chance.sample(range(9), chance.randrange(6))}

    groups = [
        PlainPlace(id_, "g", f"g{id_}", members(), [project(id_, f"g{id_}/p", members())])
        for id_ in chance.sample(range(5), chance.randrange(5))
    ]
    ids = chance.sample(range(9), chance.randrange(9))
    states = ["active", "blocked"]
    return plain_report([PlainPerson(id_, state=chance.choice(states)) for id_ in ids], groups)


@given(st.integers(0, 1 << 32))
@settings(max_examples=100, deadline=None)
def test_what_is_found_is_what_sets_differ_in(seed: int) -> None:
    """Against plain sets of memberships by ids."""
    chance = Random(seed)
    before, after = _report(chance), _report(chance)
    changes = _changes(before, after)
    old, new = _by_ids(before), _by_ids(after)
    people = {one.id for one in before.people} & {one.id for one in after.people}
    places = _place_ids(before) & _place_ids(after)
    rank = ["ODD", "GUEST", "DEVELOPER", "OWNER"].index
    kinds: dict[ChangeKind, set[Any]] = {kind: set() for kind in OF_MEMBERSHIPS}
    for key in old.keys() | new.keys():
        was, now = old.get(key), new.get(key)
        if now == "OWNER" and was != "OWNER":
            kinds[ChangeKind.NEW_OWNER].add((*key, was or "", now))
        if was == now:
            continue
        if key[1:] not in places:
            kind = ChangeKind.ADDED_WITH_PLACE if now else ChangeKind.DROPPED_WITH_PLACE
        elif key[0] not in people:
            kind = ChangeKind.ADDED_WITH_PERSON if now else ChangeKind.DROPPED_WITH_PERSON
        elif was is None:
            kind = ChangeKind.ADDED
        elif now is None:
            kind = ChangeKind.DROPPED
        else:
            kind = ChangeKind.RAISED if rank(now) > rank(was) else ChangeKind.LOWERED
        kinds[kind].add((*key, was or "", now or ""))
    for kind, expected in kinds.items():
        found = [
            (one.person.id, one.place.kind, one.place.id, one.before, one.after)
            for one in changes.memberships(kind)
        ]
        assert len(found) == len(expected)
        assert set(found) == expected
    grouped = [one for place in changes.by_place() for one in place.changes]
    assert len(grouped) == count_changed_memberships(changes.counts)
    assert set(grouped) == {one for person in changes.by_person() for one in person.changes}


def _by_ids(report: PlainReport) -> dict[tuple[int, str, int], str]:
    return {
        (report.people[one.person].id, *_place_id(report.places[one.place])): one.level
        for one in report.memberships
    }


def _place_ids(report: PlainReport) -> set[tuple[str, int]]:
    return {_place_id(place) for place in report.places}


def _place_id(place: PlainPlace) -> tuple[str, int]:
    return "project" if place.is_project else "group", place.id


@pytest.fixture(scope="module")
def book() -> ReportHistory:
    """Return the reports of an organization of 2,000 people, day by day."""
    chance = SeededRandom(7)
    return ReportHistory(chance, LargeReportBase(chance, 2000))


def test_what_the_emulator_plants_is_found_and_nothing_else(
    book: ReportHistory, tmp_path: Path
) -> None:
    """Its own account of two periods, against what was read out of its two texts."""
    planted = asdict(book.changes(40, 60))
    before, after = (_read(book, period, tmp_path / str(period)) for period in (40, 60))
    changes = compare_reports(before, after)
    joined = [(one.person.id, one.person.username) for one in changes.people(ChangeKind.JOINED)]
    assert sorted(joined) == [(one["user_id"], one["username"]) for one in planted["joined"]]
    for kind, how in ((ChangeKind.LEFT, "gone"), (ChangeKind.BLOCKED, "blocked")):
        left = sorted(one.person.id for one in changes.people(kind))
        assert left == [one["user_id"] for one in planted["left"] if one["how"] == how]
        assert left
    for kind in (ChangeKind.UNBLOCKED, ChangeKind.CHANGED):
        assert changes.counts[kind] == 0
    for kind, name in ((ChangeKind.RAISED, "raised"), (ChangeKind.LOWERED, "lowered")):
        found = [
            {
                "user_id": one.person.id,
                "place": one.place.kind,
                "place_id": one.place.id,
                "before": one.before,
                "after": one.after,
            }
            for one in changes.memberships(kind)
        ]
        assert sorted(found, key=str) == sorted(planted[name], key=str)
        assert found
    for kind, name in (
        (ChangeKind.PLACE_ADDED, "projects_added"),
        (ChangeKind.PLACE_REMOVED, "projects_removed"),
    ):
        assert sorted(one.place.id for one in changes.places(kind)) == sorted(planted[name])
        assert planted[name]
    renamed = [(one.place.id, one.before, one.after) for one in changes.places(ChangeKind.RENAMED)]
    assert sorted(renamed) == [
        (one["group_id"], one["before"], one["after"]) for one in planted["groups_renamed"]
    ]
    for kind in (ChangeKind.ADDED, ChangeKind.DROPPED, ChangeKind.OTHERWISE, ChangeKind.MOVED):
        assert changes.counts[kind] == 0
    _check_what_came_along(changes, planted)


def _check_what_came_along(changes: AccessChanges, planted: dict[str, Any]) -> None:
    """Memberships that came or went with a person or a place are those of one planted."""

    def found(kind: ChangeKind) -> list[MembershipChange]:
        return list(changes.memberships(kind))

    came = {(one["user_id"], *held) for one in planted["joined"] for held in one["memberships"]}
    with_people = {
        (one.person.id, one.place.kind, one.place.id, one.after)
        for one in found(ChangeKind.ADDED_WITH_PERSON)
    }
    with_places = found(ChangeKind.ADDED_WITH_PLACE)
    assert {one.place.id for one in with_places} <= set(planted["projects_added"])
    of_both = {(one.person.id, one.place.kind, one.place.id, one.after) for one in with_places}
    assert with_people
    assert came == with_people | {one for one in of_both if one in came}
    gone = {one["user_id"] for one in planted["left"] if one["how"] == "gone"}
    left = found(ChangeKind.DROPPED_WITH_PERSON)
    assert left
    assert {one.person.id for one in left} <= gone
    removed = found(ChangeKind.DROPPED_WITH_PLACE)
    assert removed
    assert {one.place.id for one in removed} <= set(planted["projects_removed"])


def _read(book: ReportHistory, period: int, folder: Path) -> OpenedReport:
    folder.mkdir()
    saved = read_here(folder, b"".join(ReportText(book.report(period)).pieces()))
    return OpenedReport(saved)
