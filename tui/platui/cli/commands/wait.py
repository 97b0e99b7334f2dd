"""`platui wait`: wait for a pipeline or job to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import command, of_pipeline_or_job
from platui.cli.connection import open_platform
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING
from platui.cli.targets import Kind, target_at
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.config.settings import Options

_EXAMPLES: Final = """
wait acme/etl 4711 && deploy
wait https://platform.example.com/acme/etl/-/jobs/88123 --follow
"""
_MORE: Final = "Ctrl+C ends the waiting only; the pipeline goes on.\n"
_ENDS: Final = (Exit.DONE, Exit.FAILED, *READING[1:])


@command("wait", _EXAMPLES, *_ENDS, more=_MORE, json=True)
@of_pipeline_or_job
@click.option("-f", "--follow", is_flag=True, help="Print the logs as they come.")
def wait_command(
    options: Options, *, words: tuple[str, ...], job: bool, follow: bool, as_json: bool
) -> int:
    """Wait until a pipeline, or a job, has ended. PROJECT is a path or its end, or an id.

    How it stands is told on stderr. What gets in the way, a lost connection or a spent
    quota, is told and waited over, once the platform has answered. Where it cannot be
    reached from the start, the command ends with 3: at once, or after 15 s without answer.
    """
    if follow and as_json:
        raise ConfigError("--json is one object, --follow a log: either of them.")
    from platui.cli.waiting import wait_for  # noqa: PLC0415  (the same)

    with open_platform(options, words) as platform:
        kind = Kind.JOB if job else Kind.PIPELINE
        target = target_at(words, platform.address, kind, "platui wait --help")
        fields = {"kind": target.kind, "project": target.project, "id": target.id}
        return wait_for(platform, target, follow=follow, fields=fields if as_json else None)
