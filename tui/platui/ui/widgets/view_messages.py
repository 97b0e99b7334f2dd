"""What the messages of views have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from textual.widget import Widget


@dataclass
class ViewMessage(Message):
    """Something a view has to say."""

    view: Widget

    @property
    def control(self) -> Widget:
        """Return the view, for `@on` with a selector."""
        return self.view


@dataclass
class LatestMessage(ViewMessage):
    """One of which only the last matters: a burst of keys is handled once."""

    def can_replace(self, message: Message) -> bool:
        """Return whether another one of this view makes this one pointless."""
        return type(message) is type(self) and getattr(message, "view", None) is self.view
