"""Keys of the headings on the triage board, which the first frame needs without the board."""

from __future__ import annotations

from typing import Final

QUIET: Final = "quiet"  # Acknowledged and snoozed rows
REST: Final = "rest"  # Late, running and recovered rows
