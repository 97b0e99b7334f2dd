"""In what form a part of the access report is written to a file."""

from __future__ import annotations

from enum import Enum


class ExportFormat(Enum):
    """The forms there are; the value is what a file of it is called at its end."""

    CSV = "csv"
    """For spreadsheets: what one would take for a formula is text."""
    JSON_LINES = "jsonl"
    """For programs: an object a line, numbers and nulls as such, texts unchanged but clean."""
    MARKDOWN = "md"
    """For people: a table, in which nothing is markup but its own."""
