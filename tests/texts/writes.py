"""Texts about writes that several tests wait for."""

from typing import Final

RESULT_UNKNOWN: Final = "Result unknown: no answer"
SENDS_AGAIN: Final = "Check first: confirming"
