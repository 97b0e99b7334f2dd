"""Write keys: when they count, their verbs, their disabled reasons."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError
from platui.core.text import shorten
from platui.models.values.routes import Route
from platui.ui.controller import AppController
from platui.ui.key_guard import WRITE_KEYS, KeyGuard, is_own
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from textual.events import Key

    from platui.ui.app import PlatuiApp
    from platui.ui.command_app import Verbs

_LONGEST: Final = 40  # Characters of typed words in a message
_HINTS: Final = {"run": "For another project, type :run PROJECT ref=REF."}


class WriteKeys(AppController):
    """Ignores write keys on a screen not visible yet; shows why keys are disabled."""

    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._reaction = KeyGuard(app.service.clock)

    def screen_changed(self) -> None:
        self._reaction.changed()
        self._app.call_after_refresh(self._reaction.changed)
        self._app.running_writes.show_write_progress()

    def counts(self, key: Key) -> bool:
        """Return whether a key counts; an answer does not before its question was visible.

        Write keys ask first; an own action runs at once, so that its key waits for the screen.
        """
        waited = max(0.0, time.monotonic() - key.time)
        struck = self._app.service.clock.monotonic() - waited
        seen = self._reaction.is_deliberate(struck)
        self._app.while_away.key_pressed()
        if isinstance(self._app.screen, ViewScreen):
            self._app.screen.last_key_at = struck
        if getattr(self._app.screen, "ASKS", False):
            # Text may have begun before the question was visible.
            seen = not self._is_text(key, struck) and seen
            if not seen:
                self._reaction.dropped(struck)
            return seen
        action = self._bound(key, lambda id_: id_.startswith(WRITE_KEYS))
        if not action:
            return not self._explains(key)
        active = self._app.screen.active_bindings.get(key.key)
        if active is not None and active.binding.id != action:
            return True
        seen = seen or not is_own(action)
        if not seen:
            self._app.hint(
                f"The view changed when you pressed {key.character or key.key}: press it again."
            )
        elif active is None or not active.enabled:
            self._show_disabled_reason(action)
        return seen

    def _is_text(self, key: Key, struck: float) -> bool:
        """Return whether a key of a question is part of typed text, and so no answer."""
        if key.is_printable and key.key not in self._app.active_keys.of_kind(
            type(self._app.screen)
        ):
            self._reaction.typed(struck)
            return False
        if not (key.is_printable or key.key == "enter") or not self._reaction.is_typing(struck):
            return False
        name = key.character if key.is_printable else key.key
        self._app.hint(f"You were typing when you pressed {name}: pause, then press it again.")
        return True

    def _bound(self, key: Key, matches: Callable[[str], bool]) -> str:
        """Return the id of the key's action if it matches; empty if the key is input."""
        # `active_bindings` is slower than most keys.
        bound = self._app.active_keys.of_kind(type(self._app.screen)).get(key.key, ())
        action = next((one.id for one in bound if one.id and matches(one.id)), "")
        if action and self._app.focused is not None:
            return "" if self._app.focused.check_consume_key(key.key, key.character) else action
        return action

    def _explains(self, key: Key) -> bool:
        """Show why a key of this view is disabled; return whether it is."""
        screen = self._app.screen
        if not isinstance(screen, ViewScreen):
            return False
        action = self._bound(key, screen.explains)
        if not action or screen.check_action("run", (action,)) is not None:
            return False
        active = screen.active_bindings.get(key.key)  # the focused widget may bind it
        if active is None or active.binding.id != action or active.enabled:
            return False
        self._show_disabled_reason(action)
        return True

    def _show_disabled_reason(self, action: str) -> None:
        screen = self._app.view_screen()
        if screen is not None and screen is self._app.screen:
            self._app.hint(screen.disabled_reason(action))

    def verbs(self) -> Verbs:
        from platui.ui.verbs import WRITING  # noqa: PLC0415  (on first use)

        return {
            **{verb: partial(self._do_here, verb) for verb in WRITING},
            "trigger": self._trigger,
        }

    def _trigger(self, words: str) -> None:
        _refuse_words("trigger", words)
        self.trigger_here()

    def _do_here(self, verb: str, words: str) -> None:
        _refuse_words(verb, words)
        name, offered = f"{WRITE_KEYS}{verb}", self._offered
        found = (one for one in offered if one == name or one.startswith(f"{name}_"))
        command = next(found, name)
        if offered.get(command):
            self._app.call_later(self._app.run_action, f"run('{command}')", self._app.screen)
        else:
            self._show_disabled_reason(command)

    @property
    def _offered(self) -> dict[str, bool]:
        screen = self._app.screen
        return screen.offered_commands() if isinstance(screen, ViewScreen) else {}

    @property
    def can_trigger(self) -> bool:
        here = self._offered.get(f"{WRITE_KEYS}run")
        return self._app.navigation.history.current.view == "run" if here is None else here

    def trigger_here(self) -> None:
        """Open the run form with the trigger token selected."""
        subject = self._app.navigation.resource_here()
        if self._app.service.writes == "off":
            self._app.writes.show_writes_off()
        elif self.can_trigger and subject is not None:
            pipeline = subject.pipeline if subject.view == "run" else None
            self._app.navigation.go(
                Route("run", subject.project, subject.project_name, pipeline, triggered=True)
            )
        else:
            self._app.hint("Select a project first.")


def _refuse_words(verb: str, words: str) -> None:
    """Raise CommandError for words that would not be what is written to."""
    if words and verb != "new":  # which acts on nothing that is there
        raise CommandError(
            f":{verb} takes no words: it acts on the selection, not on {shorten(words, _LONGEST)}.",
            hint=_HINTS.get(verb, "Go to it first, with : and its number or name."),
        )
