"""Start a manual job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.cli.command_options import write_command
from platui.cli.completions import first_project
from platui.cli.targets import Kind
from platui.models.values.writes import WriteAction

if TYPE_CHECKING:
    from platui.cli.connection import WriteOptions
    from platui.config.settings import Options


@write_command("play", "play acme/etl 88123 --wait", can_wait=True)
@click.argument("words", nargs=-1, metavar="(URL | PROJECT JOB)", shell_complete=first_project)
def play_command(options: Options, *, words: tuple[str, ...], write_options: WriteOptions) -> int:
    """Start a manual job.

    A job's name means the job of the newest pipeline; PROJECT#PIPELINE names another one.
    Prints the id and URL. If the platform does not support it, or the job is not
    manual, nothing changes and the exit code is 4.
    """
    from platui.cli.actions import run_action  # noqa: PLC0415  (not for help or completion)

    return run_action(options, words, {Kind.JOB: WriteAction.PLAY_JOB}, Kind.JOB, write_options)
