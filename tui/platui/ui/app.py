"""The app: modes and navigation, theme and keymap, help and palette, and how one leaves.

It knows no business verb. Each view is a mode with one screen, made at its first visit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.binding import Binding

from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean
from platui.models.values.places import KeptPlace, Place, View
from platui.ui.base_app import BaseApp
from platui.ui.messages import (
    CommandTyped,
    CopyWanted,
    Failed,
    GoTo,
    GoUp,
    PageWanted,
    PlaceLearned,
    TokenWanted,
    Told,
)
from platui.ui.screens.base import PlaceScreen
from platui.ui.trail import Trail

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.core.secrets import Secret
    from platui.service import PlatformService
    from platui.ui.terminal import Terminal

# Only the screen of the first place is imported before the first frame.
_SCREENS = {
    View.PROJECTS: ("platui.ui.screens.projects", "ProjectsScreen"),
    View.PIPELINES: ("platui.ui.screens.pipelines", "PipelinesScreen"),
    View.JOBS: ("platui.ui.screens.jobs", "JobsScreen"),
    View.LOG: ("platui.ui.screens.log", "LogScreen"),
    View.REQUESTS: ("platui.ui.screens.requests", "RequestsScreen"),
}


_SAID = {
    "enter": "enter", "escape": "esc", "space": "space", "tab": "tab", "pageup": "pgup",
    "pagedown": "pgdn", "backspace": "backspace", "equals_sign": "=",
}  # fmt: skip


class PlatuiApp(BaseApp[int]):
    """The dashboard of one platform."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("2", "area('projects')", "Projects", id="app.projects", show=False),
        Binding("3", "area('pipelines')", "Pipelines", id="app.pipelines", show=False),
        Binding("4", "area('jobs')", "Jobs", id="app.jobs", show=False),
        Binding(
            "colon",
            "command",
            "Command",
            id="app.command",
            tooltip="Go to a view by name, or paste an address of the platform",
        ),
        Binding(
            "question_mark",
            "help",
            "Help",
            id="app.help",
            tooltip="Every key that works here; enter runs it",
        ),
        Binding(
            "ctrl+p",
            "palette",
            "Palette",
            id="app.palette",
            show=False,
            tooltip="Search actions, places and themes",
        ),
        Binding("left_square_bracket", "history(-1)", "Back in history", id="app.back", show=False),
        Binding(
            "right_square_bracket", "history(1)", "Forward in history", id="app.forward", show=False
        ),
        Binding(
            "minus",
            "last",
            "Last view",
            id="app.last",
            show=False,
            tooltip="Swap with the view before this one",
        ),
    ]

    def __init__(
        self,
        service: PlatformService,
        settings: Settings,
        terminal: Terminal,
        *,
        start: Place | None = None,
    ) -> None:
        kept = service.kept_place()
        if start is not None and kept is not None and kept.place != start:
            kept = None
        self.service = service
        self.settings = settings
        self._kept = kept
        self.trail = Trail(start or (kept.place if kept else Place()))
        self.DEFAULT_MODE = self.trail.here.view.value  # type: ignore[misc]  # of this start
        self._subject = self.trail.here
        ascii_only = terminal.unicode is False if settings.ascii is None else settings.ascii
        super().__init__(terminal, theme=settings.theme, ascii_only=ascii_only)
        for view in View:
            self.add_mode(view.value, partial(self._make_screen, view))
        if settings.keys:
            self.set_keymap(dict(settings.keys))

    def _make_screen(self, view: View) -> Screen[Any]:
        module, name = _SCREENS[view]
        maker = cast("type[PlaceScreen]", getattr(import_module(module), name))
        kept, self._kept = self._kept, None
        screen = maker(self.service, self.settings, self.trail.here, kept)
        # Known before the first layout, or everything would be laid out and painted twice.
        screen.fit(self.size.width)
        # A new screen is styled as it is mounted: Textual need not parse every sheet again.
        screen._css_update_count = self._css_update_count  # noqa: SLF001
        return screen

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as people say it: `enter`, not a sign for it."""
        return _SAID.get(binding.key) or super().get_key_display(binding)

    # life

    def on_mount(self) -> None:
        """Paint first; what is heavy comes after the first frame."""
        self.call_after_refresh(self._after_first_frame)

    def _after_first_frame(self) -> None:
        self.freeze_collector()
        for problem in self.problems[:3]:
            self._tell(problem)
        self.run_worker(
            self._start_service(), group="start", exclusive=True, exit_on_error=True,
            description="open the service",
        )  # fmt: skip

    async def _start_service(self) -> None:
        try:
            await self.service.start()
        except PlatuiError as error:
            # The feeds show it on the page; a token that is missing can be given at once.
            self.log.warning(error.title)

    async def on_unmount(self) -> None:
        """End every request and close the stores."""
        await self.service.close()

    def exit(self, *arguments: Any, **options: Any) -> None:
        """Keep the place with its rows for the next first frame, then leave."""
        self._keep_place()
        super().exit(*arguments, **options)

    def _keep_place(self) -> None:
        screen = self._place_screen()
        if screen is None:
            return
        kept = screen.keep()
        if screen.VIEW is View.LOG:
            kept = KeptPlace(
                place=replace(screen.place, view=View.JOBS),
                saved_at=self.service.clock.now().timestamp(),
                profile=self.service.profile.name,
            )
        if kept is not None:
            self.service.keep_place(kept)

    def _place_screen(self) -> PlaceScreen | None:
        """Return the view under any dialog."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, PlaceScreen):
                return screen
        return None

    @on(events.AppFocus)
    def _focused(self) -> None:
        self.service.focus(True)

    @on(events.AppBlur)
    def _blurred(self) -> None:
        self.service.focus(False)

    # going places

    def go(self, place: Place) -> None:
        """Open a place and remember it."""
        self.trail.go(place)
        self._show_here()

    def _show_here(self) -> None:
        place = self.trail.here
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if place.project is not None:
            self._subject = place
        self.switch_mode(place.view.value)
        screen = self._place_screen()
        if screen is not None:
            screen.visit(place)

    @on(GoTo)
    def _go_to(self, message: GoTo) -> None:
        message.stop()
        self.go(message.place)

    @on(PlaceLearned)
    def _place_learned(self, message: PlaceLearned) -> None:
        message.stop()
        self.trail.learn(message.place)
        self._subject = message.place

    @on(GoUp)
    def _go_up(self, message: GoUp) -> None:
        message.stop()
        if self.trail.up() is not None:
            self._show_here()
        elif message.quits:
            self.exit(0)

    def action_area(self, name: str) -> None:
        """Open an area on what is in focus."""
        view = View(name)
        screen = self._place_screen()
        subject = (screen.subject() if screen else None) or self._subject
        if view is View.PROJECTS:
            self.go(Place(View.PROJECTS))
        elif subject.project is None:
            self._hint("Choose a project first: put the cursor on it.")
        else:
            pipeline = subject.pipeline if view is View.JOBS else None
            self.go(Place(view, subject.project, subject.project_name, pipeline))

    def action_history(self, step: int) -> None:
        """Go back or forward in history."""
        if (self.trail.back() if step < 0 else self.trail.forward()) is not None:
            self._show_here()

    def action_last(self) -> None:
        """Swap with the view before this one."""
        if self.trail.last() is not None:
            self._show_here()

    # what is typed

    async def action_command(self) -> None:
        """Open the command line."""
        screen = self._place_screen()
        if screen is not None and screen is self.screen:
            from platui.ui.typed_commands import WORDS  # noqa: PLC0415  (on first use)

            await screen.prompt.ask(":", words=WORDS)

    @on(CommandTyped)
    def _command_typed(self, message: CommandTyped) -> None:
        message.stop()
        from platui.ui import typed_commands as typed  # noqa: PLC0415  (on first use)

        try:
            command = typed.read_command(message.text)
        except ConfigError as error:
            self._tell(error)
            return
        match command:
            case typed.OpenAddress(address):
                self.open_address(address)
            case typed.GoToNumber(number):
                self._go_to_number(number)
            case typed.OpenArea():
                self._open_area(command)
            case typed.Do(verb, argument):
                self._do(verb, argument)
            case None:
                pass

    def open_address(self, address: str) -> None:
        """Open the place that a pasted address of the platform names."""
        place = self.service.place_of(address)
        if place is None:
            self._tell(
                ConfigError(
                    f"This is not a project, pipeline or job of {self.service.profile.url}.",
                    hint="Paste the address of its page.",
                ),
            )
        else:
            self.go(place)

    def _open_area(self, command: Any) -> None:
        if command.view in {View.PROJECTS, View.REQUESTS}:
            self.go(Place(command.view))
        else:
            subject = self._subject
            project, name = subject.project, subject.project_name
            if command.project:
                project = int(command.project) if command.project.isdecimal() else command.project
                name = command.project.rpartition("/")[2]
            if project is None:
                self._hint(f"Which project? Type :{command.view.value} group/name.")
                return
            pipeline = command.pipeline
            if pipeline is None and not command.project and command.view is View.JOBS:
                pipeline = subject.pipeline
            self.go(Place(command.view, project, name, pipeline))
        screen = self._place_screen()
        if command.filter and screen is not None:
            self.call_after_refresh(screen.filter_entered, command.filter)

    def _go_to_number(self, number: int) -> None:
        screen = self._place_screen()
        if screen is not None and not screen.go_to_number(number):
            self._hint(f"There is no {number} here.")

    def _do(self, verb: str, argument: str) -> None:
        screen = self._place_screen()
        if verb == "quit":
            self.exit(0)
        elif verb == "help":
            self.call_later(self.action_help)
        elif verb == "refresh" and screen is not None:
            screen.action_refresh()
        elif verb == "token":
            self._ask_token()
        elif verb == "theme":
            self._choose_theme(argument)

    def _choose_theme(self, name: str) -> None:
        if not name:
            self.call_later(self.action_palette, "theme")
        else:
            self.wear(name)

    def wear(self, theme: str) -> None:
        """Show a theme, or say what is wrong with it."""
        try:
            self.use_theme(theme)
        except ConfigError as error:
            self._tell(error)

    # help and palette

    async def action_help(self) -> None:
        """List every key that works here; what is chosen is run."""
        from platui.ui.dialogs.help import help_menu  # noqa: PLC0415  (on first use)

        menu, actions = help_menu(self)

        def run(chosen: str | None) -> None:
            if chosen is not None:
                node, action = actions[chosen]
                self.call_later(self.run_action, action, node)

        await self.push_screen(menu, run)

    async def action_palette(self, search: str = "") -> None:
        """List actions, places and themes; what is chosen is done."""
        from platui.ui.dialogs.palette import palette_menu  # noqa: PLC0415  (on first use)

        menu, deeds = palette_menu(self, search)

        def run(chosen: str | None) -> None:
            if chosen is not None:
                self.call_later(deeds[chosen])

        await self.push_screen(menu, run)

    # token

    @on(TokenWanted)
    def _token_wanted(self, message: TokenWanted) -> None:
        message.stop()
        self._ask_token()

    def _ask_token(self) -> None:
        from platui.ui.dialogs.token import TokenDialog  # noqa: PLC0415  (on first use)

        def use(token: Secret | None) -> None:
            if token is not None:
                self.run_worker(
                    self._replace_token(token), group="token", exclusive=True,
                    description="sign in with another token",
                )  # fmt: skip

        profile = self.service.profile
        reason = self.service.line.value.reason
        self.push_screen(TokenDialog(profile.name, profile.url, reason), use)

    async def _replace_token(self, token: Secret) -> None:
        try:
            await self.service.replace_token(token)
        except PlatuiError as error:
            self._tell(error)

    # what screens ask for

    @on(CopyWanted)
    def _copy_wanted(self, message: CopyWanted) -> None:
        message.stop()
        self.run_worker(self._copy(message.text), group="copy", description="copy a text")

    async def _copy(self, text: str) -> None:
        from platui.ui.clipboard import copy  # noqa: PLC0415  (on first use)

        outcome = await copy(self, text)
        self._hint(outcome.sentence)

    @on(PageWanted)
    def _page_wanted(self, message: PageWanted) -> None:
        message.stop()
        self.run_worker(self._open_page(message.address), group="page", description="open a page")

    async def _open_page(self, address: str) -> None:
        from platui.ui.browser import open_address  # noqa: PLC0415  (on first use)

        outcome = await open_address(address, self.service.profile.url)
        self._hint(outcome.sentence)

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        message.stop()
        self._tell(message.error)

    @on(Told)
    def _told(self, message: Told) -> None:
        message.stop()
        self._hint(message.sentence)

    def _hint(self, sentence: str) -> None:
        self.notify(clean(sentence), timeout=4, markup=False)

    def _tell(self, error: PlatuiError) -> None:
        text = f"{error.sentence}\n{error.hint}" if error.hint else error.sentence
        lines = "\n".join(clean(line) for line in text.splitlines())
        self.notify(lines, title=clean(error.title), severity="error", timeout=8, markup=False)
