"""Keys one after the other, each by the shortest way.

Textual hands a key to what has the focus at that moment, and acts on it only when it has
come up to the app. `/load` typed at once, as a slow line delivers it, would open the filter
with the first key and run `l`, `o`, `a` and `d` as commands of the table.

A key without a handler on that way is acted on at once: four queues are half of its time.
"""

from __future__ import annotations

import asyncio
from collections import deque
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from textual.events import Key

from platui.ui.terminal.screen import TerminalScreen

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual._queue import Queue
    from textual.app import App
    from textual.dom import DOMNode
    from textual.message_pump import MessagePump

_LOST_AFTER: Final = 1.0
"""Seconds after which a key counts as done: a widget on its way may be gone."""

_STOCK: Final = frozenset(
    f"textual.{name}" for name in ("app", "screen", "widget", "dom", "message_pump")
)
"""Where Textual's own handlers of keys are: they look for the `key_` methods of a subclass."""

_TAKES_KEYS: Final = frozenset({"on_key", "_on_key", "handle_key", "_on_message"})


class KeyQueue:
    """Passes keys to an app, each after the effect of the one before."""

    def __init__(
        self,
        app: App[Any],
        hand_over: Callable[[Key], Awaitable[None]],
        takes: Callable[[Key], bool] = lambda _: True,
    ) -> None:
        """`hand_over` passes a key to the focus; `takes` returns whether a key counts."""
        self._app = app
        self._hand_over = hand_over
        self._takes = takes
        self._waiting: deque[Key] = deque()
        self._since: float | None = None
        """When the current key was handed over; None if there is none."""

    @property
    def has_pending_letter(self) -> bool:
        return bool(self._waiting) and self._waiting[0].is_printable

    async def take(self, key: Key) -> None:
        self._waiting.append(key)
        if self._since is None or asyncio.get_running_loop().time() - self._since > _LOST_AFTER:
            await self._next()

    async def _next(self) -> None:
        self._since = None
        if self._waiting:
            self._since = asyncio.get_running_loop().time()
            screen = self._app.screen
            if isinstance(screen, TerminalScreen):
                screen.hold_frame()
            target = self._app.focused or screen
            key = self._waiting.popleft()
            if not self._takes(key):
                pass  # those behind it still wait for their turn
            elif self._is_way_free(target, tuple(key.name_aliases)):
                await self._act_on(key)
                if self._paint(screen):
                    # What its messages lead to is another frame, but one only.
                    screen.hold_frame()
            else:
                await self._hand_over(key)
            self._settle(self._since, target, screen, self._app)

    def _paint(self, node: MessagePump | None) -> TypeGuard[TerminalScreen[Any]]:
        """Paint a screen unless the next key is a better moment; return whether it was painted."""
        if isinstance(node, TerminalScreen) and (not self._waiting or node.is_frame_late):
            node.paint_now()
            return True
        return False

    def _settle(self, since: float, target: DOMNode, screen: DOMNode, here: MessagePump) -> None:
        """Hand over the next key once no message of this one is left.

        Where there is one in a queue, queue up behind it and look again. `here` is whose queue this
        is called from; its own turn does not count.
        """
        if since != self._since:
            return  # given up, and another one has set out
        app = self._app
        for end in (target, app.focused or app.screen):
            for node in end.ancestors_with_self:
                if _has_work(node, here) and node.call_later(
                    self._settle, since, target, screen, node
                ):
                    return
        self._paint(screen)
        app.call_later(self._next)

    def _is_way_free(self, target: DOMNode, names: tuple[str, ...]) -> bool:
        """Return whether a key would reach the app from its target without any effect."""
        return self._app.screen.maximized is None and all(
            _lets_pass(type(node), names) and (node is self._app or not node.message_queue_size)
            for node in target.ancestors_with_self
        )

    async def _act_on(self, key: Key) -> None:
        """Do what a key is bound to, as Textual does once it has come up to the app."""
        app = self._app
        app.app_focus = True
        app.screen._clear_tooltip()  # noqa: SLF001  (as the App does)
        if not await app._check_bindings(key.key, priority=True):  # noqa: SLF001  (as the App does)
            await app._check_bindings(key.key)  # noqa: SLF001  (as the App does)


def _has_work(node: MessagePump, here: MessagePump) -> bool:
    """Return whether a node has a message to handle, or is handling one that is not ours."""
    if node._closing or node._closed:  # noqa: SLF001  (it handles no more)
        return False
    queue: Queue[Any] = node._message_queue  # noqa: SLF001  (what `message_queue_size` looks at)
    if not queue.empty() or node._pending_message is not None:  # noqa: SLF001  (taken out to be looked at)
        return True
    # Who waits for a message is not in the middle of one, whose handler waits for something.
    return node is not here and not queue.ready_event._waiters  # noqa: SLF001  (nobody else tells)


@lru_cache(maxsize=1000)
def _lets_pass(kind: type[MessagePump], names: tuple[str, ...]) -> bool:
    """Return whether a class of widget, screen or app has no handler of a key of these names."""
    if any(hasattr(kind, f"{prefix}{name}") for prefix in ("key_", "_key_") for name in names):
        return False
    for base in kind.__mro__:
        own = vars(base)
        if any(event in own.get("_decorated_handlers", ()) for event in Key.__mro__):
            return False
        if base.__module__ not in _STOCK and not _TAKES_KEYS.isdisjoint(own):
            return False
    return True
