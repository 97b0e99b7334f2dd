"""The choice of what is watched: what is marked in advance, how it is ordered, what it changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from platui.models.values.stored_triage import NOTHING_WATCHED, WatchChange, WatchSelection
from platui.models.wire import Project
from platui.present.triage.watching import (
    MOST_SUGGESTED,
    choice_made,
    choice_pieces,
    choice_rows,
    covered,
    group_key,
    marked_groups,
    other_part,
    suggested,
    watched_keys,
)

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


def project(number: int, path: str, days: float | None = 1, *, archived: bool = False) -> Project:
    """Return a project that was active so many days ago."""
    then = None if days is None else NOW - timedelta(days=days)
    return Project(
        id=number, path_with_namespace=path, last_activity_at=then, archived=archived
    )  # fmt: skip


def test_what_was_active_lately_is_marked_in_advance() -> None:
    """Thirty days, thirty projects, the last active ones; nothing of which nobody tells when."""
    projects = [
        project(1, "a/x", 29),
        project(2, "a/y", 31),
        project(3, "a/z", None),
        project(4, "a/old", 1, archived=True),
    ]
    assert suggested(projects, NOW) == {"1"}
    many = [project(number, f"a/{number}", number / 10) for number in range(100)]
    assert suggested(many, NOW) == {str(number) for number in range(MOST_SUGGESTED)}


def test_what_is_watched_stands_first_then_what_was_active_last() -> None:
    """A list that comes in pages stays in the platform's order; archived ones run no more."""
    projects = [
        project(1, "a/x", 9),
        project(2, "a/y", 2),
        project(3, "b/z", None),
        project(4, "a/old", 1, archived=True),
        project(5, "b/w", 5),
    ]
    watched = WatchSelection((3,), ("a",), is_chosen=True)
    rows = choice_rows(projects, watched, NOW, by_activity=True)
    assert [row.key for row in rows] == ["group a", "3", "2", "5", "1", "group b"]
    assert [[cell.text for cell in row.cells] for row in rows[:3]] == [
        ["a/", "", "group of 2 projects"],
        ["b/z", "", ""],
        ["a/y", "2d", "via a"],
    ]
    rows = choice_rows(projects, watched, NOW, by_activity=False)
    assert [row.key for row in rows] == ["group a", "3", "1", "2", "5", "group b"]
    named = choice_rows([Project(id=7, name="loads")], NOTHING_WATCHED, NOW, by_activity=True)
    assert named[0].cells[0].text == "loads #7"


def test_what_is_marked_is_watched_and_what_was_not_shown_stays() -> None:
    """A project on a page that was not loaded is not unwatched by the way."""
    watched = WatchSelection((3, 77), ("a", "b"), is_chosen=True)
    shown = {"1", "3", "5", group_key("a"), group_key("b")}
    assert choice_made(watched, shown, watched_keys(watched)) == WatchChange()
    change = choice_made(watched, shown, {"5", group_key("b")})
    assert change == WatchChange(watch=(5,), unwatch=(3,), unwatch_groups=("a",))


def test_groups_are_chosen_below_the_projects() -> None:
    """Those of every level that hold a project; what is inside a watched one comes with it."""
    projects = [
        project(1, "a/b/x"), project(2, "c/y"), project(3, "d/old", archived=True),
        Project(id=4, name="loads"),
    ]  # fmt: skip
    rows = choice_rows(projects, NOTHING_WATCHED, NOW, by_activity=False)
    keys = [row.key for row in rows]
    assert keys == ["1", "2", "4", "group a", "group a/b", "group c"]
    assert other_part(keys, "2") == "group a"
    assert other_part(keys, "group c") == "1"
    assert other_part(["1"], "1") is None
    change = choice_made(NOTHING_WATCHED, keys, {"2", "group a/b"})
    assert change == WatchChange(watch=(2,), watch_groups=("a/b",))
    assert covered(projects, {"2", "group a/b"}) == 2
    whole = choice_rows(
        projects, WatchSelection((), ("a",), is_chosen=True), NOW, by_activity=False
    )
    assert [row.key for row in whole][-1] == "group c"


def test_what_it_costs_counts_the_projects_of_groups_once() -> None:
    """Twice a minute each, and never more than the board spends."""
    projects = [project(1, "a/x"), project(2, "a/y"), project(3, "b/z")]
    watched = WatchSelection((1,), ("a",), is_chosen=True)
    marks = watched_keys(watched) | {"3"}
    assert covered(projects, marks) == 3
    assert covered(projects, marks - {group_key("a")}) == 2
    assert marked_groups(marks) == 1
    assert [text for text, _ in choice_pieces(2, 1, 240, (3, 30.0))] == [
        "2 of 240 marked and 1 group",
        "about 6 requests a minute",
    ]
    assert choice_pieces(999, 0, 999, (999, 30.0))[1][0] == "about 200 requests a minute"
