"""Texts about writes that several tests wait for."""

from typing import Final

RESULT_UNKNOWN: Final = "Result unknown: no response"
SENDS_AGAIN: Final = "Check first: confirming"
