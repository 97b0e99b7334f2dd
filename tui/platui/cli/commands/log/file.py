"""Show a saved log, without profile or network."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from platui.cli.app_runner import prepare_terminal
from platui.cli.log_options import STDIN, LogOptions
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal, watch_for_closed_stdout
from platui.config.load import load_settings
from platui.config.settings import Options, Settings
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError
from platui.core.paths import user_path
from platui.service.logs.file import follow_file
from platui.ui.terminal.detection import detect

if TYPE_CHECKING:
    from platui.models.values.log import LogFeed


def run_file(wanted: LogOptions, options: Options, environ: Mapping[str, str]) -> int:
    clock = SystemClock()
    path = None if wanted.file == STDIN else user_path(wanted.file)
    settings, problem = _settings(options, environ)
    feed = follow_file(path, clock, settings.errors, follow=wanted.follow)
    if is_terminal() and not wanted.prints:
        if path is None:
            _take_keys_from_terminal()
        terminal = detect(environ, sys.__stdin__, sys.__stderr__)
        if terminal.usable:
            prepare_terminal()
            from platui.ui.log_file_app import LogFileApp  # noqa: PLC0415  (needs a prepared terminal)

            terminal = terminal if settings.mouse else replace(terminal, mouse=False)
            app = LogFileApp(path, feed, settings, terminal)
            if problem is not None:
                app.problems.append(problem)
            return app.run_in_terminal()
    if problem is not None:
        print_notice(problem.sentence)
    if wanted.cause:
        from platui.cli.commands.log.cause import print_cause_of_file  # noqa: PLC0415  (not for the viewer)

        against = follow_file(user_path(wanted.against), clock) if wanted.against else None
        asyncio.run(print_cause_of_file(feed, against, as_json=wanted.as_json))
    else:
        asyncio.run(_print(feed, wanted, environ))
    return 0


def _take_keys_from_terminal() -> None:
    """Make the terminal stdin; the piped log has its own file descriptor by now."""
    try:
        # Not /dev/tty, as polling it fails on some systems.
        terminal = os.open(os.ttyname(sys.stdout.fileno()), os.O_RDWR)
    except OSError:
        return  # the log is printed instead
    os.dup2(terminal, 0)
    os.close(terminal)


def _settings(options: Options, environ: Mapping[str, str]) -> tuple[Settings, ConfigError | None]:
    """Load the settings without profiles; a broken default config.toml is only reported."""
    try:
        settings = load_settings(options.config, environ, options)
    except ConfigError as problem:
        if options.config is not None:
            raise
        return Settings(), problem
    return replace(settings, profiles={}, default_profile=""), None


async def _print(feed: LogFeed, wanted: LogOptions, environ: Mapping[str, str]) -> None:
    from platui.cli.output.log import print_feed, printer_maker  # noqa: PLC0415  (not for the viewer)

    printer = printer_maker(wanted, environ)
    with watch_for_closed_stdout() if wanted.follow else nullcontext():
        await print_feed(feed, printer, follow=wanted.follow, to_end=True)
