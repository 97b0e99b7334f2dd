"""The effect of the watch key, and its messages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from platui.models.values.stored_triage import (
    NOTHING_WATCHED,
    Watchable,
    WatchChange,
    WatchSelection,
)
from platui.models.wire import Project
from platui.present.triage.watching import (
    choice_message,
    choice_rows,
    toggle_group,
    toggle_message,
    toggle_projects,
    watched_ids,
)

FINANCE = Watchable(4, "acme/finance/dbt", "dbt")
SHOP = Watchable(5, "acme/shop", "shop")
CONTEXT = Watchable(6, "", "here")
GROUP = WatchSelection((), ("acme/finance",), is_chosen=True)


NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


class Listed:
    """A listed project that counts how often its path is read."""

    archived = False
    last_activity_at = None
    reads = 0

    def __init__(self, number: int, path: str) -> None:
        self.id = number
        self._path = path

    @property
    def path_with_namespace(self) -> str:
        """Return the path."""
        Listed.reads += 1
        return self._path


def after(watched: WatchSelection, change: WatchChange) -> WatchSelection:
    """Return what is watched when a change was made."""
    return WatchSelection(
        tuple(one for one in (*watched.projects, *change.watch) if one not in change.unwatch),
        tuple(
            one
            for one in (*watched.groups, *change.watch_groups)
            if one not in change.unwatch_groups
        ),
        is_chosen=True,
    )


def test_what_is_not_watched_yet_is_watched_and_the_same_again_undoes_it() -> None:
    """Of several of which some are watched, the others join them first."""
    some = WatchSelection((5,))
    toggled = toggle_projects(some, [FINANCE, SHOP, CONTEXT])
    assert toggled.change == WatchChange(watch=(4, 6))
    everything = after(some, toggled.change)
    again = toggle_projects(everything, [FINANCE, SHOP, CONTEXT])
    assert again.change == WatchChange(unwatch=(4, 5, 6))
    assert toggle_group(NOTHING_WATCHED, "acme").change == WatchChange(watch_groups=("acme",))
    assert toggle_group(WatchSelection((), ("acme",)), "acme").change == WatchChange(
        unwatch_groups=("acme",)
    )


def test_what_is_watched_with_its_group_is_not_taken_away_alone() -> None:
    """There is no list of exceptions: it is said which group it is, and how to undo that."""
    toggled = toggle_projects(GROUP, [FINANCE])
    assert not toggled.change
    assert toggle_message(toggled, GROUP, undo="*") == (
        "dbt is watched via group acme/finance. Run :unwatch acme/finance to stop."
    )
    both = WatchSelection((4,), ("acme/finance",))
    own = toggle_projects(both, [FINANCE])
    assert own.change == WatchChange(unwatch=(4,))
    words = toggle_message(own, after(both, own.change), undo="*")
    assert words == "dbt is still watched via group acme/finance; :unwatch acme/finance."
    two = toggle_projects(WatchSelection((4, 5), ("acme/finance",)), [FINANCE, SHOP])
    assert (two.change, two.names) == (WatchChange(unwatch=(4, 5)), ("shop",))
    assert toggle_message(two, GROUP) == (
        "dbt is still watched via group acme/finance; :unwatch acme/finance. "
        "Stopped watching shop. 1 group left."
    )
    inner = toggle_group(GROUP, "acme/finance/eu")
    assert not inner.change
    assert "The group acme/finance/eu is watched via group acme/finance" in toggle_message(
        inner, GROUP
    )


@pytest.mark.parametrize(
    ("before", "chosen", "said"),
    [
        (WatchSelection((9,)), [SHOP], "Watching shop. 2 projects in total; * to undo."),
        (WatchSelection((5, 9)), [SHOP], "Stopped watching shop. 1 project left; * to undo."),
        (WatchSelection((5,)), [SHOP], "Stopped watching shop. Nothing left; * to undo."),
        (
            NOTHING_WATCHED,
            [SHOP, CONTEXT],
            "Watching 2 projects. 2 projects in total; * to undo.",
        ),
    ],
)
def test_a_sentence_says_what_happened_and_how_much_is_watched(
    before: WatchSelection, chosen: list[Watchable], said: str
) -> None:
    """The key that undoes it is named."""
    toggled = toggle_projects(before, chosen)
    assert toggle_message(toggled, after(before, toggled.change), undo="*") == said


def test_watching_a_group_includes_future_projects() -> None:
    """The message says so."""
    toggled = toggle_group(WatchSelection((9,)), "acme/finance")
    assert toggle_message(toggled, after(WatchSelection((9,)), toggled.change), undo="*") == (
        "Watching the group acme/finance, including future projects. "
        "1 project and 1 group in total; * to undo."
    )
    assert choice_message(GROUP).startswith("1 group watched.")
    assert choice_message(NOTHING_WATCHED).startswith("No projects watched.")


def test_a_group_holds_what_is_in_it_and_not_what_only_begins_alike() -> None:
    """Archived projects of a group never run: the board leaves them out, and so do the stars."""
    projects = [
        Project(id=1, path_with_namespace="acme/finance/a"),
        Project(id=2, path_with_namespace="acme/finance/eu/b"),
        Project(id=3, path_with_namespace="acme/finance-old/c"),
        Project(id=4, path_with_namespace="acme/finance/d", archived=True),
    ]
    assert watched_ids(GROUP, projects) == {1, 2}
    assert watched_ids(WatchSelection((4, 77), GROUP.groups), projects) == {1, 2, 4, 77}
    assert WatchSelection((), ("a", "a/b")).group_of("a/b/c") == "a"
    assert GROUP.group_of("acme/finance") == ""


def test_the_choice_counts_the_projects_of_each_group() -> None:
    """With those of groups below it; archived ones do not count."""
    paths = ["acme/finance/dbt", "acme/finance/x/etl", "acme/shop", "alone"]
    projects = [Project(id=at, path_with_namespace=path) for at, path in enumerate(paths)] + [
        Project(id=9, path_with_namespace="acme/old/one", archived=True)
    ]
    rows = choice_rows(projects, GROUP, NOW, by_activity=False)
    groups = {row.key: row.cells[2].text for row in rows if row.key.startswith("group ")}
    assert groups == {
        "group acme/finance": "group of 2 projects",
        "group acme": "group of 3 projects",
    }


def test_the_choice_among_many_groups_reads_each_path_a_few_times() -> None:
    """Not once for each group: that took a second for five thousand projects."""
    listed: list[Any] = [Listed(at, f"acme/group-{at % 200}/p{at}") for at in range(400)]
    Listed.reads = 0
    rows = choice_rows(listed, WatchSelection(), NOW, by_activity=False)
    assert len(rows) == 400 + 200 + 1
    assert Listed.reads < 10 * len(listed)
