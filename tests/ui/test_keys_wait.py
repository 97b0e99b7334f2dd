"""Keys wait for the effect of the key before them, without using the processor."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from textual.events import Key
from textual.message import Message
from textual.widget import Widget

from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.detection import Terminal
from platui.ui.terminal.key_queue import KeyQueue
from platui.ui.terminal.screen import TerminalScreen

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class Work(Message):
    """Something that takes a while."""


class Worker(Widget, can_focus=True):
    """Works until its gate is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()
        self.done: list[str] = []

    async def on_work(self) -> None:
        """Work."""
        await self.gate.wait()
        self.done.append("work")


class KeyScreen(TerminalScreen[None]):
    """A key that begins work, and one that does something at once."""

    BINDINGS: ClassVar[list[BindingType]] = [("a", "work", "Work"), ("b", "note", "Note")]
    breaks = False

    def compose(self) -> ComposeResult:
        """Yield the worker, which has the focus."""
        yield Worker()

    def action_work(self) -> None:
        """Begin work."""
        self.query_one(Worker).post_message(Work())

    def action_note(self) -> None:
        """Do something at once."""
        self.query_one(Worker).done.append("note")

    def catch_up(self) -> None:
        """Fail once the work is done, where that is wanted."""
        if self.breaks and self.query_one(Worker).done:
            raise LookupError


class KeyApp(TerminalApp[None]):
    """An app with that screen."""

    def __init__(self) -> None:
        super().__init__(Terminal(usable=True))

    def get_default_screen(self) -> KeyScreen:
        """Return it."""
        return KeyScreen()


def _press(app: KeyApp, *keys: str) -> None:
    for key in keys:
        app.post_message(Key(key, key))


async def test_a_key_waits_for_long_work_without_spinning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop looks a few times; then the widget says when it is idle."""
    looks, settle = list[int](), KeyQueue._settle

    def counted(self: KeyQueue, *arguments: Any, **named: Any) -> None:
        looks.append(1)
        settle(self, *arguments, **named)

    monkeypatch.setattr(KeyQueue, "_settle", counted)
    app = KeyApp()
    async with app.run_test() as pilot:
        worker = app.screen.query_one(Worker)
        worker.focus()
        await pilot.pause()
        _press(app, "a", "b")
        await asyncio.sleep(0.3)
        assert worker.done == []
        assert len(looks) < 40
        worker.gate.set()
        async with asyncio.timeout(10):
            while len(worker.done) < 2:  # noqa: ASYNC110  (nothing else tells)
                await asyncio.sleep(0.01)
        assert worker.done == ["work", "note"]


async def test_an_error_in_the_frame_after_a_key_ends_the_app(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It must not be lost in the event loop."""
    monkeypatch.setattr(KeyScreen, "breaks", True)
    with pytest.raises(LookupError):
        await _work_at_once()


async def _work_at_once() -> None:
    app = KeyApp()
    async with app.run_test() as pilot:
        worker = app.screen.query_one(Worker)
        worker.focus()
        worker.gate.set()
        await pilot.pause()
        _press(app, "a")
        await asyncio.sleep(0.5)
