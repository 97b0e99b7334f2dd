"""`platui doctor`: run checks and suggest fixes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import command
from platui.cli.list_options import READING
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
The code is that of the first line that failed; a warning is none. --json is
one object (schema platui.doctor/1): `checks`, each with name, status, what,
remedy and facts.
"""
_ENDINGS: Final = (".tar.gz", ".tgz")


@command("doctor", _EXAMPLES, *READING[:-1], more=_MORE, json=True)
@click.option("--offline", is_flag=True, help="Ask nobody over the network.")
@click.option(
    "--bundle",
    type=click.Path(),
    is_flag=False,
    flag_value="",
    help="Write it for a bug report: FILE.tar.gz; without a name, one in this folder.",
)
def doctor_command(options: Options, /, *, offline: bool, bundle: str | None, as_json: bool) -> int:
    """Look whether all is well: a line for each thing, and what to do where it is not.

    Configuration, permissions, token (never what it is), proxy, certificates, clock,
    who you are, scopes, what of the quota is spent, what the platform offers, the
    administration API, terminal, and what is kept on disk.

    It asks the platform some fifteen things, and changes nothing.

    --bundle writes an archive for a bug report, readable by you alone: what was found,
    config.toml, the end of the debug log (--debug), sizes, the last requests. Tokens, keys
    and passwords are masked in it; the names of your platform and projects are not.
    """
    archive = None if bundle is None else _archive(bundle)
    from platui.cli.commands.doctor.checks import run_doctor  # noqa: PLC0415  (not for help or completion)

    return run_doctor(options, offline=offline, archive=archive, as_json=as_json)


def _archive(named: str) -> Path:
    if not named:
        from platui.core.clock import SystemClock  # noqa: PLC0415  (it brings asyncio)

        return Path.cwd() / f"platui-report-{SystemClock().now():%Y%m%dT%H%M%SZ}.tar.gz"
    path = absolute_path(user_path(named))
    if not path.name.endswith(_ENDINGS):
        stem = path.name.partition(".")[0] or "platui-report"
        raise ConfigError(
            clean(f"--bundle {shorten(path.name, 60)}: it is written as .tar.gz, and no other."),
            hint=clean(f"As --bundle {shorten(stem, 60)}.tar.gz"),
        )
    return path
