"""Pipelines: lists, details, child pipelines, variables, start, cancel and retry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.api.decoding import PageDecoder, RecordDecoder, ResultDecoder
from platui.api.endpoint import Endpoint, ListEndpoint, record
from platui.api.endpoints import paths
from platui.api.write import Write
from platui.core.secrets import Secret
from platui.models.wire.pipelines import Pipeline

if TYPE_CHECKING:
    from platui.models.values.feeds import Page
    from platui.models.values.queries import PipelinesQuery, ProjectRef
    from platui.models.values.writes import NewPipeline
    from platui.models.wire.jobs import Bridge
    from platui.models.wire.schedules import Variable
    from platui.models.wire.tests import PipelineTests

_WHOLE_SHA: Final = (40, 64)

_NO_PAGES: Final = 1_000_000  # page size of a list that is sent in one page


def pipelines(query: PipelinesQuery) -> ListEndpoint[Pipeline]:
    """List pipelines of a project, newest first (spec §4.3, which has no filters)."""

    def keep(pipeline: Pipeline) -> bool:
        return (
            query.status in {"", pipeline.status}
            and query.ref in {"", pipeline.ref}
            and (not query.source or pipeline.source in {"", query.source})
            and pipeline.sha.startswith(query.sha)
        )

    filters = (
        ("status", query.status),
        ("ref", query.ref),
        ("source", query.source),
        # Platforms do not find abbreviated hashes.
        ("sha", query.sha if len(query.sha) in _WHOLE_SHA else ""),
    )
    is_filtered = query.status or query.ref or query.source or query.sha
    path = f"{paths.project(query.project)}/pipelines"
    return ListEndpoint(path, Pipeline, filters, keep if is_filtered else None)


def pipeline(ref: ProjectRef, pipeline_id: int) -> Endpoint[Pipeline]:
    """Get one pipeline in detail (spec §4.3)."""
    return record(paths.pipeline(ref, pipeline_id), Pipeline)


def bridges(ref: ProjectRef, pipeline_id: int) -> ListEndpoint[Bridge]:
    """List the jobs that start child pipelines (optional)."""
    from platui.models.wire.jobs import Bridge  # noqa: PLC0415  (a list of pipelines needs none)

    return ListEndpoint(f"{paths.pipeline(ref, pipeline_id)}/bridges", Bridge, optional=True)


def test_report(ref: ProjectRef, pipeline_id: int) -> Endpoint[PipelineTests]:
    """Get the results of all tests of a pipeline (optional)."""
    from platui.models.wire.tests import PipelineTests  # noqa: PLC0415  (the same)

    return record(f"{paths.pipeline(ref, pipeline_id)}/test_report", PipelineTests, optional=True)


def variables(ref: ProjectRef, pipeline_id: int) -> Endpoint[Page[Variable]]:
    """List the variables a pipeline was started with (optional), in one page."""
    from platui.models.wire.schedules import Variable  # noqa: PLC0415  (the same)

    whole = PageDecoder(Variable, 1, _NO_PAGES)
    return Endpoint(
        f"{paths.pipeline(ref, pipeline_id)}/variables", whole, cacheable=False, optional=True
    )


def start(new: NewPipeline) -> Write[Pipeline]:
    """Start a pipeline (spec §4.3): `ref` in the query, variables in a JSON body."""
    variables = []
    for one in new.all_variables:
        if isinstance(one.value, Secret):
            value = {"variable_type": "env_var", "secret_value": one.value.reveal()}
        else:
            value = {"value": one.value}
        variables.append({"key": one.key, **value})
    return Write(
        name="start pipeline",
        path=f"{paths.project(new.project)}/pipeline",
        decode=RecordDecoder(Pipeline),
        query=(("ref", new.ref),),
        payload={"variables": variables},
    )


def trigger(new: NewPipeline, token: Secret) -> Write[Pipeline | None]:
    """Start a pipeline with a trigger token instead of the access token (spec §4.3, §5.2)."""
    variables = (
        (item.key, item.value.reveal() if isinstance(item.value, Secret) else item.value)
        for item in new.all_variables
    )
    return Write(
        name="trigger pipeline",
        path=f"{paths.project(new.project)}/trigger/pipeline",
        decode=ResultDecoder(Pipeline),
        payload=(
            ("token", token.reveal()),
            ("ref", new.ref),
            *((f"variables[{key}]", value) for key, value in variables),
        ),
        credential="token",
    )
