"""Commands, and the controllers that run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual.binding import Binding, BindingType

if TYPE_CHECKING:
    from platui.ui.command_app import Verbs
    from platui.ui.messages import AppRequest

B = TypeVar("B")
H = TypeVar("H", bound="Callable[..., Any]")


def run_binding(keys: str, id_: str, title: str, help_: str) -> Binding:
    """Return the binding of a command; the id of one that writes begins with `WRITE_KEYS`."""
    return Binding(keys, f"run('{id_}')", title, tooltip=help_, id=id_)


def command(keys: str, id_: str, title: str) -> Callable[[H], H]:
    """Declare a controller's method as a command; its docstring is the help text."""

    def declared(handler: H) -> H:
        help_ = (handler.__doc__ or "").removesuffix(".")
        handler.binding = run_binding(keys, id_, title, help_)  # type: ignore[attr-defined]
        return handler

    return declared


def handles(request: type[AppRequest]) -> Callable[[H], H]:
    """Declare a controller's method as the handler of a request of screens."""

    def declared(handler: H) -> H:
        handler.request = request  # type: ignore[attr-defined]
        return handler

    return declared


class Controller(Generic[B]):
    """A group of commands of a screen."""

    COMMANDS: ClassVar[dict[str, tuple[Binding, str]]] = {}  # Id -> binding and method name

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = {
            binding.id: (binding, name)
            for name, method in vars(cls).items()
            if (binding := getattr(method, "binding", None)) is not None
        }
        cls.COMMANDS = {**cls.COMMANDS, **own}

    def __init__(self, screen: Any) -> None:
        self.screen = screen

    @property
    def body(self) -> B:
        body: B = self.screen.body
        return body

    @classmethod
    def offers(cls, _command: str, /) -> bool:
        """Return whether a command exists on this screen."""
        return True

    def hides(self, _command: str, /) -> bool:
        """Return whether a command is hidden now, not even greyed."""
        return False

    def disabled_reason(self, _command: str, /) -> str:
        return ""

    @property
    def has_unsaved_input(self) -> bool:
        """Return whether forms or dialogs of these commands keep input that was not sent."""
        return False

    async def run(self, command: str) -> None:
        done = getattr(self, self.COMMANDS[command][1])()
        if isawaitable(done):
            await done

    def on_shown(self) -> None:
        """Handle that the screen is shown."""

    def catch_up(self) -> None:
        """Update what the frame of a key shows, before it is painted."""

    def on_changed(self) -> None:
        """Handle a change of the rows, the cursor or the marks."""

    def typed(self, _sign: str, _text: str, /) -> None:
        """Handle input during typing after a prompt sign."""

    def answered(self, _sign: str, _text: str, /) -> None:
        """Handle submitted input."""

    def cancelled(self, _sign: str, /) -> None:
        """Handle canceled input."""

    def switched(self, _sign: str, _text: str, /) -> None:
        """Toggle how input is interpreted."""

    def widened(self, _sign: str, _text: str, /) -> None:
        """Search beyond this view for the input."""

    def head_clicked(self, _column: str, /) -> None:
        """Handle a click on a column head of the list."""

    async def list_words(self, _sign: str, /) -> None:
        """List possible inputs after a sign."""

    def undo(self) -> bool:
        """Clear one filter or mark; return whether one was set."""
        return False

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        """Return the ids shown in the footer, in order."""
        return names

    def label(self, _command: str, /) -> str:
        """Return the current footer label of a command; empty: its title."""
        return ""


class AppController(Controller[Any]):
    def __init__(self, app: Any) -> None:
        super().__init__(None)
        self._app = app

    def verbs(self) -> Verbs:
        """Return verb -> function of the words after it."""
        return {}


def controllers_of(kind: type[Any]) -> tuple[type[Any], ...]:
    """Return the controllers of a class of screens or apps, those of its bases first."""
    return tuple(
        one for base in reversed(kind.__mro__) for one in vars(base).get("CONTROLLERS", ())
    )


def key_bindings(kinds: Iterable[type[Controller[Any]]]) -> list[BindingType]:
    return [binding for kind in kinds for binding, _ in kind.COMMANDS.values()]
