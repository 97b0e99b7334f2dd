"""Cancel or retry a pipeline or job, start a manual job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import of_pipeline_or_job, write_command
from platui.cli.completions import first_project
from platui.cli.targets import Kind
from platui.core.lazy_module import LazyModule
from platui.models.values.writes import WriteAction

if TYPE_CHECKING:
    from platui.cli import actions
    from platui.cli.connection import WriteOptions
    from platui.config.settings import Options
else:
    actions = LazyModule("platui.cli.actions")

_CANCEL: Final = {Kind.PIPELINE: WriteAction.CANCEL_PIPELINE, Kind.JOB: WriteAction.CANCEL_JOB}
_RETRY: Final = {Kind.PIPELINE: WriteAction.RETRY_PIPELINE, Kind.JOB: WriteAction.RETRY_JOB}
_CANCEL_EXAMPLES: Final = """
cancel acme/etl 4711
cancel acme/etl 88123 --job --yes
"""
_RETRY_EXAMPLES: Final = """
retry acme/etl 4711 --follow
retry https://platform.example.com/acme/etl/-/jobs/88123
"""


@write_command("cancel", _CANCEL_EXAMPLES)
@of_pipeline_or_job
def cancel_command(
    options: Options, *, words: tuple[str, ...], kind: Kind, write_options: WriteOptions
) -> int:
    """Cancel a pipeline or job.

    Prints the id and URL. If the platform does not support it, or the pipeline or job
    has already ended, nothing changes and the exit code is 4.
    """
    return actions.run_action(options, words, _CANCEL, kind, write_options)


@write_command("retry", _RETRY_EXAMPLES, can_wait=True)
@of_pipeline_or_job
def retry_command(
    options: Options, *, words: tuple[str, ...], kind: Kind, write_options: WriteOptions
) -> int:
    """Retry the failed and canceled jobs of a pipeline, or one job.

    Prints the id and URL; a retried job gets a new id. If the platform does not
    support it, or no job has failed, nothing changes and the exit code is 4.
    """
    return actions.run_action(options, words, _RETRY, kind, write_options)


@write_command("play", "play acme/etl 88123 --wait", can_wait=True)
@click.argument("words", nargs=-1, metavar="(URL | PROJECT JOB)", shell_complete=first_project)
def play_command(options: Options, *, words: tuple[str, ...], write_options: WriteOptions) -> int:
    """Start a manual job.

    Prints the id and URL. If the platform does not support it, or the job is not
    manual, nothing changes and the exit code is 4.
    """
    play = {Kind.JOB: WriteAction.PLAY_JOB}
    return actions.run_action(options, words, play, Kind.JOB, write_options)
