"""The choice of what is watched, out of all projects one is a member of."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding
from textual.screen import ModalScreen

from platui.models.values.watching import WatchChange
from platui.present import watch_choice as present
from platui.present.chrome import joined
from platui.ui.failures import notice, page
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.prompt import Prompt
from platui.ui.widgets.table import Table
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.core.clock import Clock
    from platui.core.errors import PlatuiError
    from platui.models import Project
    from platui.models.values.feeds import Feed
    from platui.models.values.pages import Listing
    from platui.models.values.snapshots import Snapshot
    from platui.models.values.triage_memory import Watched


class _Edge(Bar):
    """What is asked, above; the keys, below."""

    GROUND = "panel"


class WatchChooser(ModalScreen[WatchChange | None]):
    """Marks what is watched, or for who never chose what was active lately; None: not now."""

    DEFAULT_CSS = """
    WatchChooser { background: $background; layout: vertical; }
    WatchChooser > #foot { dock: bottom; }
    WatchChooser > Table { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "watch",
            "Watch",
            id="chooser.watch",
            priority=True,
            tooltip="Watch what is marked, and no longer what is not",
        ),
        Binding(
            "escape",
            "back",
            "Not now",
            id="chooser.back",
            tooltip="Undo the filter first, then leave what is watched as it is",
        ),
        Binding(
            "q",
            "leave",
            "Not now",
            id="chooser.leave",
            tooltip="Leave what is watched as it is",
        ),
        Binding(
            "a",
            "all",
            "All or none",
            id="chooser.all",
            tooltip="Mark every project that is shown; where all are, none of them",
        ),
        Binding(
            "tab",
            "other_part",
            "Groups",
            id="chooser.groups",
            priority=True,
            tooltip="Go to the groups, which are watched as a whole; from there to the projects",
        ),
        Binding(
            "slash",
            "filter",
            "Filter",
            id="chooser.filter",
            tooltip="Show only projects and groups with these words",
        ),
        Binding(
            "L",
            "load_all",
            "Load all",
            id="chooser.load_all",
            tooltip="Load the rest of the projects",
        ),
        Binding(
            "question_mark",
            "app.help",
            "Help",
            id="chooser.help",
            tooltip="What this is, and every key that works here",
        ),
    ]
    GUIDE = present.GUIDE

    table = getters.query_one(Table)
    prompt = getters.query_one(Prompt)

    def __init__(
        self, feed: Feed[Listing[Project]], watched: Watched, clock: Clock, every: float
    ) -> None:
        """Prepare it; nothing is asked yet.

        Args:
            feed: the projects to choose from.
            watched: what is watched now.
            clock: what tells how long ago they were active.
            every: seconds after which each that is watched is asked for again.
        """
        super().__init__()
        self._feed = feed
        self._watched = watched
        self._clock = clock
        self._every = every
        self._listing: Listing[Project] | None = None
        self._is_long = False
        self._error: PlatuiError | None = None
        self._keys: frozenset[str] = frozenset()
        """Of the rows, hidden ones too."""
        self._suggested: frozenset[str] = frozenset()
        """What was marked in advance for who never chose."""

    def compose(self) -> ComposeResult:
        """Yield the question, the counts, the projects, the line of the filter, and the keys."""
        yield _Edge(id="head")
        yield Bar(id="counts")
        yield Table(present.CHOICE_COLUMNS, id="choice")
        yield Prompt()
        yield _Edge(id="foot")

    def on_mount(self) -> None:
        """Ask for the projects."""
        self.table.focus()
        self._tell()
        self.run_worker(
            work(self._follow), group="projects", exclusive=True,
            exit_on_error=True, description="load what can be watched",
        )  # fmt: skip

    @property
    def _is_whole(self) -> bool:
        """Return whether all of it is there: an answer may come while it is taken down."""
        parts = ("#head", "#counts", "#choice", "Prompt", "#foot")
        return all(self.query_one_optional(part) is not None for part in parts)

    # the projects

    async def _follow(self) -> None:
        async for snapshot in self._feed:
            if self._is_whole:
                self._take(snapshot)

    def _take(self, snapshot: Snapshot[Listing[Project]]) -> None:
        self._error = snapshot.error
        if snapshot.value is not None and snapshot.value is not self._listing:
            self._listing = snapshot.value
            # Sorted, the next page would be strewn over what one has already read.
            self._is_long = self._is_long or not snapshot.value.complete
            self._draw(snapshot.value.items)
        self._tell()

    def _draw(self, projects: tuple[Project, ...]) -> None:
        """Show the rows, the new ones of them marked as they are to be at first."""
        now, is_untouched = self._clock.now(), self.table.marks == self._suggested
        rows = present.choice_rows(projects, self._watched, now, by_activity=not self._is_long)
        keys = frozenset(row.key for row in rows)
        new = keys - self._keys
        self._keys = keys
        is_first = self.table.total_count == 0
        self.table.show(rows)
        self._mark(present.watched_keys(self._watched) & new)
        if not self._watched.is_chosen and is_untouched:
            suggested = present.suggested(projects, now)
            self.table.unmark(self._suggested - suggested)
            self._mark(suggested)
            self._suggested = suggested
        if is_first:
            self.table.action_top()

    def _mark(self, keys: Iterable[str]) -> None:
        self.table.mark(keys)

    @on(Table.MoreWanted)
    def _load_more(self, event: Table.MoreWanted) -> None:
        event.stop()
        self._feed.load_more(event.pages)

    # the lines

    @on(Table.MarksChanged)
    @on(Table.CursorMoved)
    def _tell(self) -> None:
        """Show what is asked, how many are marked and what that costs, and the keys."""
        if not self._is_whole:
            return
        listing, marks = self._listing, self.table.marks
        self.query_one("#head", Bar).show(
            ((" Watch list  ", "accent"), ("Which projects are on the triage board?", "strong")),
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
        watched = present.covered(listing.items, marks)
        costs = (watched, self._every)
        return list(present.choice_pieces(len(marks) - groups, groups, total, costs))

    def _hidden(self) -> tuple[tuple[str, str], ...]:
        """Return what is not seen: hidden by the filter, or not loaded."""
        pieces: list[tuple[str, str]] = []
        if self.table.filter_text:
            pieces.append((f"/{self.table.filter_text} hides {self.table.hidden_count}", "accent"))
        if self._listing is not None and not self._listing.complete:
            loaded = len(self._listing.items)
            pieces.append((f"{loaded:,} loaded, L loads all", "muted"))
        return (*joined(pieces), (" ", "text")) if pieces else ()

    def _hints(self) -> tuple[tuple[str, str], ...]:
        if self.prompt.is_open:
            hints = [(one.key, one.label) for one in self.prompt.hints]
        else:
            is_filtered = bool(self.table.filter_text)
            leave = "leave" if self._watched.is_chosen else "not now"
            marks = self.table.marks
            hidden = marks - {row.key for row in self.table.shown_rows}
            # What the filter hides is watched with what it shows: that has to be said.
            named = f"all {len(marks)} marked" if hidden else "the marked ones"
            what = f"watch {named}" if is_filtered else "watch"
            hints = [
                ("space", "mark"), ("a", "all"),
                *([] if is_filtered else [("tab", self._other_word()), ("/", "filter")]),
                ("enter", what), ("esc", "all again" if is_filtered else leave), ("?", "help"),
            ]  # fmt: skip
        return tuple(
            piece for key, does in hints for piece in ((f" {key}", "key"), (f" {does} ", "muted"))
        )

    def _other_word(self) -> str:
        """Return what `tab` goes to from where the cursor is."""
        return "projects" if present.marked_groups([self.table.cursor_key or ""]) else "groups"

    def _nothing(self) -> str:
        """Return what stands where there is no row."""
        if self._listing is None:
            return page(self._error) if self._error is not None else "Asking for your projects …"
        if self.table.filter_text and self.table.hidden_count:
            return f"No project matches “{self.table.filter_text}”.\n\nesc  shows all again"
        return (
            "You are a member of no project.\n\n"
            "Ask to be added to a project or group; :watch PATH watches any that you may see."
        )

    # keys

    @on(Table.RowOpened)
    def _clicked(self, event: Table.RowOpened) -> None:
        """Mark what was clicked twice."""
        event.stop()
        self.table.toggle_mark()

    def action_all(self) -> None:
        """Mark every project that is shown; where all are, none of them."""
        shown = {row.key for row in self.table.shown_rows}
        shown = {key for key in shown if not present.marked_groups([key])}
        if shown <= self.table.marks:
            self.table.unmark(shown)
        else:
            self._mark(shown)

    def action_other_part(self) -> None:
        """Go to the first of the groups that are shown; from a group to the first project."""
        keys = [row.key for row in self.table.shown_rows]
        if (key := present.other_part(keys, self.table.cursor_key)) is not None:
            self.table.move_to(key)

    def action_load_all(self) -> None:
        """Load the rest of the list."""
        self._feed.load_all()

    def action_watch(self) -> None:
        """Watch what is marked."""
        if self._listing is not None:
            self.dismiss(present.choice_made(self._watched, self._keys, self.table.marks))

    def action_back(self) -> None:
        """Show all again, or leave it as it is."""
        if self.table.filter_text:
            self._filter("")
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave `enter` and `tab` to the filter while one types it."""
        if action in {"watch", "other_part"} and self._is_whole and self.prompt.is_open:
            return False
        return super().check_action(action, parameters)

    # the filter

    async def action_filter(self) -> None:
        """Ask for words."""
        await self.prompt.ask("/", self.table.filter_text)
        self._tell()

    def _filter(self, words: str) -> None:
        self.table.set_filter(words)
        self._tell()

    @on(Prompt.Typed)
    def _typing(self, event: Prompt.Typed) -> None:
        event.stop()
        self._filter(event.text)

    @on(Prompt.Entered)
    def _typed(self, event: Prompt.Entered) -> None:
        event.stop()
        self.table.focus()
        self._filter(event.text)

    @on(Prompt.Cancelled)
    def _cancelled(self, event: Prompt.Cancelled) -> None:
        event.stop()
        self.table.focus()
        self._filter("")
