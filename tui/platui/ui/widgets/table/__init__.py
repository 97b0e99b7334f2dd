"""The table widget."""

from __future__ import annotations

from platui.ui.widgets.table.widget import Table

__all__ = ["Table"]
