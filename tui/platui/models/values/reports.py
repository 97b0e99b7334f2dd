"""How a report comes to be here: fetched or imported, first rows before the last membership."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from platui.models.values.access import DEFAULT_ORDER, PeopleOrder

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.feeds import Progress


class ReportStage(Enum):
    """Where the work stands; each stage comes at most once, in this order."""

    ASKING = "asking"  # The platform was asked, or the file is opened
    RECEIVING = "receiving"  # Bytes come; states repeat, some four a second
    READING = "reading"  # All bytes are there; people and places are not yet
    FIRST_ROWS = "first rows"
    """People and places can be shown; memberships are being read. States repeat."""
    DONE = "done"  # It is saved, whole


@dataclass(frozen=True, slots=True)
class ReportState:
    """One moment of fetching or importing a report."""

    stage: ReportStage
    progress: Progress | None = None
    """Bytes on the wire (compressed, where they are); None before the first."""
    rate: float = 0.0  # Bytes a second on the wire, over the last seconds
    share: float = 0.0  # Of the reading, 0 to 1, from READING on
    report: AccessReport | None = None
    """From FIRST_ROWS on. The one of DONE is another object than that of FIRST_ROWS: its
    people and places have the same rows."""
    is_unchanged: bool = False
    """DONE: the platform said that the newest saved report still stands, or the bytes were
    those of a saved one; `report` is that."""
    removed: tuple[ReportInfo, ...] = ()
    """DONE: what is kept no longer, since this one is; newest first."""


class DamagedReport(NamedTuple):
    """A saved report that cannot be opened; it stays until somebody keeps it no longer."""

    id: str
    fetched_at: datetime  # When it came (UTC), as its id says
    problem: str  # What is wrong with it; clean text


@dataclass(frozen=True, slots=True)
class CurrentReportState:
    """What there is to show of the access reports."""

    saved: tuple[ReportInfo, ...] | None = None  # Newest first; None: nobody has looked yet
    damaged: tuple[DamagedReport, ...] = ()  # What is saved and cannot be opened; newest first
    report: AccessReport | None = None
    """The one to show; while one is read whose rows are there, that."""
    fetching: ReportState | None = None  # A fetch that is under way
    outcome: ReportState | None = None  # The end of the last fetch that went well
    asked_at: datetime | None = None
    """When the platform said that the report of `outcome` still stands (UTC); None: it is new."""
    arrived: ReportInfo | None = None  # The last report that another program saved meanwhile
    changes: AccessChanges | None = None
    """What the newest report brought since the one before, where both are small enough to be
    compared unasked."""
    error: PlatuiError | None = None  # Why the last fetch, or opening a report, did not go well


class ApiDocs(NamedTuple):
    """What the administration API says of itself (spec §4.2)."""

    address: str  # For a browser; at the part about reporting
    title: str  # Clean text; empty: not told
    version: str  # Of the API, clean text; empty: not told
    openapi: str  # Version of OpenAPI it is written in; empty: it could only be read as a page


class ExportFormat(Enum):
    """The forms there are; the value is what a file of it is called at its end."""

    CSV = "csv"
    """For spreadsheets: what one would take for a formula is text."""
    JSON_LINES = "jsonl"
    """For programs: an object a line, numbers and nulls as such, texts unchanged but clean."""
    MARKDOWN = "md"
    """For people: a table, in which nothing is markup but its own."""


class ExportContent(Enum):
    """What can be written of a report; the value is a word for it."""

    PEOPLE = "people"
    """A row for each person that a query on people finds."""
    MEMBERSHIPS = "memberships"
    """A row for each of their memberships that it names."""
    PLACES = "places"
    """A row for each group or project that a query on places finds."""
    MEMBERS = "members"
    """A row for each direct member of one place."""
    EFFECTIVE = "effective"
    """These, and a row for each member of the groups above it whom it does not list itself; with
    the highest level that each holds in it or above, by which they stand."""


OF_A_PLACE: tuple[ExportContent, ...] = (ExportContent.MEMBERS, ExportContent.EFFECTIVE)
"""Those that are about one group or project."""


class PageSelection(NamedTuple):
    """What a search in the page of one person, group or project has found."""

    words: str  # What was searched for, as it was typed
    rows: frozenset[int]
    """Rows of the places of MEMBERSHIPS, of the people of MEMBERS and EFFECTIVE."""


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What is to be written of a report."""

    what: ExportContent
    query: str = ""  # Terms on people, of PLACES on places; members have none
    order: PeopleOrder = DEFAULT_ORDER  # Of PEOPLE
    place: int = 0  # Row of the place, of members
    listed: PageSelection | None = None  # Of a page that was searched: what of it; None: all
