"""How a report comes to be here: fetched or imported, first rows before the last membership."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from platui.core.errors import PlatuiError
    from platui.models.values.access import AccessReport, ReportInfo
    from platui.models.values.access_changes import AccessChanges
    from platui.models.values.downloads import Progress


class ReportStage(Enum):
    """Where the work stands; each stage comes at most once, in this order."""

    ASKING = "asking"
    """The platform was asked, or the file is opened."""
    RECEIVING = "receiving"
    """Bytes come; states repeat, some four a second."""
    READING = "reading"
    """All bytes are there; people and places are not yet."""
    FIRST_ROWS = "first rows"
    """People and places can be shown; memberships are being read. States repeat."""
    DONE = "done"
    """It is saved, whole."""


@dataclass(frozen=True, slots=True)
class ReportState:
    """One moment of fetching or importing a report."""

    stage: ReportStage
    progress: Progress | None = None
    """Bytes on the wire (compressed, where they are); None before the first."""
    rate: float = 0.0
    """Bytes a second on the wire, over the last seconds."""
    share: float = 0.0
    """Of the reading, 0 to 1, from READING on."""
    report: AccessReport | None = None
    """From FIRST_ROWS on. The one of DONE is another object than that of FIRST_ROWS: its
    people and places have the same rows."""
    is_unchanged: bool = False
    """DONE: the platform said that the newest saved report still stands, or the bytes were
    those of a saved one; `report` is that."""
    dropped: tuple[ReportInfo, ...] = ()
    """DONE: what is kept no longer, since this one is; newest first."""


class DamagedReport(NamedTuple):
    """A saved report that cannot be opened; it stays until somebody keeps it no longer."""

    id: str
    fetched_at: datetime
    """When it came (UTC), as its id says."""
    sentence: str
    """What is wrong with it; clean text."""


@dataclass(frozen=True, slots=True)
class DeskState:
    """What there is to show of the access reports."""

    saved: tuple[ReportInfo, ...] | None = None
    """Newest first; None: nobody has looked yet."""
    damaged: tuple[DamagedReport, ...] = ()
    """What is saved and cannot be opened; newest first."""
    report: AccessReport | None = None
    """The one to show; while one is read whose rows are there, that."""
    fetching: ReportState | None = None
    """A fetch that is under way."""
    outcome: ReportState | None = None
    """The end of the last fetch that went well."""
    asked_at: datetime | None = None
    """When the platform said that the report of `outcome` still stands (UTC); None: it is new."""
    arrived: ReportInfo | None = None
    """The last report that another program saved meanwhile."""
    changes: AccessChanges | None = None
    """What the newest report brought since the one before, where both are small enough to be
    compared unasked."""
    error: PlatuiError | None = None
    """Why the last fetch, or opening a report, did not go well."""


class ApiDocs(NamedTuple):
    """What the administration API says of itself (spec §4.2)."""

    address: str
    """For a browser; at the part about reporting."""
    title: str
    """Clean text; empty: not told."""
    version: str
    """Of the API, clean text; empty: not told."""
    openapi: str
    """Version of OpenAPI it is written in; empty: it could only be read as a page."""
