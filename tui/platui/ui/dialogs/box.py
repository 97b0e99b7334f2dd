"""The base class of most dialogs: a box over the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.widget import Widget

    from platui.present.chrome import Piece, Pieces

T = TypeVar("T")


class BoxDialog(ModalScreen[T]):
    DEFAULT_CSS = """
    BoxDialog { align: center middle; background: $background 60%; }
    BoxDialog > #box {
        width: 96%; max-width: 96; height: auto; max-height: 96%; background: $background;
        border: round $accent; padding: 0 1;
    }
    BoxDialog > #box.-narrow { width: 76; max-width: 96%; }
    BoxDialog > #box.-production { border: heavy $status-failed; }
    BoxDialog > #box > Input, BoxDialog > #box > Input:focus {
        border: none; height: 1; padding: 0 1; background: $surface;
    }
    BoxDialog > #box.-narrow > Input, BoxDialog > #box.-narrow > Input:focus {
        margin: 1 0; background: $panel;
    }
    """

    def action_leave(self) -> None:
        self.dismiss(None)


def box(title: Pieces, *inside: Widget, foot: Pieces = (), classes: str = "") -> Vertical:
    """Return the box of a dialog: title, content, keys."""
    return Vertical(
        Bar(title, id="title"), *inside, Bar(foot, id="foot"), id="box", classes=classes
    )


def line_input(text: str = "", *, kind: type[Input] = Input, **options: Any) -> Input:
    """Return a one-line input without a border or a blinking cursor."""
    line = kind(text, compact=True, **options)
    line.cursor_blink = False
    return line


def keys_line(*keys: tuple[str, str], lead: str = " ") -> Pieces:
    pieces: list[Piece] = []
    for number, (key, does) in enumerate(keys, 1):
        gap = "   " if number < len(keys) else ""
        pieces += [(f"{lead}{key}", "key"), (f" {does}{gap}", "muted")]
        lead = ""
    return tuple(pieces)
