"""`platui job`: one job, and where its log is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from platui.cli.asking import first
from platui.cli.connecting import platform_of
from platui.cli.find_job import job_by_name
from platui.cli.job_around import is_in_job, project_around
from platui.cli.list_options import READING
from platui.cli.list_printing import look_of
from platui.cli.log_options import LogOptions
from platui.cli.manner import epilog, json_option, with_global_options
from platui.cli.objects import job_record
from platui.cli.options import is_address
from platui.cli.patience import narrate
from platui.cli.record_printing import record_lines
from platui.cli.target_words import at_target
from platui.cli.targets import Kind, command_of, number_of, target_at
from platui.cli.told import say_lines, say_object
from platui.core.errors import ConfigError
from platui.present.details.jobs import job_details
from platui.present.details.layout import group, with_groups
from platui.service.addresses import place_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.connecting import Platform
    from platui.config.settings import Options
    from platui.models import Job
    from platui.models.values.queries import ProjectRef

_HINT: Final = "platui job --help"
_TWO: Final = 2
_EXAMPLES: Final = """
job acme/warehouse-core 81234
job etl dbt_run --ref main
job https://platform.example/acme/etl/-/jobs/81234 --json
"""
_MORE: Final = """\b
Inside a pipeline job, without words, it is that job: its token opens that.
"""


class _Found(NamedTuple):
    """A job, and the project it was found in."""

    job: Job
    project: ProjectRef | None = None
    """None: nobody tells."""
    is_own: bool = False
    """Whether it is shown to its own token: its log is not to be had then."""
    note: str = ""
    """What was chosen where the words left a choice."""


@click.command("job", epilog=epilog(*READING, examples=_EXAMPLES, more=_MORE))
@click.argument("words", nargs=-1, metavar="(PROJECT JOB | URL)")
@click.option("--pipeline", type=click.IntRange(1), metavar="ID",
              help="The pipeline that a JOB given by its name is of.")  # fmt: skip
@click.option("--ref", default="", metavar="REF",
              help="The branch or tag whose newest pipeline it is of.")  # fmt: skip
@json_option
@with_global_options
@click.pass_obj
def job_command(
    options: Options, *, words: tuple[str, ...], pipeline: int | None, ref: str, as_json: bool
) -> int:
    """Tell all of one job: how it stands and why, its commit, runner and artifacts.

    PROJECT is a path or the end of one, or an id. JOB is an id, or a name: then it is
    the newest attempt of that job in the project's newest pipeline, or in the one that
    --pipeline or --ref says.
    """
    with platform_of(options, words) as platform:
        found = platform.read(_found(platform, words, pipeline, ref))
        if found.note:
            narrate(found.note)
        log = _log_command(platform, found)
        now = platform.service.clock.now()
        if as_json:
            say_object({**_shape(found, platform), "log_command": log})
            return 0
        look = look_of(platform, options)
        details = job_details(found.job, now, utc=options.utc, is_printed=True)
        where = group("log", [("command", log or "")])
        say_lines(record_lines(with_groups(details, where), look))
    return 0


def _shape(found: _Found, platform: Platform) -> dict[str, Any]:
    return {"project": found.project, **job_record(found.job, platform.service.clock.now())}


def _log_command(platform: Platform, found: _Found) -> str | None:
    if found.project is None or found.is_own:
        return None
    return command_of(platform.service.profile, "log", str(found.project), str(found.job.id))


async def _own(platform: Platform) -> _Found:
    """Return the job around us, and its project as its environment or its address tells it."""
    job = await first("this job", platform.service.feeds.watch_own_job(), lambda _: True)
    place = place_of(job.web_url, platform.address)
    project = project_around(platform.environ, platform.address)
    return _Found(job, project or (None if place is None else place.project), is_own=True)


async def _found(
    platform: Platform, words: Sequence[str], pipeline: int | None, ref: str
) -> _Found:
    """Return the job that the words mean.

    Raises:
        PlatuiError: they mean none, or nobody tells.
    """
    await platform.service.start()
    if not words and is_in_job(platform.environ, platform.address):
        return await _own(platform)
    if pipeline is not None and ref:
        raise ConfigError("--pipeline or --ref: either of them says which pipeline.", hint=_HINT)
    is_named = len(words) == _TWO and not is_address(words[0])
    if is_named and number_of(words[1].removeprefix("#")) is None:
        return await _by_name(platform, words, pipeline, ref)
    if pipeline is not None or ref:
        raise ConfigError("--pipeline and --ref are for a JOB that is given by its name.",
                          hint=_HINT)  # fmt: skip
    target = target_at(words, platform.address, Kind.JOB, _HINT)
    if target.kind is not Kind.JOB:
        raise ConfigError("That is the address of a pipeline.", hint="platui pipeline tells of it.")
    return await at_target(
        platform.service, target, lambda one: _record(platform, one.project, one.id)
    )


async def _record(platform: Platform, project: ProjectRef, job: int) -> _Found:
    feed = platform.service.feeds.watch_job(project, job)
    return _Found(await first("this job", feed, lambda _: True), project)


async def _by_name(
    platform: Platform, words: Sequence[str], pipeline: int | None, ref: str
) -> _Found:
    """Return the job of a name, in the pipeline that is meant."""
    wanted = LogOptions(target=tuple(words), pipeline=pipeline, ref=ref)
    place, note = await job_by_name(platform.service, wanted)
    assert place.project is not None  # noqa: S101  (for the type: it was just looked up)
    assert place.job is not None  # noqa: S101
    found = await _record(platform, place.project, place.job)
    return found._replace(note=note)
