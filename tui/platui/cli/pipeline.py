"""`platui pipeline`: one pipeline with its jobs, its children and its variables."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from platui.analysis.attempts import stage_order
from platui.cli.asking import first
from platui.cli.connecting import platform_of
from platui.cli.jobs import job_sheet
from platui.cli.list_options import READING
from platui.cli.list_printing import Sheet, look_of
from platui.cli.listing import gather
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.objects import bridge_object, job_object, pipeline_record, variable_object
from platui.cli.pipelines import pipeline_sheet
from platui.cli.record_printing import record_lines, titled_table
from platui.cli.target_words import at_target
from platui.cli.targets import Kind, target_at
from platui.cli.told import say_lines, say_object
from platui.core.errors import ConfigError
from platui.core.secrets import MASK
from platui.core.text import clean
from platui.models.values.queries import JobsQuery
from platui.present.details.pipelines import pipeline_details

if TYPE_CHECKING:
    from datetime import datetime

    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.models import Bridge, Job, Pipeline, Variable
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

_HINT: Final = "platui pipeline --help"
_EXAMPLES: Final = """
pipeline acme/warehouse-core 4711
pipeline https://platform.example/acme/etl/-/pipelines/4711
pipeline etl 4711 --json | jq '.jobs[] | {name, status}'
"""
_MORE: Final = """\b
Its variables are there where the platform tells them to this token; the value
of one whose name is that of a secret is not printed.
"""


class PipelineRecord(NamedTuple):
    """A pipeline, and what belongs to it."""

    project: ProjectRef
    pipeline: Pipeline
    jobs: tuple[Job, ...]
    """In the order of the stages."""
    bridges: tuple[Bridge, ...]
    variables: tuple[Variable, ...] | None
    """None where the platform does not tell them."""


@click.command("pipeline", epilog=epilog(*READING, examples=_EXAMPLES, more=_MORE))
@click.argument("words", nargs=-1, metavar="(PROJECT PIPELINE | URL)")
@json_option
@with_global_options
@click.pass_obj
def pipeline_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> int:
    """Tell all of one pipeline: how it stands, its jobs, child pipelines and variables.

    PROJECT is a path or the end of one, or an id. It ends with 0 however the
    pipeline stands; `platui wait` ends as the pipeline does.
    """
    with platform_of(options, words) as platform:
        target = target_at(words, platform.address, Kind.PIPELINE, _HINT)
        if target.kind is not Kind.PIPELINE:
            raise ConfigError("That is the address of a job.", hint="platui job tells of it.")
        record = platform.read(_asked(platform.service, target))
        now = platform.service.clock.now()
        if as_json:
            say_object(pipeline_shape(record, now))
            return 0
        look = look_of(platform, options)
        say_lines(record_lines(pipeline_details(record.pipeline, now, utc=options.utc), look))
        say_lines(titled_table("variables", record.variables or (), _VARIABLES, look))
        say_lines(titled_table("jobs", record.jobs, job_sheet(now), look))
        children = [one.downstream_pipeline for one in record.bridges if one.downstream_pipeline]
        say_lines(titled_table("child pipelines", children, pipeline_sheet(now), look))
    return 0


async def _asked(service: PlatformService, target: Target) -> PipelineRecord:
    await service.start()

    async def ask(meant: Target) -> PipelineRecord:
        of, pipeline = meant.project, meant.id
        record = await first(
            "this pipeline", service.feeds.watch_pipeline(of, pipeline), lambda _: True
        )
        repository = await service.repository()
        jobs, bridges, variables = await asyncio.gather(
            gather("jobs", service.feeds.watch_jobs(JobsQuery(of, pipeline)), None),
            gather("child pipelines", service.feeds.watch_bridges(of, pipeline), None),
            repository.variables(of, pipeline),
        )
        order = stage_order(jobs.items)
        ordered = sorted(jobs.items, key=lambda one: (order[one.stage], one.id))
        return PipelineRecord(of, record, tuple(ordered), bridges.items, variables)

    return await at_target(service, target, ask)


def pipeline_shape(record: PipelineRecord, now: datetime) -> dict[str, Any]:
    """Return a pipeline with what belongs to it, for JSON."""
    variables = record.variables
    return {
        "project": record.project,
        **pipeline_record(record.pipeline, now),
        "variables": None if variables is None else [variable_object(one) for one in variables],
        "jobs": [job_object(one, now) for one in record.jobs],
        "bridges": [bridge_object(one, now) for one in record.bridges],
    }


def _variable_row(one: Variable) -> tuple[str, ...]:
    shape = variable_object(one)
    value = MASK if shape["is_secret"] else clean(shape["value"])
    return clean(one.key), value or "-", clean(one.variable_type)


_VARIABLES: Final = Sheet(
    ("KEY", "VALUE", "KIND"),
    _variable_row,
    variable_object,
    ("key", "value", "variable_type"),
    spare=((1, 20), (2, 0), (0, 12)),
)
