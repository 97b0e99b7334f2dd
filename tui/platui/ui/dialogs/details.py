"""The details of one thing on a page of their own, for narrow screens."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen

from platui.ui.widgets.bar import Bar
from platui.ui.widgets.detail_pane import DetailPane

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.present.details import Details


class DetailsDialog(ModalScreen[None]):
    """Shows what was known when it was opened."""

    CSS = """
    DetailsDialog { align: center middle; }
    DetailsDialog > #box {
        width: 100%; height: 100%; background: $background; border: round $accent; padding: 0 1;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,d,enter,left", "leave", "Back", id="details.leave"),
    ]

    def __init__(self, details: Details) -> None:
        super().__init__()
        self._details = details

    def compose(self) -> ComposeResult:
        """Yield the pane and its keys."""
        with Vertical(id="box"):
            yield DetailPane(id="shown")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Show the details."""
        self.query_one("#shown", DetailPane).show(self._details)
        self.query_one("#foot", Bar).show(
            (("  j k", "key"), (" move   ", "muted"), ("esc", "key"), (" back", "muted")),
        )

    def action_leave(self) -> None:
        """Go back."""
        self.dismiss(None)
