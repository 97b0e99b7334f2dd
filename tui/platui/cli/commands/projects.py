"""`platui projects`: list projects, on request with their last pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.exit_codes import Exit, exit_code_of
from platui.cli.list_options import list_command, with_text
from platui.cli.output.progress import print_notice
from platui.cli.reading import gather, resources
from platui.core.errors import ConfigError
from platui.models.values.queries import ProjectScope, ProjectsQuery

if TYPE_CHECKING:
    from platui.cli.list_command import ListReader
    from platui.cli.list_options import ListOptions
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
--last-run costs a request for each project that is printed, of the 600 that
one has in a minute. Where a project does not tell, ? stands there, and the
exit code is 3 if another try may help.
"""


@list_command("projects", _EXAMPLES, more=_MORE)
@click.option("--search", default="", metavar="TEXT", help="Only those with it in name or path.")
@click.option("--member", is_flag=True, help="Those you are a member of; so it is without.")
@click.option("--owned", is_flag=True, help="Only those you own.")
@click.option("--visible", is_flag=True, help="All that you may see, such as public ones.")
@click.option("--last-run", "runs", is_flag=True, help="How the newest pipeline of each stands.")
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
    """List the projects that you are a member of."""
    if member + owned + visible > 1:
        raise ConfigError("--member, --owned or --visible: one of them.", hint=_HINT)
    which = (
        ProjectScope.OWNED if owned else ProjectScope.VISIBLE if visible else ProjectScope.MEMBER
    )
    query = ProjectsQuery(search, which)
    from platui.cli.last_runs import last_runs, warn_unknown  # noqa: PLC0415  (not for help or completion)
    from platui.cli.list_command import print_list  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.projects import (  # noqa: PLC0415  (not for help or completion)
        PROJECT_RECORDS,
        PROJECTS,
        LastRun,
    )

    ran: list[LastRun] = []

    async def read(reader: ListReader[LastRun]) -> Listing[Project]:
        service, limit = reader.service, reader.limit
        await service.start()
        wanted = resources.projects.projects(query)
        if not runs:
            return await gather(
                service, "projects", wanted, limit, lambda some: reader.take(map(LastRun, some))
            )
        listing = await gather(service, "projects", wanted, limit)
        ran.extend(await last_runs(service, listing.items, reader.take))
        return listing

    listing = print_list(
        options,
        list_options,
        "projects",
        PROJECTS if runs else PROJECT_RECORDS,
        read,
        empty=f"There is no project{with_text(search)}.",
    )
    if owned and any(one.permissions is None for one in listing.items):
        print_notice("This platform does not say who owns a project: some may be of others.")
    failure = warn_unknown(ran)
    return Exit.DONE if failure is None else exit_code_of(failure)
