"""What every message of a table has in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from platui.ui.widgets.table.widget import Table


@dataclass
class TableMessage(Message):
    """Something a table has to say."""

    table: Table

    @property
    def control(self) -> Table:
        """Return the table, for `@on` with a selector."""
        return self.table


@dataclass
class LatestMessage(TableMessage):
    """One of which only the last matters: a burst of keys is handled once."""

    def can_replace(self, message: Message) -> bool:
        """Return whether another one of this table makes this one pointless."""
        return type(message) is type(self) and getattr(message, "table", None) is self.table
