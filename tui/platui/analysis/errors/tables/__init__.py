"""The errors that are known, as data: one module for each family of programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.errors.tables.calm import CALM, NEVER
from platui.analysis.errors.tables.data import DATA
from platui.analysis.errors.tables.generic import GENERIC
from platui.analysis.errors.tables.languages import LANGUAGES
from platui.analysis.errors.tables.runner import RUNNER
from platui.analysis.errors.tables.shell import SHELL
from platui.analysis.errors.tables.sql import SQL
from platui.analysis.errors.tables.tools import TOOLS

if TYPE_CHECKING:
    from platui.analysis.errors.rule import Rule

KNOWN: Final[tuple[Rule, ...]] = (
    *RUNNER,
    *DATA,
    *SQL,
    *TOOLS,
    *LANGUAGES,
    *SHELL,
    *GENERIC,
)
"""In the order in which they are tried: the first that knows a line names it."""

__all__ = ["CALM", "KNOWN", "NEVER"]
