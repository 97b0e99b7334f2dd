"""What every place has in common: header, summary, notice, prompt and footer, and their keys."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on

from platui.core.text import clean
from platui.models.values.feeds import Source
from platui.present.chrome import Age, Freshness, Piece, joined
from platui.present.projects import STAR
from platui.ui import views
from platui.ui.failures import notice
from platui.ui.keys_in_use import bind
from platui.ui.messages import CommandTyped, CopyWanted, GoTo, GoUp, TokenWanted
from platui.ui.reaction import WRITE_KEYS
from platui.ui.screens.parts.followed import MAIN, FollowedFeeds
from platui.ui.screens.parts.footer_line import FooterLine
from platui.ui.screens.parts.header_line import HeaderLine
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Footer, Header, Notice, Summary, UnderWay
from platui.ui.widgets.prompt import Prompt
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.app import ComposeResult
    from textual.binding import Binding
    from textual.timer import Timer
    from textual.widget import Widget
    from textual.worker import Worker

    from platui.config.settings import Settings
    from platui.core.errors import PlatuiError
    from platui.models.values.feeds import Snapshot
    from platui.models.values.places import KeptPlace, Place
    from platui.models.values.queries import RawRecord, RecordRef
    from platui.models.wire import Job
    from platui.present.chrome import Pieces, Sign
    from platui.service import PlatformService

_AGES_MOVE_EVERY: Final = 20.0
_RECENT: Final = 90.0  # Seconds for which a cached answer counts as fresh

Choice = tuple[str, str] | tuple[str, str, str] | tuple[str, str, str, str]
"""A choice of a menu: its value and title, perhaps a hint and a key."""


class OldHere:
    """What the keys of a screen without a body are about."""

    def __init__(self, screen: PlaceScreen) -> None:
        self.subject = screen.subject
        self.pipeline = screen.pipeline_here
        self.file = screen.file_here
        self.compared = screen.compared_here
        self.place_now = screen.place_now
        self.words = screen.words_now
        self.go_to_number = screen.go_to_number
        self.find_project = screen.find_project
        self.crumbs = screen.crumbs
        self.keep = screen.keep
        self.project_name = screen.project_name
        self.has_unsent = screen.has_unsent
        self.item = getattr(screen, "item_at", None)
        self.chosen = getattr(screen, "chosen", None)


class PlaceScreen(TerminalScreen[None]):
    """A view of the platform; subclasses say what stands in the body and what feeds it.

    Mixins come after lists and texts among the bases: Textual takes styles from the first one only.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("Header", "Summary", "Notice", "Prompt", "Footer")
    """What must be there before anything can be shown."""
    FOOTER: ClassVar[tuple[str, ...]] = ()  # Ids of the keys to show, most useful first
    BINDINGS = [
        bind("escape", "place.up", "Back", "Undo filter and marks first, then go back"),
        bind("q", "place.leave", "Back or quit", "Go back; at the top, quit"),
        bind("r,ctrl+r", "place.refresh", "Refresh", "Fetch this view again now"),
        bind("equals_sign", "place.hold", "Pause", "Pause or resume polling"),
        bind("A", "place.token", "New token", "Sign in with another token"),
        bind("Y", "place.copy_view", "Copy view", "Copy the command that opens this view again"),
    ]

    header = getters.query_one(Header)
    summary = getters.query_one(Summary)
    notice = getters.query_one(Notice)
    prompt = getters.query_one(Prompt)
    footer = getters.query_one(Footer)

    is_watched: Callable[[], bool] = staticmethod(lambda: False)
    """Tells whether the project of this place is watched, as far as that is followed."""

    SHOWS_NEWS: ClassVar[bool] = False  # Whether it shows failures itself, without toasts
    WITHOUT: ClassVar[frozenset[str]] = frozenset()  # Inherited actions that it does not offer
    EXPLAINED: ClassVar[frozenset[str]] = frozenset()  # Ids of other keys that explain themselves
    SIGNS: ClassVar[Sequence[Sign]] = ()  # Signs that the help of this view explains

    def __init__(
        self, service: PlatformService, settings: Settings, place: Place, kept: KeptPlace | None
    ) -> None:
        super().__init__()
        self.service = service
        self.settings = settings
        self.feeds = FollowedFeeds(self)  # type: ignore[arg-type]
        self.header_line = HeaderLine(self)  # type: ignore[arg-type]
        self.footer_line = FooterLine(self)  # type: ignore[arg-type]
        self.age = Age()
        self.error: PlatuiError | None = None
        self.is_shown = False
        self._stops: list[Callable[[], None]] = []
        self._ages: Timer | None = None
        self.place = place
        self.utc = settings.utc  # Whether times are shown in UTC; set by `show_times`
        self.kept = kept if kept is not None and kept.place == place else None
        self.struck_at = -inf  # Monotonic second at which a key was struck here last
        self._under_way: tuple[Pieces, Pieces] = ((), ())

    @property
    def body(self) -> Any:
        """Return the screen: it is its own body."""
        return self

    @property
    def here(self) -> Any:
        """Return what its keys are about."""
        return OldHere(self)

    def typing_hints(self) -> tuple[()]:
        """Return nothing."""
        return ()

    def fetch_again(self) -> None:
        """Ask the platform again now."""
        self.action_refresh()

    @property
    def is_whole(self) -> bool:
        """Return whether all of it is there: not while it is mounted or taken down."""
        return self.is_mounted and all(
            self.query_one_optional(part) is not None for part in self.PARTS
        )

    @property
    def project_name(self) -> str:
        """Return what the project of this place is called: its name, or the end of its path."""
        return (self.place.project_name or str(self.place.project)).rpartition("/")[2]

    @property
    def guide(self) -> str:
        """Return the name of the text that explains this view; see `present.guide`."""
        return self.place.view

    @property
    def has_unsent(self) -> bool:
        """Return whether it holds what the user has typed, and not sent."""
        return False

    def compose_body(self) -> ComposeResult:
        """Yield the widgets between summary and footer."""
        yield from ()

    @property
    def project_crumb(self) -> str:
        """Return what the header calls the project of this place; a star: it is watched."""
        return f"{STAR} {self.project_name}" if self.is_watched() else self.project_name

    def crumbs(self) -> tuple[str, ...]:
        """Return where this is, outermost first: by default the project, if any, and the view."""
        project = () if self.place.project is None else (self.project_crumb,)
        return (*project, views.get(self.place.view).short_title)

    def subject(self) -> Place | None:
        """Return what the cursor is on, for the keys of the areas."""
        return self.place if self.place.project is not None else None

    def file_here(self) -> Place | None:
        """Return where the pipeline file of what the cursor is on can be read."""
        return None

    def pipeline_here(self) -> Place | None:
        """Return the pipeline that the cursor is on, or that this is a part of."""
        subject = self.subject()
        return subject if subject is not None and subject.pipeline is not None else None

    def compared_here(self) -> Place | None:
        """Return where the log here is compared with that of its last green run."""
        return None

    def go_to_number(self, number: int) -> bool:
        """Go to a line or to the row with this id; return whether there is one."""
        del number
        return False

    def find_project(self, name: str) -> Place | None:
        """Return the pipelines of the one project of that name that is known here."""
        del name
        return None

    def keep(self) -> KeptPlace | None:
        """Return what the next start paints first."""
        return None

    def place_now(self) -> Place:
        """Return this place as it is now: the line one is at, what is searched for."""
        return self.place

    def words_now(self) -> str:
        """Return what the rows are filtered by."""
        return ""

    def fit(self, width: int) -> None:
        """Take the class that Textual gives a screen of this width."""
        for least, name in sorted(self.HORIZONTAL_BREAKPOINTS or (), reverse=True):
            if width >= least:
                self.add_class(name)
                return

    def compose(self) -> ComposeResult:
        """Yield the five lines and the body."""
        yield Header()
        yield Summary()
        yield Notice()
        yield UnderWay()
        yield from self.compose_body()
        yield Prompt()
        yield Footer()

    def on_mount(self) -> None:
        """Show the first lines, from what is kept."""
        self.bindings_updated_signal.subscribe(self, lambda _: self.footer_line.show_soon())
        self.draw()
        self.tell_header()
        self.tell_under_way(self._under_way)

    def visit(self, place: Place) -> None:
        """Show another place of this kind."""
        if place == self.place:
            return
        self.feeds.stop()
        same_subject = place.subject == self.place.subject
        self.place = place
        if not same_subject:
            self.kept = None
            self.age = Age()
            self.error = None
            self.forget()
        if self.is_whole:
            self.draw()
            self.tell_header()
        if self.is_shown:
            self.start_feeds()

    def show_times(self, *, utc: bool) -> None:
        """Show times in UTC, or in this machine's zone, from now on."""
        self.utc = utc
        if self.is_whole:
            self.draw()
            self.tell_header()

    def open_feed(self) -> Any:
        """Return the feed of what this view shows; None where there is none to follow."""
        return None

    def start_feeds(self) -> None:
        """Follow what this view shows: by the feed of before, so that what has come stays."""
        feed = self.feeds.main or self.open_feed()
        if feed is not None:
            self.feeds.follow(MAIN, feed, self._show)

    def forget(self) -> None:
        """Drop what belongs to another place."""
        self.feeds.forget()

    def _show(self, item: Any) -> None:
        """Take in what the feed of the view brings."""

    def draw(self) -> None:
        """Show what is known, as it looks now."""

    def on_screen_resume(self) -> None:
        """Follow again, and show the keys that work here; it may be told twice."""
        self.tell_header()
        self.footer_line.show_soon()
        if self.is_shown:
            return
        self.is_shown = True
        self._stops = [
            self.service.budget.observe(lambda _: self.tell_header()),
            self.service.line.observe(lambda _: self.tell_header()),
            self.service.writes_open_until.observe(lambda _: self.tell_header()),
        ]
        self._ages = self.set_interval(_AGES_MOVE_EVERY, self.move_ages)
        # The first frame shows what is kept, and waits for nothing.
        self.call_after_refresh(self._start_if_shown)
        for controller in self.controllers:
            controller.on_shown()

    def _start_if_shown(self) -> None:
        if self.is_shown:
            self.start_feeds()

    def on_screen_suspend(self) -> None:
        """Poll nothing, and count nothing down, while nobody looks."""
        self.is_shown = False
        self.feeds.stop()
        for stop in self._stops:
            stop()
        self._stops = []
        self.header_line.stop()
        if self._ages is not None:
            self._ages.stop()
            self._ages = None

    def move_ages(self) -> None:
        """Show times that have passed."""
        self.draw()
        self.tell_header()

    def while_shown(self, stop: Callable[[], None]) -> None:
        """Call `stop` when the screen is left."""
        self._stops.append(stop)

    def in_background(
        self, group: str, function: Callable[..., Any], *arguments: Any
    ) -> Worker[Any]:
        """Run a coroutine function in a worker that replaces an earlier one of its group.

        It is called when the worker begins: one that is left before would leave a coroutine behind.
        """
        return self.run_worker(work(function, *arguments), group=group, exclusive=True)

    def judge(self, snapshot: Snapshot[Any]) -> None:
        """Take age and error of the snapshot this view stands on, and say them."""
        if snapshot.fetched_at is not None:
            # What was fetched a moment ago is as good as live: it is looked at again in turn.
            old = (self.service.clock.now() - snapshot.fetched_at).total_seconds() > _RECENT
            cached = snapshot.source is not Source.LIVE and old
            kind = Freshness.STALE if cached or snapshot.error is not None else Freshness.LIVE
            if snapshot.settled:
                kind = Freshness.SETTLED
            self.age = Age(kind, snapshot.fetched_at)
        elif snapshot.error is not None:
            self.age = Age(Freshness.FAILED)
        self.error = snapshot.error
        self.tell_header()

    def tell_header(self) -> None:
        """Show profile, place, freshness and budget."""
        if self.is_whole:
            self.header_line.show()

    def summarize(self, pieces: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show the line above the body."""
        left = ((" ", "text"), *joined(pieces))
        self.summary.show(left, (*right, (" ", "text")) if right else ())

    def tell_notice(self, *, empty: bool) -> None:
        """Show what stands in the way as a line; an empty page says it in its middle."""
        self.notice.say(() if empty else notice(self.error, self.key_of))

    def tell_under_way(self, line: tuple[Pieces, Pieces]) -> None:
        """Show the write in progress, left and right part; it may come before the widgets do."""
        self._under_way = line
        if self.is_mounted and (bar := self.query_one_optional(UnderWay)) is not None:
            bar.say(*line)

    def tell_footer(self) -> None:
        """Show the keys of this view."""
        self.footer_line.show()

    def why_not(self, action: str) -> str:
        """Return in a sentence why an action that writes, by its id, does nothing here now."""
        verb = action.removeprefix(WRITE_KEYS).partition("_")[0]
        controller = self.controller_of(action)
        reason = controller.why_not(action) if controller is not None else ""
        return reason or f"There is nothing to {verb} here."

    def explains(self, action: str) -> bool:
        """Return whether a key that does nothing says why, by the id of its action."""
        return action in self.EXPLAINED or self.controller_of(action) is not None

    def footer_keys(self) -> Sequence[str]:
        """Return which keys the footer names now, by their ids."""
        names: Sequence[str] = self.FOOTER
        for controller in self.controllers:
            names = controller.arrange_footer(names)
        return names

    def footer_label(self, binding: Binding) -> str:
        """Return what a key does now, in a word."""
        return binding.description.lower()

    def watch_focused(self, focused: Widget | None) -> None:
        """Show the keys of what has the focus now."""
        del focused
        self.footer_line.show_soon()

    def on_resize(self) -> None:
        """Lay header and footer out anew."""
        self.tell_header()
        self.footer_line.show_soon()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take away what this view has no use for."""
        return False if action in self.WITHOUT else super().check_action(action, parameters)

    def action_up(self) -> None:
        """Undo the innermost thing; with nothing to undo, go back."""
        if not self.clear_one():
            self.post_message(GoUp())

    def clear_one(self) -> bool:
        """Clear a filter or marks; return whether there was something to clear."""
        return False

    def action_leave(self) -> None:
        """Go back, or leave at the top."""
        self.post_message(GoUp(quits=True))

    def action_refresh(self) -> None:
        """Fetch again."""
        self.feeds.refresh()

    def action_hold(self) -> None:
        """Pause or resume polling."""
        self.feeds.hold(held=not self.feeds.held)
        self.tell_header()

    def action_file(self) -> None:
        """Read the pipeline file of what the cursor is on."""
        if (place := self.file_here()) is not None:
            self.post_message(GoTo(place))

    def view_command(self) -> str:
        """Return the command that opens this view again, as it is now."""
        from platui.ui.reopening import by_path, opening, place_line  # noqa: PLC0415  (on first use)

        line = place_line(by_path(self.place_now()), self.words_now())
        return opening(self.service.profile, line)

    def action_copy_view(self) -> None:
        """Copy the command that opens this view again."""
        self.post_message(CopyWanted(self.view_command(), what="The command"))

    def action_token(self) -> None:
        """Ask for a token."""
        self.post_message(TokenWanted())

    async def choose(
        self, title: str, choices: Iterable[Choice], take: Callable[[str], object]
    ) -> None:
        """Let the user choose from a menu; nothing is taken where they leave it."""
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        def chosen(value: str | None) -> None:
            if value is not None:
                take(value)

        await self.app.push_screen(Menu(title, [MenuItem(*one) for one in choices]), chosen)

    def show_artifacts(self, job: Job) -> None:
        """List the files that a job left."""
        from platui.ui.dialogs.artifacts import ArtifactsDialog  # noqa: PLC0415  (on first use)

        if (project := self.place.project) is not None:
            self.app.push_screen(ArtifactsDialog(self.service, project, job, utc=self.utc))

    def show_raw(self, title: str, ref: RecordRef) -> None:
        """Show what the platform really said of a record."""
        from platui.ui.dialogs.raw import RawDialog  # noqa: PLC0415  (on first use)

        async def load(anew: bool) -> RawRecord:  # noqa: FBT001  (its only argument)
            return await self.service.raw(ref, anew=anew)

        self.app.push_screen(RawDialog(clean(title), load, self.service.clock))

    @on(Prompt.Entered)
    def _typed_command(self, event: Prompt.Entered) -> None:
        event.stop()
        self.focus_body()
        if event.sign == ":":
            self.post_message(CommandTyped(event.text))
        else:
            self.entered(event.sign, event.text)

    @on(Prompt.Cancelled)
    def _typed_nothing(self, event: Prompt.Cancelled) -> None:
        event.stop()
        self.focus_body()
        self.cancelled(event.sign)

    @on(Prompt.Typed)
    def _typing(self, event: Prompt.Typed) -> None:
        event.stop()
        self.typed(event.sign, event.text)

    def typed(self, sign: str, text: str) -> None:
        """Take what is being typed after a sign: a filter."""
        if sign == "/":
            self.filter_typed(text)

    def entered(self, sign: str, text: str) -> None:
        """Take what was typed after a sign: a filter, or an answer."""
        if sign == "/":
            self.filter_entered(text)
        elif text.strip() and not any(one.answered(sign, text) for one in self.controllers):
            self.answered(sign, text)

    def cancelled(self, sign: str) -> None:
        """Take that nothing was meant to be typed after a sign."""
        if sign == "/":
            self.filter_typed("")

    def focus_body(self) -> None:
        """Give the keys back to the body."""

    def answered(self, sign: str, text: str) -> None:
        """Take what was typed after a sign of this view's own."""

    def filter_typed(self, text: str) -> None:
        """Filter while typing."""

    def filter_entered(self, text: str) -> None:
        """Keep the filter."""
