"""`platui projects`: what one may see of the platform's projects, and how they ran last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.connecting import platform_of
from platui.cli.exits import Exit, exit_code_of
from platui.cli.last_runs import LastRun, last_runs, tell_unknown
from platui.cli.list_options import list_epilog, lists
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.listing import gather, tell_rest
from platui.cli.objects import pipeline_object, project_object
from platui.cli.patience import narrate
from platui.core.errors import ConfigError
from platui.core.text import clean, shorten
from platui.models.values.queries import Belonging, ProjectsQuery
from platui.present.status import status_cell
from platui.present.times import age

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from platui.cli.connecting import Platform
    from platui.cli.list_options import Asked
    from platui.cli.listing import Gathered
    from platui.config.settings import Options
    from platui.models import Project

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
_COLUMNS: Final = (
    "id", "path_with_namespace", "name", "description", "default_branch", "visibility",
    "created_at", "last_activity_at", "web_url",
)  # fmt: skip
_RUN_COLUMNS: Final = tuple(
    f"last_pipeline.{name}" for name in ("status", "id", "ref", "created_at", "took", "web_url")
)
_NONE: Final = "-"


@click.command("projects", epilog=list_epilog(_EXAMPLES, _MORE))
@click.option("--search", default="", metavar="TEXT", help="Only those with it in name or path.")
@click.option("--member", is_flag=True, help="Those you are a member of; so it is without.")
@click.option("--owned", is_flag=True, help="Only those you own.")
@click.option("--visible", is_flag=True, help="All that you may see, such as public ones.")
@click.option("--last-run", "runs", is_flag=True, help="How the newest pipeline of each stands.")
@lists
@click.pass_obj
def projects_command(
    options: Options,
    *,
    search: str,
    member: bool,
    owned: bool,
    visible: bool,
    runs: bool,
    asked: Asked,
) -> int:
    """List the projects that you are a member of."""
    if member + owned + visible > 1:
        raise ConfigError("--member, --owned or --visible: one of them.", hint=_HINT)
    which = Belonging.OWNED if owned else Belonging.VISIBLE if visible else Belonging.MEMBER
    with platform_of(options) as platform:
        query = ProjectsQuery(search, which)
        clock, look = platform.service.clock, look_of(platform, options)

        def sheet() -> Sheet[LastRun]:
            return _sheet(clock.now(), runs=runs)

        with printing("projects", asked, sheet, look) as printer:
            read = _gathered(platform, query, asked, printer.take, runs=runs)
            gathered, ran = platform.read(read)
        _tell(gathered, query)
        failure = tell_unknown(ran)
    return Exit.DONE if failure is None else exit_code_of(failure)


async def _gathered(
    platform: Platform,
    query: ProjectsQuery,
    asked: Asked,
    take: Callable[[Iterable[LastRun]], None],
    *,
    runs: bool,
) -> tuple[Gathered[Project], list[LastRun]]:
    """Read projects, and give each on: as soon as it is known, or with how it ran last.

    Returns the projects, and how they ran, if that is asked for.
    """
    service = platform.service
    await service.start()
    feed = service.feeds.watch_projects(query)
    if not runs:
        alone = await gather("projects", feed, asked.limit, lambda some: take(map(LastRun, some)))
        return alone, []
    gathered = await gather("projects", feed, asked.limit)
    return gathered, await last_runs(service, gathered.items, take)


def _tell(gathered: Gathered[Project], query: ProjectsQuery) -> None:
    """Say what was not printed, and what is not known of what was."""
    owned = query.belonging is Belonging.OWNED
    if owned and any(one.permissions is None for one in gathered.items):
        narrate("This platform does not say who owns a project: some may be of others.")
    if not gathered.items:
        of = f" with {shorten(query.search, 60)} in it" if query.search else " for this token"
        narrate(f"There is no project{of}.")
    tell_rest(gathered, "projects")


def _sheet(now: datetime, *, runs: bool) -> Sheet[LastRun]:
    if runs:
        return Sheet(
            ("STATUS", "AGE", "PROJECT", "REF", "PROJECT ID"),
            lambda one: _run_row(one, now),
            lambda one: _run_object(one, now),
            (*_COLUMNS, *_RUN_COLUMNS),
            right={1, 4},
            spare=((3, 10), (2, 24), (3, 0)),
            status=lambda one: one.pipeline.status if one.pipeline is not None else "",
        )
    return Sheet(
        ("ID", "PROJECT", "ACTIVE", "DESCRIPTION"),
        lambda one: _row(one.project, now),
        lambda one: project_object(one.project),
        _COLUMNS,
        right={0, 2},
        spare=((3, 20), (1, 30), (3, 0)),
    )


def _row(one: Project, now: datetime) -> tuple[str, ...]:
    return (
        str(one.id),
        _called(one),
        age(one.last_activity_at, now) or _NONE,
        shorten(one.description, 120) or _NONE,
    )


def _run_row(one: LastRun, now: datetime) -> tuple[str, ...]:
    name, pipeline = _called(one.project), one.pipeline
    if pipeline is None:
        return "none yet" if one.is_known else "?", _NONE, name, _NONE, str(one.project.id)
    return (
        status_cell(pipeline.status).text,
        age(pipeline.created_at, now) or _NONE,
        name,
        clean(pipeline.ref),
        str(one.project.id),
    )


def _run_object(one: LastRun, now: datetime) -> dict[str, Any]:
    pipeline = None if one.pipeline is None else pipeline_object(one.pipeline, now)
    return {**project_object(one.project), "last_pipeline": pipeline}


def _called(one: Project) -> str:
    return clean(one.path_with_namespace or one.name)
