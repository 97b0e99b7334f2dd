"""Who looks elsewhere is told: of what broke, is green again, or was asked for with `W`."""

from __future__ import annotations

import os
from contextlib import aclosing
from socket import gethostname
from typing import TYPE_CHECKING, Any, Final

from textual import events, on
from textual.worker import get_current_worker

from platui.core.errors import ForbiddenError, NotFoundError
from platui.core.text import clean
from platui.models.values.snapshots import Source
from platui.present.called import called
from platui.present.status import ACTIVE
from platui.ui.announcing import (
    BELL,
    RESTORE_TITLE,
    SAVE_TITLE,
    kind_for,
    notice_sequence,
    title_sequence,
)
from platui.ui.messages import EndWanted
from platui.ui.news_desk import NewsDesk
from platui.ui.watcher import WatcherApp
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer
    from textual.worker import Worker

    from platui.models.values.places import Place
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board
    from platui.models.values.triage_memory import TriageMemory
    from platui.models.values.triage_news import News
    from platui.present.notices import Notice

_AT_ONCE: Final = 0.01
_TOLD_FOR: Final = 12.0
"""Seconds that a toast of a notice stays."""


class AttentiveApp(WatcherApp):
    """An app that follows the board behind whatever is on its screen."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._news = NewsDesk()
        self._names: dict[int, str] = {}
        self._telling: Timer | None = None
        self._title = ""
        self._follows = False
        self._stop_waiting: Callable[[], None] = lambda: None
        self._awaited: dict[tuple[ProjectRef, int], Worker[None]] = {}

    def attend(self) -> None:
        """Follow the board as soon as something is watched, if anybody wants to be told."""
        notify = self.settings.notify
        if notify.title:
            self._give_title(0)
        if notify.bell or notify.title or notify.desktop != "off":
            self.run_worker(
                work(self._attend), group="attend", exclusive=True, exit_on_error=True,
                description="read what is watched",
            )  # fmt: skip

    async def _attend(self) -> None:
        book = self.service.triage_book
        await book.ready()
        self._stop_waiting = book.memory.observe(self._attend_to)
        self._attend_to(book.memory.value)

    def _attend_to(self, memory: TriageMemory) -> None:
        if self._follows or not (memory.watched.projects or memory.watched.groups):
            return
        self._follows = True
        self.run_worker(
            work(self._follow_news), group="news", exclusive=True, exit_on_error=True,
            description="follow the board behind the screen",
        )  # fmt: skip

    @on(events.Unmount)
    def _give_title_back(self) -> None:
        """Give the window its title back."""
        self._stop_waiting()
        if self._title:
            # Not every terminal keeps titles: those that do not get what most shells give them.
            self.write_to_terminal(title_sequence(gethostname()) + RESTORE_TITLE)

    # the board

    async def _follow_news(self) -> None:
        async with aclosing(self.service.watch_news()) as found:
            async for board, news in found:
                self._names = dict(board.names)
                told = [one for one in news if self._is_told(one)]
                self._news.take(told, self.service.clock.monotonic())
                self._tell_in_time()
                self._count(board)

    def _is_told(self, one: News) -> bool:
        """Return whether anybody wants to be told: what fails on a branch is its author's."""
        from platui.present.notices import is_worth_telling  # noqa: PLC0415  (with news only)

        if not is_worth_telling(one, self.service.clock.now()):
            return False
        lane = one.item.lane
        return self.settings.notify.branches == "all" or one.item.is_main or not lane.ref

    def _count(self, board: Board) -> None:
        if self.settings.notify.title and board.known:
            self._give_title(board.counts.broken)

    def _give_title(self, broken: int) -> None:
        """Say in the window's title what is open, and how much is broken."""
        if not self.terminal.has_window:
            return
        badge = f" ✖ {broken}" if broken else ""
        title = f"platui {clean(self.service.profile.name)}{badge}"
        if title != self._title:
            before = "" if self._title else SAVE_TITLE
            self.write_to_terminal(before + title_sequence(title))
            self._title = title

    def _tell_in_time(self) -> None:
        """Tell what is gathered when it is time to."""
        if self._telling is not None:
            self._telling.stop()
            self._telling = None
        left = self._news.remaining(self.service.clock.monotonic())
        if left is not None:
            # A timer of no time at all divides by it.
            self._telling = self.set_timer(max(left, _AT_ONCE), self._tell_news)

    def _tell_news(self) -> None:
        from platui.present.notices import notices_of  # noqa: PLC0415  (with news only)

        self._telling = None
        news = self._news.hand_out(self.service.clock.monotonic())
        screen = self.place_screen()
        is_in_sight = screen is not None and screen.SHOWS_NEWS
        for notice in notices_of(news, self._names):
            self.announce(notice, is_in_sight=is_in_sight)
        self._tell_in_time()

    def announce(self, notice: Notice, *, is_in_sight: bool = False) -> None:
        """Ring and notify as the user chose; a toast too, unless the screen says it anyway."""
        notify = self.settings.notify
        sequence = BELL if notify.bell else ""
        if self.terminal.has_window:
            kind = kind_for(notify.desktop, os.environ)
            sequence += notice_sequence(kind, notice.title, notice.text, os.environ)
        if sequence:
            self.write_to_terminal(sequence)
        if not is_in_sight:
            self.notify(
                notice.text or notice.title,
                title=notice.title if notice.text else "",
                severity="error" if notice.is_bad else "information",
                timeout=_TOLD_FOR,
            )

    # what was asked for

    @on(EndWanted)
    def _end_wanted(self, message: EndWanted) -> None:
        """Tell when pipelines end; of those that are awaited already, no more."""
        message.stop()
        keys = [
            (place.project, place.pipeline, place)
            for place in message.places
            if place.project is not None and place.pipeline is not None
        ]
        known = [key[:2] for key in keys if key[:2] in self._awaited]
        if known:
            for key in known:
                self._awaited.pop(key).cancel()
            self.hint(f"{_numbers(known)} may end without a word now.")
            return
        for project, pipeline, place in keys:
            self._awaited[project, pipeline] = self.run_worker(
                work(self._await_end, project, pipeline, place), group="awaited",
                exit_on_error=True, description="wait for a pipeline's end",
            )  # fmt: skip
        if keys:
            letter = self.keys_in_use.first("pipeline.await", type(self.screen))
            rest = " again: no more." if len(keys) == 1 else " on one again: no more of that."
            again = f"{letter}{rest}" if letter else ""
            self.hint(f"You are told when {_numbers(keys)} ends, while platui runs. {again}")

    async def _await_end(self, project: ProjectRef, pipeline: int, place: Place) -> None:
        from platui.present.notices import Notice, ended_notice  # noqa: PLC0415  (where wanted)

        feed = self.service.feeds.watch_ending(project, pipeline)
        try:
            async for snapshot in feed:
                if isinstance(snapshot.error, NotFoundError | ForbiddenError):
                    self.announce(Notice(f"#{pipeline} cannot be seen any more", is_bad=True))
                    return
                found = snapshot.value
                is_of_now = snapshot.settled or snapshot.source is Source.LIVE
                if found is not None and found.status not in ACTIVE and is_of_now:
                    self.announce(ended_notice(found, called(project, place.project_name)))
                    return
        finally:
            # Asked for anew meanwhile, it is another's.
            if self._awaited.get((project, pipeline)) is get_current_worker():
                del self._awaited[project, pipeline]


def _numbers(keys: list[Any]) -> str:
    names = [f"#{key[1]}" for key in keys]
    return names[0] if len(names) == 1 else f"{len(names)} pipelines"
