"""The header of a place: how fresh it is, what it cost, and numbers that run out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from platui.present.chrome import Age, Freshness, HeaderState, next_tick
from platui.ui.pace import CalmCount, pace_of

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.ui.screens.parts.view_screen import ViewScreen


class HeaderLine:
    """Shows the header again when a number in it changes; never where none runs out."""

    def __init__(self, screen: ViewScreen) -> None:
        self.gauge_count = CalmCount()
        """What the gauge shows; one for all screens, which show the same budget."""
        self._screen = screen
        self._countdown: Timer | None = None

    @property
    def counts_down(self) -> bool:
        return self._countdown is not None

    def stop(self) -> None:
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None

    def show(self) -> None:
        screen, service = self._screen, self._screen.service
        body = screen.body
        now, budget, open_until = (
            service.clock.monotonic(), service.budget.value, service.writes_open_until.value,
        )  # fmt: skip
        paused = None if budget.paused_until is None else budget.paused_until - now
        paused = paused if paused is not None and paused > 0 else None
        open_for = None if open_until is None else max(0.0, open_until - now)
        state = HeaderState(
            profile=service.profile.name,
            production=service.profile.production,
            crumbs=body.here.crumbs(),
            age=self._age(),
            line=service.line.value,
            budget=replace(budget, used=self.gauge_count.take(budget.used, now)),
            paused_for=paused,
            read_only=screen.settings.read_only,
            utc=body.utc,
            writes_open_for=open_for,
            has_accent=bool(service.profile.accent),
            has_colours=not screen.app.no_color,
        )
        screen.header.tell(state, service.clock.now())
        pace = pace_of(screen.app)
        ticks = [] if paused is None else [pace.wait(paused, 1.0)]
        ticks += [] if open_for is None else [pace.wait(open_for, next_tick(open_for))]
        self.stop()
        if ticks and screen.is_shown:
            self._countdown = screen.set_timer(min(ticks), screen.tell_header)

    def _age(self) -> Age:
        body = self._screen.body
        age, kept = body.age, body.kept
        # A place that was left without a row is kept, too: of it there is nothing to be old.
        if age.fetched_at is None and kept is not None and kept.rows:
            age = Age(Freshness.STALE, datetime.fromtimestamp(kept.saved_at, UTC))
        if body.feeds.held and age.fetched_at is not None:
            return replace(age, kind=Freshness.HELD)
        return age
