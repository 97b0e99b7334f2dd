"""What the tests of a pipeline came to, with every case or in sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.emulator.http.answers import json_answer
from platui.emulator.http.pipelines import find_pipeline

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import CaseReport, SuiteReport


def show_report(call: Call) -> Response:
    """Show every suite with its cases; the list is whole, it has no pages."""
    suites = _suites(call)
    body = _counts(suites) | {"test_suites": [_suite(suite) for suite in suites]}
    return json_answer(body)


def show_summary(call: Call) -> Response:
    """Show the sums of every suite."""
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
    return list(call.world.suites(project.id, pipeline.id, call.now))


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
    "projects/{project}/pipelines/{pipeline}/test_report": {"GET": show_report},
    "projects/{project}/pipelines/{pipeline}/test_report_summary": {"GET": show_summary},
}
