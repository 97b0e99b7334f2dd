"""Header and footer of a view: state and budget above, available keys below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.present.chrome import (
    Age,
    Freshness,
    HeaderState,
    KeyHint,
    next_tick,
    wait_shown_for,
)
from platui.ui.key_guard import WRITE_KEYS
from platui.ui.pace import QuotaGauge, pace_of
from platui.ui.screens.parts.active_bindings import active_bindings_of

if TYPE_CHECKING:
    from textual.binding import ActiveBinding
    from textual.timer import Timer

    from platui.ui.screens.parts.view_screen import ViewScreen


class HeaderLine:
    """Draws the header, and redraws it while a number in it counts down."""

    def __init__(self, screen: ViewScreen) -> None:
        self.gauge = QuotaGauge()
        self._screen = screen
        self.countdown: Timer | None = None

    def stop(self) -> None:
        if self.countdown is not None:
            self.countdown.stop()
            self.countdown = None

    def show(self) -> None:
        screen, service = self._screen, self._screen.service
        body = screen.body
        now, budget = service.clock.monotonic(), service.budget.value
        open_until = service.writes_open_until.value
        paused = None if budget.paused_until is None else budget.paused_until - now
        paused = paused if paused is not None and paused > 0 else None
        open_for = None if open_until is None else max(0.0, open_until - now)
        slow_since = service.slow_since.value
        slow_for = None if slow_since is None else now - slow_since
        state = HeaderState(
            profile=service.profile.name,
            production=service.profile.production,
            crumbs=body.context.crumbs(),
            age=self._age(),
            line=service.line.value,
            budget=self.gauge.take(budget, now),
            paused_for=paused,
            slow_for=slow_for,
            read_only=screen.settings.read_only,
            utc=body.utc,
            writes_open_for=open_for,
            has_accent=bool(service.profile.accent),
            has_colours=not screen.app.no_color,
        )
        screen.header.show_state(state, service.clock.now())
        pace = pace_of(screen.app)
        ticks = [] if paused is None else [pace.wait(paused, 1.0)]
        ticks += [] if open_for is None else [pace.wait(open_for, next_tick(open_for))]
        ticks += [] if slow_for is None else [wait_shown_for(slow_for)]
        self.stop()
        if ticks and screen.is_shown:
            self.countdown = screen.set_timer(min(ticks), screen.update_header)

    def _age(self) -> Age:
        body = self._screen.body
        age, saved_view = body.age, body.saved_view
        # A saved route without rows has no age.
        if age.fetched_at is None and saved_view is not None and saved_view.rows:
            age = Age(Freshness.STALE, datetime.fromtimestamp(saved_view.saved_at, UTC))
        if body.feeds.held and age.fetched_at is not None:
            return replace(age, kind=Freshness.HELD)
        return age


class FooterLine:
    """Draws the available keys with the frame of a key, or after the next one, once."""

    def __init__(self, screen: ViewScreen) -> None:
        self._screen = screen
        self._is_scheduled = False

    def show_soon(self) -> None:
        if not self._is_scheduled:
            self._is_scheduled = True
            self._screen.call_after_refresh(self._show_scheduled)

    def catch_up(self) -> None:
        """Draw the keys now, if they are to be drawn."""
        if self._is_scheduled and self._screen.is_whole:
            self._is_scheduled = False
            self.show()

    def _show_scheduled(self) -> None:
        self.catch_up()
        self._is_scheduled = False

    def show(self) -> None:
        screen = self._screen
        hints = screen.prompt.hints if screen.prompt.is_open else screen.body.typing_hints()
        if hints:
            screen.footer.show_keys(hints)
            return
        names: Sequence[str] = screen.FOOTER
        for controller in screen.controllers:
            names = controller.arrange_footer(names)
        names = [*names, "app.help"]
        if screen.service.writes == "off":
            names = [name for name in names if not name.startswith(WRITE_KEYS)]
        active = active_bindings_of(screen, names)
        screen.footer.show_keys([self._hint(active[name]) for name in names if name in active])

    def _hint(self, active: ActiveBinding) -> KeyHint:
        screen, binding = self._screen, active.binding
        labels = (one.label(binding.id or "") for one in reversed(screen.controllers))
        label = next(filter(None, labels), binding.description.lower())
        key = screen.app.get_key_display(binding).split(" ", maxsplit=1)[0]
        return KeyHint(key, label, active.enabled)
