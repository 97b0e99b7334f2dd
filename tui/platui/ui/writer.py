"""Writes as the user meets them: unlocked, asked about, followed to their end, told of."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.core.errors import (
    AlreadyUnderWayError,
    NotOfferedError,
    WriteRefusedError,
    WritesOffError,
)
from platui.core.text import clean
from platui.models.values.places import Place, View
from platui.models.values.writes import ActOn
from platui.ui.courses import Courses
from platui.ui.messages import UnlockWanted, WriteWanted
from platui.ui.navigator import NavigatorApp
from platui.ui.reaction import WRITE_KEYS, Reaction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import ActiveBinding
    from textual.events import Key
    from textual.notifications import SeverityLevel
    from textual.timer import Timer

    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import Outcome
    from platui.models.values.writes import Act, Intent
    from platui.present.chrome import Pieces
    from platui.ui.course import WriteCourse

_VERBS: Final = frozenset(
    {"run", "rerun", "cancel", "retry", "play", "new", "edit", "own", "delete", "unlock"}
)
"""What may be typed, as the ids of the keys that do the same end."""

_MANY: Final = 50
"""Intents from which a plan is made beside the event loop."""
_TOLD_FOR: Final = 15.0
"""Seconds that a notice of an outcome stays."""


class WriterApp(NavigatorApp):
    """An app that does what is wanted of the platform, after a yes to exactly that."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._reaction = Reaction(self.service.clock)
        self._courses = Courses()
        self._looked_for: Timer | None = None
        """Moves the line of what is under way on, while there is one."""

    def on_mount(self) -> None:
        """Take note of every change of the screen, from the moment at which it is painted."""
        self.screen_change_signal.subscribe(self, lambda _: self._screen_changed(), immediate=True)

    def _screen_changed(self) -> None:
        self._reaction.changed()
        self.call_after_refresh(self._reaction.changed)
        self._tell_under_way()

    def _show_here(self) -> None:
        super()._show_here()
        self._screen_changed()  # also where the same view shows another thing now

    # keys

    def takes(self, key: Key) -> bool:
        """Return whether who struck a key saw what it acts on; others are dropped where it writes.

        In a question no key counts at first, for each of them answers or moves the answer.
        One that would write, and has nothing to do, says why.
        """
        waited = max(0.0, time.monotonic() - key.time)
        struck = self.service.clock.monotonic() - waited
        seen = self._reaction.has_seen(struck)
        if getattr(self.screen, "ASKS", False):
            if not seen:
                self._reaction.dropped(struck)
            return seen
        action = self._write_key(key)
        if not action:
            return True
        active = self.screen.active_bindings.get(key.key)
        if active is not None and active.binding.id != action:
            return True
        if seen and (active is None or not active.enabled):
            self._say_why_not(action)
        return seen

    def _write_key(self, key: Key) -> str:
        """Return the id of what a key would write; empty where it is typed, or does else."""
        # Not `active_bindings`: those cost more than many a key does.
        bound = self.screen._bindings.key_to_bindings.get(key.key, ())  # noqa: SLF001  (see above)
        ids = (one.id or "" for one in bound)
        action = next((id_ for id_ in ids if id_.startswith(WRITE_KEYS)), "")
        if action and self.focused is not None:
            return "" if self.focused.check_consume_key(key.key, key.character) else action
        return action

    def _say_why_not(self, action: str) -> None:
        screen = self.place_screen()
        if screen is not None and screen is self.screen:
            self.hint(screen.why_not(action))

    # what is typed

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says; those that write do what their keys do."""
        if verb == "write":
            self._write_command(argument)
        elif verb == "trigger":
            self.trigger_here()
        elif verb in _VERBS:
            self._do_here(verb)
        else:
            super().do(verb, argument)

    def _do_here(self, verb: str) -> None:
        found = self._key_of(verb)
        if found is not None and found.enabled:
            self.call_later(self.run_action, found.binding.action, found.node)
        else:
            action = f"{WRITE_KEYS}{verb}" if found is None else found.binding.id or ""
            self._say_why_not(action)

    def _key_of(self, verb: str) -> ActiveBinding | None:
        """Return the key that does what a verb says here: `new`, or `new_schedule`."""
        name = f"{WRITE_KEYS}{verb}"
        for active in self.screen.active_bindings.values():
            action = active.binding.id or ""
            if action == name or action.startswith(f"{name}_"):
                return active
        return None

    @property
    def can_trigger(self) -> bool:
        """Return whether there is a project here whose pipelines can be triggered."""
        found = self._key_of("run")
        if found is not None and found.binding.id == f"{WRITE_KEYS}run":
            return bool(found.enabled)
        return self.trail.here.view is View.RUN

    def trigger_here(self) -> None:
        """Open the form of a run with the trigger token chosen; the same form changes to it."""
        screen = self.place_screen()
        subject = screen.subject() if screen is not None else None
        if self.service.writes == "off":
            self._say_off()
        elif self.can_trigger and subject is not None:
            pipeline = subject.pipeline if subject.view is View.RUN else None
            self.go(
                Place(View.RUN, subject.project, subject.project_name, pipeline, triggered=True)
            )
        else:
            self.hint("Nothing to trigger: put the cursor on a project first.")

    # the lock

    @property
    def writes_are_locked(self) -> bool:
        """Return whether they could be unlocked."""
        return self.service.writes == "locked" and self.service.writes_open_until.value is None

    @on(UnlockWanted)
    def _unlock_wanted(self, message: UnlockWanted) -> None:
        message.stop()
        profile = self.service.profile.name
        if self.service.writes == "off":
            self._say_off()
        elif self.service.writes == "confirm":
            self.hint(f"Profile {profile} has no lock: each write is asked about.")
        elif self.writes_are_locked:
            self._unlock(self._say_unlocked)
        else:
            self.service.write_desk.lock.lock()
            self.hint(f"Writes on {profile} are locked again.")

    def _say_off(self) -> None:
        if self.settings.read_only:
            error = WritesOffError("platui runs read-only.", hint="Start it without that.")
        else:
            error = WritesOffError(
                "Writes are off in this profile (writes = off in config.toml).", hint=""
            )
        self.tell(error)

    def _unlock(self, then: Callable[[], None]) -> None:
        """Ask for the profile's name; go on where that was typed."""
        from platui.ui.dialogs.unlock import UnlockDialog  # noqa: PLC0415  (on first use)

        def go_on(unlocked: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if unlocked:
                then()

        profile, unlock = self.service.profile, self.service.write_desk.lock.unlock
        self.push_screen(UnlockDialog(profile.name, unlock, production=profile.production), go_on)

    def _say_unlocked(self) -> None:
        self.hint(f"Writes on {self.service.profile.name} are unlocked for 15 minutes.")

    # asking

    @on(WriteWanted)
    def _write_wanted(self, message: WriteWanted) -> None:
        message.stop()
        if self.service.writes == "off":
            self._say_off()
        elif self.writes_are_locked:
            self._unlock(lambda: self._ask(message))
        else:
            self._ask(message)

    def _ask(self, wanted: WriteWanted) -> None:
        if len(wanted.intents) < _MANY:
            named = self._called(wanted.intents)
            plan = self.service.write_desk.plan(*wanted.intents, called=named)
            self._question(plan, wanted)
        else:
            self.run_worker(
                self._ask_of_many(wanted), group="plan", exclusive=True, exit_on_error=True,
                description="plan many writes",
            )  # fmt: skip

    async def _ask_of_many(self, wanted: WriteWanted) -> None:
        here, called = self.screen, self._called(wanted.intents)
        plan = await asyncio.to_thread(self.service.write_desk.plan, *wanted.intents, called=called)
        if self.screen is here:  # nobody is asked about what lies somewhere else
            self._question(plan, wanted)

    def _called(self, intents: Sequence[Intent]) -> str:
        """Return what the project is called on which the intents are, as this place knows it."""
        from platui.present.called import called  # noqa: PLC0415  (on first use)

        project = next((getattr(one, "project", None) for one in intents), None)
        screen = self.place_screen()
        places = (self.trail.here, screen.subject() if screen is not None else None)
        names = [one.project_name for one in places if one is not None and one.project == project]
        return "" if project is None else called(project, names[0] if names else "")

    def _question(self, plan: WritePlan, wanted: WriteWanted) -> None:
        """Ask, and begin what is said yes to."""
        from platui.ui.dialogs.confirm import ConfirmDialog  # noqa: PLC0415  (on first use)

        if plan.problem:
            refused = WriteRefusedError if plan.is_offered else NotOfferedError
            self.tell(refused(plan.problem, hint=""))
            return
        if self._refuses_same(plan):
            return

        def answered(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes and not self._refuses_same(plan):
                self._begin(plan, wanted)

        notes = (*self._doubts(plan), *wanted.notes, *self._first_times(wanted.intents))
        self.push_screen(ConfirmDialog(plan, notes), answered)

    def _refuses_same(self, plan: WritePlan) -> bool:
        """Say so where the same is under way; return whether it is."""
        course = self._courses.same_under_way(plan)
        if course is None:
            return False
        from platui.present.under_way import already  # noqa: PLC0415  (on first use)

        now = self.service.clock.monotonic()
        sentence = already(course.plan, course.state, since=course.began, now=now)
        self.tell(AlreadyUnderWayError(sentence, hint=""))
        return True

    def _doubts(self, plan: WritePlan) -> list[str]:
        """Return what is said of the same that was sent before, and may have happened."""
        found = self._courses.same_in_doubt(plan)
        if not found:
            return []
        from platui.present.under_way import doubt  # noqa: PLC0415  (on first use)

        now = self.service.clock.monotonic()
        return [doubt(state, since=course.began, now=now) for course, state in found]

    def _begin(self, plan: WritePlan, wanted: WriteWanted) -> None:
        from platui.ui.course import WriteCourse  # noqa: PLC0415  (on first use)

        for act in _acts(plan.intents):
            self.service.remembrance.know_act(act)
        course = WriteCourse(plan, self.service.clock.monotonic())
        self._courses.begin(course)
        course.progress.observe(lambda _: self._tell_under_way())
        worker = self.run_worker(
            self._follow(course, wanted), group="write", exit_on_error=True,
            description="follow a write to its end",
        )  # fmt: skip
        course.interrupt = worker.cancel
        self.clear_hints()
        self._look_at(course)

    def _first_times(self, intents: tuple[Intent, ...]) -> list[str]:
        """Return what is said of acts that were never done on this profile."""
        from platui.present.acts import first_time  # noqa: PLC0415  (on first use)

        known, profile = self.service.remembrance.known_acts(), clean(self.service.profile.name)
        return [first_time(act, profile) for act in _acts(intents) if act not in known]

    # following

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

        self._courses.ended(course)
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

    def _tell_under_way(self) -> None:
        """Show, on a line of the view, the write that is under way and not looked at."""
        if not self.screen_stack:
            return  # the dashboard ends, and the write with it
        courses = self._courses.under_way
        if courses:
            from platui.ui.dialogs.course import CourseDialog  # noqa: PLC0415  (on first use)

            shown = self.screen.course if isinstance(self.screen, CourseDialog) else None
            courses = [one for one in courses if one is not shown]
        if bool(courses) != (self._looked_for is not None):
            if self._looked_for is None:
                self._looked_for = self.set_interval(1.0, self._tell_under_way)
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

    def _write_command(self, argument: str) -> None:
        if not argument:
            self.show_last_write()
        elif argument == "cancel":
            self.stop_write()
        else:
            self.hint("Type :write to see how it goes, :write cancel to send nothing further.")

    def show_last_write(self) -> None:
        """Show how the last write goes, or went; of several under way, let one be chosen."""
        if len(courses := self._courses.under_way) > 1:
            self._choose(courses, "Writes under way", self._look_at)
        elif (last := next(iter(courses), self._courses.last)) is not None:
            self._look_at(last)
        else:
            self.hint("Nothing was written in this session; platui audit shows what was before.")

    @property
    def can_stop_write(self) -> bool:
        """Return whether something waits to be sent."""
        return any(one.can_stop for one in self._courses.under_way)

    def stop_write(self) -> None:
        """Send nothing further of what waits; of several, let one be chosen."""
        courses = [one for one in self._courses.under_way if one.can_stop]
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
        """Leave, after a yes while a write is under way."""
        if self._courses.under_way:
            self._ask_to_leave()
        else:
            super().leave()

    def _ask_to_leave(self) -> None:
        from platui.present.write_questions import badge  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        def answered(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes:
                self.exit(0)

        profile = self.service.profile
        under_way = [one.plan.effect for one in self._courses.under_way]
        question = QuestionDialog(
            badge(profile.name, production=profile.production),
            [("Leave while a write is under way?", "strong"),
             *((effect, "text") for effect in under_way), ("", "text"),
             ("What is sent already may still happen, and nobody will tell you.", "warning")],
            production=profile.production,
        )  # fmt: skip
        self.push_screen(question, answered)


def _acts(intents: Sequence[Intent]) -> list[Act]:
    """Return what is to be done to things that are there, each once."""
    return list(dict.fromkeys(one.act for one in intents if isinstance(one, ActOn)))
