"""`platui log URL` and `platui log PROJECT JOB`: show the log of a job."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.cli.app_runner import run_app
from platui.cli.debug import write_debug_to
from platui.cli.exit_codes import Exit
from platui.cli.job_lookup import find_job_by_name, job_from_arguments, verify_job
from platui.cli.options import is_address
from platui.cli.output.log import print_feed, printer_maker
from platui.cli.output.progress import print_notice, warn_ignored_keys
from platui.cli.output.stdout import is_terminal, watch_for_closed_stdout
from platui.cli.profiles import chosen_profile
from platui.cli.reading import read
from platui.cli.target_lookup import OF_A_LOG, resolve_target
from platui.config.load import load_settings
from platui.config.profile_choice import SessionProfiles
from platui.core.errors import AmbiguousError, CommandError, PlatuiError
from platui.service import PlatformService, resources
from platui.ui.terminal.detection import detect

if TYPE_CHECKING:
    from platui.cli.job_lookup import FoundJob
    from platui.cli.log_options import LogOptions
    from platui.cli.targets import Target
    from platui.config.settings import Options

_SUCCESS: Final = "success"
_CHECK_TIMEOUT: Final = 2.0  # Seconds that the first frame waits for the existence check of the job


def run_job(wanted: LogOptions, options: Options, environ: Mapping[str, str]) -> int:
    settings = load_settings(options.config, environ, options)
    profile = chosen_profile(settings, environ, options, wanted.target[0])

    def open_service() -> PlatformService:
        service = PlatformService(profile, settings, environ=environ)
        service.notices.subscribe(print_notice)
        write_debug_to(settings.debug_file, service)
        return service

    terminal = None
    if is_terminal() and not wanted.prints:
        terminal = detect(environ, sys.__stdin__, sys.__stderr__)
    if terminal is None or not terminal.usable:
        warn_ignored_keys(settings)
        return asyncio.run(_print(open_service(), wanted, environ))
    service = PlatformService(profile, settings, environ=environ)
    found = job_from_arguments(service, wanted)
    if found is None or not is_address(wanted.target[0]):
        # Uses another service: that of the dashboard is bound to the loop of its app.
        found = asyncio.run(_find_job(open_service(), wanted))
    terminal = terminal if settings.mouse else replace(terminal, mouse=False)
    session = SessionProfiles(settings, environ, options, profile)
    return run_app(service, settings, terminal, found.route, session)


async def _find_job(service: PlatformService, wanted: LogOptions) -> FoundJob:
    """Find the job; a job given by its id is accepted if the platform cannot be reached."""
    given = job_from_arguments(service, wanted)
    try:
        if given is None:
            await service.start()
            return await find_job_by_name(service, wanted)
        try:
            async with asyncio.timeout(_CHECK_TIMEOUT):
                await service.start()
                return await verify_job(service, given)
        except (AmbiguousError, CommandError):
            raise
        except (PlatuiError, TimeoutError):
            return given  # the view shows the error and cached data
    finally:
        await service.close()


async def _print(service: PlatformService, wanted: LogOptions, environ: Mapping[str, str]) -> int:
    printer = printer_maker(wanted, environ)
    try:
        await service.start()
        found = job_from_arguments(service, wanted) or await find_job_by_name(service, wanted)
        if found.note:
            print_notice(found.note)

        async def printed(target: Target) -> str:
            if wanted.cause:
                return await _print_cause(service, target, wanted)
            feed = service.watch(resources.logs.job_log(target.project, target.id))
            status = await print_feed(feed, printer, follow=wanted.follow)
            if wanted.follow and not status:  # a search has cached the log, but not the job
                job = resources.jobs.job(target.project, target.id)
                status = (await read(service, "the job", job)).status
            return status

        with watch_for_closed_stdout() if wanted.follow else nullcontext():
            status = await resolve_target(service, found.target, printed, OF_A_LOG)
    finally:
        await service.close()
    return Exit.FAILED if wanted.follow and status != _SUCCESS else 0


async def _print_cause(service: PlatformService, target: Target, wanted: LogOptions) -> str:
    from platui.cli.commands.log.cause import print_cause_of_job  # noqa: PLC0415  (rarely needed)

    job = await read(service, "the job", resources.jobs.job(target.project, target.id))
    await print_cause_of_job(service, target.project, job, as_json=wanted.as_json)
    return job.status
