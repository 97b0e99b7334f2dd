"""Wait for a pipeline or job to end, optionally with logs. Ctrl+C does not cancel it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.exit_codes import Exit
from platui.cli.log_options import LogOptions
from platui.cli.output.log import print_feed, printer_maker
from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import print_object, watch_for_closed_stdout
from platui.cli.reading import resources
from platui.cli.target_lookup import BY_OPTION, resolve_target, resource_of
from platui.cli.targets import Kind, Target, resume_hint
from platui.core.errors import PlatuiError
from platui.models.values.feeds import Feed, Source
from platui.models.values.statuses import ENDED
from platui.present.logs.many_logs import describe_notice
from platui.present.status import standing

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.wire import Job, Pipeline

_WAITS_TOO: Final = {
    "manual": " It needs a manual start.",
    "scheduled": " It waits for its scheduled time.",
}
_OLD: Final = 30.0  # seconds in which the end that a retry found may still be reported
_AGAIN: Final = 3.0


class EndWaiter:
    def __init__(self, platform: Platform, target: Target, before: Pipeline | None = None) -> None:
        """Wait for a target; `before`: its record in the response to a retry."""
        self.last: Pipeline | Job | None = None
        self.target = target
        self._before = before
        self._service = platform.service
        self._environ = platform.environ
        self._status = ""

    async def wait(self, *, follow: bool, whole: bool) -> str:
        """Return the final status; `follow`: print the logs, `whole`: of ended jobs too."""

        async def ended(meant: Target) -> str:
            self.target = meant
            if follow:
                with watch_for_closed_stdout():
                    await self._print_logs(whole=whole)
                    # Not derived from the jobs, which may be allowed to fail.
                    return await self._until_ended()
            return await self._until_ended()

        await self._service.start()
        return await resolve_target(self._service, self.target, ended, BY_OPTION)

    async def _until_ended(self) -> str:
        feed: Feed[Any] = self._service.watch(resource_of(self.target))
        retries, clock = RetryWindow(), self._service.clock
        is_new_at = clock.monotonic() + _OLD
        feed.refresh()  # a cached final status may be outdated by a retry
        async for snapshot in retries.items(aiter(feed)):
            if snapshot.error is not None:
                retries.tolerate(snapshot.error, follow=True)
                continue
            if snapshot.source is not Source.LIVE or snapshot.value is None:
                continue
            retries.reached = True
            retries.clear_error()
            self.last = snapshot.value
            status: str = snapshot.value.status
            if self._is_old(snapshot.value) and clock.monotonic() < is_new_at:
                if not snapshot.refreshing:
                    await clock.sleep(_AGAIN)
                    feed.refresh()
                continue
            if status not in {"", self._status}:
                self._status = status
                name = self.target.name.capitalize()
                print_notice(f"{name} {standing(status)}.{_WAITS_TOO.get(status, '')}")
            if status in ENDED:
                return status
        raise PlatuiError("The feed ended without a final status.")

    def _is_old(self, record: Pipeline | Job) -> bool:
        """Return whether it has ended as before: jobs may start before the status changes."""
        before = self._before
        if before is None or record.id != before.id or record.status not in ENDED:
            return False
        return (record.status, record.finished_at) == (before.status, before.finished_at)

    async def _print_logs(self, *, whole: bool) -> None:
        kind, project, number = self.target
        logs = (
            resources.logs.job_log(project, number)
            if kind is Kind.JOB
            else resources.logs.many_job_logs(project, number, describe_notice, whole=whole)
        )
        printer = printer_maker(LogOptions(follow=True), self._environ)
        feed = self._service.watch(logs)
        if kind is Kind.PIPELINE:
            feed.refresh()  # a cached list of ended jobs may be outdated by a retry
        self._status = await print_feed(feed, printer, follow=True, of=kind)


def wait_for(
    platform: Platform,
    target: Target,
    *,
    follow: bool,
    fields: dict[str, Any] | None = None,
    is_new: bool = False,
    before: Pipeline | None = None,
) -> int:
    """Wait for the end and return the exit code; print `fields` and the status as JSON."""
    waiter = EndWaiter(platform, target, before)
    try:
        status = platform.run(waiter.wait(follow=follow, whole=is_new))
    except KeyboardInterrupt:
        print_notice(resume_hint(waiter.target, platform.service.profile, follow=follow))
        raise
    finally:
        if fields is not None:
            fields["project"] = waiter.target.project
            if (last := waiter.last) is not None:
                fields |= {
                    "status": last.status,
                    "web_url": last.web_url or None,
                    "duration": last.duration,
                }
            print_object(fields)
    return Exit.DONE if status == "success" else Exit.FAILED
