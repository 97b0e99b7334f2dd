"""`platui pipelines`: the pipelines of a project, newest first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from platui.cli.connecting import platform_of
from platui.cli.list_options import list_epilog, lists, tell_unknown, words_of
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.listing import gather, tell_rest
from platui.cli.objects import pipeline_object
from platui.cli.patience import narrate
from platui.cli.project_words import in_project
from platui.cli.targets import project_at
from platui.core.errors import ConfigError, NotOfferedError
from platui.core.text import clean, shorten
from platui.models.values.queries import PipelinesQuery
from platui.present.pipelines import took
from platui.present.status import STATUSES, status_cell
from platui.present.times import age, duration

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from platui.cli.connecting import Platform
    from platui.cli.list_options import Asked
    from platui.cli.listing import Gathered
    from platui.config.settings import Options
    from platui.models import Pipeline
    from platui.models.values.queries import ProjectRef

_HINT: Final = "platui pipelines --help"
_HEADS: Final = ("STATUS", "ID", "REF", "COMMIT", "SOURCE", "NAME", "AGE", "TOOK")
_COLUMNS: Final = (
    "id", "status", "ref", "sha", "source", "name", "created_at", "updated_at", "took", "web_url",
)  # fmt: skip
_SPARE: Final = ((5, 12), (2, 20), (5, 0), (4, 0), (3, 0), (2, 8))
SOURCES: Final = (
    "push", "web", "trigger", "schedule", "api", "pipeline", "parent_pipeline", "chat", "external",
    "merge_request_event",
)  # fmt: skip
_HEXADECIMAL: Final = frozenset("0123456789abcdef")

_EXAMPLES: Final = """
pipelines acme/warehouse-core
pipelines warehouse-core --status failed --ref main --limit 10
pipelines 42 --all --csv > pipelines.csv
"""


@click.command("pipelines", epilog=list_epilog(_EXAMPLES))
@click.argument("project", nargs=-1, metavar="PROJECT")
@click.option("--status", default="", metavar="STATUS", help="Such as failed or running.",
              shell_complete=words_of(STATUSES))  # fmt: skip
@click.option("--ref", default="", metavar="REF", help="Of this branch or tag.")
@click.option("--source", default="", metavar="SOURCE", shell_complete=words_of(SOURCES),
              help="What started it: push, schedule, api, web, trigger…")  # fmt: skip
@click.option("--sha", default="", metavar="COMMIT", help="Of this commit, or its beginning.")
@lists
@click.pass_obj
def pipelines_command(
    options: Options,
    *,
    project: tuple[str, ...],
    status: str,
    ref: str,
    source: str,
    sha: str,
    asked: Asked,
) -> int:
    """List the pipelines of PROJECT, newest first.

    PROJECT is a path or the end of one, an id, or an address of the platform's pages.
    """
    if not _HEXADECIMAL.issuperset(sha.lower()):
        raise ConfigError(f"{shorten(sha, 60)} is no commit.", hint=_HINT)
    tell_unknown("--status", (status,), STATUSES)
    tell_unknown("--source", (source,), SOURCES)
    with platform_of(options, project) as platform:
        where = project_at(project, platform.address, _HINT)
        query = PipelinesQuery(where, status, ref, source, sha.lower())
        clock, look = platform.service.clock, look_of(platform, options)
        with printing("pipelines", asked, lambda: pipeline_sheet(clock.now()), look) as printer:
            gathered = platform.read(_gathered(platform, query, asked, printer.take))
        if not gathered.items:
            of = " of that kind" if status or ref or source or sha else ""
            narrate(f"There are no pipelines{of} in {shorten(str(where), 100)}.")
        tell_rest(gathered, "pipelines")
    return 0


async def _gathered(
    platform: Platform,
    query: PipelinesQuery,
    asked: Asked,
    take: Callable[[Iterable[Pipeline]], None],
) -> Gathered[Pipeline]:
    service = platform.service
    await service.start()

    def take_telling(pipelines: Iterable[Pipeline]) -> None:
        take(one for one in pipelines if one.source or not query.source)

    async def ask(project: ProjectRef) -> Gathered[Pipeline]:
        feed = service.feeds.watch_pipelines(replace(query, project=project))
        return await gather("pipelines", feed, asked.limit, take_telling)

    gathered = await in_project(service, query.project, ask)
    if not query.source or all(one.source for one in gathered.items):
        return gathered
    telling = tuple(one for one in gathered.items if one.source)
    sentence = "does not tell what started a pipeline: --source has nothing to go by."
    if not telling:
        raise NotOfferedError(f"This platform {sentence}", hint="Leave --source out.")
    narrate(f"Of some pipelines this platform {sentence.replace(' a pipeline', ' them')}")
    return gathered._replace(items=telling, total=None)


def pipeline_sheet(now: datetime) -> Sheet[Pipeline]:
    """Return how pipelines are printed."""

    def row(one: Pipeline) -> tuple[str, ...]:
        return (
            status_cell(one.status).text,
            str(one.id),
            clean(one.ref),
            clean(one.sha[:8]),
            clean(one.source) or "-",
            shorten(one.name, 60) or "-",
            age(one.created_at, now),
            duration(took(one, now)) or "-",
        )

    return Sheet(
        _HEADS,
        row,
        lambda one: pipeline_object(one, now),
        _COLUMNS,
        right={1, 6, 7},
        spare=_SPARE,
        status=lambda one: one.status,
    )
