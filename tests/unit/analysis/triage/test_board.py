"""The board: what is on it and in which order, what is one cause, and its sum in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from tests.support.lane import HOUR, NOW, newest_first

from platui.analysis.triage.board import (
    cause_groups,
    count_items,
    in_order,
    item_of,
    on_default_branches,
    spread_acknowledgements,
)
from platui.analysis.triage.incidents import Listed, states_of
from platui.models.values.triage import Lane, Signature
from platui.models.values.triage_board import (
    Board,
    BoardItem,
    BoardState,
    Counts,
    Late,
    LateKind,
    Mark,
)

TODAY = NOW.replace(hour=0, minute=0)
LOGIN = Signature("aa", "password for SVC has expired", "password has expired: db", "password")
MEMORY = Signature("bb", "Killed", "out of memory: load", "out of memory", is_local=True)


def item(project: int, word: str, late: Late | None = None, main: str = "main") -> BoardItem:
    """Return the row of a project whose pipelines are written as a word."""
    (state,) = states_of(Listed(project, newest_first(word), main=main), NOW)
    found = item_of(state, TODAY, late)
    assert found is not None
    return found


def red(project: int, hours: int = 0, signature: Signature | None = LOGIN) -> BoardItem:
    """Return what has been red for some hours."""
    runs = newest_first("r" * (hours + 1) + "g", name="Nightly")
    (state,) = states_of(Listed(project, runs, main="main"), NOW)
    found = item_of(state, TODAY)
    assert found is not None
    return replace(found, signature=signature)


@pytest.mark.parametrize(
    ("word", "standing"),
    [("rg", BoardState.BROKEN), ("*rg", BoardState.BROKEN), ("*g", BoardState.RUNNING),
     ("*", BoardState.RUNNING), ("grg", BoardState.RECOVERED)],
)  # fmt: skip
def test_how_a_lane_stands_on_the_board(word: str, standing: BoardState) -> None:
    """Running, was red is still broken."""
    assert item(7, word).state is standing


def test_what_is_green_and_was_is_not_on_the_board() -> None:
    """Nor is what recovered before today."""
    for word in ("g", "gg", "c", "gggggrg"):
        (state,) = states_of(Listed(7, newest_first(word)), NOW)
        assert item_of(state, TODAY) is None


def test_what_is_late_is_no_longer_only_running() -> None:
    """And what is broken and late is broken."""
    late = Late(LateKind.SLOW, 2880)
    assert item(7, "*g", late).state is BoardState.LATE
    broken = item(7, "*rg", late)
    assert (broken.state, broken.late) == (BoardState.BROKEN, late)


def test_one_cause_in_many_projects_is_one_group() -> None:
    """Local ones stay apart, and so does what nobody knows the cause of."""
    items = [red(1), red(2), red(3, 0, MEMORY), red(4, 0, MEMORY), red(5, 0, None), red(6, 0, None)]
    groups = cause_groups([*items, item(9, "*g")])
    assert [(group.signature, group.projects) for group in groups] == [
        (LOGIN, 2), (MEMORY, 1), (MEMORY, 1), (None, 1), (None, 1),
    ]  # fmt: skip
    assert count_items(items, NOW) == Counts(broken=6, causes=5)


def test_jobs_that_took_too_long_have_one_cause_only_where_they_did_at_about_the_same_time() -> (
    None
):
    """What a branch made slow yesterday is not what is slow for everybody since an hour."""
    slow = Signature("cc", "took 1h", "took too long: fit", is_local=True, is_symptom=True)
    hours = {"main": 0.0, "fix/a": 9.0, "fix/b": 1.5, "fix/c": 3.0, "fix/d": 9.1}
    items = []
    for number, (ref, ago) in enumerate(hours.items()):
        one = red(7, 0, slow)
        assert one.incident is not None
        last = one.incident.newest_red._replace(id=number, ended_at=NOW - ago * HOUR)
        lane = one.lane._replace(ref=ref)
        incident = replace(one.incident, lane=lane, first_red=last, newest_red=last)
        items.append(replace(one, lane=lane, incident=incident, is_main=ref == "main"))
    groups = [[one.lane.ref for one in group.items] for group in cause_groups(items)]
    assert groups == [["main", "fix/b", "fix/c"], ["fix/a", "fix/d"]]
    ordered = in_order(items, NOW)
    flat = [one for group in cause_groups(ordered) for one in group.items]
    assert flat == ordered
    assert count_items(items, NOW).causes == 2
    assert len(cause_groups([replace(one, signature=LOGIN) for one in items])) == 1


def test_the_board_has_its_order_whatever_order_it_is_given_in() -> None:
    """Broken, late, running, recovered; one cause together; the seen ones last of the broken.

    A cause of a few projects stands above a newer one of a single project. A cause is as old as
    what it began with, however new its newest incident.
    """
    wide = [red(1, 3), red(2, 1), red(3, 2)]
    fresh = red(4, 0, MEMORY)
    old = red(5, 9, None)
    seen = replace(red(6, 0, None), mark=Mark(acked=""))
    side = replace(red(7, 0, MEMORY), is_main=False)
    late = item(8, "*g", Late(LateKind.SLOW, 100))
    later = item(9, "*g", Late(LateKind.SLOW, 900))
    rest = [item(10, "*g"), item(11, "grg")]
    expected = [wide[0], wide[2], wide[1], fresh, old, side, seen, later, late, *rest]
    for seed in range(5):
        shuffled = list(expected)
        Random(seed).shuffle(shuffled)
        found = in_order(shuffled, NOW)
        assert [one.lane.project for one in found] == [one.lane.project for one in expected]


def test_other_branches_can_be_left_out() -> None:
    """Rows, causes and counts are of default branches; versions are on no branch."""
    main, branch = red(1, 3), replace(red(2, 1), is_main=False)
    tags = replace(red(3, 2, MEMORY), is_main=False)
    tags = replace(tags, lane=tags.lane._replace(ref=""))
    items = in_order([main, branch, tags, replace(item(4, "*g"), is_main=False)], NOW)
    whole = Board(tuple(items), tuple(cause_groups(items)), count_items(items, NOW))
    found = on_default_branches(whole, NOW)
    assert set(found.items) == {main, tags}
    assert {group.items for group in found.groups} == {(main,), (tags,)}
    assert (found.counts.broken, found.counts.causes, found.counts.running) == (2, 2, 0)


def test_causes_of_many_projects_stand_above_those_of_a_few() -> None:
    """In steps, so that one more project moves nothing; on branches nobody else's they do not."""
    many = [red(one, 9, replace(LOGIN, key="many")) for one in range(10, 20)]
    few = [red(one, 5, replace(LOGIN, key="few")) for one in range(20, 23)]
    more = [red(one, 3, replace(LOGIN, key="more")) for one in range(30, 34)]
    lone = red(40, 1, replace(LOGIN, key="lone"))
    aside = [
        replace(red(one, 0, replace(LOGIN, key="aside")), is_main=False) for one in range(50, 65)
    ]
    found = in_order([lone, *aside, *few, *more, *many], NOW)
    keys = [one.signature.key for one in found if one.signature is not None]
    assert list(dict.fromkeys(keys)) == ["many", "more", "few", "lone", "aside"]


