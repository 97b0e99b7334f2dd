"""Texts of the access report that several tests wait for."""

from typing import Final

NEVER_FETCHED: Final = "No access report has been fetched yet"
REQUESTING: Final = "Requesting the report"
