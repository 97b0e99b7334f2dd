"""Pipelines and projects as rows, and the health of the last runs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from platui.models.wire import Namespace, Pipeline, Project
from platui.present.pipelines import health, health_words, took
from platui.present.projects import (
    ALL_NAMESPACES,
    are_flat,
    in_namespace,
    projects_summary,
)
from platui.present.status import severity, status_cell
from platui.present.tables.pipelines import PIPELINES
from platui.present.tables.project_rows import (
    ProjectRows,
    flat_namespace_rows,
    namespace_rows,
)
from platui.present.tables.spec import Context

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


def pipeline(number: int, status: str = "success", minutes: int = 10, **more: Any) -> Pipeline:
    """Return a pipeline that was created an hour ago and took some minutes."""
    begun = NOW - timedelta(hours=1)
    fields = {
        "id": number,
        "ref": "main",
        "sha": "8f2c1ab0" * 5,
        "status": status,
        "created_at": begun,
        "updated_at": begun + timedelta(minutes=minutes),
    }
    return Pipeline.model_validate(fields | more)


def project(number: int, path: str, **more: Any) -> Project:
    """Return a project of that full path."""
    fields = {"id": number, "name": path.rpartition("/")[2], "path_with_namespace": path}
    return Project.model_validate(fields | {"path": path.rpartition("/")[2]} | more)


def test_an_unknown_status_shows_as_itself() -> None:
    """New words of the platform are not hidden behind a guess."""
    cell = status_cell("waiting_for_moon\x1b[2J")
    assert cell.text.startswith("waiting_for_moon")
    assert "\x1b" not in cell.text
    assert severity("waiting_for_moon") > severity("success")


def test_every_status_has_a_glyph_and_a_word() -> None:
    """Never colour alone."""
    for status in ("success", "failed", "running", "pending", "canceled", "skipped", "manual"):
        glyph, word = status_cell(status).text.split()
        assert glyph
        assert word == status


def test_a_running_pipeline_takes_until_now() -> None:
    """The list has no duration; what it has is told."""
    assert took(pipeline(1, "running"), NOW) == 3600
    assert took(pipeline(1, "success"), NOW) == 600
    ended = (NOW - timedelta(minutes=58)).isoformat()
    assert took(pipeline(1, "success", finished_at=ended, duration=90), NOW) == 120
    assert took(Pipeline(id=1), NOW) is None


def test_what_was_tried_again_took_what_the_platform_says() -> None:
    """Its last change is no end of it: in a list, where nothing else is told, it is not known."""
    again = pipeline(1, "success", minutes=3 * 24 * 60)
    assert took(again, NOW) is None
    assert took(again.model_copy(update={"duration": 90.0}), NOW) == 90


def test_the_strip_is_oldest_first_and_tells_by_height_too() -> None:
    """Red stands tall, green lies low: readable without colour."""
    state = health([pipeline(3, "failed"), pipeline(2, "running"), pipeline(1)], NOW)
    assert [role for _, role in state.strip] == ["success", "running", "failed"]
    assert state.strip[0][0] < state.strip[2][0]
    assert state.green == 0.5


def test_figures_count_finished_runs_only() -> None:
    """Canceled and running ones say nothing about health."""
    runs = [pipeline(n, minutes=n) for n in range(1, 21)]
    state = health([pipeline(99, "canceled", 999), *runs], NOW)
    assert (state.median, state.p95) == (630.0, 19 * 60.0)
    assert [text for text, _ in health_words(state)] == [
        "100% of 20 successful", "typical 10m30s", "p95 19m00s",
    ]  # fmt: skip


def test_no_finished_run_is_said_not_computed() -> None:
    """No division by nothing."""
    assert health_words(health([], NOW))[0][0] == "no finished run"


def test_a_sparse_pipeline_has_blanks() -> None:
    """Everything beyond the id is optional."""
    row = PIPELINES.row(Pipeline(id=5), Context(NOW))
    assert [cell.text for cell in row.cells] == ["", "#5", "", "", "", "", "", ""]


def test_a_state_that_is_not_known_is_blank_and_never_green() -> None:
    """Unknown, none, and known are three things."""
    rows = ProjectRows().rows(
        [project(1, "a/x"), project(2, "a/y"), project(3, "a/z")],
        {2: None, 3: pipeline(9, "failed")},
        (),
        NOW,
    )
    assert [row.cells[2].text for row in rows] == ["", "no runs", "✖ failed"]


def test_the_watched_ones_stand_first() -> None:
    """Whatever their names."""
    rows = ProjectRows().rows([project(1, "a/x"), project(2, "z/z")], {}, {2}, NOW)
    assert [row.key for row in rows] == ["2", "1"]
    assert rows[0].cells[0].text == "★"


def test_a_list_in_pages_grows_at_its_end() -> None:
    """Nothing comes between what was read already, but what is watched stands first."""
    rows, marked = ProjectRows(), frozenset({4})
    known: dict[int, Pipeline | None] = {}
    first = (project(1, "z/x"), project(2, "b/x"))
    second = (*first, project(3, "a/x"), project(4, "c/x"))
    keys = [
        [row.key for row in rows.rows(items, known, marked, NOW, by_namespace=False)]
        for items in (first, second, second[1:])
    ]
    assert keys == [["1", "2"], ["4", "1", "2", "3"], ["4", "2", "3"]]
    sorted_rows = rows.rows(second, known, marked, NOW)
    assert [row.key for row in sorted_rows] == ["4", "3", "2", "1"]


def test_the_summary_tells_what_is_known_of_how_many() -> None:
    """Twelve red of what was asked, not of all."""
    pieces = projects_summary(40, 400, {1: pipeline(1, "failed"), 2: pipeline(2, "running")})
    assert [text for text, _ in pieces] == [
        "40 of 400 projects", "1 failed", "1 running", "status loaded for 2 of 400",
    ]  # fmt: skip
    filtered = projects_summary(5000, 5000, {1: pipeline(1, "failed")}, by_status=True)
    assert filtered[0][0] == "status loaded for 1 of 5,000"


def test_namespaces_form_a_tree_with_counts_of_all_below() -> None:
    """A group counts the projects of its subgroups; one that is watched whole has a star."""
    spaces = [
        Namespace(id=1, path="acme", full_path="acme"),
        Namespace(id=2, full_path="acme/data"),
    ]
    rows = namespace_rows(spaces, [project(1, "acme/x"), project(2, "acme/data/y")], ["acme/data"])
    assert [(row.key, *(cell.text for cell in row.cells)) for row in rows] == [
        (ALL_NAMESPACES, "", "all", "2"),
        ("acme", "", "acme", "2"),
        ("acme/data", "★", "  data", "1"),
    ]


def test_of_a_project_by_name_alone_the_number_is_shown() -> None:
    """That is all the spec promises of it (§2.7); else its namespace tells which one it is."""
    bare = Project(id=7, name="loads")
    [named, told] = ProjectRows().rows([bare, project(8, "acme/x")], {}, (), NOW)
    assert [cell.text for cell in named.cells[-2:]] == ["", "#7"]
    assert [cell.text for cell in told.cells[-2:]] == ["acme", ""]
    assert are_flat([bare])
    assert not are_flat([bare, project(8, "acme/x")])
    assert not are_flat([])


def test_namespaces_of_one_path_are_rows_of_their_own() -> None:
    """Without full paths two groups may look alike but for their number."""
    spaces = [Namespace(id=3, name="Ops", path="ops"), Namespace(id=2, path="ops", kind="group")]
    rows = flat_namespace_rows(spaces)
    assert [(row.key, *(cell.text for cell in row.cells)) for row in rows] == [
        ("2", "ops", "ops", "group", "#2"),
        ("3", "Ops", "ops", "", "#3"),
    ]


def test_a_namespace_holds_what_is_below_it_and_not_what_only_begins_alike() -> None:
    """`acme` is not `acme-old`."""
    assert in_namespace(project(1, "acme/data/y"), "acme")
    assert not in_namespace(project(1, "acme-old/y"), "acme")
    assert in_namespace(project(1, "acme-old/y"), ALL_NAMESPACES)
