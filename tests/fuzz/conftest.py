"""Register the profile of attacks before pytest loads the one that is asked for."""

from __future__ import annotations

import hypothesis.internal.conjecture.optimiser
from tests.fuzz import bounds

__all__ = ["bounds", "hypothesis"]
"""Hypothesis imports its optimiser within a test, and pytest compiles it: that fails at some depths
of recursion in Python 3.11."""
