"""The first run: there is no profile yet. Says what to set, and offers the demo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from rich.segment import Segment
from textual.binding import Binding
from textual.strip import Strip
from textual.widget import Widget

from platui.core.paths import config_dir
from platui.core.text import clean
from platui.present.chrome import KeyHint
from platui.ui.base_app import BaseApp
from platui.ui.base_screen import QuietScreen
from platui.ui.theming import palette_of
from platui.ui.widgets.footer import Footer

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.screen import Screen

    from platui.config.settings import Settings
    from platui.ui.terminal import Terminal

_TEXT: Final = (
    ("Welcome to platui.", "strong"),
    ("", "text"),
    ("It needs the address of your platform and a token. For this shell:", "text"),
    ("", "text"),
    ("  export PLATUI_URL=https://platform.example.com", "accent"),
    ("  export PLATUI_TOKEN=…", "accent"),
    ("  platui", "accent"),
    ("", "text"),
    ("Or for good, in {config}:", "text"),
    ("", "text"),
    ("  [profiles.prod]", "accent"),
    ('  url = "https://platform.example.com"', "accent"),
    ('  token_command = ["pass", "show", "platform/token"]', "accent"),
    ("  production = true", "accent"),
    ("", "text"),
    ("A personal, project or group token with the scope read_api is enough to look.", "muted"),
    ("platui only looks: no key of it changes anything on the platform.", "muted"),
    ("", "text"),
    ("No platform at hand? Press d: the demo runs one here, with a company on it.", "text"),
)


class _Page(Widget):
    """The text, a little in from the edge."""

    DEFAULT_CSS = "_Page { height: 1fr; }"

    def render_line(self, y: int) -> Strip:
        """Paint one line."""
        palette = palette_of(self.app)
        number = y - max(0, (self.size.height - len(_TEXT)) // 3)
        text, role = _TEXT[number] if 0 <= number < len(_TEXT) else ("", "text")
        text = text.replace("{config}", _config_file())
        margin = max(1, (self.size.width - 76) // 2)
        line = (" " * margin + text)[: self.size.width].ljust(self.size.width)
        return Strip([Segment(line, palette.style(role))], self.size.width)


def _config_file() -> str:
    """Return where the configuration is looked for, as short as a shell would take it."""
    path = config_dir() / "config.toml"
    home = Path.home()
    return clean(f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path))


class _WelcomeScreen(QuietScreen[None]):
    """One page and its keys."""

    def compose(self) -> ComposeResult:
        """Yield page and footer."""
        yield _Page()
        yield Footer()

    def on_mount(self) -> None:
        """Show the keys."""
        self.query_one(Footer).tell((KeyHint("d", "open the demo"), KeyHint("q", "quit")))


class WelcomeApp(BaseApp[str]):
    """Returns `demo` when the user wants it."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,enter", "demo", "Open the demo", id="welcome.demo"),
        Binding("q,escape", "leave", "Quit", id="welcome.quit"),
    ]

    def __init__(self, settings: Settings, terminal: Terminal) -> None:
        super().__init__(terminal, theme=settings.theme, ascii_only=bool(settings.ascii))

    def get_default_screen(self) -> Screen[None]:
        """Return the page."""
        return _WelcomeScreen()

    def action_demo(self) -> None:
        """Leave for the demo."""
        self.exit("demo")

    def action_leave(self) -> None:
        """Quit."""
        self.exit(None)