@pytest.mark.parametrize(
    ("incidents", "hours", "reds"),
    [
        ([(1, 0, True), (2, 3, True), (3, 1, True)], 3, 7),
        ([(1, 0, True), (2, 9, False), (3, 1, True)], 1, 13),  # a branch is not the outage
        ([(1, 2, False), (2, 9, False)], 9, 13),
        ([(1, 4, True)], 4, 5),
    ],
)
def test_a_cause_is_there_since_its_oldest_incident_and_counts_all_reds(
    incidents: list[tuple[int, int, bool]], hours: int, reds: int
) -> None:
    """That on a default branch, where it is on one."""
    items = [replace(red(project, ago), is_main=main) for project, ago, main in incidents]
    (group,) = cause_groups(items)
    began = red(9, hours).incident
    assert group.onset is not None
    assert began is not None
    assert (group.onset.since, group.streak) == (began.since, reds)
    assert not group.is_at_least
    assert in_order(items, NOW)[0].incident == group.onset


@pytest.mark.parametrize(
    ("mark", "signature", "expected"),
    [
        (Mark(), LOGIN, False),
        (Mark(acked="aa"), LOGIN, True),
        (Mark(acked="aa"), MEMORY, False),  # a new one: it comes back
        (Mark(acked="aa"), None, True),
        (Mark(acked=""), LOGIN, True),
        (Mark(snoozed_until=NOW + HOUR), MEMORY, True),
        (Mark(snoozed_until=NOW), LOGIN, False),
        (Mark(note="seen", owner="a.khan"), LOGIN, False),
    ],
)
def test_what_was_acknowledged_is_quiet_until_something_new_comes(
    mark: Mark, signature: Signature | None, *, expected: bool
) -> None:
    """A snooze ends by itself."""
    broken = BoardItem(BoardState.BROKEN, Lane(1, "main"), mark=mark, signature=signature)
    assert broken.is_quiet(NOW) is expected


