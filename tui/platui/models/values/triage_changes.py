"""What differs between the last green pipeline and the first red one."""

from __future__ import annotations

from typing import NamedTuple


class ChangedJob(NamedTuple):
    """A job whose status is another one than in the last green pipeline."""

    name: str
    stage: str
    before: str
    """Its status in the green pipeline; empty where it was not there."""
    after: str
    """Its status in the first red one; empty where it is not there."""


class ChangedVariable(NamedTuple):
    """A variable that differs. Values are not told: they may be secrets."""

    key: str
    change: str
    """`added`, `removed` or `changed`."""
