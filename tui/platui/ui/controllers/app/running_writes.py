"""Running write tasks: their line in each view, `:write`, the question before exit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.present.writes.requests import badge
from platui.ui.controller import AppController

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.present.chrome import Pieces
    from platui.service.writes.task import WriteTask
    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs
    from platui.ui.dialogs.question import QuestionDialog


class RunningWrites(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._ticking: Timer | None = None
        self._question: QuestionDialog[bool] | None = None  # The last one before leaving

    def show_write_progress(self) -> None:
        """Show a running task in the view, unless its dialog is open; else what happened."""
        app = self._app
        if not app.screen_stack:
            return  # the app is exiting
        shown = getattr(app.screen, "write_task", None)
        tasks = [one for one in app.writes.tasks.under_way if one is not shown]
        if tasks and self._ticking is None:
            self._ticking = app.set_interval(app.pace.tick, self.show_write_progress)
        elif self._ticking is not None and not tasks:
            self._ticking.stop()
            self._ticking = None
        if (screen := app.view_screen()) is not None:
            line = self._line_of(tasks) if tasks else app.while_away.line
            screen.show_write_progress(line)

    def _line_of(self, tasks: Sequence[WriteTask]) -> tuple[Pieces, Pieces]:
        from platui.present.writes.states import under_way  # noqa: PLC0415  (on first use)

        task = tasks[-1]
        now = self._app.service.clock.monotonic()
        return under_way(
            task.request, task.progress.value, task.state, since=task.began, now=now,
            can_stop=task.can_stop, others=len(tasks) - 1,
        )  # fmt: skip

    def verbs(self) -> Verbs:
        return {"write": self._typed}

    def _typed(self, argument: str) -> None:
        if not argument:
            self.show_last()
        elif argument == "cancel":
            self.stop()
        else:
            self._app.hint("Type :write to show progress, :write cancel to cancel unsent requests.")

    def show_last(self) -> None:
        """Show the running or last task; let the user choose from several."""
        if len(tasks := self._app.writes.tasks.under_way) > 1:
            self._choose(tasks, "Running writes", self._app.writes.show_task)
        elif (last := next(iter(tasks), self._app.writes.tasks.last)) is not None:
            self._app.writes.show_task(last)
        else:
            self._app.hint("No writes in this session. Earlier ones: platui audit")

    @property
    def can_stop(self) -> bool:
        return any(one.can_stop for one in self._app.writes.tasks.under_way)

    def stop(self) -> None:
        """Cancel the unsent requests of a task; let the user choose from several."""
        tasks = [one for one in self._app.writes.tasks.under_way if one.can_stop]
        if len(tasks) > 1:
            self._choose(tasks, "Choose a write to cancel", lambda task: task.stop())
        elif tasks:
            tasks[0].stop()
        else:
            self._app.hint("No unsent requests.")

    def _choose(
        self, tasks: Sequence[WriteTask], title: str, act: Callable[[WriteTask], None]
    ) -> None:
        from platui.present.writes.states import doing  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        items = [MenuItem(str(n), doing(one.request)) for n, one in enumerate(tasks)]
        self._app.choose(Menu(title, items), lambda chosen: act(tasks[int(chosen)]))

    def confirm_leave(self, verb: str, end: Callable[[], None], awaited: str = "") -> None:
        """Call `end`; ask first if a write, a report, input or awaited pipelines would be lost."""
        app, profile = self._app, self._app.service.profile
        writes = [one.request.effect for one in app.writes.tasks.under_way]
        if writes:
            ask = " while a write is running?"
            loss = "Sent requests may still take effect, without a notification."
        elif app.service.access_reports.is_fetching:
            ask = " while the access report is loading?"
            loss = "The partial report is discarded; saved reports remain."
        elif (unsaved := self._unsaved_input()) is not None:
            ask = " and discard your input?"
            loss = f"Unsent input is discarded{f': {unsaved}' if unsaved else ''}."
        elif awaited:
            ask, loss = " before a pipeline is done?", f"No notification follows when {awaited}."
        else:
            end()
            return
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        effects = [(effect, "text") for effect in writes]
        words = [(f"{verb}{ask}", "strong"), *effects, ("", "text"), (loss, "warning")]
        question = QuestionDialog(
            badge(profile.name, production=profile.production),
            words,
            lambda: True,
            production=bool(writes) and profile.production,
        )
        self._question = question
        app.push_screen(question, lambda yes: end() if yes else None)

    @property
    def asks_to_leave(self) -> bool:
        return self._app.screen is self._question

    def _unsaved_input(self) -> str | None:
        """Return where unsaved input is, as breadcrumbs; empty: in front; None: nowhere."""
        if getattr(self._app.screen, "has_unsaved_input", False):
            return ""
        found = [
            " › ".join(map(clean, one.body.context.crumbs()))
            for one in self._app.navigation.made.values()
            if one.body.context.has_unsaved_input
            or any(each.has_unsaved_input for each in one.controllers)
        ]
        return "; ".join(found) if found else None
