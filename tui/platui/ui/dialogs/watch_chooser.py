"""Select the watched projects among the user's projects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.screen import ModalScreen

from platui.models.values.feeds import Feed, Listing, Snapshot, Source
from platui.models.values.stored_triage import WatchChange, WatchSelection
from platui.present.chrome import KeyHint, hint_pieces, joined
from platui.present.counts import counted, hidden_by, not_loaded, quoted
from platui.present.triage import watching as present
from platui.ui.active_keys import bind
from platui.ui.error_display import notice, page
from platui.ui.terminal.screen import has_widgets
from platui.ui.widgets.bar import Bar, Edge
from platui.ui.widgets.prompt import Prompt
from platui.ui.widgets.table import Table
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.core.clock import Clock
    from platui.core.errors import PlatuiError
    from platui.models.wire import Project

_WATCH: Final = "Watch exactly the marked projects and groups"
_ALL: Final = "Mark or unmark all shown projects"
_GROUPS: Final = "Switch between groups and projects"
_SEARCH: Final = "Search on the platform for the words of the filter, and add what it finds"
_HELP: Final = "Show help and all keys"


class WatchChooser(ModalScreen[WatchChange | None]):
    """Marks watched projects, or active ones before the first choice; returns None if cancelled."""

    DEFAULT_CSS = """
    WatchChooser { background: $background; layout: vertical; }
    WatchChooser > #foot { dock: bottom; }
    WatchChooser > Table { height: 1fr; }
    """
    BINDINGS = [
        bind("enter", "chooser.watch", "Watch", _WATCH, priority=True),
        bind("escape", "chooser.back", "Not now", "Clear the filter, then close without changes"),
        bind("q", "chooser.leave", "Not now", "Close without changes", action="dismiss"),
        bind("a", "chooser.all", "All or none", _ALL),
        bind("tab", "chooser.groups", "Groups", _GROUPS, action="other_part", priority=True),
        bind("slash", "chooser.filter", "Filter", "Filter projects and groups"),
        bind("s", "chooser.search", "Search all", _SEARCH),
        bind("L", "chooser.load_all", "Load all", "Load all projects"),
        bind("question_mark", "chooser.help", "Help", _HELP, action="app.run('app.help')"),
    ]
    GUIDE = "watch"

    table = getters.query_one(Table)
    prompt = getters.query_one(Prompt)

    def __init__(
        self,
        projects: Callable[[str], Feed[Listing[Project]]],
        watched: WatchSelection,
        clock: Clock,
        every: float,
    ) -> None:
        """`projects` opens the feed of a search, empty for all; `every`: seconds of a round."""
        super().__init__()
        self._projects = projects
        self._feed = projects("")
        self._watched = watched
        self._clock = clock
        self._every = every
        self._listed: Listing[Project] | None = None
        self._listing: Listing[Project] | None = None  # With what searches found
        self._is_long = False
        self._error: PlatuiError | None = None
        self._keys: frozenset[str] = frozenset()  # Keys of all rows
        self._suggested: frozenset[str] = frozenset()  # Projects marked before the first choice
        self._found: dict[int, Project] = {}  # By searches
        self._searched = ""  # What the last search found
        self._before: tuple[str, str | None] = ("", None)  # Filter and row before the prompt

    def compose(self) -> ComposeResult:
        yield Edge(id="head")
        yield Bar(id="counts")
        yield Table(present.CHOICES.layout, id="choice")
        yield Prompt()
        yield Edge(id="foot")

    def on_mount(self) -> None:
        self.table.focus()
        self._refresh_bars()
        self.run_worker(work(self._follow), group="projects", exclusive=True)

    @property
    def _is_whole(self) -> bool:
        return has_widgets(self, ("#head", "#counts", "#choice", "Prompt", "#foot"))

    async def _follow(self) -> None:
        async for snapshot in self._feed:
            if self._is_whole:
                self._take(snapshot)

    def _take(self, snapshot: Snapshot[Listing[Project]]) -> None:
        self._error = snapshot.error
        if snapshot.value is not None and snapshot.value is not self._listed:
            self._listed = snapshot.value
            # Sorting would scatter the next page among rows already read.
            self._is_long = self._is_long or not snapshot.value.complete
            self._draw(snapshot.value)
        self._refresh_bars()

    def _draw(self, listed: Listing[Project]) -> None:
        ids = {one.id for one in listed.items}
        found = (one for one in self._found.values() if one.id not in ids)
        self._listing = replace(listed, items=(*listed.items, *found))
        now, is_untouched = self._clock.now(), self.table.marks == self._suggested
        projects = self._listing.items
        rows = present.choice_rows(projects, self._watched, now, by_activity=not self._is_long)
        keys = frozenset(row.key for row in rows)
        new = keys - self._keys
        self._keys = keys
        is_first = self.table.total_count == 0
        self.table.show(rows)
        self.table.mark(present.watched_keys(self._watched) & new)
        if not self._watched.is_chosen and is_untouched:
            suggested = present.suggested(listed.items, now)
            self.table.unmark(self._suggested - suggested)
            self.table.mark(suggested)
            self._suggested = suggested
        if is_first:
            self.table.action_top()

    @on(Table.MoreWanted)
    def _load_more(self, event: Table.MoreWanted) -> None:
        event.stop()
        self._feed.load_more(event.pages, again=event.again)

    @on(Table.MarksChanged)
    @on(Table.CursorMoved)
    def _refresh_bars(self) -> None:
        if not self._is_whole:
            return
        listing, marks = self._listing, self.table.marks
        self.query_one("#head", Bar).show(
            ((" Watch list  ", "accent"), ("Projects on the triage board", "strong")),
        )
        line = notice(self._error) if self._error is not None and listing is not None else ()
        if listing is not None and not line:
            line = ((" ", "text"), *joined(self._counts(listing, marks)))
        self.query_one("#counts", Bar).show(line, self._hidden())
        self.query_one("#foot", Bar).show(self._hints())
        self.table.set_empty(self._nothing(), "muted")

    def _counts(self, listing: Listing[Project], marks: frozenset[str]) -> list[tuple[str, str]]:
        groups = present.marked_groups(marks)
        total = max(listing.total or 0, len(listing.items))
        costs = (present.covered(listing.items, marks), self._every)
        return list(present.choice_pieces(len(marks) - groups, groups, total, costs))

    def _hidden(self) -> tuple[tuple[str, str], ...]:
        pieces: list[tuple[str, str]] = []
        words = self.table.filter_text
        if self._searched:
            pieces.append((self._searched, "accent"))
        elif words:
            pieces.append((hidden_by(words, self.table.hidden_count), "accent"))
        if self._listing is not None and not self._listing.complete:
            is_searchable = words and not self._searched
            offered = "s searches all, L loads all" if is_searchable else "L loads all"
            pieces += [(not_loaded(self._listing), "warning"), (offered, "muted")]
        return (*joined(pieces), (" ", "text")) if pieces else ()

    def _hints(self) -> tuple[tuple[str, str], ...]:
        if self.prompt.is_open:
            return hint_pieces(self.prompt.hints)
        is_filtered = bool(self.table.filter_text)
        leave = "cancel" if self._watched.is_chosen else "not now"
        marks = self.table.marks
        hidden = marks - {row.key for row in self.table.shown_rows}
        # Marks hidden by the filter count as well: the label shows that.
        named = f"all {len(marks)} marked" if hidden else "marked"
        is_group = present.marked_groups([self.table.cursor_key or ""])
        other = "projects" if is_group else "groups"
        hints = [
            ("space", "mark"), ("a", "all"),
            *([] if is_filtered else [("tab", other), ("/", "filter")]),
            ("enter", f"save {named}" if is_filtered else "save"),
            ("esc", "clear filter" if is_filtered else leave), ("?", "help"),
        ]  # fmt: skip
        return hint_pieces(KeyHint(*hint) for hint in hints)

    def _nothing(self) -> str:
        if self._listing is None:
            return page(self._error) if self._error is not None else "Loading your projects …"
        if self.table.filter_text and self.table.hidden_count:
            search = "" if self._listing.complete else "s  search all      "
            words = quoted(self.table.filter_text)
            return f"No project matches {words}.\n\n{search}esc  clear the filter"
        return (
            "You are not a member of any project.\n\n"
            "Ask to be added to one, or run :watch PATH to watch a visible project."
        )

    @on(Table.RowOpened)
    def _clicked(self, event: Table.RowOpened) -> None:
        event.stop()
        self.table.toggle_mark()

    def action_all(self) -> None:
        shown = {row.key for row in self.table.shown_rows}
        shown = {key for key in shown if not present.marked_groups([key])}
        if shown <= self.table.marks:
            self.table.unmark(shown)
        else:
            self.table.mark(shown)

    def action_other_part(self) -> None:
        keys = [row.key for row in self.table.shown_rows]
        if (key := present.other_part(keys, self.table.cursor_key)) is not None:
            self.table.move_to(key)

    def action_load_all(self) -> None:
        self._feed.load_all()

    def action_search(self) -> None:
        if (words := self.table.filter_text) and not self.prompt.is_open:
            self.run_worker(work(self._search, words), group="search", exclusive=True)

    async def _search(self, words: str) -> None:
        async for snapshot in self._projects(words):
            if snapshot.value is not None and self._listed is not None and self._is_whole:
                self._found |= {one.id: one for one in snapshot.value.items}
                found = counted(len(snapshot.value.items), "project")
                self._searched = f"{found} found for “{words}”"
                self._draw(self._listed)
            self._error = snapshot.error
            self._refresh_bars()
            if snapshot.source is Source.LIVE:
                return

    def action_watch(self) -> None:
        if self._listing is not None:
            self.dismiss(present.choice_made(self._watched, self._keys, self.table.marks))

    def action_back(self) -> None:
        if self.table.filter_text:
            self._filter("")
        else:
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave `enter` and `tab` to an open filter."""
        if action in {"watch", "other_part"} and self._is_whole and self.prompt.is_open:
            return False
        return super().check_action(action, parameters)

    async def action_filter(self) -> None:
        self._before = self.table.filter_text, self.table.cursor_key
        await self.prompt.ask("/")
        self._filter("")

    def _filter(self, words: str) -> None:
        self._searched = ""
        self.table.set_filter(words)
        self._refresh_bars()

    @on(Prompt.Typed)
    @on(Prompt.Entered)
    @on(Prompt.Cancelled)
    def _typed(self, event: Prompt.Typed | Prompt.Entered | Prompt.Cancelled) -> None:
        event.stop()
        if not isinstance(event, Prompt.Typed):
            self.table.focus()
        if isinstance(event, Prompt.Cancelled):
            words, key = self._before
            self._filter(words)
            if key is not None:
                self.table.move_to(key)
        else:
            self._filter(event.text)
