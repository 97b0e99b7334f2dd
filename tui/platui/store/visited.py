"""The last visited routes of each profile, newest first, to rank the matches of `:`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui.core.observers import OnNotice, ignore_notice
from platui.store.document import CacheFiles
from platui.store.json_shape import expect_type
from platui.store.saved_views import read_route, written_route

if TYPE_CHECKING:
    from platui.models.values.routes import Route

_TOO_BIG: Final = 1_000_000  # Bytes above which a file is invalid


class VisitedRoutes:
    def __init__(self, folder: Path, say: OnNotice = ignore_notice) -> None:
        self._files = CacheFiles(folder, "Visited views", 1, _TOO_BIG, say)

    def load(self, profile: str, url: str) -> list[Route]:
        """Return the routes of a profile on this platform."""

        def parse(document: dict[str, Any]) -> list[Route]:
            is_own = (document["profile"], document["url"]) == (profile, url)
            return list(map(read_route, expect_type(document["routes"], list))) if is_own else []

        return self._files.load(profile, parse) or []

    def save(self, profile: str, url: str, routes: Sequence[Route]) -> None:
        written = [written_route(route) for route in routes]
        self._files.save(profile, {"profile": profile, "url": url, "routes": written})
