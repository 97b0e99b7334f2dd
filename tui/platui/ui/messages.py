"""Requests of screens to the app."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.message import Message

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.config.settings import OwnAction
    from platui.core.errors import PlatuiError
    from platui.models.values.routes import Route
    from platui.models.values.stored_triage import Watchable
    from platui.models.values.writes import Intent
    from platui.service.writes.task import WriteTask


class AppRequest(Message):
    """A request to the app, handled by one of its controllers."""


@dataclass
class GoTo(AppRequest):
    """Open a view."""

    route: Route
    words: str = ""  # The filter there; empty: unchanged


@dataclass
class RouteCompleted(AppRequest):
    """Add names and ids to the route of a view."""

    route: Route
    before: Route


@dataclass
class RouteCorrected(AppRequest):
    """Replace the current route, which does not exist, by another reading of its address."""

    route: Route
    meant: Route
    words: str = ""


@dataclass
class GoUp(AppRequest):
    """Go to the parent view."""

    quits: bool = False  # Exit at the top view


@dataclass
class AskToken(AppRequest):
    """Ask the user for another token."""


@dataclass
class CommandTyped(AppRequest):
    """The text after `:` changed, or its prompt was cancelled."""

    text: str
    is_open: bool = True


@dataclass
class HitClicked(AppRequest):
    """Open the chosen hit of the text after `:`."""

    text: str


@dataclass
class RunTypedCommand(AppRequest):
    """Run a command typed after `:`."""

    text: str


@dataclass
class NotifyWhenDone(AppRequest):
    """Toggle the notification when these pipelines end."""

    routes: Sequence[Route]


@dataclass
class CopyText(AppRequest):
    """Copy a text to the clipboard."""

    text: str
    what: str = ""  # Name of the text in the message


@dataclass
class OpenPage(AppRequest):
    """Open a URL of the platform in a browser, or show it."""

    address: str
    origin: str = ""  # Required origin; empty: the project API
    note: str = ""  # A sentence about the page, shown first


@dataclass
class ShowError(Message):
    """Show the error of a failed action."""

    error: PlatuiError
    once: bool = False  # Show the same error only once


@dataclass
class ShowHint(Message):
    """Show a hint."""

    sentence: str


@dataclass
class RequestWrites(AppRequest):
    """Confirm writes with the user and send them."""

    intents: tuple[Intent, ...]  # The writes of one question; empty: show the disabled reason
    notes: tuple[str, ...] = ()  # Paragraphs of the question
    when_over: Callable[[WriteTask], None] | None = None
    left: str = ""  # Hint after No, of writes that continue others
    project_path: str = ""  # Of the writes; empty: as the current view calls it


@dataclass
class RunOwnAction(AppRequest):
    """Run the command of an own action."""

    action: OwnAction
    values: Mapping[str, str]  # Placeholder -> value


@dataclass
class ToggleWriteLock(AppRequest):
    """Unlock writes, or lock them again."""


@dataclass
class ToggleWatch(AppRequest):
    """Watch projects or a group; unwatch if all are watched."""

    projects: tuple[Watchable, ...] = ()
    group: str = ""  # Full path of a group, instead of projects
    hides_rows: bool = False  # Whether unwatched projects leave the view


@dataclass
class OpenWatchChooser(AppRequest):
    """Let the user choose the watched projects."""

    key: str = ":watch"  # Key or command that opens the chooser again
