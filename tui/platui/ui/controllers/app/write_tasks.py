"""Confirmed writes: followed to their end, reported, and their results opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.places import Place
from platui.models.values.writes import ActOn
from platui.service.writes.task import WriteTask, WriteTaskList
from platui.ui.controller import AppController
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.notifications import SeverityLevel
    from textual.timer import Timer

    from platui.models.values.write_states import Outcome
    from platui.models.values.writes import Confirmation, WritePlan
    from platui.present.chrome import Pieces
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs
    from platui.ui.messages import WriteWanted

_TOLD_FOR: Final = 15.0


class WriteTasks(AppController):
    """The writes of an app, shown wherever the user is by then."""

    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self.tasks = WriteTaskList()
        self._ticking: Timer | None = None
        """Updates the line of running writes, while there is one."""

    def begin(self, plan: WritePlan, confirmed: Confirmation, wanted: WriteWanted) -> None:
        """Do what was said yes to, and show how it goes."""
        task = WriteTask(plan, confirmed, self._app.service.clock.monotonic())
        self.tasks.begin(task)
        task.progress.observe(lambda _: self.tell_under_way())
        worker = self._app.run_worker(work(self._follow, task, wanted), group="write")
        task.interrupt = worker.cancel
        self._app.clear_hints()
        self._look_at(task)

    async def _follow(self, task: WriteTask, wanted: WriteWanted) -> None:
        await task.follow(self._app.service.write_desk)
        self._ended(task, wanted)

    def _look_at(self, task: WriteTask) -> None:
        from platui.ui.dialogs.write_task import WriteTaskDialog  # noqa: PLC0415  (on first use)

        app = self._app
        app.push_screen(WriteTaskDialog(task, app.service.clock, utc=app.times.utc), self._open)

    def _ended(self, task: WriteTask, wanted: WriteWanted) -> None:
        """Report the outcome; open the result where its dialog is still open."""
        from platui.ui.dialogs.write_task import WriteTaskDialog  # noqa: PLC0415  (on first use)

        self.tasks.ended(task)
        if wanted.when_over is not None:
            wanted.when_over(task)
        dialog = self._app.screen
        waits = isinstance(dialog, WriteTaskDialog) and dialog.write_task is task
        if not waits:
            self._notice(task)
        elif task.is_done:
            made = not any(isinstance(one, ActOn) for one in task.plan.intents)
            dialog.dismiss(task.outcome if made else None)
            self._notice(task)
        self._app.call_after_refresh(self._app.look_again)

    def _notice(self, task: WriteTask) -> None:
        from platui.present.writes.states import outcome_words  # noqa: PLC0415  (on first use)

        title, sentence = outcome_words(task.plan, task.progress.value, stopped=task.was_stopped)
        severity: SeverityLevel = "information" if task.is_done else "warning"
        self._app.notify(sentence, title=title, severity=severity, timeout=_TOLD_FOR)

    def _open(self, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        project = outcome.project
        name = str(project).rpartition("/")[2] if isinstance(project, str) else ""
        here = self._app.navigation.history.here
        if here.project == project:
            name = here.project_name
        match outcome.kind:
            case "pipeline" if outcome.id is None:
                self._app.navigation.go(Place("pipelines", project, name))
            case "pipeline":
                self._app.navigation.go(Place("jobs", project, name, outcome.id))
            case "job":
                self._app.navigation.go(Place("log", project, name, job=outcome.id))
            case "schedule":
                self._app.navigation.go(Place("schedules", project, name))
            case "project" if outcome.id is not None:
                title = getattr(outcome.record, "name", "")
                self._app.navigation.go(Place("pipelines", outcome.id, clean(title)))

    def tell_under_way(self) -> None:
        """Show, on a line of the view, the write that is under way and not looked at."""
        if not self._app.screen_stack:
            return  # the dashboard ends, and the write with it
        tasks = self.tasks.under_way
        if tasks:
            from platui.ui.dialogs.write_task import WriteTaskDialog  # noqa: PLC0415  (on first use)

            shown = (
                self._app.screen.write_task
                if isinstance(self._app.screen, WriteTaskDialog)
                else None
            )
            tasks = [one for one in tasks if one is not shown]
        if bool(tasks) != (self._ticking is not None):
            if self._ticking is None:
                self._ticking = self._app.set_interval(self._app.pace.tick, self.tell_under_way)
            else:
                self._ticking.stop()
                self._ticking = None
        screen = self._app.place_screen()
        if screen is not None:
            screen.tell_under_way(self._line_of(tasks))

    def _line_of(self, tasks: Sequence[WriteTask]) -> tuple[Pieces, Pieces]:
        if not tasks:
            return (), ()
        from platui.present.writes.under_way import under_way  # noqa: PLC0415  (on first use)

        task = tasks[-1]
        now = self._app.service.clock.monotonic()
        return under_way(
            task.plan, task.progress.value, task.state, since=task.began, now=now,
            can_stop=task.can_stop, others=len(tasks) - 1,
        )  # fmt: skip

    def verbs(self) -> Verbs:
        """Return the verb about what is written."""
        return {"write": self._typed}

    def _typed(self, argument: str) -> None:
        if not argument:
            self.show_last()
        elif argument == "cancel":
            self.stop()
        else:
            self._app.hint("Type :write to see how it goes, :write cancel to send nothing further.")

    def show_last(self) -> None:
        """Show how the last write goes, or went; of several under way, let one be chosen."""
        if len(tasks := self.tasks.under_way) > 1:
            self._choose(tasks, "Writes under way", self._look_at)
        elif (last := next(iter(tasks), self.tasks.last)) is not None:
            self._look_at(last)
        else:
            self._app.hint(
                "Nothing was written in this session; platui audit shows what was before."
            )

    @property
    def can_stop(self) -> bool:
        """Return whether something waits to be sent."""
        return any(one.can_stop for one in self.tasks.under_way)

    def stop(self) -> None:
        """Send nothing further of what waits; of several, let one be chosen."""
        tasks = [one for one in self.tasks.under_way if one.can_stop]
        if len(tasks) > 1:
            self._choose(tasks, "Cancel which?", lambda task: task.stop())
        elif tasks:
            tasks[0].stop()
        else:
            self._app.hint("Nothing waits to be sent.")

    def _choose(
        self, tasks: Sequence[WriteTask], title: str, act: Callable[[WriteTask], None]
    ) -> None:
        from platui.present.writes.under_way import doing  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        items = [MenuItem(str(n), doing(one.plan)) for n, one in enumerate(tasks)]

        def take(chosen: str | None) -> None:
            if chosen is not None:
                act(tasks[int(chosen)])

        self._app.push_screen(Menu(title, items), take)

    def once_free(self, verb: str, end: Callable[[], None]) -> None:
        """Call `end`; ask first if that would lose a write, a report or unsaved input."""
        is_fetching = self._app.service.is_fetching_report
        if not (self.tasks.under_way or is_fetching or self._app.navigation.has_unsent):
            end()
            return
        from platui.present.writes.plans import badge  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        profile = self._app.service.profile
        writes = [one.plan.effect for one in self.tasks.under_way]
        if writes:
            ask = " while a write is under way?"
            loss = "What is sent already may still happen, and nobody will tell you."
        elif is_fetching:
            ask = " while the access report is fetched?"
            loss = "What came of it so far is not kept; the saved reports are."
        else:
            ask = ", and leave a filled-in form behind?"
            loss = "What is filled in and not sent is not kept."
        effects = [(effect, "text") for effect in writes]
        words = [(f"{verb}{ask}", "strong"), *effects, ("", "text"), (loss, "warning")]
        question = QuestionDialog(
            badge(profile.name, production=profile.production),
            words,
            lambda: True,
            production=bool(writes) and profile.production,
        )
        self._app.push_screen(question, lambda yes: end() if yes else None)
