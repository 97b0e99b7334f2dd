"""Show a pipeline with its jobs, child pipelines and variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.analysis.attempts import by_stage
from platui.cli.command_options import READING, command
from platui.cli.completions import first_project
from platui.cli.connection import open_platform
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.reading import gather, resources
from platui.cli.target_lookup import read_pipeline
from platui.core.named_tuple import NamedTuple
from platui.models.values.queries import JobsQuery, ProjectRef

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.wire import Bridge, Job, Pipeline, Variable
    from platui.service import PlatformService

_EXAMPLES: Final = """
pipeline acme/warehouse-core 4711
pipeline https://platform.example/acme/etl/-/pipelines/4711
pipeline etl 4711 --json | jq '.jobs[] | {name, status}'
"""
_MORE: Final = """\b
Variables are shown if the token has access to them; values of variables with
the name of a secret are masked.
"""


class _Record(NamedTuple):
    project: ProjectRef
    pipeline: Pipeline
    jobs: tuple[Job, ...]  # In stage order
    bridges: tuple[Bridge, ...]
    variables: tuple[Variable, ...] | None  # None if the token has no access


@command("pipeline", _EXAMPLES, *READING, more=_MORE, json=True)
@click.argument("words", nargs=-1, metavar="(PROJECT PIPELINE | URL)", shell_complete=first_project)
def pipeline_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> None:
    """Show a pipeline and its jobs, child pipelines and variables.

    PROJECT is a path or its end, or an id. The exit code is 0 whatever the status of
    the pipeline; that of `platui wait` depends on it.
    """
    from platui.cli.output.lists import as_of_now, record_lines, style_of, titled_table  # noqa: PLC0415  (not for help or completion)
    from platui.present.details.pipelines import pipeline_details  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables import records  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.jobs import JOBS  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.pipelines import PIPELINES  # noqa: PLC0415  (not for help or completion)

    with open_platform(options, words) as platform:
        record = read_pipeline(platform, words, _fetch, "platui pipeline --help", "Use platui job.")
        at = as_of_now(platform)()
        if as_json:
            variables = record.variables
            print_object(
                {
                    "project": record.project,
                    **records.PIPELINE_RECORDS.object(record.pipeline, at),
                    "variables": None
                    if variables is None
                    else [records.VARIABLES.object(one, at) for one in variables],
                    "jobs": [JOBS.object(one, at) for one in record.jobs],
                    "bridges": [records.BRIDGES.object(one, at) for one in record.bridges],
                }
            )
            return
        style = style_of(platform)
        print_lines(record_lines(pipeline_details(record.pipeline, at, record.project), style))
        print_lines(titled_table("variables", record.variables or (), records.VARIABLES, at, style))
        print_lines(titled_table("jobs", record.jobs, JOBS, at, style))
        children = [one.downstream_pipeline for one in record.bridges if one.downstream_pipeline]
        print_lines(titled_table("child pipelines", children, PIPELINES, at, style))


async def _fetch(service: PlatformService, of: ProjectRef, pipeline: Pipeline) -> _Record:
    import asyncio  # noqa: PLC0415  (not for help or completion)

    repository = await service.repository()
    all_jobs = resources.jobs.jobs(JobsQuery(of, pipeline.id, with_retried=True))
    jobs, bridges, variables = await asyncio.gather(
        gather(service, "jobs", all_jobs, None),
        gather(service, "child pipelines", resources.pipelines.bridges(of, pipeline.id), None),
        repository.variables(of, pipeline.id),
    )
    return _Record(of, pipeline, tuple(by_stage(jobs.items)), bridges.items, variables)
