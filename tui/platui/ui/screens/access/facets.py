"""Common properties of the people found, to narrow the search by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters, on
from textual.containers import Vertical

from platui.present.access.people import FACETS
from platui.ui.active_keys import bind
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult


class FacetPane(Vertical):
    # On the container: a table with a border is slow to paint.
    DEFAULT_CSS = """
    FacetPane { display: none; width: 34; border-left: vkey $panel; }
    FacetPane:focus-within { border-left: vkey $accent; }
    """
    BINDINGS = [
        bind(
            "left",
            "access.focus_people",
            "Back to people",
            "Go back to the list of people",
            action="leave",
        )
    ]

    table = getters.query_one("#facets", Table)

    def __init__(self, choose: Callable[[str], object], leave: Callable[[], object]) -> None:
        super().__init__()
        self._choose = choose
        self._leave = leave

    def compose(self) -> ComposeResult:
        yield Table(FACETS.layout, id="facets")

    def action_leave(self) -> None:
        self._leave()

    @on(Table.RowOpened, "#facets")
    def _opened(self, event: Table.RowOpened) -> None:
        event.stop()
        if not event.key.startswith("#"):
            self._choose(event.key)
