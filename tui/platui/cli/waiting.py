"""Wait for the end of a pipeline or job, on request with logs. Ctrl+C never cancels it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.cli.exit_codes import Exit
from platui.cli.log_options import LogOptions
from platui.cli.output.log import print_feed, printer_for
from platui.cli.output.progress import RetryWindow, print_notice
from platui.cli.output.stdout import print_object, watch_for_closed_stdout
from platui.cli.reading import resources
from platui.cli.target_lookup import BY_OPTION, resolve_target
from platui.cli.targets import Kind, resume_hint
from platui.core.errors import PlatuiError
from platui.models.values.feeds import Source
from platui.models.values.statuses import ENDED
from platui.present.logs.many_logs import describe_news
from platui.present.status import standing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.cli.connection import Platform
    from platui.cli.targets import Target
    from platui.models.values.feeds import Feed
    from platui.models.values.log import LogFeed
    from platui.models.wire import Job, Pipeline
    from platui.service import PlatformService

_SUCCESS: Final = "success"

_WAITS_TOO: Final = {
    "manual": " It waits for somebody to start a job of it.",
    "scheduled": " It waits for its time.",
}


class Watch:
    """Looks at one thing until it has ended."""

    def __init__(self, service: PlatformService, target: Target) -> None:
        self.last: Pipeline | Job | None = None
        self._service = service
        self.target = target
        self._told = ""

    async def until_ended(self) -> str:
        """Return the status in which it ended; what is in the way is told, and waited over."""
        await self._service.start()
        feed, patience = self._feed(), RetryWindow()
        feed.refresh()  # what was ended yesterday may have been tried again since
        async for snapshot in patience.items(aiter(feed)):
            if snapshot.error is not None:
                patience.tolerate(snapshot.error, follow=True)
                continue
            if snapshot.source is not Source.LIVE or snapshot.value is None:
                continue
            patience.reached = True
            patience.clear_error()
            self.last = snapshot.value
            status = self.last.status
            self._tell(status)
            if status in ENDED:
                return status
        raise PlatuiError("The platform says nothing any more.")

    async def with_logs(self, environ: Mapping[str, str], *, whole: bool) -> str:
        """Print the logs as they come (`whole`: of ended jobs, too); returns the last status."""
        target = self.target
        await self._service.start()
        printer = printer_for(LogOptions(follow=True), environ)
        with watch_for_closed_stdout():
            feed = self._logs(whole=whole)
            self._told = await print_feed(feed, printer, follow=True, of=target.kind)
            # A pipeline may end otherwise than its jobs have it: those may be allowed to fail.
            return await self.until_ended()

    def _logs(self, *, whole: bool) -> LogFeed:
        target = self.target
        if target.kind is Kind.JOB:
            return self._service.watch(resources.logs.job_log(target.project, target.id))
        return self._service.watch(
            resources.logs.many_job_logs(target.project, target.id, describe_news, whole=whole)
        )

    def _feed(self) -> Feed[Any]:
        target = self.target
        if target.kind is Kind.JOB:
            return self._service.watch(resources.jobs.job(target.project, target.id))
        return self._service.watch(resources.pipelines.pipeline(target.project, target.id))

    def _tell(self, status: str) -> None:
        if status not in {"", self._told}:
            self._told = status
            name = self.target.name.capitalize()
            print_notice(f"{name} {standing(status)}.{_WAITS_TOO.get(status, '')}")


def wait_for(
    platform: Platform,
    target: Target,
    *,
    follow: bool,
    fields: dict[str, Any] | None = None,
    is_new: bool = False,
) -> int:
    """`fields` are printed as JSON with the last status; with `is_new` every log is printed."""
    watch = Watch(platform.service, target)

    async def wait() -> str:
        await platform.service.start()
        return await resolve_target(platform.service, target, ended, BY_OPTION)

    async def ended(meant: Target) -> str:
        watch.target = meant
        if follow:
            return await watch.with_logs(platform.environ, whole=is_new)
        return await watch.until_ended()

    try:
        status = platform.run(wait())
    except KeyboardInterrupt:
        print_notice(resume_hint(watch.target, platform.service.profile, follow=follow))
        raise
    finally:
        if fields is not None:
            print_object(fields | {"project": watch.target.project} | _of(watch.last))
    return Exit.DONE if status == _SUCCESS else Exit.FAILED


def _of(thing: Pipeline | Job | None) -> dict[str, Any]:
    if thing is None:
        return {}
    return {"status": thing.status, "web_url": thing.web_url or None, "duration": thing.duration}
