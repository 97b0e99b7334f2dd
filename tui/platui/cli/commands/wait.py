"""Wait for a pipeline or job to end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command, of_pipeline_or_job
from platui.cli.connection import open_platform
from platui.cli.exit_codes import Exit
from platui.cli.targets import Kind, target_at
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.config.settings import Options

_EXAMPLES: Final = """
wait acme/etl 4711 && deploy
wait https://platform.example.com/acme/etl/-/jobs/88123 --follow
"""
_MORE: Final = "Ctrl+C stops waiting; the pipeline continues.\n"
_ENDS: Final = (Exit.DONE, Exit.FAILED, *READING[1:])


@command("wait", _EXAMPLES, *_ENDS, more=_MORE, json=True)
@of_pipeline_or_job
@click.option("-f", "--follow", is_flag=True, help="Print the logs while waiting.")
def wait_command(
    options: Options, *, words: tuple[str, ...], kind: Kind, follow: bool, as_json: bool
) -> int:
    """Wait for a pipeline or job to end. PROJECT is a path or its end, or an id.

    Prints the status on stderr. After the first answer, a lost connection or a spent
    quota is reported and waited out. If the platform cannot be reached at first, the
    exit code is 3: at once, or after 15 s without an answer.
    """
    if follow and as_json:
        raise ConfigError("Give --json or --follow, not both.")
    from platui.cli.waiting import wait_for  # noqa: PLC0415  (the same)

    with open_platform(options, words) as platform:
        target = target_at(words, platform.address, kind, "platui wait --help")
        fields = {"kind": target.kind, "project": target.project, "id": target.id}
        return wait_for(platform, target, follow=follow, fields=fields if as_json else None)
