"""An app that is told what to do: by typed commands, by keys of the user's own, out of its help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding

from platui.core.errors import CommandError, ConfigError
from platui.core.text import clean
from platui.ui.errands import ErrandApp
from platui.ui.keys_in_use import HasKeys, keys_in_use
from platui.ui.messages import CommandTyped
from platui.ui.screens.base import PlaceScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from platui.config.settings import Settings
    from platui.models.values.places import Place
    from platui.service import PlatformService
    from platui.ui.terminal import Terminal

_SAID = {
    "enter": "enter", "escape": "esc", "space": "space", "tab": "tab", "pageup": "pgup",
    "pagedown": "pgdn", "backspace": "backspace", "equals_sign": "=",
}  # fmt: skip


class CommandApp(ErrandApp, HasKeys):
    """Knows the keys and commands that make sense on any screen of ours."""

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
    ]

    def __init__(self, service: PlatformService, settings: Settings, terminal: Terminal) -> None:
        super().__init__(service, settings, terminal)
        self.keys_in_use = keys_in_use(settings)

    def get_key_display(self, binding: Binding) -> str:
        """Return a key as people say it: `enter`, not a sign for it."""
        return _SAID.get(binding.key) or super().get_key_display(binding)

    # what a subclass gives

    def after_first_frame(self) -> None:
        """Do what was not to be waited for."""

    def commands(self) -> Sequence[tuple[str, str]]:
        """Return what may be typed, each with what it does."""
        raise NotImplementedError

    def command_words(self) -> Sequence[str]:
        """Return the words that complete what is typed."""
        raise NotImplementedError

    def open_address(self, address: str) -> None:
        """Open the place that a pasted address of the platform names."""
        raise NotImplementedError

    def open_place(self, place: Place, words: str) -> None:
        """Open a place that was typed whole, and filter it by words."""
        raise NotImplementedError

    def open_area(self, command: Any) -> None:
        """Open a list that was typed."""
        raise NotImplementedError

    def open_number(self, command: Any) -> None:
        """Open a pipeline or job of a project by the id that was typed."""
        raise NotImplementedError

    def leave(self) -> None:
        """Leave platui, as the user asked for."""
        self.exit(0)

    # life

    def on_mount(self) -> None:
        """Paint first; what is heavy comes after the first frame."""
        self.call_after_refresh(self._after_first_frame)

    def _after_first_frame(self) -> None:
        self.freeze_collector()
        left_out = [self.settings.problem] if self.settings.problem is not None else []
        for problem in [*left_out, *self.problems, *self._key_problems()][:3]:
            self.tell(problem)
        self.warn_of_theme()
        self.service.remarks.listen(self._remark)
        self.after_first_frame()

    def _remark(self, sentence: str) -> None:
        """Show what has to be known of what is kept on disk; called from any thread."""
        self.notify(clean(sentence), severity="warning", timeout=12, markup=False)

    def _key_problems(self) -> list[ConfigError]:
        if not self.settings.keys:
            return []
        from platui.ui.keymap import key_problems  # noqa: PLC0415  (imports every screen)

        return key_problems(self.settings)

    def place_screen(self) -> PlaceScreen | None:
        """Return the view under any dialog."""
        for screen in reversed(self.screen_stack):
            if isinstance(screen, PlaceScreen):
                return screen
        return None

    # what is typed

    async def action_command(self, text: str = "") -> None:
        """Open the command line, perhaps with the beginning of a command."""
        screen = self.place_screen()
        if screen is not None and screen is self.screen:
            await screen.prompt.ask(":", text, words=self.command_words())

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
            case typed.OpenPlace(place, words):
                self.open_place(place, words)
            case typed.GoToNumber(number):
                self._go_to_number(number)
            case typed.OpenNumber():
                self.open_number(command)
            case typed.OpenArea():
                self.open_area(command)
            case typed.Do(verb, argument):
                self.do(verb, argument)
            case None:
                pass

    def _go_to_number(self, number: int) -> None:
        screen = self.place_screen()
        if screen is not None and not screen.go_to_number(number):
            self.hint(f"There is no line or row {number} here.")

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says."""
        screen = self.place_screen()
        if verb == "quit":
            self.leave()
        elif verb == "quit at once":
            self.exit(0)
        elif verb == "help":
            self.call_later(self.action_help)
        elif verb == "refresh" and screen is not None:
            screen.action_refresh()
        elif verb == "theme":
            self._choose_theme(argument)

    def _choose_theme(self, name: str) -> None:
        if name:
            self.wear(name)
        else:
            self.call_later(self.action_choose_theme)

    async def action_choose_theme(self) -> None:
        """List the themes; the one under the cursor is worn meanwhile, and for good if chosen."""
        from platui.ui.dialogs.themes import ThemeMenu  # noqa: PLC0415  (on first use)

        worn = self.worn

        def wear(chosen: str | None) -> None:
            name = worn if chosen is None else chosen
            if name != self.worn:
                self.wear(name)
            if name not in {worn, self.settings.theme}:
                self.hint(f'{name}, until you leave; for good: theme = "{name}" in config.toml.')

        await self.push_screen(ThemeMenu(worn), wear)

    # help

    async def action_help(self) -> None:
        """List every key that works here; what is chosen is run."""
        from platui.ui.dialogs.help import help_menu  # noqa: PLC0415  (on first use)
        from platui.ui.typed_commands import typed_part  # noqa: PLC0415  (on first use)

        menu, actions = help_menu(self, self.commands())

        def run(chosen: str | None) -> None:
            if chosen is not None and chosen.startswith(":"):
                self.call_later(self.action_command, typed_part(chosen))
            elif chosen is not None:
                node, action = actions[chosen]
                self.call_later(self.run_action, action, node)

        await self.push_screen(menu, run)
