"""Run checks and suggest fixes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command
from platui.core.errors import ConfigError
from platui.core.paths import absolute_path, user_path
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.config.settings import Options

_EXAMPLES: Final = """
doctor
doctor --profile prod --json
doctor --bundle
doctor --offline --bundle report.tar.gz
"""
_MORE: Final = """\b
The exit code is that of the first failed check; warnings do not count. --json
prints one object (schema platui.doctor/1): `checks`, each with name, status,
what, remedy and facts.
"""


@command("doctor", _EXAMPLES, *READING[:-1], more=_MORE, json=True)
@click.option("--offline", is_flag=True, help="Send no network requests.")
@click.option(
    "--bundle",
    type=click.Path(),
    is_flag=False,
    flag_value="",
    help="Write an archive for a bug report; default: in this folder.",
)
def doctor_command(options: Options, /, *, offline: bool, bundle: str | None, as_json: bool) -> int:
    """Check the setup and suggest fixes.

    Checks configuration, permissions, token (never printed), proxy, certificates, clock,
    user, scopes, quota, supported operations, administration API, terminal and local data.
    Sends about fifteen requests to the platform and changes nothing.

    --bundle writes an archive for a bug report, with mode 0600: results, config.toml, the
    end of the debug log (--debug), sizes, recent requests. Tokens, keys and passwords are
    masked; names of your platform and projects are not.
    """
    archive = None if bundle is None else _archive(bundle)
    from platui.cli.commands.doctor.checks import run_doctor  # noqa: PLC0415  (not for help or completion)

    return run_doctor(options, offline=offline, archive=archive, as_json=as_json)


def _archive(named: str) -> Path:
    if not named:
        from platui.core.clock import SystemClock  # noqa: PLC0415  (it brings asyncio)

        return Path.cwd() / f"platui-report-{SystemClock().now():%Y%m%dT%H%M%SZ}.tar.gz"
    path = absolute_path(user_path(named))
    if not path.name.endswith((".tar.gz", ".tgz")):
        stem = path.name.partition(".")[0] or "platui-report"
        raise ConfigError(
            clean(f"--bundle {shorten(path.name, 60)}: the name must end with .tar.gz."),
            hint=clean(f"Use --bundle {shorten(stem, 60)}.tar.gz"),
        )
    return path
