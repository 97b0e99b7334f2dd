"""Writes up to the yes: the lock, and the question."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    AlreadyUnderWayError,
    NotOfferedError,
    WriteRefusedError,
    WritesOffError,
)
from platui.core.text import clean
from platui.models.values.writes import ActOn
from platui.ui.controller import AppController, handles
from platui.ui.messages import UnlockWanted, WriteWanted
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.models.values.writes import Act, Confirmation, Intent, WritePlan
    from platui.ui.app import PlatuiApp

_MANY: Final = 50  # Intents from which a plan is made beside the event loop


class Writing(AppController):
    """Does what is wanted of the platform, after a yes to exactly that."""

    _app: PlatuiApp

    @property
    def is_locked(self) -> bool:
        """Return whether they could be unlocked."""
        service = self._app.service
        return service.writes == "locked" and service.writes_open_until.value is None

    @handles(UnlockWanted)
    def turn_lock(self, _: UnlockWanted) -> None:
        """Unlock writes, or lock them again; say why there is nothing to unlock."""
        hint, service = self._app.hint, self._app.service
        profile = service.profile.name
        if service.writes == "off":
            self.say_off()
        elif service.writes == "confirm":
            hint(f"Profile {profile} has no lock: each write is asked about.")
        elif self.is_locked:
            self._unlock(lambda: hint(f"Writes on {profile} are unlocked for 15 minutes."))
        else:
            service.write_desk.lock.lock()
            hint(f"Writes on {profile} are locked again.")

    def say_off(self) -> None:
        """Say why nothing is written."""
        if self._app.settings.read_only:
            error = WritesOffError("platui runs read-only.", hint="Start it without that.")
        else:
            error = WritesOffError(
                "Writes are off in this profile (writes = off in config.toml).", hint=""
            )
        self._app.tell(error)

    def _unlock(self, then: Callable[[], None]) -> None:
        from platui.ui.dialogs.typed_name import UnlockDialog  # noqa: PLC0415  (on first use)

        profile, unlock = self._app.service.profile, self._app.service.write_desk.lock.unlock
        self._app.push_screen(
            UnlockDialog(profile.name, unlock, production=profile.production),
            lambda unlocked: then() if unlocked else None,
        )

    @handles(WriteWanted)
    def write(self, wanted: WriteWanted) -> None:
        """Ask, and do it after a yes."""
        if self._app.service.writes == "off":
            self.say_off()
        elif self.is_locked:
            self._unlock(lambda: self._ask(wanted))
        else:
            self._ask(wanted)

    def _ask(self, wanted: WriteWanted) -> None:
        if len(wanted.intents) < _MANY:
            named = self._called(wanted.intents)
            plan = self._app.service.write_desk.plan(*wanted.intents, called=named)
            self._question(plan, wanted)
        else:
            self._app.run_worker(work(self._ask_of_many, wanted), group="plan", exclusive=True)

    async def _ask_of_many(self, wanted: WriteWanted) -> None:
        here, called = self._app.screen, self._called(wanted.intents)
        plan = await asyncio.to_thread(
            self._app.service.write_desk.plan, *wanted.intents, called=called
        )
        if self._app.screen is here:  # nobody is asked about what lies somewhere else
            self._question(plan, wanted)

    def _called(self, intents: Sequence[Intent]) -> str:
        from platui.present.writes.plans import called  # noqa: PLC0415  (on first use)

        project = next((getattr(one, "project", None) for one in intents), None)
        places = (self._app.navigation.history.here, self._app.navigation.subject_here())
        names = [one.project_name for one in places if one is not None and one.project == project]
        return "" if project is None else called(project, names[0] if names else "")

    def _question(self, plan: WritePlan, wanted: WriteWanted) -> None:
        from platui.ui.dialogs.question import confirm_dialog  # noqa: PLC0415  (on first use)

        if plan.problem:
            refused = WriteRefusedError if plan.is_offered else NotOfferedError
            self._app.tell(refused(plan.problem, hint=""))
            return
        if self._refuses_same(plan):
            return

        def answered(confirmed: Confirmation | None) -> None:
            if confirmed is not None and not self._refuses_same(plan):
                for act in _acts(plan.intents):
                    self._app.service.local_state.know_act(act)
                self._app.write_tasks.begin(plan, confirmed, wanted)

        notes = (*self._doubts(plan), *wanted.notes, *self._first_times(wanted.intents))
        self._app.push_screen(confirm_dialog(plan, notes), answered)

    def _refuses_same(self, plan: WritePlan) -> bool:
        task = self._app.write_tasks.tasks.same_under_way(plan)
        if task is None:
            return False
        from platui.present.writes.under_way import already  # noqa: PLC0415  (on first use)

        now = self._app.service.clock.monotonic()
        sentence = already(task.plan, task.state, since=task.began, now=now)
        self._app.tell(AlreadyUnderWayError(sentence, hint=""))
        return True

    def _doubts(self, plan: WritePlan) -> list[str]:
        found = self._app.write_tasks.tasks.same_in_doubt(plan)
        if not found:
            return []
        from platui.present.writes.under_way import doubt  # noqa: PLC0415  (on first use)

        now = self._app.service.clock.monotonic()
        return [doubt(state, since=task.began, now=now) for task, state in found]

    def _first_times(self, intents: tuple[Intent, ...]) -> list[str]:
        from platui.present.writes.plans import first_time  # noqa: PLC0415  (on first use)

        service = self._app.service
        known, profile = service.local_state.known_acts(), clean(service.profile.name)
        return [first_time(act, profile) for act in _acts(intents) if act not in known]


def _acts(intents: Sequence[Intent]) -> list[Act]:
    return list(dict.fromkeys(one.act for one in intents if isinstance(one, ActOn)))
