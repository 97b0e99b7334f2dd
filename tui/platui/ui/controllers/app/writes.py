"""Writes of the dashboard: lock, confirmation, task and outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    AlreadyRunningError,
    NotSupportedError,
    WriteRefusedError,
    WritesOffError,
)
from platui.core.text import clean
from platui.models.values.routes import Route
from platui.models.values.writes import Confirmation, Intent, RecordAction, WriteRequest
from platui.present.writes.requests import badge, called, first_time
from platui.service.writes.task_list import WriteTaskList
from platui.ui.controller import AppController, handles
from platui.ui.messages import RequestWrites, ToggleWriteLock
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from platui.models.values.write_states import Outcome
    from platui.service.writes.effects import WriteEffects
    from platui.service.writes.task import WriteTask
    from platui.ui.app import PlatuiApp

_MANY: Final = 50  # Intents from which the request is built in a thread
_OWN_COMMAND: Final = "platui cannot know what your command does."


class Writes(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self.tasks = WriteTaskList()
        self._shows_effects = False
        app.service.write_effects.observe(lambda _: self._effects_changed())

    @property
    def _is_locked(self) -> bool:
        service = self._app.service
        return service.writes == "locked" and service.writes_open_until.value is None

    @handles(ToggleWriteLock)
    def toggle_lock(self, _: ToggleWriteLock) -> None:
        hint, service = self._app.hint, self._app.service
        profile = service.profile.name
        if service.writes == "off":
            self.show_writes_off()
        elif service.writes == "confirm":
            hint(f"Profile {profile} has no write lock: each write asks for confirmation.")
        elif self._is_locked:
            self._unlock(lambda: hint(f"Writes in {profile} unlocked for 15 minutes."))
        else:
            service.write_service.lock.lock()
            hint(f"Writes in {profile} locked.")

    def show_writes_off(self) -> None:
        if self._app.settings.read_only:
            sentence, hint = "platui runs read-only.", "Start it without read-only mode."
        else:
            sentence, hint = "Writes are off in this profile (writes = off in config.toml).", ""
        self._app.show_error(WritesOffError(sentence, hint=hint))

    def _unlock(self, then: Callable[[], None], effect: str = "") -> None:
        """Ask for the profile's name, and call `then`, which has an effect, once it is unlocked."""
        from platui.ui.dialogs.inputs import unlock_dialog  # noqa: PLC0415  (on first use)

        service = self._app.service
        dialog = unlock_dialog(service.profile, service.write_service.lock.unlock, effect)
        self._app.push_screen(dialog, lambda unlocked: then() if unlocked else None)

    @handles(RequestWrites)
    def write(self, wanted: RequestWrites) -> None:
        if self._app.service.writes == "off":
            self.show_writes_off()
        elif self._is_locked:
            self._unlock(lambda: self._ask(wanted), self._effect_of(wanted.intents))
        else:
            self._ask(wanted)

    def ask_for_command(self, title: str, line: str, run: Callable[[], None]) -> None:
        """Run a command of the user that writes, after unlocking and confirmation."""
        from platui.ui.dialogs.question import QuestionDialog  # noqa: PLC0415  (on first use)

        app, profile = self._app, self._app.service.profile
        words = [(f"{title}?", "strong"), (line, "text"), (_OWN_COMMAND, "warning")]
        title_bar = badge(profile.name, production=profile.production)

        def ask() -> None:
            dialog = QuestionDialog(title_bar, words, lambda: True, production=profile.production)
            app.push_screen(dialog, lambda yes: run() if yes else None)

        if app.service.writes == "off":
            self.show_writes_off()
        elif self._is_locked:
            self._unlock(ask, title)
        else:
            ask()

    def _ask(self, wanted: RequestWrites) -> None:
        named = self._called(wanted)
        build = partial(self._app.service.write_service.request, *wanted.intents, called=named)
        if len(wanted.intents) < _MANY:
            self._question(build(), wanted)
        else:
            ask = work(self._ask_of_many, build, wanted)
            self._app.run_worker(ask, group="request", exclusive=True)

    async def _ask_of_many(self, build: Callable[[], WriteRequest], wanted: RequestWrites) -> None:
        here = self._app.screen
        request = await asyncio.to_thread(build)
        if self._app.screen is here:  # unchanged view
            self._question(request, wanted)

    def _called(self, wanted: RequestWrites) -> str:
        project = next((getattr(one, "project", None) for one in wanted.intents), None)
        places = (self._app.navigation.history.current, self._app.navigation.resource_here())
        names = [one.project_name for one in places if one is not None and one.project == project]
        return (
            ""
            if project is None
            else called(project, wanted.project_path or (names[0] if names else ""))
        )

    def _effect_of(self, intents: Sequence[Intent]) -> str:
        first, *others = intents[:_MANY]
        effect = self._app.service.write_service.request(first).effect
        return f"{len(intents):,} writes, the first: {effect}" if others else effect

    def _question(self, request: WriteRequest, wanted: RequestWrites) -> None:
        from platui.ui.dialogs.question import confirm_dialog  # noqa: PLC0415  (on first use)

        if request.problem:
            refused = WriteRefusedError if request.is_supported else NotSupportedError
            self._app.show_error(refused(request.problem, hint=""))
            return
        if self._refuses_same(request):
            return
        state, profile = self._app.service.local_state, clean(request.profile)
        records = (one for one in request.intents if isinstance(one, RecordAction))
        acts = list(dict.fromkeys(one.action for one in records))
        known = state.confirmed_actions()

        def answered(confirmed: Confirmation | None) -> None:
            if confirmed is None and wanted.left:
                self._app.hint(wanted.left)
            if confirmed is not None and not self._refuses_same(request):
                for act in acts:
                    state.confirm_action(act)
                self._begin(confirmed, wanted)

        first = (first_time(act, profile) for act in acts if act not in known)
        notes = (*self._doubts(request), *wanted.notes, *first)
        self._app.push_screen(confirm_dialog(request, notes), answered)

    def _refuses_same(self, request: WriteRequest) -> bool:
        task = self.tasks.same_under_way(request)
        if task is None:
            return False
        from platui.present.writes.states import duplicate_reason  # noqa: PLC0415  (on first use)

        now = self._app.service.clock.monotonic()
        sentence = duplicate_reason(task.request, task.state, since=task.began, now=now)
        self._app.show_error(AlreadyRunningError(sentence))
        return True

    def _doubts(self, request: WriteRequest) -> list[str]:
        found = self.tasks.same_with_unknown_result(request)
        if not found:
            return []
        from platui.present.writes.states import unknown_outcome_warning  # noqa: PLC0415  (on first use)

        now = self._app.service.clock.monotonic()
        return [unknown_outcome_warning(state, since=task.began, now=now) for task, state in found]

    def _begin(self, confirmed: Confirmation, wanted: RequestWrites) -> None:
        task = self._app.service.write_service.task(confirmed)
        self.tasks.begin(task)
        task.progress.observe(lambda _: self._app.running_writes.show_write_progress())
        worker = self._app.run_worker(work(self._follow, task, wanted), group="write")
        task.interrupt = worker.cancel
        self._app.clear_hints()
        self.show_task(task)

    async def _follow(self, task: WriteTask, wanted: RequestWrites) -> None:
        await task.follow(self._app.service.write_service)
        self._ended(task, wanted)

    def show_task(self, task: WriteTask) -> None:
        from platui.ui.dialogs.write_task import WriteTaskDialog  # noqa: PLC0415  (on first use)

        app = self._app
        app.push_screen(WriteTaskDialog(task, app.service.clock, utc=app.times.utc), self._open)

    def _ended(self, task: WriteTask, wanted: RequestWrites) -> None:
        """Report the outcome; open the result if its dialog is still open."""
        from platui.ui.dialogs.write_task import WriteTaskDialog  # noqa: PLC0415  (on first use)

        self.tasks.ended(task)
        if wanted.when_over is not None:
            wanted.when_over(task)
        dialog = self._app.screen
        waits = isinstance(dialog, WriteTaskDialog) and dialog.write_task is task
        if not waits:
            self._notice(task)
        elif task.is_done:
            made = not any(isinstance(one, RecordAction) for one in task.request.intents)
            dialog.dismiss(task.outcome if made else None)
            self._notice(task)
        self._follow_effects(task)
        self._app.call_after_refresh(self._app.refresh_view)

    def _follow_effects(self, task: WriteTask) -> None:
        states = task.progress.value.states
        for intent, outcome in self._effects.changes(task.request.intents, states):
            self._app.run_worker(work(self._effects.follow, intent, outcome), group="effect")

    @cached_property
    def _effects(self) -> WriteEffects:
        from platui.service.writes.effects import WriteEffects  # noqa: PLC0415  (after a write)

        service = self._app.service
        return WriteEffects(service.watch, service.clock, service.write_effects)

    def _effects_changed(self) -> None:
        """Show all changes of one moment at once."""
        if not self._shows_effects:
            self._shows_effects = True
            self._app.call_later(self._show_effects)

    def _show_effects(self) -> None:
        self._shows_effects = False
        if self._app.screen_stack and (screen := self._app.view_screen()) is not None:
            screen.body.update_ages()

    def _notice(self, task: WriteTask) -> None:
        from platui.present.writes.states import outcome_words  # noqa: PLC0415  (on first use)

        title, sentence = outcome_words(task.request, task.progress.value, stopped=task.was_stopped)
        severity: SeverityLevel = "information" if task.is_done else "warning"
        self._app.notify(sentence, title=title, severity=severity)

    def _open(self, outcome: Outcome | None) -> None:
        if outcome is None:
            return
        navigation, project = self._app.navigation, outcome.project
        name = project.rpartition("/")[2] if isinstance(project, str) else ""
        if navigation.history.current.project == project:
            name = navigation.history.current.project_name
        match outcome.kind:
            case "pipeline" if outcome.id is None:
                navigation.go(Route("pipelines", project, name))
            case "pipeline":
                navigation.go(Route("jobs", project, name, outcome.id))
            case "job":
                navigation.go(Route("log", project, name, job=outcome.id))
            case "schedule":
                navigation.go(Route("schedules", project, name, schedule=outcome.id))
            case "project" if outcome.id is not None:
                title = getattr(outcome.record, "name", "")
                navigation.go(Route("pipelines", outcome.id, clean(title)))
