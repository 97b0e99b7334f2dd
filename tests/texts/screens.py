"""Texts of the dashboard's views that more than one test waits for."""

from __future__ import annotations

from typing import Final

NO_PIPELINES: Final = "No pipelines yet."
CLEAR_FILTER: Final = "esc  clear the filter"
OPEN_LOG: Final = "Open the log of the first failed job"
JOB_HAS_NO_LOG: Final = "This job has no log: it is skipped."
SNOOZE: Final = "Snooze "
NEW_PIPELINE: Final = "New pipeline in "
NO_SCHEDULE_LIST: Final = "does not list them"
NO_EARLIER_REPORT: Final = "No earlier report to compare with."
DELETE_REPORT: Final = "Delete a report"
WHICH_REPORT: Final = "Delete which report?"
STATUS_LOADED: Final = "status loaded for"
NO_ACCESS_REPORT: Final = "No access report has been fetched yet."
HEALTH: Final = " successful"  # The share of the pipelines of a list
ZONE: Final = "Showing times in"
LOADING_FILE: Final = "Loading the pipeline file"
