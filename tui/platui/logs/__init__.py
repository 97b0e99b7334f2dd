"""Read job logs: storage, line index, sections, stamps, search and ANSI colours."""

from __future__ import annotations

from platui.logs.document import Log

__all__ = ["Log"]
