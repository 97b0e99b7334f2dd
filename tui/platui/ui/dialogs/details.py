"""The details of a resource in a dialog, for narrow screens and over a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual import on
from textual.containers import Vertical
from textual.screen import ModalScreen

from platui.ui.active_keys import bind
from platui.ui.dialogs.box import keys_line
from platui.ui.messages import ShowHint
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.detail_pane import DetailPane
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.feeds import Feed
    from platui.present.chrome import Pieces
    from platui.present.details.layout import Details

    Describe = Callable[[Any], Details | None]

_AGES_MOVE_EVERY = 20.0
_NO_SEARCH = "No search in the details: esc goes back, i opens the record, where / searches."
_KEYS = keys_line(("j k", "move"), ("u", "UTC or local"), ("esc", "back"))


class DetailsDialog(TerminalScreen[None], ModalScreen[None]):
    """Shows the listed record at once, and the full record when it is loaded."""

    BLANK = False

    CSS = """
    DetailsDialog { align: center middle; }
    DetailsDialog > #box {
        width: 100%; height: 100%; background: $background; border: round $accent; padding: 0 1;
    }
    """
    BINDINGS = [
        bind("q,d,enter", "details.leave", "Back"),
        bind("slash", "details.search", "Search", "Say where to search", show=False),
        bind("u", "details.utc", "UTC or local", action="app.run('app.utc')"),
    ]

    def __init__(self, describe: Describe, feed: Feed[Any] | None = None) -> None:
        super().__init__()
        self._describe = describe
        self._feed = feed
        self._record: Any = None
        self._source: Pieces = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield DetailPane(id="shown")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        self.redraw()
        self.set_interval(_AGES_MOVE_EVERY, self.redraw)
        if self._feed is not None:
            self.run_worker(work(self._follow, self._feed), group="record", exclusive=True)

    async def _follow(self, feed: Feed[Any]) -> None:
        async for snapshot in feed:
            if snapshot.value is not None:
                self._record = snapshot.value
            listed = snapshot.error is not None and self._record is None
            self._source = (("from the list ", "muted"),) if listed else ()
            self.redraw()

    def redraw(self) -> None:
        # A feed or timer may still call this during teardown.
        pane = self.query_one_optional("#shown", DetailPane)
        foot = self.query_one_optional("#foot", Bar)
        if pane is not None and foot is not None:
            pane.show(self._describe(self._record))
            foot.show(_KEYS, self._source)

    def show_times(self, *, utc: bool) -> None:
        del utc  # known to `describe`
        self.redraw()

    def action_search(self) -> None:
        self.post_message(ShowHint(_NO_SEARCH))

    @on(DetailPane.Left)
    def action_leave(self) -> None:
        self.dismiss(None)
