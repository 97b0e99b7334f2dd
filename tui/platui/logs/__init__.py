"""A log as bytes: spool, line index, sections, stamps, and ANSI to clean spans."""

from __future__ import annotations

from platui.logs.document import Log
from platui.logs.markers import Section

__all__ = ["Log", "Section"]
