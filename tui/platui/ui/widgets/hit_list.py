"""The list above a prompt: what the typed text opens, and the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size
from textual.strip import Strip
from textual.widget import Widget

from platui.present.status import role_of
from platui.ui.messages import HitClicked
from platui.ui.themes import palette_of
from platui.ui.widgets.bar import beside
from platui.ui.widgets.detail_lines import wrapped

if TYPE_CHECKING:
    from textual.events import Click

    from platui.present.chrome import Pieces
    from platui.ui.jump import Hit
    from platui.ui.widgets.prompt import Prompt

_KIND: Final = 10  # Cells of the kind
_NAME: Final = 22  # Least cells of the name
_OTHER_ROWS: Final = 3  # Header, prompt and footer
_LONGEST: Final = 500  # Characters of a text that are drawn: measuring 10,000 takes milliseconds


class HitList(Widget):
    """Hits over the lines above the prompt, which are not laid out again."""

    DEFAULT_CSS = """
    HitList { layer: above; dock: bottom; margin-bottom: 2; height: 1; display: none; }
    HitList.-open { display: block; }
    """

    def __init__(self, prompt: Prompt) -> None:
        super().__init__()
        self._prompt = prompt
        self.hits: Sequence[Hit] = ()
        self._drawn: Sequence[Hit] = ()  # The same, with the part of each text that may be visible
        self._names = _NAME  # Cells of the longest name with its status
        self.chosen: int | None = None
        self._note: Sequence[str] = ()  # Lines that are shown instead of hits

    def show(
        self, hits: Sequence[Hit], *, keeps_choice: bool = False, chooses: bool = True
    ) -> None:
        """Show hits, at first the best one chosen; without `chooses`, none."""
        before = self.hit
        # The first rows of a longer list would be above the screen.
        hits = hits[: max(1, self.app.size.height - _OTHER_ROWS)]
        self.hits, self._note = hits, ()
        self._drawn = [_with_short_texts(one) for one in hits]
        names = (cell_len(one.name) + cell_len(one.status) + 1 for one in self._drawn)
        self._names = max((_NAME, *names))
        self.chosen = 0 if hits and chooses else None
        if keeps_choice and before is not None:
            same = (n for n, hit in enumerate(hits) if hit.is_of(before))
            self.chosen = next(same, self.chosen)
        self._draw(len(hits))

    def show_note(self, note: str) -> None:
        self.hits, self.chosen = (), None
        self._note = wrapped(note, max(1, self.app.size.width - 2))
        self._draw(len(self._note))

    def clear(self) -> None:
        self.show(())

    def _draw(self, height: int) -> None:
        if height:
            self.styles.height = height
        self.set_class(height > 0, "-open")
        self.refresh()

    @property
    def hit(self) -> Hit | None:
        return None if self.chosen is None else self.hits[self.chosen]

    def move(self, by: int) -> bool:
        """Choose another hit; return whether there is one."""
        at = by - 1 if self.chosen is None else self.chosen + by
        if not 0 <= at < len(self.hits):
            return False
        self.chosen = at
        self.refresh()
        return True

    def on_click(self, event: Click) -> None:
        event.stop()
        if event.y < len(self.hits):
            self.chosen = event.y
            self.post_message(HitClicked(self._prompt.text))

    def render_line(self, y: int) -> Strip:
        width, palette = self.size.width, palette_of(self.app)
        if y >= len(self.hits):
            line = f" {self._note[y]}" if y < len(self._note) else ""
            return Strip(beside(((line, "warning"),), [], width, palette.surface, palette), width)
        is_chosen = y == self.chosen
        ground = palette.surface + palette.cursor if is_chosen else palette.surface
        pieces = self._pieces(self._drawn[y], width, is_chosen=is_chosen)
        return Strip(beside(pieces, [], width, ground, palette), width)

    def _pieces(self, hit: Hit, width: int, *, is_chosen: bool) -> Pieces:
        room = min(self._names, (width - _KIND) // 2)
        status = f" {hit.status}" if hit.status else ""
        free = max(1, room - cell_len(status))
        name = hit.name if cell_len(hit.name) <= free else f"{set_cell_size(hit.name, free - 1)}…"
        gap = " " * (free - cell_len(name) + 2)
        place, left = hit.place, width - _KIND - room - 5
        if cell_len(place) > left and hit.route is not None:
            # The end of a path tells projects apart.
            place = f"…{place[-max(1, left - 1) :]}"
        return (
            (" ▸ " if is_chosen else "   ", "accent"),
            (set_cell_size(hit.kind, _KIND), "muted"),
            (name, "strong" if is_chosen else "text"),
            (status, role_of(hit.status)),
            (gap, "text"),
            (place, "muted"),
        )


def _with_short_texts(hit: Hit) -> Hit:
    name, status, place = hit.name[:_LONGEST], hit.status[:_LONGEST], hit.place[-_LONGEST:]
    return hit._replace(name=name, status=status, place=place)
