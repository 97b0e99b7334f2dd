"""`platui jobs`: those of a project, newest first, or all of one pipeline."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from platui.analysis.attempts import stage_order
from platui.cli.connecting import platform_of
from platui.cli.list_options import list_epilog, lists, tell_unknown, words_of
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.listing import Gathered, gather, tell_rest
from platui.cli.objects import job_object
from platui.cli.options import is_address
from platui.cli.patience import narrate
from platui.cli.project_words import in_project
from platui.cli.targets import Kind, project_at, target_at
from platui.core.errors import ConfigError
from platui.core.text import clean, shorten
from platui.models.values.queries import JobsQuery
from platui.present.jobs import run_seconds
from platui.present.status import STATUSES, status_cell
from platui.present.times import age, duration
from platui.service.addresses import place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from platui.cli.connecting import Platform
    from platui.cli.list_options import Asked
    from platui.config.settings import Options
    from platui.models import Job
    from platui.models.values.queries import ProjectRef

_HINT: Final = "platui jobs --help"
_HEADS: Final = ("STATUS", "ID", "STAGE", "JOB", "PIPELINE", "REF", "AGE", "TOOK")
COLUMNS: Final = (
    "id", "status", "name", "stage", "ref", "pipeline_id", "allow_failure", "failure_reason",
    "created_at", "started_at", "finished_at", "duration", "queued_duration", "web_url",
)  # fmt: skip
_SPARE: Final = ((5, 12), (3, 20), (2, 10), (5, 0), (2, 0), (6, 0), (3, 8))

_EXAMPLES: Final = """
jobs acme/warehouse-core 4711
jobs warehouse-core --scope failed --limit 20
jobs https://platform.example/acme/etl/-/pipelines/4711 --json
"""


@click.command("jobs", epilog=list_epilog(_EXAMPLES))
@click.argument("words", nargs=-1, metavar="(PROJECT [PIPELINE] | URL)")
@click.option("--scope", multiple=True, metavar="STATUS", shell_complete=words_of(STATUSES),
              help="Of this status, such as failed; may be repeated.")  # fmt: skip
@click.option("--retried", is_flag=True, help="Of a pipeline: earlier attempts, too.")
@lists
@click.pass_obj
def jobs_command(
    options: Options,
    *,
    words: tuple[str, ...],
    scope: tuple[str, ...],
    retried: bool,
    asked: Asked,
) -> int:
    """List the jobs of PROJECT, newest first, or all of one PIPELINE of it, by stage.

    PROJECT is a path or the end of one, or an id; the URL is of a project or a
    pipeline, and PIPELINE a number.
    """
    tell_unknown("--scope", scope, STATUSES)
    with platform_of(options, words) as platform:
        query = replace(_query(words, platform.address), scope=scope, with_retried=retried)
        if retried and query.pipeline is None:
            raise ConfigError("The jobs of a project have all attempts: --retried is for those "
                              "of a pipeline.", hint=_HINT)  # fmt: skip
        clock, look = platform.service.clock, look_of(platform, options)
        with printing("jobs", asked, lambda: job_sheet(clock.now()), look) as printer:
            gathered = platform.read(_gathered(platform, query, asked, printer.take))
        if not gathered.items:
            of = f" that {'is' if len(scope) == 1 else 'are'} {' or '.join(scope)}" if scope else ""
            narrate(f"There are no jobs{shorten(of, 80)} in {_where(query)}.")
        tell_rest(gathered, "jobs")
    return 0


def _query(words: Sequence[str], base: str) -> JobsQuery:
    """Return whose jobs are meant.

    Raises:
        ConfigError: the words name nothing of this platform.
    """
    if len(words) > 1:
        target = target_at(words, base, Kind.PIPELINE, _HINT)
        return JobsQuery(target.project, target.id)
    place = place_of(words[0], base) if words and is_address(words[0]) else None
    if place is not None and place.job is not None:
        raise ConfigError("That is the address of one job.", hint="platui job tells of it.")
    if place is not None and place.project is not None:
        return JobsQuery(place.project, place.pipeline)
    return JobsQuery(project_at(words, base, _HINT))


async def _gathered(
    platform: Platform, query: JobsQuery, asked: Asked, take: Callable[[Iterable[Job]], None]
) -> Gathered[Job]:
    service = platform.service
    await service.start()

    async def ask(project: ProjectRef) -> Gathered[Job]:
        of = replace(query, project=project)
        if of.pipeline is None:
            return await gather("jobs", service.feeds.watch_jobs(of), asked.limit, take)
        # All of a pipeline are few, and whether they may still change is told by all of them.
        feed = service.feeds.watch_jobs(replace(of, scope=()))
        every = await gather("jobs", feed, None)
        found = _first(every, of, asked.limit)
        take(found.items)
        return found

    return await in_project(service, query.project, ask)


def _first(every: Gathered[Job], query: JobsQuery, limit: int | None) -> Gathered[Job]:
    """Return as many jobs of a pipeline as are wanted, in the order of its stages."""
    order = stage_order(every.items)
    fitting = [one for one in every.items if not query.scope or one.status in query.scope]
    fitting.sort(key=lambda one: (order[one.stage], one.id))
    some = tuple(fitting if limit is None else fitting[:limit])
    return Gathered(some, len(fitting), len(some) < len(fitting))


def _where(query: JobsQuery) -> str:
    where = shorten(str(query.project), 100)
    return where if query.pipeline is None else f"pipeline #{query.pipeline} of {where}"


def job_sheet(now: datetime) -> Sheet[Job]:
    """Return how jobs are printed."""

    def row(one: Job) -> tuple[str, ...]:
        return (
            status_cell(one.status).text,
            str(one.id),
            clean(one.stage),
            shorten(one.name, 80) + " (may fail)" * one.allow_failure,
            str(one.pipeline.id) if one.pipeline is not None else "-",
            clean(one.ref),
            age(one.created_at, now),
            duration(run_seconds(one, now)) or "-",
        )

    return Sheet(
        _HEADS,
        row,
        lambda one: job_object(one, now),
        COLUMNS,
        right={1, 4, 6, 7},
        spare=_SPARE,
        status=lambda one: one.status,
    )
