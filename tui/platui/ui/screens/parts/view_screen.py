"""The screen of a view: header, summary, notice, body, prompt and footer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on

from platui.core.text import clean
from platui.present.chrome import Piece, Pieces, Sign, joined
from platui.ui.controllers.own_actions import OwnActions
from platui.ui.key_guard import WRITE_KEYS
from platui.ui.messages import (
    CommandTyped,
    GoTo,
    RequestWrites,
    RouteCompleted,
    RunTypedCommand,
    ShowError,
    ShowHint,
)
from platui.ui.screens.parts.header_footer import FooterLine, HeaderLine
from platui.ui.terminal.screen import TerminalScreen, call_after_frame
from platui.ui.widgets.bar import Footer, Header, Notice, RunningWriteBar, Summary
from platui.ui.widgets.detail_pane import DetailPane
from platui.ui.widgets.prompt import COMMAND, Prompt, PromptMessage
from platui.ui.widgets.scrolling import ScrolledView
from platui.ui.widgets.table import Table
from platui.ui.widgets.view_messages import WordsWanted

if TYPE_CHECKING:
    from functools import partial

    from textual.app import ComposeResult
    from textual.timer import Timer
    from textual.widget import Widget

    from platui.config.settings import Settings
    from platui.core.errors import PlatuiError
    from platui.models.values.queries import RawRecord, RecordRef
    from platui.models.values.routes import Route, SavedView
    from platui.models.wire import Job
    from platui.service import PlatformService
    from platui.ui.controller import Controller
    from platui.ui.screens.parts.body import Body

_AGES_MOVE_EVERY: Final = 20.0
_LINES: Final = ("Header", "Summary", "Notice", "Prompt", "Footer")

Choice = tuple[Any, ...]  # Any value and its title, perhaps hint and key


class ViewScreen(TerminalScreen[None]):
    """A view; subclasses declare body, controllers and footer keys."""

    CONTROLLERS: ClassVar[tuple[type[Controller[Any]], ...]] = (OwnActions,)
    BODY: ClassVar[type[Body] | partial[Any]]  # Called with screen, route and saved rows
    FOOTER: ClassVar[tuple[str, ...]] = ()  # Ids of commands, most useful first
    SHOWS_FAILURES: ClassVar[bool] = False  # Whether failures get no toasts here
    SIGNS: ClassVar[Sequence[Sign]] = ()  # Signs explained in the help
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide"), (160, "-vast")]
    DEFAULT_CSS = """
    ViewScreen { layers: default above; overflow: hidden; }
    ViewScreen.-text Prompt { layer: above; }
    """

    header = getters.query_one(Header)
    summary = getters.query_one(Summary)
    notice = getters.query_one(Notice)
    prompt = getters.query_one(Prompt)
    footer = getters.query_one(Footer)

    is_watched: Callable[[], bool] = staticmethod(lambda: False)

    def __init__(
        self,
        service: PlatformService,
        settings: Settings,
        route: Route,
        saved_view: SavedView | None,
    ) -> None:
        super().__init__()
        self.service = service
        self.settings = settings
        self.header_line = HeaderLine(self)
        self.footer_line = FooterLine(self)
        self.is_shown = False
        self.last_key_at = -inf  # Monotonic seconds
        self._stops: list[Callable[[], None]] = []
        self._parts: list[Widget] = []  # Those that `is_whole` found
        self._ages: Timer | None = None
        self._under_way: tuple[Pieces, Pieces] = ((), ())
        self.body = type(self).BODY(self, route, saved_view)
        if settings.actions:
            own = self.controller(OwnActions)
            self.commands |= dict.fromkeys(own.actions, own)

    @property
    def is_whole(self) -> bool:
        """Whether all widgets to draw exist; those found once are not searched again."""
        if not self.is_mounted:
            return False
        if not self._parts:
            names = (*_LINES, *self.body.REQUIRED_WIDGETS)
            found = [self.query_one_optional(one) for one in names]
            self._parts = [one for one in found if one is not None] if all(found) else []
        return bool(self._parts) and all(
            one.parent is not None and one in one.parent.children for one in self._parts
        )

    def fit(self, width: int) -> None:
        for least, name in sorted(self.HORIZONTAL_BREAKPOINTS or (), reverse=True):
            if width >= least:
                self.add_class(name)
                return

    def compose(self) -> ComposeResult:
        yield Header()
        yield Summary()
        yield Notice()
        yield RunningWriteBar()
        yield self.body
        yield Prompt()
        yield Footer()

    def on_mount(self) -> None:
        self.bindings_updated_signal.subscribe(self, lambda _: self.footer_line.show_soon())
        self.body.ready()
        self.body.draw()
        self.update_header()
        self.show_write_progress(self._under_way)

    def on_screen_resume(self) -> None:
        """Follow feeds again and show the keys; may be called twice."""
        self.update_header()
        if self.is_shown:
            self.footer_line.show_soon()
            return
        if self.is_whole:
            self.footer_line.show()  # part of the first frame
        self.is_shown = True
        service = self.service
        in_header = service.budget, service.line, service.slow_since, service.writes_open_until
        self._stops = [one.observe(lambda _: self.update_header()) for one in in_header]
        self._ages = self.set_interval(_AGES_MOVE_EVERY, self.body.update_ages)
        # The first frame shows saved rows without waiting.
        call_after_frame(self, self._start_if_shown)
        for controller in self.controllers:
            controller.on_shown()

    def _start_if_shown(self) -> None:
        if self.is_shown:
            self.body.start_feeds()

    def on_screen_suspend(self) -> None:
        """Stop when another view is opened; below a dialog, data keeps coming."""
        stack = self.app.screen_stack
        above = stack[stack.index(self) + 1 :] if self in stack else stack
        if self not in stack or any(isinstance(one, ViewScreen) for one in above):
            self.stop()
            for view in self.query(ScrolledView):
                view.forget_strips()

    def stop(self) -> None:
        """Stop all feeds and timers."""
        self.is_shown = False
        self.body.feeds.stop()
        for stop in self._stops:
            stop()
        self._stops = []
        self.header_line.stop()
        if self._ages is not None:
            self._ages.stop()
            self._ages = None

    def while_shown(self, stop: Callable[[], None]) -> None:
        self._stops.append(stop)

    def catch_up(self) -> None:
        self.body.catch_up()
        if self.is_whole:
            for controller in self.controllers:
                controller.catch_up()
            self.footer_line.catch_up()

    def notify_controllers(self) -> None:
        if self.is_whole:
            for controller in self.controllers:
                controller.on_changed()

    def update_header(self) -> None:
        if self.is_whole:
            self.body.show_header()

    def summarize(self, pieces: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        left = ((" ", "text"), *joined(pieces))
        self.summary.show(left, (*right, (" ", "text")) if right else ())

    def update_notice(self, *, empty: bool) -> None:
        self.notice.set(self.body.notice(empty=empty))

    def show_write_progress(self, line: tuple[Pieces, Pieces]) -> None:
        """Show the write in progress, left and right part; may be called before mounting."""
        self._under_way = line
        if self.is_mounted and (bar := self.query_one_optional(RunningWriteBar)) is not None:
            bar.set(*line)

    def go_to(self, route: Route, words: str = "") -> None:
        self.post_message(GoTo(route, words))

    def complete(self, route: Route) -> None:
        """Take a more complete route of the same subject."""
        self.post_message(RouteCompleted(route, self.body.route))
        self.body.route = route
        self.update_header()

    def show_hint(self, text: str) -> None:
        self.post_message(ShowHint(text))

    def show_error(self, error: PlatuiError, *, once: bool = False) -> None:
        self.post_message(ShowError(error, once=once))

    def can_write(self) -> bool:
        """Return whether writes are enabled; if not, show why."""
        if self.service.writes == "off":
            self.post_message(RequestWrites(()))
        return self.service.writes != "off"

    def disabled_reason(self, action: str) -> str:
        verb = action.removeprefix(WRITE_KEYS).partition("_")[0]
        controller = self.commands.get(action)
        reason = controller.disabled_reason(action) if controller is not None else ""
        return reason or f"Nothing to {verb} here."

    def explains(self, action: str) -> bool:
        return self.commands.get(action) is not None

    def watch_focused(self, _focused: Widget | None) -> None:
        self.footer_line.show_soon()

    def on_resize(self) -> None:
        self.update_header()
        self.footer_line.show_soon()

    async def choose(
        self, title: str, choices: Iterable[Choice], take: Callable[[Any], object]
    ) -> None:
        """Open a menu and pass the chosen value to `take`, unless it is canceled."""
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        listed = list(choices)

        def chosen(at: str | None) -> None:
            if at is not None:
                take(listed[int(at)][0])

        items = [MenuItem(str(at), *texts) for at, (_, *texts) in enumerate(listed)]
        await self.app.push_screen(Menu(title, items), chosen)

    def show_artifacts(self, job: Job) -> None:
        from platui.ui.dialogs.artifacts import ArtifactsDialog  # noqa: PLC0415  (on first use)

        if self.body.route.project is not None:
            near = self.body.route
            self.app.push_screen(ArtifactsDialog(self.service, near, job, utc=self.body.utc))

    def show_raw(self, title: str, ref: RecordRef) -> None:
        from platui.ui.dialogs.raw import RawDialog  # noqa: PLC0415  (on first use)

        async def load(refresh: bool) -> RawRecord:  # noqa: FBT001  (its only argument)
            return await self.service.raw(ref, refresh=refresh)

        self.app.push_screen(RawDialog(clean(title), load, self.service.clock))

    def show_times(self, *, utc: bool) -> None:
        self.body.show_times(utc=utc)

    @on(PromptMessage)
    def _prompt_used(self, event: PromptMessage) -> None:
        event.stop()
        sign, text = event.sign, event.text
        if isinstance(event, Prompt.Entered) and sign == COMMAND:
            self.post_message(RunTypedCommand(text))
            return
        if not isinstance(event, Prompt.Typed | Prompt.Switched):
            self.body.focus_body()
        if sign == COMMAND:
            self.post_message(CommandTyped(text, is_open=isinstance(event, Prompt.Typed)))
            return
        for controller in self.controllers:
            match event:
                case Prompt.Typed():
                    controller.typed(sign, text)
                case Prompt.Entered():
                    controller.answered(sign, text)
                case Prompt.Cancelled():
                    controller.cancelled(sign)
                case Prompt.Switched():
                    controller.switched(sign, text)
                case Prompt.Widened():
                    controller.widened(sign, text)

    def entered(self, sign: str, text: str) -> None:
        for controller in self.controllers:
            controller.answered(sign, text)

    @on(DetailPane.Left)
    def _leave_details(self, event: DetailPane.Left) -> None:
        event.stop()
        self.body.focus_body()

    @on(Table.RowClicked, "#table")
    @on(Table.HeadClicked, "#table")
    def _table_clicked(self, event: Table.RowClicked | Table.HeadClicked) -> None:
        event.stop()
        if isinstance(event, Table.HeadClicked):
            for controller in self.controllers:
                controller.head_clicked(event.column)
        # It may arrive late: a prompt opened since stays.
        elif self.prompt.is_open and self.prompt.opened_at < event.at:
            self.prompt.close_for_list()

    @on(WordsWanted)
    async def _list_words(self, event: WordsWanted) -> None:
        event.stop()
        for controller in self.controllers:
            await controller.list_words(self.prompt.sign)
