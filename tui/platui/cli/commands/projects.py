"""List projects, optionally with their newest pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import ListOptions, list_command, with_text
from platui.cli.error_output import exit_code_of
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.reading import gather, resources
from platui.core.errors import ConfigError
from platui.models.values.queries import ProjectScope, ProjectsQuery

if TYPE_CHECKING:
    from platui.cli.output.lists import ListReader
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.wire import Project
    from platui.present.tables.projects import LastRun

_HINT: Final = "platui projects --help"
_EXAMPLES: Final = """
projects --search warehouse
projects --owned --last-run
projects --all --json | jq -r .path_with_namespace
"""
_MORE: Final = """\b
--last-run sends one request per listed project, out of 600 a minute. ? marks
an unknown status; the exit code is 3 if a retry may help.
"""


@list_command("projects", _EXAMPLES, more=_MORE)
@click.option("--search", default="", metavar="TEXT", help="Filter by text in the name or path.")
@click.option("--member", is_flag=True, help="Projects you are a member of (the default).")
@click.option("--owned", is_flag=True, help="Only projects you own.")
@click.option("--visible", is_flag=True, help="All projects you can see, e.g. public ones.")
@click.option("--last-run", "runs", is_flag=True, help="Add the newest pipeline of each project.")
def projects_command(
    options: Options,
    *,
    search: str,
    member: bool,
    owned: bool,
    visible: bool,
    runs: bool,
    list_options: ListOptions,
) -> int:
    """List projects; by default those that you are a member of."""
    if member + owned + visible > 1:
        raise ConfigError("Give only one of --member, --owned and --visible.", hint=_HINT)
    which = (
        ProjectScope.OWNED if owned else ProjectScope.VISIBLE if visible else ProjectScope.MEMBER
    )
    query = ProjectsQuery(search, which)
    from platui.cli.last_runs import last_runs, report_unknown  # noqa: PLC0415  (not for help or completion)
    from platui.cli.output.lists import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables import projects as tables  # noqa: PLC0415  (not for help or completion)

    ran: list[LastRun] = []

    async def read(reader: ListReader[LastRun]) -> Listing[Project]:
        service, limit = reader.service, reader.limit
        await service.start()
        wanted = resources.projects.projects(query)
        if not runs:
            return await gather(
                service,
                "projects",
                wanted,
                limit,
                lambda some: reader.take(map(tables.LastRun, some)),
            )
        listing = await gather(service, "projects", wanted, limit)
        ran.extend(await last_runs(service, listing.items, reader.take))
        return listing

    listing = print_list(
        options,
        list_options,
        "projects",
        tables.PROJECTS if runs else tables.PROJECT_RECORDS,
        read,
        empty=f"No projects found{with_text(search)}.",
    )
    if owned and any(one.permissions is None for one in listing.items):
        print_notice("This platform does not name project owners: some projects may not be yours.")
    failure = report_unknown(ran)
    return Exit.DONE if failure is None else exit_code_of(failure)
