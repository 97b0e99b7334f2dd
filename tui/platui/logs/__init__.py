"""A log as bytes: spool, line index, sections, stamps, and ANSI to clean spans."""

from __future__ import annotations

from platui.logs.document import Log

__all__ = ["Log"]
