"""Access reports: fetching, importing, exporting."""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.models.values.access import DEFAULT_ORDER, AccessReport, PeopleOrder, ReportInfo

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.feeds import Progress


class ReportStage(Enum):
    """Stages of fetching or importing; each comes at most once, in this order."""

    ASKING = "asking"  # Request sent, or file opened
    RECEIVING = "receiving"  # Bytes arrive; about four states a second
    READING = "reading"  # All bytes received; people and places are being read
    FIRST_ROWS = "first rows"
    """People and places can be shown; memberships are being read. States repeat."""
    DONE = "done"  # Saved


@dataclass(frozen=True, slots=True)
class ReportState:
    """One state of fetching or importing a report."""

    stage: ReportStage
    progress: Progress | None = None
    """Bytes on the wire (possibly compressed); None before the first."""
    rate: float = 0.0  # Recent bytes per second on the wire
    share: float = 0.0  # Progress of reading, 0 to 1, from READING on
    report: AccessReport | None = None
    """From FIRST_ROWS on. DONE has another object with the same rows."""
    is_unchanged: bool = False
    """DONE: the newest saved report is current, or the bytes equal a saved report, `report`."""
    removed: tuple[ReportInfo, ...] = ()  # DONE: older reports that were removed, newest first


class DamagedReport(NamedTuple):
    """A saved report that cannot be opened; it stays until the user deletes it."""

    id: str
    fetched_at: datetime  # UTC, from its id
    problem: str  # Clean text


@dataclass(frozen=True, slots=True)
class CurrentReportState:
    """The state of the access report screens."""

    saved: tuple[ReportInfo, ...] | None = None  # Newest first; None: not loaded
    damaged: tuple[DamagedReport, ...] = ()  # Newest first
    report: AccessReport | None = None  # The report to show, possibly still being read
    fetching: ReportState | None = None  # The running fetch
    outcome: ReportState | None = None  # The last successful fetch
    asked_at: datetime | None = None
    """When the platform confirmed the report of `outcome` (UTC); None: it is new."""
    arrived: ReportInfo | None = None  # A report saved by another process
    changes: AccessChanges | None = None
    """Changes of the newest report, if both are small enough to compare automatically."""
    error: PlatuiError | None = None  # Why the last fetch or opening failed


class ApiDocs(NamedTuple):
    """Documentation of the administration API (spec §4.2)."""

    address: str  # URL of the reporting section
    title: str  # Clean text; empty: unknown
    version: str  # Of the API, clean text; empty: unknown
    openapi: str  # OpenAPI version; empty: only an HTML page


class ExportFormat(Enum):
    """File formats; the value is the file extension."""

    CSV = "csv"  # For spreadsheets; text that looks like a formula is quoted
    JSON_LINES = "jsonl"  # For programs: one object per line, clean text
    MARKDOWN = "md"  # For people: an escaped table


class ExportContent(Enum):
    PEOPLE = "people"  # People that match a query
    MEMBERSHIPS = "memberships"  # Their memberships
    PLACES = "places"  # Groups and projects that match a query
    MEMBERS = "members"  # Direct members of one place
    EFFECTIVE = "effective"  # Direct and inherited members of one place, by effective level


OF_A_PLACE: tuple[ExportContent, ...] = (ExportContent.MEMBERS, ExportContent.EFFECTIVE)


class PageSelection(NamedTuple):
    """The search result in the page of one person, group or project."""

    words: str  # The search as typed
    rows: frozenset[int]  # Rows of places for MEMBERSHIPS, of people for MEMBERS and EFFECTIVE


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """A request to export part of a report."""

    what: ExportContent
    query: str = ""  # Terms for people or, for PLACES, for places; none for members
    order: PeopleOrder = DEFAULT_ORDER  # Of PEOPLE
    place: int = 0  # Row of the place, of members
    listed: PageSelection | None = None  # Search result of a page; None: all
