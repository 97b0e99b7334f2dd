"""Writes up to the yes: the keys that write, the lock, and the question."""

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
from platui.ui.follower import FollowerApp
from platui.ui.messages import UnlockWanted, WriteWanted
from platui.ui.reaction import WRITE_KEYS, Reaction
from platui.ui.screens.base import PlaceScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import ActiveBinding
    from textual.events import Key

    from platui.models.values.write_plans import WritePlan
    from platui.models.values.writes import Act, Intent

_VERBS: Final = frozenset(
    {"run", "rerun", "cancel", "retry", "play", "new", "edit", "own", "delete", "unlock"}
)
"""What may be typed, as the ids of the keys that do the same end."""

_MANY: Final = 50
"""Intents from which a plan is made beside the event loop."""


class WriterApp(FollowerApp):
    """An app that does what is wanted of the platform, after a yes to exactly that."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._reaction = Reaction(self.service.clock)

    def on_mount(self) -> None:
        """Take note of every change of the screen, from the moment at which it is painted."""
        self.screen_change_signal.subscribe(self, lambda _: self._screen_changed(), immediate=True)

    def _screen_changed(self) -> None:
        self._reaction.changed()
        self.call_after_refresh(self._reaction.changed)
        self.tell_under_way()

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
        if isinstance(self.screen, PlaceScreen):
            self.screen.struck_at = struck
        if getattr(self.screen, "ASKS", False):
            if not seen:
                self._reaction.dropped(struck)
            return seen
        action = self._bound(key, lambda id_: id_.startswith(WRITE_KEYS))
        if not action:
            self._explain(key)
            return True
        active = self.screen.active_bindings.get(key.key)
        if active is not None and active.binding.id != action:
            return True
        if seen and (active is None or not active.enabled):
            self._say_why_not(action)
        return seen

    def _bound(self, key: Key, is_meant: Callable[[str], bool]) -> str:
        """Return which id of those meant a key has here; empty where it is typed, or none."""
        # Not `active_bindings`: those cost more than many a key does.
        bound = self.keys_in_use.of_kind(type(self.screen)).get(key.key, ())
        action = next((one.id for one in bound if one.id and is_meant(one.id)), "")
        if action and self.focused is not None:
            return "" if self.focused.check_consume_key(key.key, key.character) else action
        return action

    def _explain(self, key: Key) -> None:
        """Say why a key does nothing now, where the view tells that of it."""
        screen = self.screen
        if not isinstance(screen, PlaceScreen) or not screen.EXPLAINED:
            return
        action = self._bound(key, screen.EXPLAINED.__contains__)
        active = screen.active_bindings.get(key.key) if action else None
        if active is not None and active.binding.id == action and not active.enabled:
            self._say_why_not(action)

    def _say_why_not(self, action: str) -> None:
        screen = self.place_screen()
        if screen is not None and screen is self.screen:
            self.hint(screen.why_not(action))

    # what is typed

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says; those that write do what their keys do."""
        if verb == "write":
            self.write_command(argument)
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
                work(self._ask_of_many, wanted), group="plan", exclusive=True, exit_on_error=True,
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
                for act in _acts(plan.intents):
                    self.service.remembrance.know_act(act)
                self.begin(plan, wanted)

        notes = (*self._doubts(plan), *wanted.notes, *self._first_times(wanted.intents))
        self.push_screen(ConfirmDialog(plan, notes), answered)

    def _refuses_same(self, plan: WritePlan) -> bool:
        """Say so where the same is under way; return whether it is."""
        course = self.courses.same_under_way(plan)
        if course is None:
            return False
        from platui.present.under_way import already  # noqa: PLC0415  (on first use)

        now = self.service.clock.monotonic()
        sentence = already(course.plan, course.state, since=course.began, now=now)
        self.tell(AlreadyUnderWayError(sentence, hint=""))
        return True

    def _doubts(self, plan: WritePlan) -> list[str]:
        """Return what is said of the same that was sent before, and may have happened."""
        found = self.courses.same_in_doubt(plan)
        if not found:
            return []
        from platui.present.under_way import doubt  # noqa: PLC0415  (on first use)

        now = self.service.clock.monotonic()
        return [doubt(state, since=course.began, now=now) for course, state in found]

    def _first_times(self, intents: tuple[Intent, ...]) -> list[str]:
        """Return what is said of acts that were never done on this profile."""
        from platui.present.acts import first_time  # noqa: PLC0415  (on first use)

        known, profile = self.service.remembrance.known_acts(), clean(self.service.profile.name)
        return [first_time(act, profile) for act in _acts(intents) if act not in known]


def _acts(intents: Sequence[Intent]) -> list[Act]:
    """Return what is to be done to things that are there, each once."""
    return list(dict.fromkeys(one.act for one in intents if isinstance(one, ActOn)))
