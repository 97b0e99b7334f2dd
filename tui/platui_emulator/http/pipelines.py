"""Pipelines: listing and showing them (spec 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.http.answers import json_answer
from platui_emulator.http.failures import forbidden, record_not_found
from platui_emulator.http.filters import ORDERS, SCOPES, Filters, filters_of
from platui_emulator.http.paging import whole_list, window_of, written_page
from platui_emulator.http.render.jobs import bridge, pipeline_detail, pipeline_summary

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table
    from platui_emulator.records import CaseReport, Pipeline, Project, SuiteReport


_FINISHED: Final = ("success", "failed", "canceled")
_LOOKED_BACK: Final = 500

_FIRST: Final = 20
"""Pipelines in which the newest of a ref most likely is: to filter costs ten times as much."""


def list_pipelines(call: Call) -> Response:
    """List the pipelines of a project, newest first."""
    project = call.project()
    filters = filters_of(call.params)
    order = call.params.choice("order_by", ORDERS) or "id"
    ascending = call.params.choice("sort", ("asc", "desc")) == "asc"
    scope = call.params.choice("scope", SCOPES)
    if scope is None and order == "id":
        return _by_window(call, project, filters, ascending=ascending)
    if scope is None:
        found = list(_newest(call, project, filters))
    elif scope in {"branches", "tags"}:
        found = _newest_of_each(call, project, scope, filters)
    else:
        found = _in_scope(call, project, scope, filters)
    found.sort(key=ORDERS[order], reverse=not ascending)
    return whole_list(call, found, lambda one: pipeline_summary(one, project, call.links))


def show_pipeline(call: Call) -> Response:
    project, pipeline = find_pipeline(call)
    return json_answer(pipeline_detail(pipeline, project, call.links))


def show_latest_pipeline(call: Call) -> Response:
    """Show the newest pipeline of a ref; the platform answers 403 without one."""
    project = call.project()
    ref = call.params.text("ref") or project.default_branch
    found = _newest_of(call, project, ref)
    if found is None:
        raise forbidden()
    return json_answer(pipeline_detail(found, project, call.links))


def _newest_of(call: Call, project: Project, ref: str) -> Pipeline | None:
    """Return the newest pipeline of a ref: mostly among the first, where no filter is needed."""
    newest, _ = call.world.pipelines.page(project.id, call.now, offset=0, limit=_FIRST)
    near = (one for one in newest if one.ref == ref)
    if (found := next(near, None)) is not None:
        return found
    searched, _ = call.world.pipelines.page(project.id, call.now, offset=0, limit=1, ref=ref)
    return searched[0] if searched else None


def list_bridges(call: Call) -> Response:
    """List the jobs of a pipeline that start child pipelines."""
    project, pipeline = find_pipeline(call)
    bridges = call.world.pipelines.bridges(project.id, pipeline.id, call.now)
    return whole_list(call, bridges, lambda one: bridge(one, pipeline, project, call.links))


def find_pipeline(call: Call) -> tuple[Project, Pipeline]:
    project = call.project()
    pipeline = call.world.pipelines.get(project.id, call.path_id("pipeline"), call.now)
    if pipeline is None:
        raise record_not_found()
    return project, pipeline


def _by_window(call: Call, project: Project, filters: Filters, *, ascending: bool) -> Response:
    def part(offset: int, limit: int) -> tuple[Sequence[Pipeline], int]:
        return call.world.pipelines.page(
            project.id, call.now, offset=offset, limit=limit, **filters
        )

    window = window_of(call.params)
    if ascending:
        # The company counts from the newest, so a page from the other end needs the length.
        _, total = part(0, 1)
        end = max(0, total - window.offset)
        start = max(0, end - window.per_page)
        found = list(reversed(part(start, end - start)[0])) if end else []
    else:
        newest, total = part(window.offset, window.per_page)
        found = list(newest)
    summaries = call.platform.summaries
    rows = [summaries.of(record, project, call.links) for record in found]
    return written_page(call, window, rows, total)


def _in_scope(call: Call, project: Project, scope: str, filters: Filters) -> list[Pipeline]:
    wanted = _FINISHED if scope == "finished" else (scope,)
    if filters["status"] is not None and filters["status"] not in wanted:
        return []
    if filters["status"] is None and len(wanted) == 1:
        filters = {**filters, "status": scope}
    return [one for one in _newest(call, project, filters) if one.status in wanted]


def _newest_of_each(call: Call, project: Project, kind: str, filters: Filters) -> list[Pipeline]:
    repositories = call.world.repositories
    named = repositories.branches if kind == "branches" else repositories.tags
    names = {record.name for record in named(project.id, call.now)}
    first: dict[str, Pipeline] = {}
    for one in _newest(call, project, filters):
        if one.ref in names and one.tag == (kind == "tags"):
            first.setdefault(one.ref, one)
    return list(first.values())


def _newest(call: Call, project: Project, filters: Filters) -> Sequence[Pipeline]:
    return call.world.pipelines.page(project.id, call.now, offset=0, limit=_LOOKED_BACK, **filters)[
        0
    ]


def show_report(call: Call) -> Response:
    """Show every suite with its cases; the list is whole, it has no pages."""
    suites = _suites(call)
    body = _counts(suites) | {"test_suites": [_suite(suite) for suite in suites]}
    return json_answer(body)


def show_summary(call: Call) -> Response:
    suites = _suites(call)
    total = {
        "time": sum(suite.seconds for suite in suites),
        "count": sum(len(suite.cases) for suite in suites),
        "success": _ended(suites, "success"),
        "failed": _ended(suites, "failed"),
        "skipped": 0,
        "error": 0,
        "suite_error": None,
    }
    rows = [
        {"name": suite.name} | _counts([suite]) | {"build_ids": [suite.job_id], "suite_error": None}
        for suite in suites
    ]
    return json_answer({"total": total, "test_suites": rows})


def _suites(call: Call) -> list[SuiteReport]:
    project, pipeline = find_pipeline(call)
    return list(call.world.pipelines.suites(project.id, pipeline.id, call.now))


def _counts(suites: list[SuiteReport]) -> dict[str, Any]:
    return {
        "total_time": round(sum(suite.seconds for suite in suites), 3),
        "total_count": sum(len(suite.cases) for suite in suites),
        "success_count": _ended(suites, "success"),
        "failed_count": _ended(suites, "failed"),
        "skipped_count": 0,
        "error_count": 0,
    }


def _ended(suites: list[SuiteReport], status: str) -> int:
    return sum(suite.count(status) for suite in suites)


def _suite(suite: SuiteReport) -> dict[str, Any]:
    cases = [_case(case) for case in suite.cases]
    return (
        {"name": suite.name}
        | _counts([suite])
        | {
            "suite_error": None,
            "test_cases": cases,
        }
    )


def _case(case: CaseReport) -> dict[str, Any]:
    return {
        "status": case.status,
        "name": case.name,
        "classname": case.classname,
        "file": case.file,
        "execution_time": case.seconds,
        "system_output": case.output,
        "stack_trace": case.trace,
    }


ROUTES: Table = {
    "projects/{project}/pipelines": {"GET": list_pipelines},
    "projects/{project}/pipelines/latest": {"GET": show_latest_pipeline},
    "projects/{project}/pipelines/{pipeline}/bridges": {"GET": list_bridges},
    "projects/{project}/pipelines/{pipeline}/test_report": {"GET": show_report},
    "projects/{project}/pipelines/{pipeline}/test_report_summary": {"GET": show_summary},
}
