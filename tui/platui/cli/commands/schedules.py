"""The same as `platui schedule list`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import ListOptions, list_command
from platui.cli.completions import first_project
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.reading import gather, read, resources
from platui.cli.targets import project_at
from platui.models.values.feeds import Listing
from platui.models.values.queries import PipelinesQuery, ProjectRef

if TYPE_CHECKING:
    from platui.cli.output.lists import ListReader
    from platui.config.settings import Options
    from platui.models.wire import Schedule
    from platui.present.tables.schedules import ScheduleLine

_EXAMPLES: Final = """
schedules acme/etl
schedules etl --json | jq 'select(.active | not)'
"""
NO_LIST: Final = """\b
If the platform does not list schedules, those created by platui are printed
as created, and the exit code is 4.
"""


@list_command("schedules", _EXAMPLES, more=NO_LIST)
@click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project)
def schedules_command(
    options: Options, *, project: tuple[str, ...], list_options: ListOptions
) -> int:
    """List the schedules of PROJECT with their next run and owner.

    PROJECT is a path or its end, an id, or a URL. See also `platui schedule`.
    """
    return list_schedules(options, project, list_options)


def list_schedules(options: Options, words: tuple[str, ...], list_options: ListOptions) -> int:
    from platui.cli.output.lists import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.schedules import SCHEDULES  # noqa: PLC0415  (not for help or completion)

    hint = f"{click.get_current_context().command_path} --help"

    async def read(reader: ListReader[ScheduleLine]) -> Listing[Schedule]:
        named = project_at(words, reader.address, hint)
        listing = await reader.in_project(named, lambda project: _read(reader, project))
        if listing.is_supported:
            reader.empty = "No schedules in this project."
        return listing

    listing = print_list(options, list_options, "schedules", SCHEDULES, read, words=words)
    return Exit.DONE if listing.is_supported else Exit.REFUSED


async def _read(reader: ListReader[ScheduleLine], project: ProjectRef) -> Listing[Schedule]:
    from platui.present.schedules.runs import ScheduleState, sent_records  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.schedules import schedule_line  # noqa: PLC0415  (not for help or completion)

    service = reader.service

    def take(some: Iterable[Schedule]) -> None:
        now = service.clock.now()
        reader.take(schedule_line(ScheduleState(one), now, now) for one in some)

    listed = resources.schedules.schedules(project)
    listing = await gather(service, "schedules", listed, reader.limit, take)
    if listing.is_supported:
        return listing
    # Some platforms answer the same for a missing project.
    pipelines = resources.pipelines.pipelines(PipelinesQuery(project))
    await read(service, "the project", pipelines, pages=1)
    sent = tuple(sent_records(await service.write_service.sent_schedules(project)))
    known = ": showing those created by platui, as created."
    print_notice(
        "This platform does not support listing schedules"
        + (known if sent else ", and platui created none here.")
    )
    take(sent)
    return Listing(sent, complete=True, is_supported=False)
