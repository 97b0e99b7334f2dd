"""Broken since: the last green pipeline, the first red one and the newest, side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.queries import JobsQuery, PipelinesQuery, RecordKind, RecordRef
from platui.present.triage.broken_since import (
    SinceFacts,
    job_of,
    runs_of,
    since_pieces,
    since_rows,
    since_strip,
    since_table,
    stretch_in,
    strip_legend,
)
from platui.service import resources
from platui.ui.controllers.pipeline_logs import PipelineLogs, pipeline_place
from platui.ui.controllers.watching import WatchProjects
from platui.ui.keys_in_use import bind
from platui.ui.messages import GoTo
from platui.ui.screens.listing import ListScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult

    from platui.models.values.feeds import Feed, Listing, Snapshot
    from platui.models.values.places import Place
    from platui.models.values.queries import ProjectRef
    from platui.models.values.table import Column, Row
    from platui.models.values.triage import Cause, Ran, Stretch
    from platui.models.wire import Job, Pipeline

MOST: Final = 500  # Pipelines of a project that are looked through for the last green one


class SinceScreen(ListScreen):
    """`enter` on a job opens its log, on anything else the jobs of one of the pipelines."""

    PARTS = (*ListScreen.PARTS, "#strip", "#legend")
    NOUN = "pipelines"
    WITHOUT = frozenset({"details", "read_details", "load_all", "sort", "failed"})
    DETAIL_CLASSES: ClassVar[tuple[str, ...]] = ()
    FOOTER = (
        "table.open", "since.log", "since.compare", "place.up", "list.filter", "list.copy",
        "place.refresh", "app.command",
    )  # fmt: skip
    CONTROLLERS = (WatchProjects, PipelineLogs)
    BINDINGS = [
        bind(
            "l",
            "since.log",
            "Log",
            "Log of this job in the newest red pipeline; else of the one that broke it",
        ),
        bind(
            "c", "since.compare", "Compare", "Hold that log against the one of its last green run"
        ),
    ]

    strip = getters.query_one("#strip", Bar)
    legend = getters.query_one("#legend", Bar)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.forget()

    def forget(self) -> None:
        """Drop what was known of another incident."""
        super().forget()
        self._stretch: Stretch | None = None
        self._was_telling = False
        self._is_there = False  # Whether the list holds the pipeline that was named
        self._jobs: dict[int, tuple[Job, ...]] = {}
        self._facts: SinceFacts | None = None
        self._asked: frozenset[int] = frozenset()

    def compose_body(self) -> ComposeResult:
        """Yield the strip of runs above the table, and what its cells are."""
        yield Bar(id="strip")
        yield Bar(id="legend")
        yield from super().compose_body()

    def on_mount(self) -> None:
        """Lay out the rows of the last time."""
        if self.kept is not None:
            self.table.set_columns(self.kept.columns)

    def open_feed(self) -> Feed[Listing[Pipeline]] | None:
        """Return the feed of the project's pipelines; what is held side by side follows from it."""
        project = self.place.project
        if project is None or self.place.pipeline is None:
            return None
        return self.service.watch(resources.pipelines.pipelines(PipelinesQuery(project)))

    def start_feeds(self) -> None:
        """Follow the pipelines, and ask anew for their jobs."""
        self._asked = frozenset()
        self.feeds.drop_others("jobs-")
        super().start_feeds()

    def _show(self, item: Snapshot[Listing[Pipeline]]) -> None:
        listing, project = item.value, self.place.project
        if listing is not None and project is not None and self.place.pipeline is not None:
            number = self.place.pipeline
            self._stretch = stretch_in(listing, project, number)
            self._is_there = any(one.id == number for one in listing.items)
            goes_on = not self._is_there if self._stretch is None else self._stretch.is_at_least
            if goes_on and not listing.complete and len(listing.items) < MOST:
                self.feeds.main.load_more(1)
        self.judge_listing(item)
        self._tell_facts()
        self._follow_pipelines()
        self.draw()

    def _follow_pipelines(self) -> None:
        """Ask for the jobs of what is held side by side, and for why it failed."""
        project, facts = self.place.project, self._facts
        if project is None or facts is None:
            return
        ids = frozenset(run.id for run in facts.beside)
        if ids == self._asked:
            return
        self.feeds.drop_others("jobs-", {f"jobs-{one}" for one in ids})
        for new in ids - self._asked:
            feed = self.service.watch(
                resources.jobs.jobs(JobsQuery(project, new, with_retried=True))
            )
            take = partial(self._take_jobs, new)
            self.feeds.follow(f"jobs-{new}", feed, take, refreshes=False)
        self._asked = ids
        self.in_background("feed-incident", self._look_into, project, facts.stretch)

    def _take_jobs(self, pipeline: int, snapshot: Snapshot[Listing[Job]]) -> None:
        if snapshot.value is not None and snapshot.value.complete:
            self._jobs[pipeline] = snapshot.value.items
        if snapshot.error is not None:
            self.error = snapshot.error
        self._tell_facts()
        self.draw()

    async def _look_into(self, project: ProjectRef, stretch: Stretch) -> None:
        try:
            details = await self.service.incident_details()
            for red in dict.fromkeys((stretch.first_red, stretch.newest_red)):
                cause = await details.cause(project, red)
                self._tell_facts(cause=(red.id, cause))
                self.draw()
            if stretch.last_green is not None:
                found = await details.changed_variables(
                    project, stretch.last_green.id, stretch.first_red.id
                )
                self._tell_facts(variables=found, has_asked_variables=True)
        except PlatuiError as error:
            # The next look at the list asks again.
            self.error, self._asked = error, frozenset()
        self.draw()

    def _tell_facts(self, *, cause: tuple[int, Cause] | None = None, **more: Any) -> None:
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

    def draw(self) -> None:
        """Show strip and table, whose columns are the pipelines, and which keys work now."""
        if self.is_whole and self._stretch is not None:
            self.table.set_columns(since_table(self._stretch).layout)
            self.strip.show((), since_strip(self._stretch, self.size.width))
            self.legend.show(*strip_legend(self._stretch, self.size.width))
        super().draw()
        telling = self.is_whole and self._telling() is not None
        if telling != self._was_telling:
            self._was_telling = telling
            self.refresh_bindings()

    def columns(self) -> tuple[Column, ...]:
        """Return a column a pipeline."""
        return () if self._stretch is None else since_table(self._stretch).layout

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
        number, loaded = self.place.pipeline, len(self.listing.items)
        if self._is_there:
            return f"#{number} is green: nothing is broken.\n\nesc  back"
        if not self.listing.complete and loaded < MOST:
            return f"Looking for #{number} …"
        return f"#{number} is not among the {loaded} pipelines looked at.\n\nesc  back"

    def subject(self) -> Place | None:
        """Return the newest red pipeline."""
        newest = self._newest
        return None if newest is None else pipeline_place(self.place, "jobs", newest.id)

    @property
    def _newest(self) -> Ran | None:
        return None if self._stretch is None else self._stretch.newest_red

    def _runs_of(self, name: str) -> dict[int, Job]:
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
        return replace(pipeline_place(self.place, "file", red.id), ref=red.sha or red.ref)

    @on(Table.CursorMoved, "#table")
    def _another_row(self) -> None:
        self._was_telling = self._telling() is not None
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what has no meaning here; grey what has nothing to act on now."""
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
        facts = self._facts
        if facts is None:
            return
        columns = since_table(facts.stretch).layout[1:]
        choices = (
            (str(run.id), f"#{run.id}", column.title.lower())
            for run, column in reversed(list(zip(facts.beside, columns, strict=True)))
        )

        def go(chosen: str) -> None:
            self.post_message(GoTo(pipeline_place(self.place, "jobs", int(chosen))))

        await self.choose("Jobs of which pipeline?", choices, go)

    def action_log(self) -> None:
        """Open the log that tells what happened."""
        self._go_to_log("log")

    def action_compare(self) -> None:
        """Hold that log against the one of the last green run."""
        self._go_to_log("compare")

    def _go_to_log(self, view: str) -> None:
        if (telling := self._telling()) is not None:
            pipeline, job, name = telling
            place = replace(pipeline_place(self.place, view, pipeline), job=job, job_name=name)
            self.post_message(GoTo(place))
