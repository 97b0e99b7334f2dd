"""List the jobs of a project, newest first, or of one pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from platui.analysis.attempts import by_stage
from platui.cli.command_options import ListOptions, list_command, status_option
from platui.cli.completions import first_project
from platui.cli.options import is_address
from platui.cli.reading import gather, resources
from platui.cli.target_lookup import resolve_target
from platui.cli.targets import Kind, Target, project_at, split_number, target_at
from platui.core.errors import ConfigError
from platui.core.lazy_module import LazyModule
from platui.core.text import shorten
from platui.models.values.queries import JobsQuery

if TYPE_CHECKING:
    from platui.cli.output.lists import ListReader
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.wire import Job
    from platui.models.wire.jobs import Step
    from platui.ui import addresses
else:
    addresses = LazyModule("platui.ui.addresses")

_HINT: Final = "platui jobs --help"

_EXAMPLES: Final = """
jobs acme/warehouse-core 4711
jobs warehouse-core --status failed --limit 20
jobs https://platform.example/acme/etl/-/pipelines/4711 --json
"""


@list_command("jobs", _EXAMPLES)
@click.argument(
    "words", nargs=-1, metavar="(PROJECT [PIPELINE] | URL)", shell_complete=first_project
)
@status_option("scope", "Filter by status, e.g. failed; repeatable.", multiple=True)
@click.option("--retried", is_flag=True, help="With a pipeline: include retried attempts.")
def jobs_command(
    options: Options,
    *,
    words: tuple[str, ...],
    scope: tuple[str, ...],
    retried: bool,
    list_options: ListOptions,
) -> None:
    """List the jobs of PROJECT, newest first, or of one PIPELINE, by stage.

    PROJECT is a path or its end, or an id; PIPELINE is an id; URL is that of a
    project or pipeline.
    """
    from platui.cli.output.lists import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.jobs import JOBS  # noqa: PLC0415  (not for help or completion)

    async def read(reader: ListReader[Step]) -> Listing[Job]:
        query = replace(_query(words, reader.address), scope=scope, with_retried=retried)
        if retried and query.pipeline is None:
            raise ConfigError("--retried needs a pipeline; the jobs of a project include all "
                              "attempts.", hint=_HINT)  # fmt: skip
        of = f" with status {' or '.join(scope)}" if scope else ""
        where = shorten(str(query.project), 100)
        where = where if query.pipeline is None else f"pipeline #{query.pipeline} of {where}"
        reader.empty = f"No jobs{shorten(of, 80)} in {where}."
        if query.pipeline is None:
            return await reader.in_project(
                query.project, lambda project: _read(reader, replace(query, project=project))
            )
        await reader.service.start()

        async def ask(found: Target) -> Listing[Job]:
            reader.printer.project = found.project
            return await _read(reader, replace(query, project=found.project))

        target = Target(Kind.PIPELINE, query.project, query.pipeline)
        return await resolve_target(reader.service, target, ask)

    print_list(options, list_options, "jobs", JOBS, read, words=words)


def _query(words: Sequence[str], base: str) -> JobsQuery:
    if len(split_number(words)) > 1:
        target = target_at(words, base, Kind.PIPELINE, _HINT)
        return JobsQuery(target.project, target.id)
    place = addresses.route_of(words[0], base) if words and is_address(words[0]) else None
    if place is not None and place.job is not None:
        raise ConfigError("This is the URL of a job.", hint="Use platui job.")
    if place is not None and place.project is not None:
        return JobsQuery(place.project, place.pipeline)
    return JobsQuery(project_at(words, base, _HINT))


async def _read(reader: ListReader[Step], query: JobsQuery) -> Listing[Job]:
    if query.pipeline is None:
        return await reader.gather(resources.jobs.jobs(query))
    # A pipeline has few jobs, and its stage order needs all of them, with earlier attempts.
    all_jobs = resources.jobs.jobs(replace(query, scope=(), with_retried=True))
    every = await gather(reader.service, "jobs", all_jobs, None)
    ordered = by_stage(every.items, with_retried=query.with_retried)
    fitting = [one for one in ordered if not query.scope or one.status in query.scope]
    found = replace(every, items=tuple(fitting), total=len(fitting)).first(reader.limit)
    reader.take(found.items)
    return found
