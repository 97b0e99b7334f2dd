"""Cancel a pipeline or job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.command_options import of_pipeline_or_named_job, write_command
from platui.cli.targets import Kind
from platui.models.values.writes import WriteAction

if TYPE_CHECKING:
    from platui.cli.connection import WriteOptions
    from platui.config.settings import Options

_ACTS: Final = {Kind.PIPELINE: WriteAction.CANCEL_PIPELINE, Kind.JOB: WriteAction.CANCEL_JOB}
_EXAMPLES: Final = """
cancel acme/etl 4711
cancel acme/etl 88123 --job --yes
"""


@write_command("cancel", _EXAMPLES)
@of_pipeline_or_named_job
def cancel_command(
    options: Options, *, words: tuple[str, ...], kind: Kind, write_options: WriteOptions
) -> int:
    """Cancel a pipeline or job.

    A job's name means the job of the newest pipeline; PROJECT#PIPELINE names another one.
    Prints the id and URL. If the platform does not support it, or the pipeline or job
    has already ended, nothing changes and the exit code is 4.
    """
    from platui.cli.actions import run_action  # noqa: PLC0415  (not for help or completion)

    return run_action(options, words, _ACTS, kind, write_options)
