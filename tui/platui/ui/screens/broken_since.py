"""Broken since: the last green pipeline, the first red one and the newest, side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on
from textual.binding import Binding

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.queries import JobsQuery, PipelinesQuery
from platui.models.values.raw import RecordKind, RecordRef
from platui.present.broken_since import (
    SinceFacts,
    job_of,
    runs_of,
    since_columns,
    since_pieces,
    since_rows,
    since_strip,
    stretch_in,
    strip_legend,
)
from platui.ui.messages import GoTo
from platui.ui.screens.listing import ListScreen
from platui.ui.screens.telling_log import TellingLog
from platui.ui.screens.watching import WatchesProjects
from platui.ui.screens.whole_pipeline import WholePipeline
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.models import Job, Pipeline
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.queries import ProjectRef
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.table import Column, Row
    from platui.models.values.triage import Ran, Stretch
    from platui.models.values.triage_causes import Cause

MOST: Final = 500
"""Pipelines of a project that are looked through for the last green one."""


class SinceScreen(ListScreen, TellingLog, WholePipeline, WatchesProjects):
    """`enter` on a job opens its log, on anything else the jobs of one of the pipelines."""

    VIEW = View.SINCE
    PARTS = (*ListScreen.PARTS, "#strip", "#legend")
    NOUN = "pipelines"
    WITHOUT = frozenset({"details", "read_details", "load_all", "sort", "failed"})
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    FOOTER = (
        "table.open", "since.log", "since.compare", "place.up", "list.filter", "list.copy",
        "place.refresh", "app.command",
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "l",
            "log",
            "Log",
            id="since.log",
            tooltip="Log of this job in the newest red pipeline; else of the one that broke it",
        ),
        Binding(
            "c",
            "compare",
            "Compare",
            id="since.compare",
            tooltip="Hold that log against the one of its last green run",
        ),
    ]

    strip = getters.query_one("#strip", Bar)
    legend = getters.query_one("#legend", Bar)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._feed: Feed[Listing[Pipeline]] | None = None
        self.forget()

    def forget(self) -> None:
        """Drop what was known of another incident."""
        super().forget()
        self._feed = None
        self._stretch: Stretch | None = None
        self._was_telling = False
        self._is_there = False
        """Whether the list holds the pipeline that was named."""
        self._jobs: dict[int, tuple[Job, ...]] = {}
        self._facts: SinceFacts | None = None
        self._asked: frozenset[int] = frozenset()

    def crumbs(self) -> tuple[str, ...]:
        """Return the project, and what is told of it."""
        return (self.project_crumb, "Broken since")

    def body(self) -> ComposeResult:
        """Yield the strip of runs above the table, and what its cells are."""
        yield Bar(id="strip")
        yield Bar(id="legend")
        yield from super().body()

    def on_mount(self) -> None:
        """Lay out the rows of the last time."""
        if self.kept is not None:
            self.table.set_columns(self.kept.columns)

    # feeds

    def start_feeds(self) -> None:
        """Follow the pipelines of the project; what is held side by side follows from them."""
        project = self.place.project
        if project is None or self.place.pipeline is None:
            return
        if self._feed is None:
            self._feed = self.service.feeds.watch_pipelines(PipelinesQuery(project))
        self._asked = frozenset()
        self.follow("pipelines", self._feed, self._take_pipelines)
        self.hold_feeds()

    def feeds(self) -> Sequence[Any]:
        """Return the list of pipelines; jobs of those that are over don't change."""
        return () if self._feed is None else (self._feed,)

    def _take_pipelines(self, snapshot: Snapshot[Listing[Pipeline]]) -> None:
        listing, project = snapshot.value, self.place.project
        if listing is not None and project is not None and self.place.pipeline is not None:
            number = self.place.pipeline
            self._stretch = stretch_in(listing, project, number)
            self._is_there = any(one.id == number for one in listing.items)
            goes_on = not self._is_there if self._stretch is None else self._stretch.is_at_least
            if goes_on and not listing.complete and len(listing.items) < MOST:
                self._load_more()
        self.judge_listing(snapshot)
        self._tell_facts()
        self._follow_pipelines()
        self.draw()

    def _load_more(self) -> None:
        if self._feed is not None:
            self._feed.load_more(1)

    def _follow_pipelines(self) -> None:
        """Ask for the jobs of what is held side by side, and for why it failed."""
        project, facts = self.place.project, self._facts
        if project is None or facts is None:
            return
        ids = frozenset(run.id for run in facts.beside)
        if ids == self._asked:
            return
        for gone in self._asked - ids:
            self.stop_feed(f"jobs-{gone}")
        for new in ids - self._asked:
            feed = self.service.feeds.watch_jobs(JobsQuery(project, new, with_retried=True))
            self.follow(f"jobs-{new}", feed, partial(self._take_jobs, new))
        self._asked = ids
        self.run_worker(
            work(self._look_into, project, facts.stretch), group="feed-inquest", exclusive=True,
            exit_on_error=True, description="ask why it failed",
        )  # fmt: skip

    def _take_jobs(self, pipeline: int, snapshot: Snapshot[Listing[Job]]) -> None:
        if snapshot.value is not None and snapshot.value.complete:
            self._jobs[pipeline] = snapshot.value.items
        if snapshot.error is not None:
            self.error = snapshot.error
        self._tell_facts()
        self.draw()

    async def _look_into(self, project: ProjectRef, stretch: Stretch) -> None:
        """Find out why the red ones failed, and which variables were others."""
        try:
            inquest = await self.service.inquest()
            for red in dict.fromkeys((stretch.first_red, stretch.newest_red)):
                cause = await inquest.cause(project, red)
                self._tell_facts(cause=(red.id, cause))
                self.draw()
            if stretch.last_green is not None:
                found = await inquest.changed_variables(
                    project, stretch.last_green.id, stretch.first_red.id
                )
                self._tell_facts(variables=found, has_asked_variables=True)
        except PlatuiError as error:
            # The next look at the list asks again.
            self.error, self._asked = error, frozenset()
        self.draw()

    def _tell_facts(self, *, cause: tuple[int, Cause] | None = None, **more: Any) -> None:
        """Put together what is known now."""
        if self._stretch is None:
            self._facts = None
            return
        before = self._facts
        if before is None or before.stretch.first_red.id != self._stretch.first_red.id:
            before = SinceFacts(self._stretch)
        self._facts = replace(
            before,
            stretch=self._stretch,
            jobs=dict(self._jobs),
            causes=before.causes if cause is None else {**before.causes, cause[0]: cause[1]},
            **more,
        )

    # rows

    def draw(self) -> None:
        """Show strip and table, whose columns are the pipelines, and which keys work now."""
        if self.is_whole and self._stretch is not None:
            self.table.set_columns(since_columns(self._stretch))
            self.strip.show((), since_strip(self._stretch, self.size.width))
            self.legend.show(*strip_legend(self._stretch, self.size.width))
        super().draw()
        telling = self.is_whole and self._telling() is not None
        if telling != self._was_telling:
            self._was_telling = telling
            self.refresh_bindings()

    def columns(self) -> tuple[Column, ...]:
        """Return a column a pipeline."""
        return () if self._stretch is None else since_columns(self._stretch)

    def rows(self) -> Sequence[Row]:
        """Return what is held side by side."""
        if self._facts is None:
            return ()
        return since_rows(self._facts, self.service.clock.now(), utc=self.utc)

    def draw_summary(self) -> None:
        """Show which lane is broken, since when, and since when it was not green."""
        if self._stretch is None:
            return
        left, right = since_pieces(self._stretch, self.service.clock.now(), utc=self.utc)
        self.summarize([*left, *self.filter_pieces()], right)

    def empty_text(self) -> str:
        """Return why there is nothing to hold side by side."""
        number = self.place.pipeline
        if self._is_there:
            return f"#{number} is green: nothing is broken.\n\nesc  back"
        if not self._complete and self._loaded < MOST:
            return f"Looking for #{number} …"
        return f"#{number} is not among the {self._loaded} pipelines looked at.\n\nesc  back"

    # what a row is about

    def subject(self) -> Place | None:
        """Return the newest red pipeline."""
        newest = self._newest
        return None if newest is None else self.pipeline_place(View.JOBS, newest.id)

    @property
    def _newest(self) -> Ran | None:
        return None if self._stretch is None else self._stretch.newest_red

    def _runs_of(self, name: str) -> dict[int, Job]:
        """Return the job of that name in each of the pipelines that have it, the newest first."""
        return {} if self._facts is None else runs_of(self._facts, name)

    def _telling(self) -> tuple[int, int, str] | None:
        """Return pipeline, job and its name: of the row, else of what broke the newest red."""
        name = job_of(self.table.cursor_key or "")
        if name is not None:
            started = (
                (pipeline, job.id, clean(job.name))
                for pipeline, job in self._runs_of(name).items()
                if job.started_at is not None
            )
            return next(started, None)
        newest, facts = self._newest, self._facts
        if newest is None or facts is None or newest.id not in facts.causes:
            return None
        step = facts.causes[newest.id].point.step
        if step is None or not step.has_log:
            return None
        return (newest.id, step.id, clean(step.name))

    def record_of(self, key: str) -> RecordRef | None:
        """Return the job of a row, or the newest red pipeline."""
        name, newest = job_of(key), self._newest
        if name is not None:
            job = next(iter(self._runs_of(name).values()), None)
            return RecordRef(RecordKind.JOB, job.id, self.place.project) if job else None
        if newest is None:
            return None
        return RecordRef(RecordKind.PIPELINE, newest.id, self.place.project)

    def copies_of(self, key: str) -> Mapping[str, str]:
        """Return the newest red pipeline's address, and what came between green and red."""
        stretch = self._stretch
        if stretch is None:
            return {}
        name = job_of(key)
        job = None if name is None else next(iter(self._runs_of(name).values()), None)
        address = stretch.newest_red.web_url if job is None else job.web_url
        commits = stretch.commits
        return {
            "URL": address,
            "commits": "" if commits is None else f"{commits.before}..{commits.after}",
            "first red": stretch.first_red.web_url,
            "last green": stretch.last_green.web_url if stretch.last_green else "",
            "command": self.opening(address),
        }

    def file_of(self, key: str) -> Place | None:
        """Return the pipeline file of the first red one: what it broke with."""
        del key
        if self._stretch is None:
            return None
        red = self._stretch.first_red
        return replace(self.pipeline_place(View.FILE, red.id), ref=red.sha or red.ref)

    # keys

    @on(Table.CursorMoved, "#table")
    def _another_row(self) -> None:
        self._was_telling = self._telling() is not None
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what has no meaning here; grey what has nothing to act on now."""
        if action in self.WITHOUT:
            return False
        if action in {"log", "compare"} and self.is_whole and self._telling() is None:
            return None
        return super().check_action(action, parameters)

    def open_row(self, key: str) -> None:
        """Open the log of a job; for the pipelines ask which one's jobs are wanted."""
        if job_of(key) is not None and self._telling() is not None:
            self.action_log()
        elif self._facts is not None:
            self.call_later(self._choose_pipeline)

    async def _choose_pipeline(self) -> None:
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        facts = self._facts
        if facts is None:
            return
        columns = since_columns(facts.stretch)[1:]
        items = [
            MenuItem(str(run.id), f"#{run.id}", column.title.lower())
            for run, column in reversed(list(zip(facts.beside, columns, strict=True)))
        ]

        def go(chosen: str | None) -> None:
            if chosen is not None:
                self.post_message(GoTo(self.pipeline_place(View.JOBS, int(chosen))))

        await self.app.push_screen(Menu("Jobs of which pipeline?", items), go)

    def action_log(self) -> None:
        """Open the log that tells what happened."""
        self._go_to_log(View.LOG)

    def action_compare(self) -> None:
        """Hold that log against the one of the last green run."""
        self._go_to_log(View.COMPARE)

    def _go_to_log(self, view: View) -> None:
        if (telling := self._telling()) is not None:
            pipeline, job, name = telling
            place = replace(self.pipeline_place(view, pipeline), job=job, job_name=name)
            self.post_message(GoTo(place))
