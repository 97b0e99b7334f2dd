"""Control endpoints for planted data: causes, long logs, report changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.http.failures import bad_parameters
from platui_emulator.http.render.people import moment
from platui_emulator.http.render.report import ReportText
from platui_emulator.http.routing import Offer, offer
from platui_emulator.http.streaming import StreamedAnswer

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.parameters import Parameters
    from platui_emulator.http.platform import Platform

_FURTHEST: Final = 1000
"""Periods that the report is moved on at once."""
_LAST: Final = 100_000


def _logs(platform: Platform, params: Parameters) -> dict[str, Any]:
    del params
    return {"logs": [asdict(one) for one in platform.world.long_logs()]}


def _truth(platform: Platform, params: Parameters) -> dict[str, Any]:
    del params
    causes = [asdict(one) for one in platform.world.truth(platform.time.now())]
    for cause in causes:
        cause["since"] = moment(cause["since"])
        cause["paths"] = [_path(platform, number) for number in cause["projects"]]
    return {"causes": causes}


def _path(platform: Platform, project_id: int) -> str:
    project = platform.world.project(project_id)
    return project.full_path if project else ""


def _report(platform: Platform, params: Parameters) -> dict[str, Any]:
    del params
    return {"period": platform.reporting.period(platform.time.now())}


def _advance(platform: Platform, params: Parameters) -> dict[str, Any]:
    periods = params.number("periods", 1)
    if not 1 <= periods <= _FURTHEST:
        raise bad_parameters("periods does not have a valid value")
    platform.reporting.ahead += periods
    return _report(platform, params)


def _text(platform: Platform, params: Parameters) -> Response:
    period = params.number("period", platform.reporting.period(platform.time.now()))
    if not 0 <= period <= _LAST:
        raise bad_parameters("period does not have a valid value")
    return StreamedAnswer(
        ReportText(platform.world.reports.report(period)), media_type="application/json"
    )


def _changes(platform: Platform, params: Parameters) -> dict[str, Any]:
    until = params.number("to", platform.reporting.period(platform.time.now()))
    since = params.number("from", max(0, until - 1))
    if not 0 <= since <= until <= _LAST:
        raise bad_parameters("from does not have a valid value")
    return {"from": since, "to": until, **asdict(platform.world.reports.changes(since, until))}


OFFERS: Final[Mapping[tuple[str, str], Offer]] = {
    ("GET", "/logs"): offer(_logs, "Where long logs are, and which errors were planted in them."),
    ("GET", "/truth"): offer(
        _truth, "The causes of the current failures, and the jobs and pipelines they broke."
    ),
    ("GET", "/report"): offer(_report, "The period that the access report shows."),
    ("POST", "/report/advance"): offer(
        _advance, "Move the report on.", periods=f"how many days, 1 to {_FURTHEST}; default 1"
    ),
    ("GET", "/report/text"): offer(
        _text,
        "The report of any period, as the administration API gives it on that day.",
        period="default: the period of today",
    ),
    ("GET", "/report/changes"): offer(
        _changes,
        "The changes of the report between two periods.",
        from_="default: the period before",
        to="default: the period of today",
    ),
}
