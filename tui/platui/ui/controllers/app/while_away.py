"""What happened on the board without a key for 10 minutes: a line in each view, and its list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from platui.ui.controller import AppController, command
from platui.ui.controllers.app.notifications import Notifier

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.models.values.triage_board import BoardEvent
    from platui.present.chrome import Pieces
    from platui.ui.app import PlatuiApp

AWAY: Final = timedelta(minutes=10)
_MOST: Final = 500  # Events listed
_NOT_FOLLOWED: Final = "Unknown: all notifications are off, so incidents are not followed."


class WhileAway(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._last_key = self._since = app.service.clock.now()
        self._events: list[tuple[datetime, BoardEvent]] = []  # Since then, each with its time
        self._names: Mapping[int, str] = {}
        self._is_shown = False  # Whether the line is
        self._waiting: Timer | None = None

    def key_pressed(self) -> None:
        self._last_key = self._app.service.clock.now()
        if not self._is_shown:
            self._since = self._last_key
            self._events.clear()

    def take(self, news: Iterable[BoardEvent], names: Mapping[int, str]) -> None:
        """Take the events that notifications are about; a cause found later joins its incident."""
        from platui.models.values.triage_board import BoardEventKind  # noqa: PLC0415  (with news only)
        from platui.present.triage.notification_batch import NOTIFIED_KINDS  # noqa: PLC0415  (as above)

        now, self._names = self._app.service.clock.now(), names
        for one in news:
            if one.kind is BoardEventKind.CAUSE:
                self._events = [(at, _with_cause(event, one)) for at, event in self._events]
            elif one.kind in NOTIFIED_KINDS:
                self._events = [*self._events, (now, one)][-_MOST:]
        self._show_when_away()

    def _show_when_away(self) -> None:
        if self._waiting is not None:
            self._waiting.stop()
            self._waiting = None
        left = (self._last_key + AWAY - self._app.service.clock.now()).total_seconds()
        if self._events and left > 0 and not self._is_shown:
            self._waiting = self._app.set_timer(left, self._show_when_away)
        elif self._events:
            self._is_shown = True
            self._app.running_writes.show_write_progress()

    @property
    def line(self) -> tuple[Pieces, Pieces]:
        if not self._is_shown:
            return (), ()
        from platui.present.triage.notices import away_line  # noqa: PLC0415  (with news only)

        key = self._app.active_keys.first("app.while_away", type(self._app))
        events = [event for _, event in self._events]
        now, utc = self._app.service.clock.now(), self._app.times.utc
        return away_line(events, self._since, now, key, utc=utc), ()

    def dismiss(self) -> bool:
        """Hide the line; return whether it was shown."""
        was_shown, self._is_shown = self._is_shown, False
        self._events = []
        self._since = self._last_key
        if was_shown:
            self._app.running_writes.show_write_progress()
        return was_shown

    @command("H", "app.while_away", "While away")
    def show_events(self) -> None:
        """List the incidents that changed while you pressed no key; enter opens one."""
        if not self._is_shown and not self._app.controller(Notifier).is_following:
            self._app.hint(_NOT_FOLLOWED)
            return
        if not self._is_shown:
            self._app.hint("Nothing happened while you were away.")
            return
        from platui.present.triage.labels import Names  # noqa: PLC0415  (on first use)
        from platui.present.triage.notices import away_texts  # noqa: PLC0415  (as above)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (as above)
        from platui.ui.screens.triage.item_routes import item_route  # noqa: PLC0415  (as above)

        events, names = self._events, Names(self._names.items())
        now, utc = self._app.service.clock.now(), self._app.times.utc
        items = [
            MenuItem(str(number), *away_texts(at, event, names, now, utc=utc))
            for number, (at, event) in enumerate(events)
        ]

        def open_event(number: str) -> None:
            self._app.navigation.go(item_route(events[int(number)][1].item, names))

        self._app.choose(Menu("While you were away", items), open_event)
        self.dismiss()


def _with_cause(event: BoardEvent, found: BoardEvent) -> BoardEvent:
    before, now = event.item.incident, found.item.incident
    is_same = before is not None and now is not None and before.key == now.key
    return replace(event, item=found.item) if is_same else event
