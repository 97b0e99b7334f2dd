"""What every place has in common: header, summary, notice, prompt and footer, and their keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on
from textual.binding import Binding

from platui.core.text import clean
from platui.present.chrome import (
    Age,
    Freshness,
    HeaderState,
    KeyHint,
    Piece,
    joined,
    next_tick,
)
from platui.ui.calm_count import CalmCount
from platui.ui.failures import notice
from platui.ui.messages import CommandTyped, CopyWanted, GoUp, TokenWanted
from platui.ui.pace import pace_of
from platui.ui.reaction import WRITE_KEYS
from platui.ui.screens.feeding import FeedScreen
from platui.ui.widgets.bar import Notice, Summary, UnderWay
from platui.ui.widgets.footer import Footer
from platui.ui.widgets.header import Header
from platui.ui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import ActiveBinding, BindingType
    from textual.timer import Timer
    from textual.widget import Widget

    from platui.config.settings import Settings
    from platui.models.values.places import KeptPlace, Place, View
    from platui.models.values.raw import RawRecord, RecordRef
    from platui.present.chrome import Pieces, Sign
    from platui.service import PlatformService


class PlaceScreen(FeedScreen):
    """A view of the platform; subclasses say what stands in the body and what feeds it."""

    VIEW: ClassVar[View]
    PARTS: ClassVar[tuple[str, ...]] = ("Header", "Summary", "Notice", "Prompt", "Footer")
    """What must be there before anything can be shown."""
    FOOTER: ClassVar[tuple[str, ...]] = ()
    """Ids of the bindings to show, most useful first; help is added."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape",
            "up",
            "Back",
            id="place.up",
            tooltip="Undo filter and marks first, then go back",
        ),
        Binding(
            "q", "leave", "Back or quit", id="place.leave", tooltip="Go back; at the top, quit"
        ),
        Binding(
            "r,ctrl+r",
            "refresh",
            "Refresh",
            id="place.refresh",
            tooltip="Fetch this view again now",
        ),
        Binding("equals_sign", "hold", "Pause", id="place.hold", tooltip="Pause or resume polling"),
        Binding("A", "token", "New token", id="place.token", tooltip="Sign in with another token"),
        Binding(
            "Y",
            "copy_view",
            "Copy view",
            id="place.copy_view",
            show=False,
            tooltip="Copy the command that opens this view again",
        ),
    ]

    header = getters.query_one(Header)
    summary = getters.query_one(Summary)
    notice = getters.query_one(Notice)
    prompt = getters.query_one(Prompt)
    footer = getters.query_one(Footer)

    SHOWS_NEWS: ClassVar[bool] = False
    """Whether it shows of itself what broke and what is green again, so that no toast need."""
    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Actions of all views, or of all lists, that this one has no use for."""
    EXPLAINED: ClassVar[frozenset[str]] = frozenset()
    """Ids of keys that say why they do nothing where they are greyed; those that write do."""
    SIGNS: ClassVar[Sequence[Sign]] = ()
    """What the view draws that does not speak for itself; the help tells it."""

    def __init__(
        self, service: PlatformService, settings: Settings, place: Place, kept: KeptPlace | None
    ) -> None:
        super().__init__(service)
        self.settings = settings
        self.place = place
        self.utc = settings.utc
        """Whether times are shown in UTC; the app's choice, told by `show_times`."""
        self.kept = kept if kept is not None and kept.place == place else None
        self.struck_at = -inf
        """Monotonic second at which a key was struck here last."""
        self._footer_asked = False
        self._under_way: tuple[Pieces, Pieces] = ((), ())
        self.gauge_count = CalmCount()
        """What the gauge shows; a dashboard gives all its screens the same one."""
        self._countdown: Timer | None = None

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
        return self.VIEW.value

    # what a subclass gives

    @property
    def has_unsent(self) -> bool:
        """Return whether it holds what the user has typed, and not sent."""
        return False

    def body(self) -> ComposeResult:
        """Yield the widgets between summary and footer."""
        yield from ()

    def crumbs(self) -> tuple[str, ...]:
        """Return where this is, outermost first."""
        raise NotImplementedError

    def forget(self) -> None:
        """Drop what belongs to the place of before."""

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

    # life

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
        yield from self.body()
        yield Prompt()
        yield Footer()

    def on_mount(self) -> None:
        """Show the first lines, from what is kept."""
        self.bindings_updated_signal.subscribe(self, lambda _: self.tell_footer_soon())
        self.draw()
        self.tell_header()
        self.tell_under_way(self._under_way)

    def visit(self, place: Place) -> None:
        """Show another place of this kind."""
        if place == self.place:
            return
        self.stop_feeds()
        same_subject = (place.project, place.pipeline, place.job, place.entry) == (
            self.place.project, self.place.pipeline, self.place.job, self.place.entry,
        )  # fmt: skip
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

    def on_screen_resume(self) -> None:
        """Show the keys that work here."""
        self.tell_footer_soon()

    def on_screen_suspend(self) -> None:
        """Count nothing down while nobody looks."""
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None

    # the lines

    def tell_header(self) -> None:
        """Show profile, place, freshness and budget."""
        if not self.is_whole:
            return
        budget = self.service.budget.value
        used = self.gauge_count.take(budget.used, self.service.clock.monotonic())
        paused = None
        if budget.paused_until is not None:
            left = budget.paused_until - self.service.clock.monotonic()
            paused = left if left > 0 else None
        age = self.age
        # A place that was left without a row is kept, too: of it there is nothing to be old.
        if age.fetched_at is None and self.kept is not None and self.kept.rows:
            age = Age(Freshness.STALE, datetime.fromtimestamp(self.kept.saved_at, UTC))
        if self.held and age.fetched_at is not None:
            age = replace(age, kind=Freshness.HELD)
        open_until = self.service.writes_open_until.value
        open_for = None
        if open_until is not None:
            open_for = max(0.0, open_until - self.service.clock.monotonic())
        state = HeaderState(
            profile=self.service.profile.name,
            production=self.service.profile.production,
            crumbs=self.crumbs(),
            age=age,
            line=self.service.line.value,
            budget=replace(budget, used=used),
            paused_for=paused,
            read_only=self.settings.read_only,
            utc=self.utc,
            writes_open_for=open_for,
            has_accent=bool(self.service.profile.accent),
            has_colours=not self.app.no_color,
        )
        self.header.tell(state, self.service.clock.now())
        pace = pace_of(self.app)
        ticks = [] if paused is None else [pace.wait(paused, 1.0)]
        ticks += [] if open_for is None else [pace.wait(open_for, next_tick(open_for))]
        self._count_down(min(ticks, default=None))

    @property
    def counts_down(self) -> bool:
        """Return whether a number in the header runs out."""
        return self._countdown is not None

    def _count_down(self, tick: float | None) -> None:
        """Look at the header again when a number in it changes; never where none runs out."""
        if self._countdown is not None:
            self._countdown.stop()
            self._countdown = None
        if tick is not None and self.is_shown:
            self._countdown = self.set_timer(tick, self.tell_header)

    def summarize(self, pieces: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show the line above the body."""
        left = ((" ", "text"), *joined(pieces))
        self.summary.show(left, (*right, (" ", "text")) if right else ())

    def tell_notice(self, *, empty: bool) -> None:
        """Show what stands in the way as a line; an empty page says it in its middle."""
        self.notice.say(() if empty else notice(self.error, self.key_of))

    def tell_under_way(self, line: tuple[Pieces, Pieces]) -> None:
        """Show the write that is under way, the left part and the right one; empty: there is none.

        It may be told before anything of this view is there.
        """
        self._under_way = line
        if self.is_mounted and (bar := self.query_one_optional(UnderWay)) is not None:
            bar.say(*line)

    def tell_footer_soon(self) -> None:
        """Show the keys once what is under way has settled; many askings are one."""
        if not self._footer_asked:
            self._footer_asked = True
            self.call_after_refresh(self.tell_footer)

    def tell_footer(self) -> None:
        """Show the keys of this view, each as it is bound and possible now."""
        self._footer_asked = False
        if not self.is_whole:
            return
        if self.prompt.is_open:
            self.footer.tell(self.prompt.hints)
            return
        active: dict[str, ActiveBinding] = {}
        for item in self.active_bindings.values():
            if item.binding.id:
                active.setdefault(item.binding.id, item)
        names = [name for name in (*self.footer_keys(), "app.help") if not self.is_off(name)]
        hints = [self._hint(active[name]) for name in names if name in active]
        self.footer.tell(hints)

    def _hint(self, active: ActiveBinding) -> KeyHint:
        binding = active.binding
        return KeyHint(
            self.app.get_key_display(binding).split(" ", maxsplit=1)[0],
            self.footer_label(binding),
            active.enabled,
        )

    def is_off(self, action: str) -> bool:
        """Return whether an action writes where nothing is to be written: it only says so."""
        return action.startswith(WRITE_KEYS) and self.service.writes == "off"

    def why_not(self, action: str) -> str:
        """Return in a sentence why an action that writes, by its id, does nothing here now."""
        verb = action.removeprefix(WRITE_KEYS).partition("_")[0]
        return f"There is nothing to {verb} here."

    def footer_keys(self) -> Sequence[str]:
        """Return which keys the footer names now, by their ids."""
        return self.FOOTER

    def footer_label(self, binding: Binding) -> str:
        """Return what a key does now, in a word."""
        return binding.description.lower()

    def watch_focused(self, focused: Widget | None) -> None:
        """Show the keys of what has the focus now."""
        del focused
        self.tell_footer_soon()

    def on_resize(self) -> None:
        """Lay header and footer out anew."""
        self.tell_header()
        self.tell_footer_soon()

    # keys

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
        for feed in self.feeds():
            feed.refresh()

    def action_hold(self) -> None:
        """Pause or resume polling."""
        self.held = not self.held
        self.hold_feeds()
        self.tell_header()

    def view_command(self) -> str:
        """Return the command that opens this view again, as it is now."""
        from platui.present.reopening import by_path, reopening  # noqa: PLC0415  (on first use)

        return reopening(self.service.profile, by_path(self.place_now()), self.words_now())

    def action_copy_view(self) -> None:
        """Copy the command that opens this view again."""
        self.post_message(CopyWanted(self.view_command(), what="The command"))

    def action_token(self) -> None:
        """Ask for a token."""
        self.post_message(TokenWanted())

    def show_raw(self, title: str, ref: RecordRef) -> None:
        """Show what the platform really said of a record."""
        from platui.ui.dialogs.raw import RawDialog  # noqa: PLC0415  (on first use)

        async def load(anew: bool) -> RawRecord:  # noqa: FBT001  (its only argument)
            return await self.service.raw(ref, anew=anew)

        self.app.push_screen(RawDialog(clean(title), load, self.service.clock))

    # the prompt

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
        elif text.strip():
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