def test_the_sum_counts_each_row_once() -> None:
    """Acknowledged ones are told, but not counted among the broken."""
    items = [
        red(1), red(2), replace(red(3), mark=Mark(acked="aa")), item(4, "*rg"), item(5, "*g"),
        item(6, "*g", Late(LateKind.WAITING, 900)), item(7, "grg"),
    ]  # fmt: skip
    counts = count_items(items, NOW)
    assert counts == Counts(broken=3, causes=2, late=1, running=1, recovered=1, quiet=1)
    assert sum(counts) - counts.causes == len(items)


def test_a_hundred_projects_make_a_board() -> None:
    """Each lane stands on it once."""
    states = [
        state
        for project in range(100)
        for state in states_of(
            Listed(project, newest_first("".join(Random(project).choices("gggr*c", k=100)))), NOW
        )
    ]
    items = [found for state in states if (found := item_of(state, NOW - timedelta(days=1)))]
    ordered = in_order(items, NOW)
    assert sorted(one.lane for one in ordered) == sorted(one.lane for one in items)
    assert len(ordered) > 50


def test_what_joins_a_cause_that_was_acknowledged_is_known_with_it() -> None:
    """Not what was acknowledged alone, nor another cause, nor where that is gone meanwhile."""
    cause = Mark(acked=LOGIN.key, spreads=True)
    before = replace(red(1), mark=cause)
    joined = spread_acknowledgements(
        [before, red(2), red(3, signature=MEMORY), red(4, signature=None)]
    )
    assert [one.mark for one in joined] == [cause, cause, Mark(), Mark()]
    for mark in (Mark(acked=LOGIN.key), Mark(acked="zz", spreads=True)):
        alone = [replace(red(1), mark=mark), red(2)]
        assert spread_acknowledgements(alone) == alone
    # What says too little to be the same elsewhere spreads within its project only.
    local = replace(red(5, signature=MEMORY), mark=Mark(acked=MEMORY.key, spreads=True))
    assert spread_acknowledgements([local, red(6, signature=MEMORY)])[1].mark == Mark()


def test_an_acknowledged_symptom_is_another_cause_hours_later() -> None:
    """What says little is the same cause only at about the same time."""
    slow = Signature("cc", "exit code 1", "dbt: exit code 1", is_symptom=True)
    cause = Mark(acked=slow.key, spreads=True)

    def failed(project: int, hours: float) -> BoardItem:
        one = red(project, 0, slow)
        assert one.incident is not None
        last = one.incident.newest_red._replace(ended_at=NOW - hours * HOUR)
        return replace(one, incident=replace(one.incident, first_red=last, newest_red=last))

    items = [replace(failed(1, 50), mark=cause), failed(2, 49), failed(3, 0)]
    assert [one.mark for one in spread_acknowledgements(items)] == [cause, cause, Mark()]
