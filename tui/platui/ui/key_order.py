"""Keys one after the other: what a key opens gets the keys that were typed after it.

Textual hands a key to what has the focus at that moment, and acts on it only when it has
come up to the app. `/load` typed at once, as a slow line delivers it, would open the filter
with the first key and run `l`, `o`, `a` and `d` as commands of the table.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import App
    from textual.events import Key
    from textual.message_pump import MessagePump

_LOST_AFTER: Final = 1.0
"""Seconds after which a key counts as done: what it was on its way through may be gone."""


class KeyOrder:
    """Hands an app its keys, each when the one before has had its effect."""

    def __init__(self, app: App[Any], hand_over: Callable[[Key], Awaitable[None]]) -> None:
        self._app = app
        self._hand_over = hand_over
        self._waiting: deque[Key] = deque()
        self._since: float | None = None
        """When the key that is under way set out; None when none is."""

    async def take(self, key: Key) -> None:
        """Hand a key over, now or when its turn comes."""
        self._waiting.append(key)
        if self._since is None or _now() - self._since > _LOST_AFTER:
            await self._next()

    async def _next(self) -> None:
        """Let the next key set out, and go the same way behind it."""
        self._since = None
        if self._waiting:
            self._since = _now()
            target = self._app.focused or self._app.screen
            await self._hand_over(self._waiting.popleft())
            self._go_behind(target)

    def _go_behind(self, node: MessagePump | None) -> None:
        """Queue up where the key has queued up, from its target up to the app."""
        if node is None or node is self._app or not node.call_later(self._go_behind, node._parent):  # noqa: SLF001  (the way that messages bubble)
            # Focus changes are queued by what the key did: one more turn, behind those.
            self._app.call_later(self._app.call_later, self._next)


def _now() -> float:
    return asyncio.get_running_loop().time()
