"""The base class of all screens: keys, controllers, frames."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from textual import on
from textual.events import Event, Idle, InputEvent, ScreenResume
from textual.screen import Screen, ScreenResultType

from platui.ui.active_keys import DEFAULT_KEYS, ActiveKeys
from platui.ui.controller import Controller, controllers_of, key_bindings
from platui.ui.terminal.driver import TerminalDriver
from platui.ui.terminal.frames import LineCompositor
from platui.ui.terminal.shared_frames import SharedFrames

if TYPE_CHECKING:
    from textual.app import App
    from textual.binding import BindingsMap
    from textual.dom import DOMNode
    from textual.geometry import Size


C = TypeVar("C", bound="Controller[Any]")

_HELD: Final = 0.008  # Maximum seconds that a frame waits for all effects of a key


def has_widgets(node: DOMNode, selectors: Iterable[str]) -> bool:
    """Return whether all these widgets exist; while a screen closes, they go one by one."""
    return all(node.query_one_optional(one) is not None for one in selectors)


class TerminalScreen(Screen[ScreenResultType]):
    """A screen that paints all effects of a key at once, in one frame."""

    BLANK = True  # Do not render lines behind a large widget
    CONTROLLERS: ClassVar[tuple[type[Controller[Any]], ...]] = ()

    _held_until: float | None = None  # Deadline of a held-back frame

    def __init_subclass__(cls, **options: Any) -> None:
        own = vars(cls)
        cls.BINDINGS = [*key_bindings(own.get("CONTROLLERS", ())), *own.get("BINDINGS", ())]
        super().__init_subclass__(**options)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._compositor = LineCompositor()
        self.shared_frames = SharedFrames(self._paint_shared)
        self.controllers: tuple[Controller[Any], ...] = tuple(
            kind(self) for kind in controllers_of(type(self))
        )
        self.commands: dict[str, Controller[Any]] = {
            id_: one for one in self.controllers for id_ in one.COMMANDS
        }

    def controller(self, kind: type[C]) -> C:
        """Return the controller of a class. Raises StopIteration if the screen has none."""
        return next(one for one in self.controllers if isinstance(one, kind))

    def offered_commands(self) -> dict[str, bool]:
        """Return command -> whether it is enabled, for those not hidden; not all have keys."""
        states = {command: self.check_action("run", (command,)) for command in self.commands}
        return {command: bool(state) for command, state in states.items() if state is not False}

    async def action_run(self, command: str) -> None:
        await self.commands[command].run(command)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return None for a disabled command, False for a hidden one."""
        if action != "run":
            return super().check_action(action, parameters)
        command = str(parameters[0])
        controller = self.commands.get(command)
        if controller is None or not controller.offers(command):
            return False
        if not self.is_whole:
            return True
        if controller.hides(command):
            return False
        return None if controller.disabled_reason(command) else True

    @property
    def is_whole(self) -> bool:
        """Return whether all widgets exist: not during mount and teardown."""
        return self.is_mounted

    @property
    def _binding_chain(self) -> list[tuple[DOMNode, BindingsMap]]:
        """Return the bindings to search; a private property of Textual, pinned by a test."""
        return self._keys_in_use.rebind(super()._binding_chain)

    def key_of(self, action: str, *parts: type[DOMNode]) -> str:
        """Return the first key of an action of this screen, its `parts` or the app; empty: none."""
        return self._keys_in_use.first(action, type(self), *parts, type(self.app))

    def keyed(self, text: str) -> str:
        """Replace each `{action.id}` in a text by its key."""
        from platui.present.guide import with_keys  # noqa: PLC0415  (not for a first frame)

        return with_keys(text, self.key_of)

    @property
    def _keys_in_use(self) -> ActiveKeys:
        keys: ActiveKeys = getattr(self.app, "active_keys", DEFAULT_KEYS)
        return keys

    def spare_styles(self, app: App[Any]) -> None:
        """Skip a second parse of the style sheets for this new screen."""
        self._css_update_count = app._css_update_count  # noqa: SLF001  (pinned by a test)

    @on(ScreenResume)
    def await_frame(self, resumed: ScreenResume | None = None) -> None:
        """Paint the next change at once: the user waits for it."""
        if resumed is not None and not self.stack_updates:
            resumed.refresh_styles = False  # mounting has just applied them
        self.shared_frames.paints_at_once = True

    def _screen_resized(self, size: Size) -> None:
        self.await_frame()
        super()._screen_resized(size)
        self.await_frame()

    def _forward_event(self, event: Event) -> None:
        if isinstance(event, InputEvent):
            self.await_frame()
        super()._forward_event(event)

    def hold_frame(self) -> None:
        """Paint nothing until `paint_now`, or the deadline."""
        if self._held_until is None:
            self._held_until = asyncio.get_running_loop().time() + _HELD

    @property
    def is_frame_late(self) -> bool:
        return (
            self._held_until is not None and asyncio.get_running_loop().time() >= self._held_until
        )

    def catch_up(self) -> None:
        """Update the rest of the screen before the frame of a key."""

    def paint_now(self) -> None:
        """Paint changes now, without waiting for the next tick."""
        self._held_until = None
        if not self.is_current or not self.is_running:
            return
        self.catch_up()
        for widget in self._compositor.visible_widgets:
            # A widget would request this when idle, two messages later.
            if widget._repaint_required and not widget._layout_required:  # noqa: SLF001  (as Widget does)
                widget._repaint_required = False  # noqa: SLF001  (as Widget does)
                self._dirty_widgets.add(widget)
        frames = self.shared_frames
        painted_at_once, frames.paints_at_once = (
            frames.paints_at_once or self._layout_required,
            True,
        )
        self._update()
        frames.paints_at_once &= painted_at_once  # nothing was painted, or not all

    async def _on_idle(self, event: Idle) -> None:
        """Run nothing "after the frame" in a batch, which paints none; Textual runs it."""
        if self.app._batch_count:  # noqa: SLF001  (no public access)
            event.prevent_default()
            self._update_timer.resume()

    def _on_timer_update(self) -> None:
        """Update at a tick, unless a frame is held back; a private method of Textual."""
        frames = self.shared_frames
        if self._held_until is not None and not self.is_frame_late:
            return
        if not frames.paints_at_once or not self._layout_required:
            self._update()
            return
        frames.paints_at_once = False
        self._update()
        if frames.is_pending:
            frames.wait_for_resized()
        else:
            frames.paints_at_once = True

    def _update(self) -> None:
        """Lay out and paint, but not in a batch; a slow connection skips intermediate frames."""
        if self.app._batch_count:  # noqa: SLF001  (no public access)
            return
        if _is_terminal_behind(self.app, self.check_idle):
            self._update_timer.pause()
            return
        self._held_until = None
        super()._on_timer_update()

    def _compositor_refresh(self) -> None:
        """Paint, or collect changes for a later frame; a private method of Textual."""
        if self.app._batch_count or self._repaint_required:  # noqa: SLF001  (no public access)
            # No part is painted before a frame of all: at the end of a batch, or at the next tick.
            self._repaint_required = True
            self.check_idle()
        elif not self._compositor._dirty_regions or self is not self.app.screen:  # noqa: SLF001  (as Screen does)
            super()._compositor_refresh()
        elif self.shared_frames.paints_at_once:
            self.shared_frames.stop()
            self.shared_frames.paints_at_once = False
            super()._compositor_refresh()
        else:
            self._dirty_widgets.clear()  # the compositor knows their regions
            self.shared_frames.collect()

    def _paint_shared(self) -> None:
        if not self.is_running or _is_terminal_behind(self.app, self._paint_shared):
            return
        self.await_frame()
        late = set(self._dirty_widgets)  # Changed since the tick that this frame is of
        try:
            self._compositor_refresh()
        except Exception as error:  # noqa: BLE001  (it ends the app, as in a message handler)
            self.app._handle_exception(error)  # noqa: SLF001  (the event loop would only log it)
        self._dirty_widgets |= late  # Textual forgets them, with what it painted
        self.check_idle()


def call_after_frame(screen: TerminalScreen[Any], do: Callable[[], object]) -> None:
    """Call when the frame is painted, also if that is later than the next refresh."""

    def call() -> None:
        if not screen.shared_frames.defer_until_painted(call):
            do()

    screen.call_after_refresh(call)


def _is_terminal_behind(app: App[Any], then: Callable[[], object]) -> bool:
    """Return whether output is pending; if so, call `then` when it is written."""
    driver = app._driver  # noqa: SLF001  (no public access)
    return isinstance(driver, TerminalDriver) and driver.waits_for_terminal(then)
