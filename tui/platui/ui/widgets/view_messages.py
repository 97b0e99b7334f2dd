"""Base classes of the messages of views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from textual.widget import Widget


@dataclass
class ViewMessage(Message):
    """A message of a view."""

    view: Widget

    @property
    def control(self) -> Widget:
        """The view, for `@on` with a selector."""
        return self.view


@dataclass
class LatestMessage(ViewMessage):
    """A message that replaces an older one, so that a burst of keys is handled once."""

    def can_replace(self, message: Message) -> bool:
        return type(message) is type(self) and getattr(message, "view", None) is self.view


class WordsWanted(ViewMessage):
    """The user lists the possible words of a prompt."""
