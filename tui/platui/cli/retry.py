"""`platui retry`: try again what failed in a pipeline, or a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.acting import act
from platui.cli.manner import waiting_epilog, waits, writes
from platui.cli.targets import Kind
from platui.models.values.writes import Act

if TYPE_CHECKING:
    from platui.cli.manner import After, Manner
    from platui.config.settings import Options

_ACTS: Final = {Kind.PIPELINE: Act.RETRY_PIPELINE, Kind.JOB: Act.RETRY_JOB}


_EXAMPLES = """
retry acme/etl 4711 --follow
retry https://platform.example.com/acme/etl/-/jobs/88123
"""


@click.command("retry", epilog=waiting_epilog(_EXAMPLES))
@click.argument("words", nargs=-1, metavar="(URL | PROJECT PIPELINE)")
@click.option("--job", is_flag=True, help="The number is that of a job.")
@writes
@waits
@click.pass_obj
def retry_command(
    options: Options, *, words: tuple[str, ...], job: bool, manner: Manner, after: After
) -> int:
    """Try again what failed or was canceled in a pipeline, or one job.

    A job that is tried again becomes another job: on stdout are its id and address.
    The platform's documentation does not promise this; where it is missing, nothing
    is changed, and that is said. Where nothing has failed that is said, with 4.
    """
    kind = Kind.JOB if job else Kind.PIPELINE
    return act(options, words, _ACTS, kind, manner=manner, after=after, hint="platui retry --help")
