"""Writes from the yes on: followed to their end, told of, and what they made is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.writes import ActOn
from platui.ui.courses import Courses
from platui.ui.navigator import NavigatorApp
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.notifications import SeverityLevel
    from textual.timer import Timer

    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import Outcome
    from platui.present.chrome import Pieces
    from platui.ui.course import WriteCourse
    from platui.ui.messages import WriteWanted

_TOLD_FOR: Final = 15.0
"""Seconds that a notice of an outcome stays."""


class FollowerApp(NavigatorApp):
    """An app that shows what becomes of writes, wherever the user is by then."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.courses = Courses()
        self._looked_for: Timer | None = None
        """Moves the line of what is under way on, while there is one."""

    def begin(self, plan: WritePlan, wanted: WriteWanted) -> None:
        """Do what was said yes to, and show how it goes."""
        from platui.ui.course import WriteCourse  # noqa: PLC0415  (on first use)

        course = WriteCourse(plan, self.service.clock.monotonic())
        self.courses.begin(course)
        course.progress.observe(lambda _: self.tell_under_way())
        worker = self.run_worker(
            work(self._follow, course, wanted), group="write", exit_on_error=True,
            description="follow a write to its end",
        )  # fmt: skip
        course.interrupt = worker.cancel
        self.clear_hints()
        self._look_at(course)

    async def _follow(self, course: WriteCourse, wanted: WriteWanted) -> None:
        """Follow a write to its end, which is told wherever the user is by then."""
        await course.follow(self.service)
        self._ended(course, wanted)

    def _look_at(self, course: WriteCourse) -> None:
        """Show how a write goes; what it made is opened from there."""
        from platui.ui.dialogs.course import CourseDialog  # noqa: PLC0415  (on first use)

        self.push_screen(CourseDialog(course, self.service.clock, utc=self.utc), self._open_made)

    def _open_made(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self._open(outcome)

    def _ended(self, course: WriteCourse, wanted: WriteWanted) -> None:
        """Tell how it ended; what was made is gone to where somebody still waits for it."""
        from platui.ui.dialogs.course import CourseDialog  # noqa: PLC0415  (on first use)

        self.courses.ended(course)
        if wanted.when_over is not None:
            wanted.when_over(course)
        dialog = self.screen
        waits = isinstance(dialog, CourseDialog) and dialog.course is course
        if not waits:
            self._notice(course)
        elif course.is_done:
            made = not any(isinstance(one, ActOn) for one in course.plan.intents)
            dialog.dismiss(course.outcome if made else None)
            self._notice(course)
        self.call_after_refresh(self.look_again)

    def _notice(self, course: WriteCourse) -> None:
        from platui.present.write_courses import outcome_words  # noqa: PLC0415  (on first use)

        title, sentence = outcome_words(
            course.plan, course.progress.value, stopped=course.was_stopped
        )
        severity: SeverityLevel = "information" if course.is_done else "warning"
        self.notify(sentence, title=title, severity=severity, timeout=_TOLD_FOR)

    def _open(self, outcome: Outcome) -> None:
        """Go to what a write made."""
        project = outcome.project
        name = str(project).rpartition("/")[2] if isinstance(project, str) else ""
        here = self.trail.here
        if here.project == project:
            name = here.project_name
        match outcome.kind:
            case "pipeline" if outcome.id is None:
                self.go(Place(View.PIPELINES, project, name))
            case "pipeline":
                self.go(Place(View.JOBS, project, name, outcome.id))
            case "job":
                self.go(Place(View.LOG, project, name, job=outcome.id))
            case "schedule":
                self.go(Place(View.SCHEDULES, project, name))
            case "project" if outcome.id is not None:
                title = getattr(outcome.record, "name", "")
                self.go(Place(View.PIPELINES, outcome.id, clean(title)))

    # under way

    def tell_under_way(self) -> None:
        """Show, on a line of the view, the write that is under way and not looked at."""
        if not self.screen_stack:
            return  # the dashboard ends, and the write with it
        courses = self.courses.under_way
        if courses:
            from platui.ui.dialogs.course import CourseDialog  # noqa: PLC0415  (on first use)

            shown = self.screen.course if isinstance(self.screen, CourseDialog) else None
            courses = [one for one in courses if one is not shown]
        if bool(courses) != (self._looked_for is not None):
            if self._looked_for is None:
                self._looked_for = self.set_interval(self.pace.tick, self.tell_under_way)
            else:
                self._looked_for.stop()
                self._looked_for = None
        screen = self.place_screen()
        if screen is not None:
            screen.tell_under_way(self._line_of(courses))

    def _line_of(self, courses: Sequence[WriteCourse]) -> tuple[Pieces, Pieces]:
        if not courses:
            return (), ()
        from platui.present.under_way import under_way  # noqa: PLC0415  (on first use)

        course = courses[-1]
        return under_way(
            course.plan, course.progress.value, course.state, since=course.began,
            now=self.service.clock.monotonic(), can_stop=course.can_stop, others=len(courses) - 1,
        )  # fmt: skip

    def write_command(self, argument: str) -> None:
        """Do what `:write` says."""
        if not argument:
            self.show_last_write()
        elif argument == "cancel":
            self.stop_write()
        else:
            self.hint("Type :write to see how it goes, :write cancel to send nothing further.")

    def show_last_write(self) -> None:
        """Show how the last write goes, or went; of several under way, let one be chosen."""
        if len(courses := self.courses.under_way) > 1:
            self._choose(courses, "Writes under way", self._look_at)
        elif (last := next(iter(courses), self.courses.last)) is not None:
            self._look_at(last)
        else:
            self.hint("Nothing was written in this session; platui audit shows what was before.")

    @property
    def can_stop_write(self) -> bool:
        """Return whether something waits to be sent."""
        return any(one.can_stop for one in self.courses.under_way)

    def stop_write(self) -> None:
        """Send nothing further of what waits; of several, let one be chosen."""
        courses = [one for one in self.courses.under_way if one.can_stop]
        if len(courses) > 1:
            self._choose(courses, "Cancel which?", lambda course: course.stop())
        elif courses:
            courses[0].stop()
        else:
            self.hint("Nothing waits to be sent.")

    def _choose(
        self, courses: Sequence[WriteCourse], title: str, act: Callable[[WriteCourse], None]
    ) -> None:
        from platui.present.under_way import doing  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        items = [MenuItem(str(n), doing(one.plan)) for n, one in enumerate(courses)]

        def take(chosen: str | None) -> None:
            if chosen is not None:
                act(courses[int(chosen)])

        self.push_screen(Menu(title, items), take)

    # leaving

    def leave(self) -> None:
        """Leave, after a yes where it would cost what is under way, or typed."""
        self.once_free("Leave", lambda: self.exit(0), unsent=self.has_unsent)

    def once_free(self, verb: str, end: Callable[[], None], *, unsent: bool = False) -> None:
        """End what runs here; while a write is under way, or a report is fetched, after a yes.

        Args:
            verb: what the question begins with, as `Leave`.
            end: what is done then.
            unsent: whether a form is filled in, which ends as well.
        """
        is_fetching = self.service.is_fetching_report
        if not (self.courses.under_way or is_fetching or unsent):
            end()
            return
        from platui.present.write_questions import badge  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        def answered(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes:
                end()

        profile = self.service.profile
        writes = [one.plan.effect for one in self.courses.under_way]
        words = [
            (f"{verb}, and leave a filled-in form behind?", "strong"),
            ("", "text"),
            ("What is filled in and not sent is not kept.", "warning"),
        ]
        if is_fetching:
            words = [
                (f"{verb} while the access report is fetched?", "strong"),
                ("", "text"),
                ("What came of it so far is not kept; the saved reports are.", "warning"),
            ]
        if writes:
            words = [
                (f"{verb} while a write is under way?", "strong"),
                *((effect, "text") for effect in writes), ("", "text"),
                ("What is sent already may still happen, and nobody will tell you.", "warning"),
            ]  # fmt: skip
        question = QuestionDialog(
            badge(profile.name, production=profile.production),
            words,
            production=bool(writes) and profile.production,
        )
        self.push_screen(question, answered)
