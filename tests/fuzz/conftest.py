"""Register the profile of attacks before pytest loads the one that is asked for."""

from __future__ import annotations

from tests.fuzz import bounds

__all__ = ["bounds"]
