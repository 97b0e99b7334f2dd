"""What a screen asks of the app: requests, named by what is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.core.errors import PlatuiError
    from platui.models.values.places import Place
    from platui.models.values.triage_memory import Watchable
    from platui.models.values.writes import Intent
    from platui.service.writes.task import WriteTask


class AppRequest(Message):
    """Something that a controller of the app does, if the app has one for it."""


@dataclass
class GoTo(AppRequest):
    """Open a place."""

    place: Place
    words: str = ""  # What is searched for there; empty: as it was left


@dataclass
class PlaceLearned(AppRequest):
    """More is known of the place one is at: names and ids that an address did not tell."""

    place: Place


@dataclass
class PlaceMistaken(AppRequest):
    """The place one is at is not there, and another one is what was meant by its address."""

    place: Place
    meant: Place
    words: str = ""


@dataclass
class GoUp(AppRequest):
    """Leave this place for the one above it."""

    quits: bool = False  # Whether platui itself is left when there is nothing above


@dataclass
class TokenWanted(AppRequest):
    """Ask the user for another token."""


@dataclass
class CommandTyped(AppRequest):
    """A line was typed after `:`."""

    text: str


@dataclass
class EndWanted(AppRequest):
    """Tell when these pipelines end; of those that are awaited already, no more."""

    places: Sequence[Place]


@dataclass
class CopyWanted(AppRequest):
    """Bring a text to the user's clipboard, as far as the terminal lets us."""

    text: str
    what: str = ""  # Said of the text, before what became of it


@dataclass
class PageWanted(AppRequest):
    """Open an address of the platform in a browser, or show it."""

    address: str
    origin: str = ""  # Address of whom it must be; empty: of the project API


@dataclass
class Failed(Message):
    """Something the user asked for did not work."""

    error: PlatuiError
    once: bool = False  # Whether the same is said once only, however often it comes


@dataclass
class Told(Message):
    """A sentence for the user, of low weight."""

    sentence: str


@dataclass
class WriteWanted(AppRequest):
    """Ask the user about something to be done on the platform, and do it after a yes."""

    intents: tuple[Intent, ...]
    """Several are asked about, and done, together; none where it is only to be said why not."""
    notes: tuple[str, ...] = ()  # What should be known before the answer, a paragraph each
    when_over: Callable[[WriteTask], None] | None = None
    """Told when it has ended, whether or not somebody still looks: a form stays open until then."""


@dataclass
class UnlockWanted(AppRequest):
    """Unlock writes, or lock them again."""


@dataclass
class WatchWanted(AppRequest):
    """Watch projects, or a group; where all of it is watched, no longer do so."""

    projects: tuple[Watchable, ...] = ()
    group: str = ""  # The full path of a group, in the stead of projects


@dataclass
class WatchChoiceWanted(AppRequest):
    """Ask the user which of all projects are to be watched."""

    key: str = ":watch"  # What asks again, where it was left
