"""Retry a job, or the failed jobs of a pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.command_options import of_pipeline_or_named_job, write_command
from platui.cli.targets import Kind
from platui.models.values.writes import WriteAction

if TYPE_CHECKING:
    from platui.cli.connection import WriteOptions
    from platui.config.settings import Options

_ACTS: Final = {Kind.PIPELINE: WriteAction.RETRY_PIPELINE, Kind.JOB: WriteAction.RETRY_JOB}
_EXAMPLES: Final = """
retry acme/etl 4711 --follow
retry acme/etl dbt_run
retry https://platform.example.com/acme/etl/-/jobs/88123
"""


@write_command("retry", _EXAMPLES, can_wait=True)
@of_pipeline_or_named_job
def retry_command(
    options: Options, *, words: tuple[str, ...], kind: Kind, write_options: WriteOptions
) -> int:
    """Retry the failed and canceled jobs of a pipeline, or one job.

    A job's name means the job of the newest pipeline in which it failed or has not ended,
    so that no older commit runs beside it; PROJECT#PIPELINE names another one.
    Prints the id and URL; a retried job gets a new id. If the platform does not
    support it, or no job has failed, nothing changes and the exit code is 4.
    """
    from platui.cli.actions import run_action  # noqa: PLC0415  (not for help or completion)

    return run_action(options, words, _ACTS, kind, write_options)
