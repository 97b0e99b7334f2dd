"""Requests of screens to the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.core.errors import PlatuiError
    from platui.models.values.routes import Route
    from platui.models.values.stored_triage import Watchable
    from platui.models.values.writes import Intent
    from platui.service.writes.task import WriteTask


class AppRequest(Message):
    """A request to the app, handled by the controller for it, if any."""


@dataclass
class GoTo(AppRequest):
    """Open a place."""

    route: Route
    words: str = ""  # The filter there; empty: unchanged


@dataclass
class RouteCompleted(AppRequest):
    """Add names and ids to the current place that its address lacked."""

    route: Route


@dataclass
class RouteCorrected(AppRequest):
    """Replace the current place, which does not exist, by the one its address means."""

    route: Route
    meant: Route
    words: str = ""


@dataclass
class GoUp(AppRequest):
    """Go to the parent view."""

    quits: bool = False  # Whether platui itself is left when there is nothing above


@dataclass
class AskToken(AppRequest):
    """Ask the user for another token."""


@dataclass
class RunTypedCommand(AppRequest):
    """A line was typed after `:`."""

    text: str


@dataclass
class NotifyWhenDone(AppRequest):
    """Notify when these pipelines end; stop it for those awaited already."""

    routes: Sequence[Route]


@dataclass
class CopyText(AppRequest):
    """Copy a text to the clipboard, as far as the terminal allows."""

    text: str
    what: str = ""  # The name of the text, for the message


@dataclass
class OpenPage(AppRequest):
    """Open an address of the platform in a browser, or show it."""

    address: str
    origin: str = ""  # Address of whom it must be; empty: of the project API


@dataclass
class ShowError(Message):
    """Show the error of a failed action."""

    error: PlatuiError
    once: bool = False  # Whether the same error is shown only once


@dataclass
class ShowHint(Message):
    """Show a hint."""

    sentence: str


@dataclass
class RequestWrites(AppRequest):
    """Ask the user about a write, and send it after a yes."""

    intents: tuple[Intent, ...]  # The writes of one question; empty: show the disabled reason
    notes: tuple[str, ...] = ()  # Notes of the question, a paragraph each
    when_over: Callable[[WriteTask], None] | None = None


@dataclass
class ToggleWriteLock(AppRequest):
    """Unlock writes, or lock them again."""


@dataclass
class ToggleWatch(AppRequest):
    """Watch projects or a group; unwatch them if all are watched."""

    projects: tuple[Watchable, ...] = ()
    group: str = ""  # The full path of a group, in the stead of projects


@dataclass
class OpenWatchChooser(AppRequest):
    """Let the user choose the watched projects."""

    key: str = ":watch"  # The key or command that asks again
