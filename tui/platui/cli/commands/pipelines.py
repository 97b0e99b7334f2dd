"""List the pipelines of a project, newest first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import ListOptions, list_command, status_option, warn_unknown
from platui.cli.completions import first_project, words_of
from platui.cli.output.progress import print_notice
from platui.cli.reading import gather, resources
from platui.cli.targets import project_at
from platui.core.errors import ConfigError, NotSupportedError
from platui.core.text import shorten
from platui.models.values.queries import PipelinesQuery, ProjectRef

if TYPE_CHECKING:
    from platui.cli.output.lists import ListReader
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.wire import Pipeline

_HINT: Final = "platui pipelines --help"
SOURCES: Final = (
    "push", "web", "trigger", "schedule", "api", "pipeline", "parent_pipeline", "chat", "external",
    "merge_request_event",
)  # fmt: skip

_EXAMPLES: Final = """
pipelines acme/warehouse-core
pipelines warehouse-core --status failed --ref main --limit 10
pipelines 42 --all --csv > pipelines.csv
"""


@list_command("pipelines", _EXAMPLES)
@click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project)
@status_option("status", "Filter by status, e.g. failed.")
@click.option("--ref", default="", metavar="REF", help="Filter by branch or tag.")
@click.option("--source", default="", metavar="SOURCE", shell_complete=words_of(SOURCES),
              help="Filter by source: push, schedule, api, web, trigger…")  # fmt: skip
@click.option("--sha", default="", metavar="COMMIT", help="Filter by commit SHA or its prefix.")
def pipelines_command(
    options: Options, /, *, project: tuple[str, ...], list_options: ListOptions, **filters: str
) -> None:
    """List the pipelines of PROJECT, newest first.

    PROJECT is a path or its end, an id, or a URL.
    """
    sha = filters["sha"]
    filters["sha"] = sha.lower()
    if not set("0123456789abcdef").issuperset(filters["sha"]):
        raise ConfigError(f'Invalid commit SHA "{shorten(sha, 60)}".', hint=_HINT)
    warn_unknown("--source", (filters["source"],), SOURCES)
    from platui.cli.output.lists import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.pipelines import PIPELINES  # noqa: PLC0415  (not for help or completion)

    async def read(reader: ListReader[Pipeline]) -> Listing[Pipeline]:
        where = project_at(project, reader.address, _HINT)
        of = " matching the filters" if any(filters.values()) else ""
        reader.empty = f"No pipelines{of} in {shorten(str(where), 100)}."
        return await _read(reader, PipelinesQuery(where, **filters))

    print_list(options, list_options, "pipelines", PIPELINES, read, words=project)


async def _read(reader: ListReader[Pipeline], query: PipelinesQuery) -> Listing[Pipeline]:
    async def ask(project: ProjectRef) -> Listing[Pipeline]:
        return await gather(
            reader.service,
            "pipelines",
            resources.pipelines.pipelines(replace(query, project=project)),
            reader.limit,
            lambda some: reader.take(one for one in some if one.source or not query.source),
        )

    listing = await reader.in_project(query.project, ask)
    if not query.source or all(one.source for one in listing.items):
        return listing
    with_source = tuple(one for one in listing.items if one.source)
    if not with_source:
        raise NotSupportedError(
            "--source is not supported: this platform does not name the source of pipelines.",
            hint="Omit --source.",
        )
    print_notice("Pipelines without a known source are omitted: --source cannot match them.")
    return replace(listing, items=with_source, total=None)
