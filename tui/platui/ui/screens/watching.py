"""The key that watches the project one is at, and the star that tells whether it is watched."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.watching import Watchable
from platui.ui.messages import WatchWanted
from platui.ui.screens.base import PlaceScreen
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.models.values.triage_memory import Watched

STAR: Final = "★"

_LOOK_EVERY: Final = 2.0
"""Seconds between two looks at what other dashboards of the user watch."""


class WatchesProjects(PlaceScreen):
    """A view of one or more projects, which can be watched from here.

    It stands behind the lists among the bases of a screen: Textual takes styles from the first
    one only. What is watched is read behind the first frame.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "asterisk",
            "watch",
            "Watch",
            id="watch.toggle",
            tooltip="Have this project, or the marked ones, on the triage board; again: not",
        ),
    ]
    _watched: Watched | None = None
    """What is watched, as it was told last; None before."""
    _follows_watched = False

    def watchable(self) -> Sequence[Watchable]:
        """Return the projects that the key is about."""
        if self.place.project is None:
            return ()
        return [Watchable(self.place.project, label=clean(self.project_name))]

    @property
    def watched(self) -> Watched:
        """Return what is watched now."""
        return self.service.triage_book.memory.value.watched

    def watched_changed(self) -> None:
        """Show what is watched now."""
        self.tell_header()

    @property
    def project_crumb(self) -> str:
        """Return what the project of this place is called, with a star where it is watched."""
        return f"{STAR} {self.project_name}" if self._is_here_watched else self.project_name

    @property
    def _is_here_watched(self) -> bool:
        project, watched = self.place.project, self._watched
        if project is None or watched is None:
            return False
        if (found := self.service.directory.known(project)) is not None:
            return watched.holds(found.id, found.path_with_namespace)
        path = project if isinstance(project, str) else self.place.project_name
        return watched.holds(project, path)

    # life

    def on_screen_resume(self) -> None:
        """Follow what is watched, behind the first frame."""
        self.call_after_refresh(self._begin_to_follow)

    def _begin_to_follow(self) -> None:
        if self.is_shown and not self._follows_watched:
            # Not `_follow_watched()`: one that is left before it begins would lie about unawaited.
            self.run_worker(
                work(self._follow_watched), group="watched", exclusive=True,
                exit_on_error=True, description="read what is watched",
            )  # fmt: skip

    async def _follow_watched(self) -> None:
        await asyncio.to_thread(import_module, "platui.service.triage_book")
        book = self.service.triage_book
        await book.ready()
        if not self.is_shown or self._follows_watched:
            return
        self._follows_watched = True
        stop = book.memory.observe(lambda memory: self._take_watched(memory.watched))
        looks = self.set_interval(_LOOK_EVERY, book.look)

        def stop_all() -> None:
            self._follows_watched = False
            stop()
            looks.stop()

        self.while_shown(stop_all)
        self._take_watched(self.watched)

    def _take_watched(self, watched: Watched) -> None:
        if watched != self._watched:
            self._watched = watched
            self.watched_changed()

    # keys

    def action_watch(self) -> None:
        """Watch the projects, or no longer do so."""
        if chosen := tuple(self.watchable()):
            self.post_message(WatchWanted(chosen))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey the key where there is no project."""
        if action == "watch" and self.is_whole and not self.watchable():
            return None
        return super().check_action(action, parameters)
