"""Notifications about incidents and awaited pipelines: toast, bell, desktop, window title."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection
from contextlib import aclosing
from functools import cached_property
from importlib import import_module
from socket import gethostname
from typing import TYPE_CHECKING

from textual.worker import Worker, get_current_worker

from platui.core.errors import HIDDEN
from platui.core.text import clean
from platui.models.values.feeds import Source
from platui.models.values.statuses import ACTIVE
from platui.present.writes.requests import called
from platui.service import resources
from platui.ui.controller import AppController, handles
from platui.ui.desktop_notifications import (
    BELL,
    RESTORE_TITLE,
    SAVE_TITLE,
    notice_sequence,
    sequence_kind,
    title_sequence,
)
from platui.ui.messages import NotifyWhenDone
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.timer import Timer

    from platui.models.values.queries import ProjectRef
    from platui.models.values.stored_triage import StoredTriage
    from platui.models.values.triage_board import BoardEvent
    from platui.present.triage.notices import Notice
    from platui.present.triage.notification_batch import NotificationBatch
    from platui.ui.app import PlatuiApp


class Notifier(AppController):
    _app: PlatuiApp

    def __init__(self, app: PlatuiApp) -> None:
        super().__init__(app)
        self._names: dict[int, str] = {}
        self._timer: Timer | None = None
        self._title = ""
        self._stop_waiting: Callable[[], None] = lambda: None
        self._awaited: dict[tuple[ProjectRef, int], Worker[None]] = {}

    @cached_property
    def _news(self) -> NotificationBatch:
        from platui.present.triage.notification_batch import NotificationBatch  # noqa: PLC0415  (with news only)

        return NotificationBatch()

    @property
    def is_following(self) -> bool:
        """Return whether the settings let it follow the watched projects in every view."""
        notify = self._app.settings.notify
        return notify.bell or notify.title or notify.desktop != "off"

    @property
    def awaited(self) -> str:
        """Return what is notified when it happens: `#4711 is done`; empty: nothing."""
        return _done(self._awaited) if self._awaited else ""

    def attend(self) -> None:
        notify = self._app.settings.notify
        if notify.title:
            self._give_title(0)
        if self.is_following:
            self._app.run_worker(work(self._attend), group="attend", exclusive=True)

    async def _attend(self) -> None:
        await asyncio.to_thread(import_module, "platui.service.triage.state")
        state = self._app.service.triage_state
        await state.ready()
        self._stop_waiting = state.memory.observe(self._attend_to)
        self._attend_to(state.memory.value)

    def _attend_to(self, memory: StoredTriage) -> None:
        if not memory.watched.is_empty:
            self._stop_waiting()
            self._app.run_worker(work(self._follow_news), group="news", exclusive=True)

    def end(self) -> None:
        """Restore the window title; news that come later are not told."""
        self._stop_waiting()
        for group in ("attend", "news"):
            self._app.workers.cancel_group(self._app, group)
        if self._timer is not None:
            self._timer.stop()
        if self._title:
            # For terminals that do not save titles: the title that most shells set.
            self._app.write_to_terminal(title_sequence(gethostname()) + RESTORE_TITLE)

    async def _follow_news(self) -> None:
        from platui.present.triage.notification_batch import MUTED_KINDS  # noqa: PLC0415  (with news only)

        async with aclosing(self._app.service.watch_news()) as found:
            async for board, news in found:
                self._names = dict(board.names)
                relevant = [one for one in news if self._is_notified(one)]
                muted = [one for one in news if one.kind in MUTED_KINDS]
                self._news.take([*relevant, *muted], self._app.service.clock.monotonic())
                self._app.while_away.take(relevant, self._names)
                self._schedule()
                if self._app.settings.notify.title and (board.known or not board.watched):
                    self._give_title(board.counts.broken)

    def _is_notified(self, one: BoardEvent) -> bool:
        """Return whether to notify; branch failures may be excluded."""
        from platui.present.triage.notices import is_notifiable  # noqa: PLC0415  (with news only)

        takes_all = self._app.settings.notify.branches == "all"
        is_wanted = takes_all or one.item.is_main or not one.item.lane.ref
        return is_wanted and is_notifiable(one, self._app.service.clock.now())

    def _give_title(self, broken: int) -> None:
        if not self._app.terminal.has_window:
            return
        badge = f" ✖ {broken}" if broken else ""
        title = f"platui {clean(self._app.service.profile.name)}{badge}"
        if title != self._title:
            before = "" if self._title else SAVE_TITLE
            self._app.write_to_terminal(before + title_sequence(title))
            self._title = title

    def _schedule(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        left = self._news.remaining(self._app.service.clock.monotonic())
        if left is not None:
            self._timer = self._app.set_timer(left, self._notify)

    def _notify(self) -> None:
        from platui.present.triage.notices import make_notices  # noqa: PLC0415  (with news only)

        self._timer = None
        news = self._news.hand_out(self._app.service.clock.monotonic())
        screen = self._app.view_screen()
        is_in_sight = screen is not None and screen.SHOWS_FAILURES
        for notice in make_notices(news, self._names):
            self.announce(notice, is_in_sight=is_in_sight)
        self._schedule()

    def announce(self, notice: Notice, *, is_in_sight: bool = False) -> None:
        """Notify as configured, with a toast unless the screen shows it."""
        notify = self._app.settings.notify
        sequence = BELL if notify.bell else ""
        if self._app.terminal.has_window:
            kind = sequence_kind(notify.desktop, os.environ)
            sequence += notice_sequence(kind, notice.title, notice.text, os.environ)
        if sequence:
            self._app.write_to_terminal(sequence)
        if not is_in_sight:
            self._app.notify(
                notice.text or notice.title,
                title=notice.title if notice.text else "",
                severity="error" if notice.is_bad else "information",
            )

    @handles(NotifyWhenDone)
    def toggle_end(self, wanted: NotifyWhenDone) -> None:
        routes = {
            (route.project, route.pipeline): route
            for route in wanted.routes
            if route.project is not None and route.pipeline is not None
        }
        if known := [key for key in routes if key in self._awaited]:
            for key in known:
                self._awaited.pop(key).cancel()
            self._app.hint(f"Notification for {_numbers(known)} canceled.")
            return
        for key, route in routes.items():
            name = called(key[0], route.project_name)
            end = work(self._await_end, *key, name)
            self._awaited[key] = self._app.run_worker(end, group="awaited")
        if routes:
            letter = self._app.active_keys.first("pipeline.notify", type(self._app.screen))
            one = len(routes) == 1
            again = f" {letter} again{'' if one else ' on one'} to cancel." if letter else ""
            self._app.hint(f"Notifying when {_done(routes)}, while platui runs.{again}")

    async def _await_end(self, project: ProjectRef, pipeline: int, name: str) -> None:
        from platui.present.triage.notices import Notice, ended_notice  # noqa: PLC0415  (where wanted)

        feed = self._app.service.watch(resources.pipelines.ending(project, pipeline))
        try:
            async for snapshot in feed:
                if isinstance(snapshot.error, HIDDEN):
                    self.announce(Notice(f"#{pipeline} is no longer visible", is_bad=True))
                    return
                found = snapshot.value
                is_of_now = snapshot.is_final or snapshot.source is Source.LIVE
                if found is not None and found.status not in ACTIVE and is_of_now:
                    self.announce(ended_notice(found, name, self._app.service.clock.now()))
                    return
        finally:
            # A newer worker may have replaced this one.
            if self._awaited.get((project, pipeline)) is get_current_worker():
                del self._awaited[project, pipeline]


def _numbers(keys: Collection[tuple[ProjectRef, int]]) -> str:
    return f"{len(keys)} pipelines" if len(keys) > 1 else f"#{next(iter(keys))[1]}"


def _done(keys: Collection[tuple[ProjectRef, int]]) -> str:
    return f"{_numbers(keys)} {'is' if len(keys) == 1 else 'are'} done"
