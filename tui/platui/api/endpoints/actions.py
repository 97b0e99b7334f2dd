"""Endpoints of actions on pipelines, jobs and schedules; all are optional."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from platui.api.decoding import ResultDecoder, acknowledged
from platui.api.endpoints import jobs, paths, pipelines, schedules
from platui.api.write import Write
from platui.core.named_tuple import NamedTuple
from platui.models.values.writes import RecordAction, WriteAction
from platui.models.wire.jobs import Job
from platui.models.wire.pipelines import Pipeline
from platui.models.wire.schedules import Schedule

if TYPE_CHECKING:
    from platui.api.endpoint import Decoder, Endpoint
    from platui.models.values.queries import ProjectRef


class _Endpoint(NamedTuple):
    path: Callable[[ProjectRef, int], str]
    verb: str
    decode: Decoder[Any]
    method: str = "POST"


_ENDPOINTS: Final[Mapping[WriteAction, _Endpoint]] = {
    WriteAction.CANCEL_PIPELINE: _Endpoint(paths.pipeline, "/cancel", ResultDecoder(Pipeline)),
    WriteAction.RETRY_PIPELINE: _Endpoint(paths.pipeline, "/retry", ResultDecoder(Pipeline)),
    WriteAction.CANCEL_JOB: _Endpoint(paths.job, "/cancel", ResultDecoder(Job)),
    WriteAction.RETRY_JOB: _Endpoint(paths.job, "/retry", ResultDecoder(Job)),
    WriteAction.PLAY_JOB: _Endpoint(paths.job, "/play", ResultDecoder(Job)),
    WriteAction.RUN_SCHEDULE: _Endpoint(paths.schedule, "/play", acknowledged),
    WriteAction.OWN_SCHEDULE: _Endpoint(paths.schedule, "/take_ownership", ResultDecoder(Schedule)),
    WriteAction.DELETE_SCHEDULE: _Endpoint(paths.schedule, "", acknowledged, "DELETE"),
}

RECORDS: Final[Mapping[str, Callable[[ProjectRef, int], Endpoint[Any]]]] = {
    "pipeline": pipelines.pipeline,
    "job": jobs.job,
    "schedule": schedules.schedule,
}
"""Endpoint of the target record, by kind."""


def record_action(what: RecordAction) -> Write[Any]:
    path, verb, decode, method = _ENDPOINTS[what.action]
    where = f"{path(what.project, what.id)}{verb}"
    return Write(what.action.value, where, decode, method=method, optional=True)
