"""The dashboard's app: how it starts and ends, what is typed to it, help and palette.

It knows no business verb; where it goes is the navigator's, what screens ask for the
errands' business.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.binding import Binding

from platui.core.errors import CommandError, ConfigError, PlatuiError
from platui.models.values.places import Place, View
from platui.ui.messages import CommandTyped
from platui.ui.navigator import NavigatorApp

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.dom import DOMNode

    from platui.config.settings import Settings
    from platui.service import PlatformService
    from platui.ui.terminal import Terminal

_SAID = {
    "enter": "enter", "escape": "esc", "space": "space", "tab": "tab", "pageup": "pgup",
    "pagedown": "pgdn", "backspace": "backspace", "equals_sign": "=",
}  # fmt: skip


class PlatuiApp(NavigatorApp):
    """The dashboard of one platform."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
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
    ]

    def __init__(
        self,
        service: PlatformService,
        settings: Settings,
        terminal: Terminal,
        *,
        start: Place | None = None,
    ) -> None:
        super().__init__(service, settings, terminal, start=start)
        self._clashes: set[str] = set()
        if settings.keys:
            self.set_keymap(dict(settings.keys))

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as people say it: `enter`, not a sign for it."""
        return _SAID.get(binding.key) or super().get_key_display(binding)

    # life

    def on_mount(self) -> None:
        """Paint first; what is heavy comes after the first frame."""
        self.call_after_refresh(self._after_first_frame)

    def _after_first_frame(self) -> None:
        self.freeze_collector()
        for problem in [*self.problems, *self._key_problems()][:3]:
            self.tell(problem)
        self.run_worker(
            self._start_service(), group="start", exclusive=True, exit_on_error=True,
            description="open the service",
        )  # fmt: skip

    def _key_problems(self) -> list[ConfigError]:
        if not self.settings.keys:
            return []
        from platui.ui.keymap import unknown_actions  # noqa: PLC0415  (imports every screen)

        return unknown_actions(self.settings.keys)

    def handle_bindings_clash(self, clashed_bindings: set[Binding], node: DOMNode) -> None:
        """Say once, by name, which actions lost their keys to the user's own."""
        del node
        names = sorted({one.id for one in clashed_bindings if one.id} - self._clashes)
        if names:
            self._clashes.update(names)
            self.tell(ConfigError(f"Your own keys leave {', '.join(names)} without one."))

    async def _start_service(self) -> None:
        try:
            await self.service.start()
        except PlatuiError as error:
            # The feeds show it on the page; a token that is missing can be given at once.
            self.log.warning(error.title)

    async def on_unmount(self) -> None:
        """End every request and close the stores."""
        await self.service.close()

    @on(events.AppFocus)
    def _focused(self) -> None:
        self.service.focus(True)

    @on(events.AppBlur)
    def _blurred(self) -> None:
        self.service.focus(False)

    # what is typed

    async def action_command(self, text: str = "") -> None:
        """Open the command line, perhaps with the beginning of a command."""
        screen = self.place_screen()
        if screen is not None and screen is self.screen:
            from platui.ui.typed_commands import WORDS  # noqa: PLC0415  (on first use)

            await screen.prompt.ask(":", text, words=WORDS)

    @on(CommandTyped)
    def _command_typed(self, message: CommandTyped) -> None:
        message.stop()
        from platui.ui import typed_commands as typed  # noqa: PLC0415  (on first use)

        try:
            command = typed.read_command(message.text)
        except CommandError as error:
            self.tell(error)
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
            self.tell(
                CommandError(
                    f"This is not a project, pipeline or job of {self.service.profile.url}.",
                    hint="Paste the address of its page.",
                ),
            )
        else:
            self.go(place)

    def _open_area(self, command: Any) -> None:
        from platui.ui.typed_commands import number_in  # noqa: PLC0415  (on first use)

        if command.view in {View.PROJECTS, View.REQUESTS}:
            self.go(Place(command.view))
        else:
            subject, number = self._subject, None
            project, name = subject.project, subject.project_name
            if command.project:
                number = number_in(command.project)
                project = command.project if number is None else number
                name = command.project.rpartition("/")[2]
            if number is None and command.project and "/" not in command.project:
                known = self.known_project(command.project)
                if known is None:
                    # A name alone is no path: show what it may mean.
                    self._open_area(replace(command, view=View.PROJECTS, filter=name, project=""))
                    return
                project, name = known.project, known.project_name
            if project is None:
                self.hint(f"Which project? Type :{command.view.value} group/name.")
                return
            pipeline = command.pipeline
            if pipeline is None and not command.project and command.view is View.JOBS:
                pipeline = subject.pipeline
            self.go(Place(command.view, project, name, pipeline))
        screen = self.place_screen()
        if command.filter and screen is not None:
            self.call_after_refresh(screen.filter_entered, command.filter)

    def _go_to_number(self, number: int) -> None:
        screen = self.place_screen()
        if screen is not None and not screen.go_to_number(number):
            self.hint(f"There is no line or row {number} here.")

    def _do(self, verb: str, argument: str) -> None:
        screen = self.place_screen()
        if verb == "quit":
            self.exit(0)
        elif verb == "help":
            self.call_later(self.action_help)
        elif verb == "refresh" and screen is not None:
            screen.action_refresh()
        elif verb == "token":
            self.ask_token()
        elif verb == "file":
            self._open_file(argument)
        elif verb in {"utc", "local"}:
            self.show_times(utc=verb == "utc")
        elif verb == "theme":
            self._choose_theme(argument)

    def _open_file(self, words: str) -> None:
        from platui.ui.typed_commands import file_in  # noqa: PLC0415  (on first use)

        screen = self.place_screen()
        near = screen.file_here() if screen is not None else None
        if near is None:
            self.hint("Of which project? Put the cursor on it first.")
        else:
            path, ref = file_in(words)
            self.go(replace(near, path=path or near.path, ref=ref or near.ref))

    def _choose_theme(self, name: str) -> None:
        if not name:
            self.call_later(self.action_palette, "theme")
        else:
            self.wear(name)

    # help and palette

    async def action_help(self) -> None:
        """List every key that works here; what is chosen is run."""
        from platui.ui.dialogs.help import help_menu  # noqa: PLC0415  (on first use)
        from platui.ui.typed_commands import typed_part  # noqa: PLC0415  (on first use)

        menu, actions = help_menu(self)

        def run(chosen: str | None) -> None:
            if chosen is not None and chosen.startswith(":"):
                self.call_later(self.action_command, typed_part(chosen))
            elif chosen is not None:
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
