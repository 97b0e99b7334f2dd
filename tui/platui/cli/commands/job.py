"""Show a job, and where to find its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command, find_job_options
from platui.cli.completions import first_project
from platui.cli.connection import Platform, open_platform
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.reading import read, resources
from platui.cli.targets import command_of, is_in_job, project_of_job
from platui.core.lazy_module import LazyModule
from platui.core.named_tuple import NamedTuple

if TYPE_CHECKING:
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Job
    from platui.ui import addresses
else:
    addresses = LazyModule("platui.ui.addresses")

_HINT: Final = "platui job --help"
_EXAMPLES: Final = """
job acme/warehouse-core 81234
job etl dbt_run --ref main
job https://platform.example/acme/etl/-/jobs/81234 --json
"""
_MORE: Final = """\b
Inside a pipeline job, the default is that job; the job's token suffices.
"""


class _Found(NamedTuple):
    job: Job
    project: ProjectRef | None = None
    is_own: bool = False  # Read with the job's own token, which cannot read its log
    note: str = ""


@command("job", _EXAMPLES, *READING, more=_MORE, json=True)
@click.argument("words", nargs=-1, metavar="(PROJECT JOB | URL)", shell_complete=first_project)
@find_job_options
def job_command(
    options: Options, *, words: tuple[str, ...], pipeline: int | None, ref: str, as_json: bool
) -> None:
    """Show a job: status, failure reason, commit, runner and artifacts.

    PROJECT is a path or its end, or an id. JOB is an id, or a name: the newest attempt
    in the project's newest pipeline, or in the one that --pipeline or --ref selects.
    """
    from platui.cli.output.lists import as_of_now, record_lines, style_of  # noqa: PLC0415  (not for help or completion)
    from platui.present.details.jobs import job_details  # noqa: PLC0415  (not for help or completion)
    from platui.present.details.layout import details  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.records import JOB_RECORDS  # noqa: PLC0415  (not for help or completion)

    with open_platform(options, words) as platform:
        found = platform.read(_find(platform, words, pipeline, ref))
        if found.note:
            print_notice(found.note)
        log = None
        if found.project is not None and not found.is_own:
            job_id = str(found.job.id)
            log = command_of(platform.service.profile, "log", str(found.project), job_id)
        at = as_of_now(platform)()
        if as_json:
            record = JOB_RECORDS.object(found.job, at)
            print_object({"project": found.project, **record, "log_command": log})
            return
        style = style_of(platform)
        pane = job_details(found.job, at, is_printed=True)
        where = details("", {"log": [("command", log or "")]})
        pane = pane._replace(groups=(*pane.groups, *where.groups))
        print_lines(record_lines(pane, style))


async def _find(
    platform: Platform, words: tuple[str, ...], pipeline: int | None, ref: str
) -> _Found:
    from platui.cli.job_lookup import find_job  # noqa: PLC0415  (not for help or completion)
    from platui.cli.target_lookup import resolve_target  # noqa: PLC0415  (not for help or completion)

    await platform.service.start()
    if not words and is_in_job(platform.environ, platform.address):
        job = await read(platform.service, "this job", resources.jobs.own_job())
        place = addresses.route_of(job.web_url, platform.address)
        project = project_of_job(platform.environ, platform.address)
        return _Found(job, project or (None if place is None else place.project), is_own=True)
    named = await find_job(platform, words, pipeline, ref, _HINT)

    async def ask(target: Target) -> _Found:
        wanted = resources.jobs.job(target.project, target.id)
        record = await read(platform.service, "this job", wanted)
        return _Found(record, target.project, note=named.note)

    return await resolve_target(platform.service, named.target, ask)
