"""Open the dashboard on an emulated platform in its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import global_options
from platui.cli.exit_codes import Exit, exit_code_table
from platui.cli.options import GLOBAL_OPTIONS
from platui.cli.output.progress import print_notice
from platui.config.credentials import Credentials
from platui.config.environment import harden
from platui.config.load import load_settings
from platui.config.profile import Profile
from platui.core.errors import ConfigError
from platui.core.secrets import Secret
from platui.models.values.routes import Route
from platui.ui.terminal.detection import detect

if TYPE_CHECKING:
    from platui.config.settings import Options, Settings
    from platui.service import PlatformService

_STOP_TIMEOUT: Final = 3.0  # Seconds before the emulator is killed

_EPILOG: Final = f"""\b
Examples:
  platui demo
  platui demo --ascii --read-only

\b
Exit codes:
{exit_code_table(Exit.DONE, Exit.USAGE)}
See also `platui emulator`, with scenarios and faults."""
_OPTIONS: Final = {
    **{one.name: one.help for one in GLOBAL_OPTIONS if one.name not in {"profile", "url"}},
    "config": "Use this config.toml for theme and keys.",
}


@click.command("demo", epilog=_EPILOG)
@global_options(_OPTIONS, others=False)
@click.pass_obj
def demo_command(options: Options) -> int:
    """Open the dashboard on an emulated platform.

    The emulator runs as a local process that simulates an organization with running
    and failing pipelines. It needs no account and no network, listens on loopback
    only, stores nothing, and stops with the dashboard.
    Without a terminal, print a summary.
    """
    return run_demo(options)


def run_demo(options: Options) -> int:
    if options.url or options.profile:
        raise ConfigError("--url and --profile do not work with the demo: it has its own platform.")
    import asyncio  # noqa: PLC0415  (not for the help)

    from platui.cli.app_runner import import_app, run_app  # noqa: PLC0415  (the same)

    environ = harden()
    settings = load_settings(options.config, environ, options)
    terminal = detect(environ, sys.__stdin__, sys.__stderr__)
    with emulated_platform() as read_announcement:
        if terminal.usable:
            import_app()  # while the emulator starts
        announced = read_announcement()
        service = demo_service(announced, settings)
        project = announced["project"]
        if not terminal.usable:
            from platui.cli.commands.demo.summary import print_summary  # noqa: PLC0415  (no terminal)

            print(f"platui: {terminal.why} A summary instead of the dashboard:", file=sys.stderr)
            print_summary(service, project)
            return Exit.DONE
        department = "/".join(project.split("/")[:2])
        asyncio.run(service.triage_state.watch(groups=[department]))
        code = run_app(service, settings, terminal, Route("triage"))
    if not settings.profiles:
        print_notice("The demo has ended. Set up your own platform with: platui init")
    return code


def demo_service(announced: Mapping[str, str], settings: Settings) -> PlatformService:
    profile = Profile("demo", announced["base_url"], announced["admin_url"], is_in_memory=True)
    credentials = Credentials(
        token=Secret(announced["token"]),
        admin_key=Secret(announced["admin_key"]),
        trigger_token=Secret(announced["trigger_token"]),
    )
    from platui.cli.commands.demo.reports import import_past_reports  # noqa: PLC0415  (not for the help)
    from platui.service import PlatformService  # noqa: PLC0415  (likewise)

    return PlatformService(
        profile, settings, credentials=credentials, prepare_reports=import_past_reports
    )


@contextmanager
def emulated_platform() -> Iterator[Any]:
    """Run an emulator that stops with this process, as its stdin closes then."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PLATUI_")}
    with subprocess.Popen(
        [sys.executable, "-m", "platui", "emulator", "--until-stdin-closes"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environ,
        start_new_session=True,
    ) as process:

        def read_announcement() -> dict[str, str]:
            line = process.stdout.readline() if process.stdout else b""
            try:
                announced: dict[str, str] = json.loads(line)
            except ValueError:
                raise ConfigError(
                    "The emulated platform did not start.",
                    hint="Run `platui emulator` to see why.",
                ) from None
            return announced

        try:
            yield read_announcement
        finally:
            if process.stdin:
                process.stdin.close()
            try:
                process.wait(_STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
