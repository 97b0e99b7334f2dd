"""Handle keys and pastes in order: Textual would run `load` of `/load` as keys of the table."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from textual.events import Key, Paste

from platui.ui.terminal.screen import TerminalScreen

if TYPE_CHECKING:
    from textual._queue import Queue
    from textual.dom import DOMNode
    from textual.message_pump import MessagePump

    from platui.ui.terminal.app import TerminalApp

_LOST_AFTER: Final = 1.0  # Seconds after which a key counts as handled
_HELD_FOR: Final = 5.0  # Seconds at most that keys wait for a dialog to open
_ROUNDS: Final = 20  # Of the event loop, while the widgets handle the messages of a key

_STOCK: Final = frozenset(
    f"textual.{name}" for name in ("app", "screen", "widget", "dom", "message_pump")
)
"""Modules with Textual's own key handlers, which only call `key_` methods."""

_TAKES_KEYS: Final = frozenset({"on_key", "_on_key", "handle_key", "_on_message"})


class KeyQueue:
    """Passes keys and pastes to an app, each after the effect of the previous one."""

    def __init__(
        self, app: TerminalApp[Any], hand_over: Callable[[Key | Paste], Awaitable[None]]
    ) -> None:
        """`hand_over` passes one to the focus; keys that the app does not accept are ignored."""
        self._app = app
        self._hand_over = hand_over
        self._waiting: deque[Key | Paste] = deque()
        self._since: float | None = None  # When the current key was handed over
        self._held_until = 0.0  # Of the event loop, while a dialog is being loaded

    @property
    def has_pending_letter(self) -> bool:
        first = self._waiting[0] if self._waiting else None
        return isinstance(first, Key) and first.is_printable

    def hold(self) -> float:
        """Let the next keys wait for a dialog that is being loaded; escape does not wait.

        Returns what `release` takes: the time at which it ends on its own.
        """
        self._held_until = asyncio.get_running_loop().time() + _HELD_FOR
        return self._held_until

    def release(self, held: float, *, drops: bool) -> None:
        """Hand over the keys that waited; `drops`: the dialog did not open, so drop them."""
        if held != self._held_until:  # ended, or keys wait for another dialog since
            return
        self._held_until = 0.0
        if drops:
            self._waiting.clear()
        elif self._waiting and self._since is None:
            self._since = asyncio.get_running_loop().time()
            self._app.call_later(self._next)

    def _is_held(self) -> bool:
        return asyncio.get_running_loop().time() < self._held_until

    async def take(self, key: Key | Paste) -> None:
        if self._held_until and (
            not self._is_held() or (isinstance(key, Key) and key.key == "escape")
        ):
            self.release(self._held_until, drops=True)
        self._waiting.append(key)
        if self._is_held():
            return
        if self._since is None or asyncio.get_running_loop().time() - self._since > _LOST_AFTER:
            await self._next()

    async def _next(self) -> None:
        self._since = None
        if self._waiting and self._app.screen_stack and not self._is_held():
            self._since = asyncio.get_running_loop().time()
            screen = self._app.screen
            if isinstance(screen, TerminalScreen):
                screen.await_frame()
                screen.hold_frame()
            self._app.app_focus = True  # Whatever the terminal reported: restores the focus
            target = self._app.focused or screen
            key = self._waiting.popleft()
            if isinstance(key, Paste):
                await self._hand_over(key)
            elif not self._app.accepts_key(key):
                pass  # the next keys are still handled
            elif self._is_way_free(target, tuple(key.name_aliases)):
                await self._act_on(key)
                if self._paint(screen):
                    # Its messages are painted in one more frame.
                    screen.hold_frame()
            else:
                await self._hand_over(key)
            self._settle(self._since, target, screen, self._app)

    def _paint(self, node: MessagePump | None) -> TypeGuard[TerminalScreen[Any]]:
        """Paint a screen, unless more keys wait; return whether it was painted."""
        if isinstance(node, TerminalScreen) and (not self._waiting or node.is_frame_late):
            node.paint_now()
            return True
        return False

    def _settle(
        self,
        since: float,
        target: DOMNode,
        screen: DOMNode,
        here: MessagePump | None = None,
        rounds: int = 0,
    ) -> None:
        """Hand over the next key when no message of this one is left.

        `here` calls this, or the event loop. A callback in a busy widget's queue runs once the
        widget is idle, but costs ten times a round of the loop: it is used after some rounds.
        """
        app = self._app
        if since != self._since or not app.screen_stack:
            return  # timed out, and another key was handed over; or the app is closing
        for end in (target, app.focused or app.screen):
            for node in end.ancestors_with_self:
                if not _has_work(node, here):
                    continue
                if rounds < _ROUNDS:
                    loop = asyncio.get_running_loop()
                    loop.call_soon(self._settle_later, since, target, screen, rounds + 1)
                    return
                if node.call_later(self._settle, since, target, screen, node, rounds):
                    return
        self._paint(screen)
        if self._waiting:
            app.call_later(self._next)
        else:
            self._since = None

    def _settle_later(self, since: float, target: DOMNode, screen: DOMNode, rounds: int) -> None:
        try:
            self._settle(since, target, screen, rounds=rounds)
        except Exception as error:  # noqa: BLE001  (it ends the app, as in a message handler)
            self._app._handle_exception(error)  # noqa: SLF001  (as a message handler does)

    def _is_way_free(self, target: DOMNode, names: tuple[str, ...]) -> bool:
        """Return whether no widget between target and app handles a key."""
        return self._app.screen.maximized is None and all(
            _lets_pass(type(node), names) and (node is self._app or not node.message_queue_size)
            for node in target.ancestors_with_self
        )

    async def _act_on(self, key: Key) -> None:
        """Run the binding of a key, as Textual's app does."""
        app = self._app
        if not await app._check_bindings(key.key, priority=True):  # noqa: SLF001  (as the App does)
            await app._check_bindings(key.key)  # noqa: SLF001  (as the App does)


def _has_work(node: MessagePump, here: MessagePump | None) -> bool:
    """Return whether a node has a message, or is handling another one than ours."""
    if node._closing or node._closed:  # noqa: SLF001  (it handles no messages)
        return False
    queue: Queue[Any] = node._message_queue  # noqa: SLF001  (as `message_queue_size`)
    if not queue.empty() or node._pending_message is not None:  # noqa: SLF001  (taken from the queue)
        return True
    # A node that waits for a message is not handling one.
    return node is not here and not queue.ready_event._waiters  # noqa: SLF001  (no public equivalent)


@lru_cache(maxsize=1000)
def _lets_pass(kind: type[MessagePump], names: tuple[str, ...]) -> bool:
    """Return whether a class has no handler for a key with these names."""
    if any(hasattr(kind, f"{prefix}{name}") for prefix in ("key_", "_key_") for name in names):
        return False
    for base in kind.__mro__:
        own = vars(base)
        if any(event in own.get("_decorated_handlers", ()) for event in Key.__mro__):
            return False
        if base.__module__ not in _STOCK and not _TAKES_KEYS.isdisjoint(own):
            return False
    return True
