"""Keys of a pipeline: follow or search its logs, list its failed tests, notify when done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from platui.core.text import clean
from platui.models.values.routes import Route
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.messages import NotifyWhenDone

if TYPE_CHECKING:
    from platui.models.values.queries import JobsQuery
    from platui.models.wire import Job
    from platui.ui.screens.parts.body import Body

SEARCH_ALL_SIGN: Final = "\\"  # Sign of a search in all logs of a pipeline

_SLASHES: Final = 2


def parse_search(typed: str) -> tuple[str, bool]:
    """Return text and whether it is a regular expression, written `/one/`."""
    typed = typed.strip()
    if len(typed) > _SLASHES and typed.startswith("/") and typed.endswith("/"):
        return typed[1:-1], True
    return typed, False


def format_search(text: str, *, is_regex: bool) -> str:
    """Return a search as typed."""
    return f"/{text}/" if is_regex else text


class PipelineLogs(Controller[Any]):
    @command("W", "pipeline.notify", "Notify when done")
    def await_end(self) -> None:
        """Notify when this pipeline, or each marked one, is done; again: stop."""
        if places := self.chosen():
            self.screen.post_message(NotifyWhenDone(places))

    @command("M", "pipeline.follow", "Follow all")
    def follow_logs(self) -> None:
        """Follow the logs of all running and failed jobs in one view."""
        if (route := self._of_pipeline("many")) is not None:
            self.screen.go_to(route)

    @command("C", "pipeline.tests", "Tests")
    def list_tests(self) -> None:
        """List the failed tests of this pipeline, new ones first."""
        if (route := self._of_pipeline("tests")) is not None:
            self.screen.go_to(route)

    @command("backslash", "pipeline.search", "Search all logs")
    async def search_logs(self) -> None:
        """Search all logs of this pipeline; /regex/ is a regular expression."""
        if self._of_pipeline("search") is not None:
            await self.ask(self.sought())

    def disabled_reason(self, command: str) -> str:
        if command != "pipeline.notify" or self.chosen():
            return ""
        return "Select a pipeline first."

    def chosen(self) -> Sequence[Route]:
        here = self.body.context.pipeline()
        return () if here is None else (here,)

    def sought(self) -> str:
        """Return the search of this view as typed, to repeat it in all logs."""
        route = self.body.context.current_route()
        return format_search(route.search, is_regex=route.is_regex)

    async def ask(self, typed: str) -> None:
        prompt, here = self.screen.prompt, self.body.context.pipeline()
        await prompt.ask(SEARCH_ALL_SIGN, typed)
        number = f"#{here.pipeline}" if here is not None else "this pipeline"
        prompt.show_status(((f"in all logs of {number}", "muted"),))

    def answered(self, sign: str, text: str) -> None:
        if sign == SEARCH_ALL_SIGN:
            self.search(text)

    def search(self, typed: str) -> None:
        text, is_regex = parse_search(typed)
        self.search_for(text, is_regex=is_regex)

    def search_for(self, text: str, *, is_regex: bool) -> None:
        route = self._of_pipeline("search")
        if route is not None and text:
            self.screen.go_to(replace(route, search=text, is_regex=is_regex))

    def _of_pipeline(self, view: str) -> Route | None:
        here = self.body.context.pipeline()
        if here is None:
            self.screen.show_hint("Select a pipeline first.")
            return None
        return pipeline_route(here, view, here.pipeline)


def pipeline_route(near: Route, view: str, pipeline: int | None, job: Job | None = None) -> Route:
    route = Route(view, near.project, near.project_name, pipeline)
    return replace(route, job=job.id, job_name=clean(job.name)) if job else route


def open_log_of(body: Body, route: Route) -> None:
    """Open the log of the most relevant job of a route's pipeline."""
    if route.project is not None and route.pipeline is not None:
        from platui.models.values.queries import JobsQuery  # noqa: PLC0415  (on first use)

        query = JobsQuery(route.project, route.pipeline)
        body.in_background("feed-log", _open_log, body, query, route)


async def _open_log(body: Body, query: JobsQuery, route: Route) -> None:
    from platui.present.jobs import relevant_job  # noqa: PLC0415  (on first use)

    if (found := await all_jobs(body, query)) is None:
        return
    if (job := relevant_job(found)) is None:
        body.host.show_hint("No job of this pipeline has started yet.")
    else:
        body.host.go_to(pipeline_route(route, "log", query.pipeline, job))


async def all_jobs(body: Body, query: JobsQuery) -> Sequence[Job] | None:
    """Return all jobs; show an error and return None if they cannot be fetched.

    Cached jobs of a pipeline that runs are used only while they are recent, or after an error.
    """
    async for snapshot in body.service.watch(resources.jobs.jobs(query)):
        if snapshot.refreshing and not snapshot.is_final:
            continue
        if snapshot.value is not None and snapshot.value.complete:
            return snapshot.value.items
        if snapshot.error is not None:
            body.host.show_error(snapshot.error)
            return None
    return None
