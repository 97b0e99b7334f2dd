"""List what changed between the last successful pipeline and a failed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command
from platui.cli.completions import first_project
from platui.cli.connection import open_platform
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.reading import read, resources
from platui.cli.target_lookup import read_failed_pipeline
from platui.core.errors import MISSING, CommandError, is_unsupported
from platui.core.named_tuple import NamedTuple
from platui.core.text import with_full_stop

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import PipelineRun
    from platui.models.wire import Comparison, Pipeline
    from platui.service import PlatformService

_EXAMPLES: Final = """
changes acme/warehouse-core
changes https://platform.example/acme/etl/-/pipelines/4711
changes etl 4711 --json | jq '.commits[] | {id, title, author_name}'
"""
_MORE: Final = """\b
If the platform does not compare commits, the list has only the commits of
the two pipelines.
"""


class _Found(NamedTuple):
    project: ProjectRef
    pipeline: Pipeline
    last_success: PipelineRun
    comparison: Comparison
    is_supported: bool = True


@command("changes", _EXAMPLES, *READING, more=_MORE, json=True)
@click.argument("words", nargs=-1, metavar="(PROJECT [PIPELINE] | URL)",
                shell_complete=first_project)  # fmt: skip
def changes_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> None:
    """List the commits and files between the last success and a failed pipeline.

    PROJECT is a path or its end, or an id. Without a pipeline: the newest failed one.
    """
    from platui.cli.output.lists import as_of_now, style_of, titled_table  # noqa: PLC0415  (not for help or completion)
    from platui.present.files.changes import INCOMPLETE, NOT_SUPPORTED, SAME_COMMIT  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.commits import CHANGED_FILES, COMMITS  # noqa: PLC0415  (not for help or completion)

    with open_platform(options, words) as platform:
        found = read_failed_pipeline(platform, words, _find, "platui changes --help")
        at, comparison = as_of_now(platform)(), found.comparison
        commits = comparison.commits[::-1]  # the newest first
        if not found.is_supported:
            print_notice(NOT_SUPPORTED)
        if comparison.compare_timeout:
            print_notice(with_full_stop(INCOMPLETE.capitalize()))
        if as_json:
            print_object(
                {
                    "project": found.project,
                    "pipeline": {"id": found.pipeline.id, "sha": found.pipeline.sha},
                    "last_success": {"id": found.last_success.id, "sha": found.last_success.sha},
                    "is_supported": found.is_supported,
                    "is_whole": not comparison.compare_timeout,
                    "commits": [COMMITS.object(one, at) for one in commits],
                    "files": [CHANGED_FILES.object(one, at) for one in comparison.diffs],
                }
            )
            return
        style = style_of(platform)
        print_lines([f"#{found.pipeline.id} since the last success #{found.last_success.id}"])
        if found.pipeline.sha == found.last_success.sha:
            print_lines([SAME_COMMIT])
        print_lines(titled_table("commits", commits, COMMITS, at, style))
        print_lines(titled_table("files", comparison.diffs, CHANGED_FILES, at, style))


async def _find(service: PlatformService, project: ProjectRef, pipeline: Pipeline) -> _Found:
    from platui.present.triage.broken_since import without_branch  # noqa: PLC0415  (not for help or completion)

    timelines = await service.timelines()
    timeline = await timelines.find(project, pipeline.id)
    if timeline is None and (reason := without_branch(pipeline)):
        raise CommandError(reason, hint="Give a failed pipeline of a branch or tag.")
    if timeline is None:
        raise CommandError(
            f"#{pipeline.id} has not failed, or it is too old.",
            hint="Give a recent failed pipeline.",
        )
    green = timeline.last_green
    if green is None:
        raise CommandError(f"No successful pipeline found before #{pipeline.id}.", hint="")
    if green.sha == pipeline.sha:
        from platui.models.wire import Comparison  # noqa: PLC0415  (loads pydantic)

        return _Found(project, pipeline, green, Comparison())
    compared = resources.files.comparison(project, green.sha, pipeline.sha)
    try:
        comparison = await read(service, "the comparison", compared)
    except MISSING as error:
        if not is_unsupported(error):
            raise CommandError(error.sentence, hint=error.hint) from None
        red = next(run for run in timeline.runs if run.id == pipeline.id)
        known = await timelines.known_commits(project, green, red)
        return _Found(project, pipeline, green, known, is_supported=False)
    return _Found(project, pipeline, green, comparison)
