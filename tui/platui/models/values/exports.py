"""What of the access report is written to a file, and in what form."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from platui.models.values.access import USUAL_ORDER, PeopleOrder


class ExportFormat(Enum):
    """The forms there are; the value is what a file of it is called at its end."""

    CSV = "csv"
    """For spreadsheets: what one would take for a formula is text."""
    JSON_LINES = "jsonl"
    """For programs: an object a line, numbers and nulls as such, texts unchanged but clean."""
    MARKDOWN = "md"
    """For people: a table, in which nothing is markup but its own."""


class Exported(Enum):
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


OF_A_PLACE: tuple[Exported, ...] = (Exported.MEMBERS, Exported.EFFECTIVE)
"""Those that are about one group or project."""


class Listed(NamedTuple):
    """What a search in the page of one person, group or project has found."""

    words: str
    """What was searched for, as it was typed."""
    rows: frozenset[int]
    """Rows of the places of MEMBERSHIPS, of the people of MEMBERS and EFFECTIVE."""


@dataclass(frozen=True, slots=True)
class ExportOrder:
    """What is to be written of a report."""

    what: Exported
    query: str = ""
    """Terms on people, of PLACES on places; members have none."""
    order: PeopleOrder = USUAL_ORDER
    """Of PEOPLE."""
    place: int = 0
    """Row of the place, of members."""
    listed: Listed | None = None
    """Of a page that was searched: what of it; None: all."""
