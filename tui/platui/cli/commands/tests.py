"""List the failed tests of a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command
from platui.cli.completions import first_project
from platui.cli.connection import open_platform
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.target_lookup import read_failed_pipeline
from platui.core.errors import NotSupportedError
from platui.core.text import shorten
from platui.models.values.connection import Urgency
from platui.models.values.tests import FailedTests, ReportedPipeline

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline
    from platui.service import PlatformService

_EXAMPLES: Final = """
tests acme/warehouse-core
tests https://platform.example/acme/etl/-/pipelines/4711
tests etl 4711 --json | jq '.failed[] | {name, message, is_new}'
"""


@command("tests", _EXAMPLES, *READING, json=True)
@click.argument("words", nargs=-1, metavar="(PROJECT [PIPELINE] | URL)",
                shell_complete=first_project)  # fmt: skip
def tests_command(options: Options, *, words: tuple[str, ...], as_json: bool) -> None:
    """List the failed tests of a pipeline, new ones first.

    PROJECT is a path or its end, or an id. Without a pipeline: the newest failed one.
    A test is new if it did not fail in the last successful pipeline. The exit code
    is 0 even if tests failed.
    """
    from platui.cli.output.lists import style_of, table_lines  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.tests import (  # noqa: PLC0415  (not for help or completion)
        NO_REPORT,
        NOT_SUPPORTED,
        TESTS,
        summary_pieces,
    )

    with open_platform(options, words) as platform:
        pipeline, tests = read_failed_pipeline(platform, words, _find, "platui tests --help")
        if not tests.is_supported:
            raise NotSupportedError(NOT_SUPPORTED)
        for problem in tests.broken_suites:
            print_notice(f"Unreadable report: {shorten(problem, 200)}")
        if as_json:
            print_object(
                {
                    "project": pipeline.project,
                    "pipeline": pipeline.id,
                    "last_success": tests.last_success,
                    "total": tests.total,
                    "failed": [TESTS.object(one) for one in tests.failed],
                }
            )
            return
        if not tests.has_report:
            print_notice(NO_REPORT)
            return
        print_lines([" · ".join(text for text, _ in summary_pieces(tests)[:2])])
        print_lines(table_lines(tests.failed, TESTS, style=style_of(platform)))


async def _find(
    service: PlatformService, project: ProjectRef, pipeline: Pipeline
) -> tuple[ReportedPipeline, FailedTests]:
    reported = ReportedPipeline.of(project, pipeline)
    return reported, await service.failed_tests(reported, Urgency.USER)
