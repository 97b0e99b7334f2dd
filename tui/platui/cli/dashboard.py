"""Build and run the dashboard (`platui`, `platui URL`)."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from platui.cli.app_runner import prepare_terminal, run_app
from platui.cli.options import is_address, is_view_line
from platui.config.environment import harden
from platui.config.load import load_settings
from platui.config.profile_choice import SessionProfiles, choose_profile
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError
from platui.core.origins import same_origin
from platui.core.text import shorten
from platui.service import PlatformService
from platui.ui.terminal.detection import Terminal, detect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.settings import Options, Settings
    from platui.models.values.routes import Route
    from platui.ui.terminal.handover import TerminalHandover


def run_dashboard(
    options: Options,
    where: str | None,
    handover: TerminalHandover,
    environ: Mapping[str, str] | None = None,
) -> int:
    """Open the dashboard, at an address or view or (None) as configured.

    `environ` has the secrets that are no longer in the environment of the process.
    """
    address = where if where is not None and is_address(where) else None
    at = _parse_view_line(where) if where is not None and address is None else None
    environ = harden() if environ is None else environ
    settings = load_settings(options.config, environ, options)
    if address is not None:
        from platui.cli.profiles import options_for_address  # noqa: PLC0415  (only for a URL)

        options = options_for_address(address, settings, options)
    profile = choose_profile(settings, environ, options)
    terminal = detect(environ, sys.__stdin__, sys.__stderr__)
    if not terminal.usable:
        raise ConfigError(
            terminal.why,
            hint="Use commands instead: `platui triage` shows incidents, "
            "`platui --help` lists all commands.",
        )
    terminal = terminal if settings.mouse else replace(terminal, mouse=False)
    if handover.shown is not None:  # rather than what COLORFGBG claims
        terminal = replace(terminal, dark=handover.shown.dark)
    if profile is None and address is not None:
        raise ConfigError(
            f"No profile for {address}.",
            hint="Run platui init, or set PLATUI_URL and PLATUI_TOKEN.",
        )
    if profile is None:
        handover.restore()
        return _first_run(settings, terminal, options, handover, environ)
    service = PlatformService(profile, settings, environ=environ)
    if address is not None:
        from platui.ui.addresses import route_and_filter  # noqa: PLC0415  (only for a URL)

        at = route_and_filter(address, profile.url)
        if at is None:
            other = "For another platform, use --profile, --url, or run platui init."
            raise ConfigError(
                f"{address} is not a project, pipeline, job, file or group of {profile.url}.",
                hint="" if same_origin(address, profile.url) else other,
            )
    start, words = at or (None, "")
    session_profiles = SessionProfiles(settings, environ, options, profile)
    return run_app(
        service, settings, terminal, start, session_profiles, words=words, handover=handover
    )


def _parse_view_line(line: str) -> tuple[Route, str]:
    """Parse a `:` line, a path (its pipelines) or PROJECT#PIPELINE (its jobs)."""
    from platui.cli.targets import split_number  # noqa: PLC0415  (only for a typed view)
    from platui.ui.route_lines import missing_words, read_route  # noqa: PLC0415  (the same)

    if not is_view_line(line):
        project, *pipeline = split_number([line])
        line = f"jobs {project} #{pipeline[0]}" if pipeline else f"pipelines {line}"
    found = read_route(line)
    if found is None:
        raise ConfigError(
            missing_words(line) or f"Unknown view: {shorten(line, 60)}",
            hint="Example: ':pipelines acme/etl /failed': a view, the full path of a project, "
            "#PIPELINE, /FILTER. Y in the dashboard copies the line of a view.",
        )
    return found


def _first_run(
    settings: Settings,
    terminal: Terminal,
    options: Options,
    handover: TerminalHandover,
    environ: Mapping[str, str],
) -> int:
    prepare_terminal()
    from platui.cli.commands.init.saving import save_new  # noqa: PLC0415  (on the first run only)
    from platui.service.sign_in import SignIn  # noqa: PLC0415  (the same)
    from platui.ui.welcome import DEMO, MADE, WelcomeApp  # noqa: PLC0415  (the same)

    app = WelcomeApp(settings, terminal, SignIn(SystemClock()), partial(save_new, settings.file))
    code = app.run_in_terminal()
    if app.return_value == DEMO:
        from platui.cli.commands.demo.command import run_demo  # noqa: PLC0415  (on the first run only)

        return run_demo(options)
    if app.return_value != MADE:
        return code
    return run_dashboard(options, None, handover, environ)
