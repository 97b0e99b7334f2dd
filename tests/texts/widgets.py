"""Texts of widgets and dialogs that several tests wait for."""

from typing import Final

APPLY_FILTER: Final = "apply filter"
ACCEPT_INPUT: Final = "accept"
REQUEST_PREVIEW: Final = "Request preview"
PAUSED: Final = "requests resume in"
RETRY_NOW: Final = "retry now"
