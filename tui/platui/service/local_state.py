"""Local state that survives a restart of the dashboard: last route and preferences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.observers import OnNotice, ignore_notice
from platui.core.paths import state_dir
from platui.service.service_context import BackgroundWriter
from platui.store.choices import ChoicesFile
from platui.store.json_shape import file_stem
from platui.store.saved_views import SavedViews

if TYPE_CHECKING:
    from pathlib import Path

    from platui.config.profile import Profile
    from platui.core.last_frame import LastFrame, LastFrames, Size
    from platui.models.values.routes import Route, SavedView
    from platui.models.values.triage_board import SavedBoard
    from platui.models.values.writes import WriteAction
    from platui.store.saved_boards import SavedBoards
    from platui.store.visited import VisitedRoutes

_URL: Final = "url"
MOST_VISITED: Final = 200  # Routes that are saved


class LocalState:
    """Reads synchronously, because the first frame needs it; writes in the background."""

    def __init__(
        self, profile: Profile, background_writer: BackgroundWriter, say: OnNotice = ignore_notice
    ) -> None:
        self._say = say
        self._profile = profile
        self._background_writer = background_writer
        self._views = SavedViews(state_dir() / "places", say)
        self._homes = SavedViews(state_dir() / "homes", say)
        self._memory: ChoicesFile | None = None
        self._utc = False
        self._actions: frozenset[str] = frozenset()
        self._previews: dict[str, str] = {}

    def saved_route(self) -> SavedView | None:
        return self._load_from(self._views)

    def save_route(self, saved: SavedView) -> None:
        self._save_to(self._views, saved)

    def saved_home(self) -> SavedView | None:
        return self._load_from(self._homes)

    @property
    def route_file(self) -> Path:
        """Return the file of `save_route`."""
        return self._views.path(self._profile.name)

    def save_home(self, saved: SavedView) -> None:
        """Save the home screen for the next first frame, with the board behind its rows."""
        self._save_to(self._homes, saved)
        if (board := saved.board) is not None:
            name, url = self._profile.name, self._profile.url
            self._save(lambda: self._boards().save(name, url, board))

    def save_frame(
        self, frames: LastFrames, size: Size, frame: LastFrame, depends_on: Sequence[Path]
    ) -> None:
        owner = file_stem(self._profile.name)
        self._save(lambda: frames.save(owner, size, frame, depends_on))

    def delete_frame(self, frames: LastFrames, size: Size) -> None:
        self._save(lambda: frames.delete(size))

    def kept_board(self) -> SavedBoard | None:
        """Return the last triage board of this platform; call it in a thread."""
        if self._profile.is_in_memory:
            return None
        return self._boards(self._say).load(self._profile.name, self._profile.url)

    def visited(self) -> list[Route]:
        """Return the routes visited before this start, newest first; call it in a thread."""
        if self._profile.is_in_memory:
            return []
        return self._visited().load(self._profile.name, self._profile.url)

    def add_visited(self, routes: Sequence[Route]) -> None:
        """Save routes, newest first, before those of earlier sessions and other dashboards."""

        def add() -> None:
            every = dict.fromkeys([*routes, *self.visited()])
            self._visited().save(self._profile.name, self._profile.url, list(every)[:MOST_VISITED])

        self._save(add)

    def _visited(self) -> VisitedRoutes:
        from platui.store.visited import VisitedRoutes  # noqa: PLC0415  (behind the first frame)

        return VisitedRoutes(state_dir() / "visited", self._say)

    def _boards(self, say: OnNotice = ignore_notice) -> SavedBoards:
        from platui.store.saved_boards import SavedBoards  # noqa: PLC0415  (behind the first frame)

        return SavedBoards(state_dir() / "boards", say)

    def _load_from(self, views: SavedViews) -> SavedView | None:
        if self._profile.is_in_memory:
            return None
        saved = views.load(self._profile.name)
        return saved if saved is not None and saved.extra.get(_URL) == self._profile.url else None

    def _save_to(self, views: SavedViews, saved: SavedView) -> None:
        extra = {**saved.extra, _URL: self._profile.url}
        named = replace(saved, profile=self._profile.name, extra=extra)
        self._save(lambda: views.save(named))

    def _save(self, save: Callable[[], None]) -> None:
        def save_if_possible() -> None:
            # A full disk only costs the next start its first frame.
            with suppress(OSError):
                save()

        if not self._profile.is_in_memory:
            self._background_writer.write(save_if_possible)

    def shows_utc(self) -> bool:
        self._load_preferences()
        return self._utc

    def show_utc(self, utc: bool) -> None:  # noqa: FBT001  (a choice)
        memory = self._load_preferences()
        self._utc = utc
        self._background_writer.write(lambda: memory.set_utc(utc=utc))

    def preview(self, view: str) -> str:
        """Return the preview chosen in a view; empty: none was chosen."""
        self._load_preferences()
        return self._previews.get(view, "")

    def choose_preview(self, view: str, kind: str) -> None:
        memory = self._load_preferences()
        self._previews[view] = kind
        self._background_writer.write(lambda: memory.set_preview(view, kind))

    def confirmed_actions(self) -> frozenset[str]:
        """Return the confirmed optional actions, by their values."""
        self._load_preferences()
        return self._actions

    def confirm_action(self, act: WriteAction) -> None:
        memory = self._load_preferences()
        if act.value not in self._actions:
            self._actions |= {act.value}
            self._background_writer.write(lambda: memory.add_action(act.value))

    def _load_preferences(self) -> ChoicesFile:
        if self._memory is None:
            folder = None if self._profile.is_in_memory else state_dir() / "memory"
            self._memory = ChoicesFile(folder, self._profile.name, self._say)
            self._utc = self._memory.value.utc
            self._actions = self._memory.value.actions
            self._previews = dict(self._memory.value.previews)
        return self._memory


def last_uses(profiles: Iterable[Profile]) -> dict[str, float]:
    found = {}
    for profile in profiles:
        state = LocalState(profile, BackgroundWriter())
        if saved := [one for one in (state.saved_route(), state.saved_home()) if one is not None]:
            found[profile.name] = max(one.saved_at for one in saved)
    return found
