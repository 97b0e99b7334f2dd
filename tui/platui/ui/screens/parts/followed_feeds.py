"""The feeds that a view follows while it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Collection

    from platui.ui.screens.parts.body import Body

T = TypeVar("T")

MAIN: Final = "view"


class FollowedFeeds:
    """Feeds by name; a feed that is followed again continues from its last item."""

    def __init__(self, body: Body) -> None:
        self.held = False
        self._body = body
        self._feeds: dict[str, tuple[Any, bool]] = {}  # name -> feed, is refreshed
        self._followed: set[str] = set()

    @property
    def main(self) -> Any:
        return self.get(MAIN)

    def get(self, name: str) -> Any:
        return self._feeds.get(name, (None, False))[0]

    def follow(
        self,
        name: str,
        feed: AsyncIterable[T],
        show: Callable[[T], None],
        *,
        refreshes: bool = True,
    ) -> None:
        """Pass every item of a feed to `show` until the screen is left or the name is reused."""
        self._feeds[name] = (feed, refreshes)
        self._followed.add(name)
        feed.hold(self.held)  # type: ignore[attr-defined]

        async def pump() -> None:
            async for item in feed:
                show(item)

        self._body.in_background(f"feed-{name}", pump)

    def is_followed(self, name: str) -> bool:
        return name in self._followed

    def refresh(self) -> None:
        for feed, refreshes in list(self._feeds.values()):
            if refreshes:
                feed.refresh()

    def hold(self, *, held: bool) -> None:
        self.held = held
        for feed, _ in list(self._feeds.values()):
            feed.hold(held)

    def drop(self, name: str) -> None:
        self._feeds.pop(name, None)
        self._followed.discard(name)
        self._body.app.workers.cancel_group(self._body, f"feed-{name}")

    def drop_others(self, prefix: str, names: Collection[str] = ()) -> None:
        for name in [one for one in self._feeds if one.startswith(prefix) and one not in names]:
            self.drop(name)

    def stop(self) -> None:
        self._followed.clear()
        for worker in list(self._body.app.workers):
            if worker.node is self._body and worker.group.startswith("feed-"):
                worker.cancel()

    def forget(self) -> None:
        self._feeds.clear()
