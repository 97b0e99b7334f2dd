"""Compare the last successful pipeline, the first failed one and the newest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters

from platui.core.text import clean
from platui.models.values.previews import LOG, PreviewTarget
from platui.models.values.queries import PipelinesQuery, RecordKind, RecordRef
from platui.present.counts import counted
from platui.present.files.changes import range_of
from platui.present.status import FAILED
from platui.present.triage.broken_since import (
    CAUSE,
    COMMIT,
    compared_runs,
    job_of,
    runs_of,
    since_columns,
    since_pieces,
    since_rows,
    since_strip,
    stretch_in,
    strip_legend,
    without_branch,
)
from platui.service import resources
from platui.ui.controllers.list_keys import (
    BrowseRow,
    ChangePreview,
    CopyMenu,
    CopyRow,
    FilterRows,
    NextPane,
    PreviousPane,
    ReadRow,
)
from platui.ui.controllers.pipeline_logs import PipelineLogs, pipeline_route
from platui.ui.controllers.view_keys import VIEW_KEYS
from platui.ui.controllers.watch_keys import WatchProjects
from platui.ui.screens.broken_since.incident import Incident
from platui.ui.screens.broken_since.keys import BrokenSinceKeys
from platui.ui.screens.files.diff import load_diff
from platui.ui.screens.parts.list_body import ListBody, filter_pieces
from platui.ui.screens.parts.list_context import ListContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.routes import Route
    from platui.models.values.table import Column, Row
    from platui.models.values.triage import CommitRange
    from platui.models.wire import Job, Pipeline

MOST: Final = 500  # Pipelines searched for the last successful one


class BrokenSinceContext(ListContext["BrokenSinceBody"]):
    """A job of the compared pipelines, or another fact about them."""

    def resource(self) -> Route | None:
        if (stretch := self.body.incident.stretch) is None:
            return None
        return pipeline_route(self.body.route, "jobs", stretch.newest_red.id)

    def record(self, key: str) -> RecordRef | None:
        stretch, project = self.body.incident.stretch, self.body.route.project
        if (job := self.newest_job(key)) is not None:
            return RecordRef(RecordKind.JOB, job.id, project)
        if job_of(key) is not None or stretch is None:
            return None
        return RecordRef(RecordKind.PIPELINE, stretch.newest_red.id, project)

    def copies(self, key: str) -> Mapping[str, str]:
        """Return the copies: URLs, and the commits between success and failure."""
        stretch = self.body.incident.stretch
        if stretch is None:
            return {}
        address = (self.newest_job(key) or stretch.newest_red).web_url
        commits = stretch.commits
        return {
            "URL": address,
            "commits": "" if commits is None else f"{commits.before}..{commits.after}",
            "first failed": stretch.first_red.web_url,
            "last successful": stretch.last_green.web_url if stretch.last_green else "",
            "command": self.open_command(address),
        }

    def file_of(self, _key: str) -> Route | None:
        if (stretch := self.body.incident.stretch) is None:
            return None
        red = stretch.first_red
        return replace(pipeline_route(self.body.route, "file", red.id), ref=red.sha or red.ref)

    def open(self, key: str) -> None:
        stretch = self.body.incident.stretch
        if stretch is None:
            return
        if key == COMMIT and stretch.commits is not None:
            self._open_commits(stretch.first_red.id, stretch.commits)
        elif (key == CAUSE or job_of(key) is not None) and self.job_with_log() is not None:
            self.open_log("log")
        else:
            self.body.call_later(self._choose_pipeline)

    def _open_commits(self, pipeline: int, commits: CommitRange) -> None:
        if commits.is_empty:
            self.body.host.show_hint("Both pipelines ran the same commit.")
        else:
            route = pipeline_route(self.body.route, "commits", pipeline)
            self.body.host.go_to(replace(route, ref=range_of(commits.before, commits.after)))

    load_preview = staticmethod(load_diff)

    def preview(self, key: str, _kind: str) -> PreviewTarget | None:
        """Return the diff of the commits, else the log that `l` opens."""
        route, stretch = self.body.route, self.body.incident.stretch
        if stretch is None or route.project is None:
            return None
        if key == COMMIT and stretch.commits is not None and not stretch.commits.is_empty:
            ref = range_of(stretch.commits.before, stretch.commits.after)
            diff = replace(pipeline_route(route, "diff", stretch.first_red.id), ref=ref)
            return PreviewTarget(route.project, "Changes", "", route=diff)
        if (found := self.job_with_log()) is None:
            return None
        pipeline, job, name = found
        status = next((one.status for one in self._runs_of(key).values() if one.id == job), FAILED)
        line = self._cause_line(pipeline, job)
        return PreviewTarget(route.project, name, status, job=job, line=line)

    async def _choose_pipeline(self) -> None:
        facts = self.body.incident.facts
        if facts is None:
            return
        choices = (
            (run.id, f"#{run.id}", title.lower())
            for title, run in reversed(compared_runs(facts.stretch).items())
        )

        def go(chosen: int) -> None:
            self.body.host.go_to(pipeline_route(self.body.route, "jobs", chosen))

        await self.body.host.choose("Jobs of which pipeline?", choices, go)

    def job_with_log(self) -> tuple[int, int, str] | None:
        """Return pipeline, job and its name: of the row, else of the newest cause."""
        key = self.body.table.cursor_key or ""
        if job_of(key) is not None:
            started = (
                (pipeline, job.id, clean(job.name))
                for pipeline, job in self._runs_of(key).items()
                if job.started_at is not None
            )
            return next(started, None)
        if (facts := self.body.incident.facts) is None:
            return None
        newest = facts.stretch.newest_red.id
        cause = facts.causes.get(newest)
        step = None if cause is None else cause.point.step
        return None if step is None or not step.has_log else (newest, step.id, clean(step.name))

    def newest_job(self, key: str | None = None) -> Job | None:
        """Return a row's job of the newest pipeline with it; of the cursor's row by default."""
        runs = self._runs_of(key or self.body.table.cursor_key or "")
        return next(iter(runs.values()), None)

    def _runs_of(self, key: str) -> dict[int, Job]:
        name, facts = job_of(key), self.body.incident.facts
        return {} if name is None or facts is None else runs_of(facts, name)

    def open_log(self, view: str) -> None:
        """Open the log of the row, alone or compared with the last successful run."""
        if (found := self.job_with_log()) is not None:
            pipeline, job, name = found
            route = pipeline_route(self.body.route, view, pipeline)
            line = self._cause_line(pipeline, job) if view == "log" else None
            self.body.host.go_to(replace(route, job=job, job_name=name, line=line))

    def _cause_line(self, pipeline: int, job: int) -> int | None:
        facts = self.body.incident.facts
        cause = None if facts is None else facts.causes.get(pipeline)
        if cause is None or cause.signature is None or cause.point.step is None:
            return None
        return cause.signature.compared_line if cause.point.step.id == job else None


class BrokenSinceBody(ListBody):
    """A column per pipeline, below a strip of the runs around them."""

    CONTEXT = BrokenSinceContext
    context: BrokenSinceContext
    REQUIRED_WIDGETS = (*ListBody.REQUIRED_WIDGETS, "#strip", "#legend")
    NOUN = "pipelines"
    PREVIEWS = (LOG,)
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    DEFAULT_CSS = "BrokenSinceBody { layout: vertical; }"

    strip = getters.query_one("#strip", Bar)
    legend = getters.query_one("#legend", Bar)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.incident = Incident(self)

    def forget(self) -> None:
        super().forget()
        self.incident = Incident(self)

    def compose(self) -> ComposeResult:
        yield Bar(id="strip")
        yield Bar(id="legend")
        yield from super().compose()

    def ready(self) -> None:
        if self.saved_view is not None:
            self.table.set_columns(self.saved_view.columns)
        super().ready()

    def open_feed(self) -> Feed[Listing[Pipeline]] | None:
        project = self.route.project
        if project is None or self.route.pipeline is None:
            return None
        return self.service.watch(resources.pipelines.pipelines(PipelinesQuery(project)))

    def start_feeds(self) -> None:
        self.incident.drop_jobs()
        super().start_feeds()

    def take(self, item: Snapshot[Listing[Pipeline]]) -> None:
        listing, project, number = item.value, self.route.project, self.route.pipeline
        stretch = self.incident.stretch
        if listing is not None and project is not None and number is not None:
            stretch = stretch_in(listing, project, number)
            goes_on = not _is_in(listing, number) if stretch is None else stretch.is_at_least
            if goes_on and not listing.complete and len(listing.items) < MOST:
                self.feeds.main.load_more(1)
        self.take_listing(item)
        self.incident.follow(stretch)
        self.draw()

    def draw(self) -> None:
        stretch, width = self.incident.stretch, self.host.size.width
        if self.is_whole and stretch is not None:
            self.table.set_columns(since_columns(stretch))
            self.strip.show((), since_strip(stretch, width))
            self.legend.show(*strip_legend(stretch, width))
        super().draw()

    def columns(self) -> tuple[Column, ...]:
        return () if self.incident.stretch is None else since_columns(self.incident.stretch)

    def rows(self) -> Sequence[Row]:
        if self.incident.facts is None:
            return ()
        return since_rows(self.incident.facts, self.now, utc=self.utc)

    def draw_summary(self) -> None:
        if self.incident.facts is None:
            return
        left, right = since_pieces(self.incident.facts, self.now, utc=self.utc)
        self.host.summarize([*left, *filter_pieces(self)], right)

    def empty(self) -> tuple[str, str]:
        number, loaded = self.route.pipeline, len(self.listing.items)
        here = next((one for one in self.listing.items if one.id == number), None)
        if here is not None:
            reason = without_branch(here) or f"#{number} has not failed: nothing is broken."
            return f"{reason}\n\nesc  back", "muted"
        if not self.listing.complete and loaded < MOST:
            return f"Searching for #{number} …", "muted"
        return (
            f"#{number} is not among the newest: {counted(loaded, 'pipeline')}.\n\nesc  back",
            "muted",
        )


def _is_in(listing: Listing[Pipeline], number: int | None) -> bool:
    return any(one.id == number for one in listing.items)


class BrokenSinceScreen(ViewScreen):
    BODY = BrokenSinceBody
    CONTROLLERS = (
        *VIEW_KEYS, CopyMenu, ChangePreview, NextPane, PreviousPane, FilterRows, ReadRow, BrowseRow,
        CopyRow, WatchProjects, PipelineLogs, BrokenSinceKeys,
    )  # fmt: skip
    FOOTER = (
        "table.open", "since.log", "since.compare", "view.back", "list.filter", "list.copy",
        "view.refresh", "app.command",
    )  # fmt: skip
