"""`platui wait`: wait for the end of a pipeline or job, and end as it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from platui.cli.connecting import platform_of
from platui.cli.manner import json_option, with_global_options
from platui.cli.targets import Kind, target_at
from platui.cli.waiting import wait_for
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from platui.config.settings import Options

_EPILOG = """\b
The options of platui itself (--profile, --url, --utc …) may stand here too.

\b
Exit codes: 0 it succeeded; 1 it did not; 2 usage, configuration, or no such
thing; 3 try again; 4 refused; 130 interrupted: the pipeline goes on.
"""


@click.command("wait", epilog=_EPILOG)
@click.argument("words", nargs=-1, metavar="(URL | PROJECT PIPELINE)")
@click.option("--job", is_flag=True, help="The number is that of a job.")
@click.option("-f", "--follow", is_flag=True, help="Print the logs as they come.")
@json_option
@with_global_options
@click.pass_obj
def wait_command(
    options: Options, *, words: tuple[str, ...], job: bool, follow: bool, as_json: bool
) -> int:
    """Wait until a pipeline, or a job, has ended.

    How it stands is told on stderr. What gets in the way, a lost connection or a spent
    quota, is told and waited over.
    """
    if follow and as_json:
        raise ConfigError("--json is one object, --follow a log: either of them.")
    with platform_of(options, words) as platform:
        kind = Kind.JOB if job else Kind.PIPELINE
        target = target_at(words, platform.address, kind, "platui wait --help")
        fields = {"kind": target.kind, "project": target.project, "id": target.id}
        return wait_for(platform, target, follow=follow, fields=fields if as_json else None)
