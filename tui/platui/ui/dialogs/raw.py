"""The raw API response of a resource, formatted, in full screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual import getters, on
from textual.screen import ModalScreen
from textual.widgets import Static

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.present.chrome import KeyHint, Pieces, hint_pieces
from platui.present.raw import RawDocument, raw_document
from platui.present.times import age
from platui.ui.active_keys import bind
from platui.ui.error_display import page
from platui.ui.messages import CopyText
from platui.ui.terminal.screen import TerminalScreen, has_widgets
from platui.ui.widgets.bar import Bar, Edge
from platui.ui.widgets.prompt import Prompt
from platui.ui.widgets.raw_view import RawView
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.core.clock import Clock
    from platui.models.values.queries import RawRecord

    Load = Callable[[bool], Awaitable[RawRecord]]
    """Loads the record; the flag skips the cache."""

_LONG: Final = 64 * 1024  # Bytes; longer responses are formatted in a thread

_OLD: Final = 60.0  # Seconds; an older cached response is fetched again in the background

_LEAST_PATH: Final = 12  # Minimum cells to show a path

_AGES_MOVE_EVERY: Final = 20.0


class RawDialog(TerminalScreen[None], ModalScreen[None]):
    """Shows the cached response at once, and a newer one when it is loaded."""

    BLANK = False

    CSS = """
    RawDialog { background: $background; layout: vertical; }
    RawDialog > #foot { dock: bottom; }
    RawDialog > #nothing { display: none; height: 1fr; content-align: center middle; }
    RawDialog.-empty > #nothing { display: block; }
    RawDialog.-empty > RawView { display: none; }
    """
    BINDINGS = [
        bind("escape", "rawdialog.back", "Back", "End the search, then close the record"),
        bind("q,i", "rawdialog.close", "Close", "Close the record", action="dismiss"),
        bind("slash", "rawdialog.search", "Search", "Search in the record"),
        bind("n", "rawdialog.next", "Next hit", "Go to the next hit", action="step(1)"),
        bind(
            "N", "rawdialog.previous", "Previous hit", "Go to the previous hit", action="step(-1)"
        ),
        bind("y", "rawdialog.copy", "Copy", "Copy the record as JSON"),
        bind("r,ctrl+r", "rawdialog.refresh", "Reload", "Request the record from the platform"),
    ]

    view = getters.query_one(RawView)
    prompt = getters.query_one(Prompt)

    def __init__(self, title: str, load: Load, clock: Clock) -> None:
        super().__init__()
        self._title = title
        self._load = load
        self._clock = clock
        self._record: RawRecord | None = None
        self._document: RawDocument | None = None
        self._error: PlatuiError | None = None
        self._words = ""
        self._is_loading = False

    def compose(self) -> ComposeResult:
        yield Edge(id="head")
        yield RawView(id="raw")
        yield Static("", id="nothing", markup=False)
        yield Prompt()
        yield Edge(id="foot")

    def on_mount(self) -> None:
        self.view.focus()
        self.set_interval(_AGES_MOVE_EVERY, self._refresh_bars)
        self._refresh_bars()
        self._fetch(refresh=False)

    @property
    def _is_whole(self) -> bool:
        return has_widgets(self, ("#head", "RawView", "#nothing", "Prompt", "#foot"))

    def _fetch(self, *, refresh: bool) -> None:
        self.run_worker(work(self._read, refresh=refresh), group="raw", exclusive=True)

    async def _read(self, *, refresh: bool) -> None:
        self._is_loading = True
        self._refresh_bars()
        try:
            record = await self._load(refresh)
            await self._show(record)
            old = (self._clock.now() - record.fetched_at).total_seconds() > _OLD
            if record.is_cached and old and not record.is_final and not record.is_from_list:
                await self._show(await self._load(True))
            self._error = None
        except PlatuiError as error:
            self._error = error
        finally:
            self._is_loading = False
        self._refresh_bars()

    async def _show(self, record: RawRecord) -> None:
        if self._record is None or self._record.body != record.body:
            if len(record.body) > _LONG:
                document = await asyncio.to_thread(raw_document, record.body)
            else:
                document = raw_document(record.body)
            if not self._is_whole:
                return
            self._document = document
            self.view.show(document)
            if self._words:
                self.view.search(self._words)
        self._record = record
        self._refresh_bars()

    @on(RawView.Moved)
    def _refresh_bars(self) -> None:
        if not self._is_whole:
            return
        self.set_class(self._document is None, "-empty")
        if self._document is None:
            error = self._error
            nothing = "Loading …" if error is None else page(error, is_retried=False)
            self.query_one("#nothing", Static).update(nothing)
        left, right = ((" raw  ", "accent"), (self._title, "strong")), self._status()
        room = self.size.width - sum(cell_len(text) for text, _ in (*left, *right)) - 6
        endpoint = (self._endpoint(room), "muted")
        self.query_one("#head", Bar).show((*left, endpoint), (*right, (" ", "text")))
        self.query_one("#foot", Bar).show(self._keys(), self._where())

    def _endpoint(self, room: int) -> str:
        path = "" if self._record is None else clean(self._record.target.partition("?")[0])
        endpoint = f"GET {path}" if path else ""
        if len(endpoint) > room:
            endpoint = f"…{endpoint[len(endpoint) - room + 1 :]}" if room >= _LEAST_PATH else ""
        return f"   {endpoint}"

    def _status(self) -> Pieces:
        record = self._record
        if self._is_loading:
            return (("◌ loading", "muted"),)
        if record is None:
            return ()
        old = age(record.fetched_at, self._clock.now())
        since = "from a list," if record.is_from_list else "as of"
        pieces = ((f"{since} {old} ago", "muted"),)
        if self._error is None:
            return pieces
        return ((f"{self._error.title.lower()} · ", "failed"), *pieces)

    def _keys(self) -> Pieces:
        hints = [("/", "search"), ("y", "copy"), ("r", "reload"), ("w", "wrap"), ("esc", "back")]
        if self._words:
            hints.insert(1, ("n N", "next"))
        return hint_pieces(KeyHint(*hint) for hint in hints)

    def _where(self) -> Pieces:
        if self._document is None:
            return ()
        pieces: list[tuple[str, str]] = []
        if self._words:
            at = 0 if self.view.hit is None else self.view.hit + 1
            found = f"{at} of {self.view.hits}" if self.view.hits else "not found"
            pieces.append((f"{found}  ", "accent" if self.view.hits else "warning"))
        if self._document.masked:
            pieces.append((f"{self._document.masked} masked  ", "warning"))
        pieces.append((f"{self.view.last_line:,}/{len(self._document.lines):,} ", "muted"))
        return tuple(pieces)

    async def action_search(self) -> None:
        await self.prompt.ask("/", self._words)

    @on(Prompt.Typed)
    @on(Prompt.Entered)
    @on(Prompt.Cancelled)
    def _typed(self, event: Prompt.Typed | Prompt.Entered | Prompt.Cancelled) -> None:
        event.stop()
        if not isinstance(event, Prompt.Typed):
            self.view.focus()
        if event.text != self._words:
            self._search(event.text)

    def _search(self, words: str) -> None:
        self._words = words
        self.view.search(words)
        self._refresh_bars()

    def action_step(self, by: int) -> None:
        self.view.step(by)

    def action_copy(self) -> None:
        if self._document is not None:
            self.post_message(CopyText(self._document.text))

    def action_refresh(self) -> None:
        self._fetch(refresh=True)

    def action_back(self) -> None:
        if self._words:
            self._search("")
        else:
            self.dismiss(None)
