"""What is not written again must be there already: compared on a terminal, cell by cell."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from platui.ui.terminal.frames import TerminalContent

if TYPE_CHECKING:
    from textual._compositor import CompositorUpdate

WIDTH, HEIGHT = 12, 3
CONSOLE = Console(force_terminal=True, color_system="256", width=WIDTH, legacy_windows=False)
STYLES = (Style(), Style(color="red"), Style(bgcolor="blue", bold=True))

cells = st.lists(
    st.tuples(st.sampled_from("aaab .漢"), st.integers(0, 2)), min_size=WIDTH, max_size=WIDTH
)
cuts = st.lists(st.integers(1, WIDTH - 1), max_size=3, unique=True).map(sorted)
lines = st.lists(st.tuples(cells, cuts), min_size=HEIGHT, max_size=HEIGHT)
spans = st.lists(
    st.tuples(st.integers(0, HEIGHT - 1), st.integers(0, WIDTH - 1), st.integers(1, WIDTH)),
    min_size=1,
)
steps = st.lists(st.one_of(lines, st.tuples(lines, spans)), min_size=1, max_size=8)


def pieces_of(line: tuple[list[tuple[str, int]], list[int]]) -> dict[int, Strip | None]:
    """Return a line's pieces by their column, as the compositor cuts them."""
    letters, cut_at = line
    whole = Strip([Segment(letter, STYLES[style]) for letter, style in letters]).crop(0, WIDTH)
    edges = [0, *cut_at, WIDTH]
    return {start: whole.crop(start, end) for start, end in pairwise(edges)}


def frame_of(step: Any) -> CompositorUpdate:
    """Return a frame: of the whole screen, or of some spans of it."""
    drawn, wanted = step if isinstance(step, tuple) else (step, None)
    chops = [pieces_of(line) for line in drawn]
    if wanted is None:
        whole: list[Any] = [list(line.values()) for line in chops]
        return LayoutUpdate(whole, Region(0, 0, WIDTH, HEIGHT))
    ends = [[*list(line)[1:], WIDTH] for line in chops]
    asked = [(y, min(a, b - 1), max(a + 1, b)) for y, a, b in sorted(wanted)]
    return ChopsUpdate(chops, asked, ends)


def shown(written: list[str]) -> list[list[tuple[Any, ...]]]:
    """Return every cell of a terminal to which this was written."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    for text in written:
        stream.feed(text.replace("\n", ""))
    return [[tuple(screen.buffer[y][x]) for x in range(WIDTH)] for y in range(HEIGHT)]


@given(steps)
@settings(max_examples=100)
def test_the_terminal_shows_what_it_would_show_of_everything(drawn: list[Any]) -> None:
    """Whatever was painted before: pieces that move, overlap, are cut, or hold wide signs."""
    painted = TerminalContent()
    frames = [frame_of(step) for step in drawn]
    all_of_it = [frame.render_segments(CONSOLE) for frame in frames]
    changes = [painted.update(frame).render_segments(CONSOLE) for frame in frames]
    assert shown(changes) == shown(all_of_it)


@given(lines)
def test_the_same_frame_is_written_once(drawn: Any) -> None:
    """And again when the terminal was in other hands."""
    painted = TerminalContent()
    first = painted.update(frame_of(drawn)).render_segments(CONSOLE)
    assert first
    assert painted.update(frame_of(drawn)).render_segments(CONSOLE) == ""
    painted.forget()
    assert painted.update(frame_of(drawn)).render_segments(CONSOLE) == first


def test_of_a_line_only_what_changed_is_written() -> None:
    """A number in the middle of a line, at its own place; nothing of what stands around it."""
    painted = TerminalContent()

    def line(number: str) -> CompositorUpdate:
        segments = [Segment("left", STYLES[1]), Segment(number), Segment("right", STYLES[2])]
        return LayoutUpdate([[Strip(segments)]], Region(0, 0, WIDTH, 1))

    painted.update(line("123")).render_segments(CONSOLE)
    changed = painted.update(line("124")).render_segments(CONSOLE)
    assert changed == "\x1b[1;5H124"


def test_what_joins_the_sign_before_it_is_written_with_it() -> None:
    """A combining mark at the beginning of a segment belongs to a cell of another one."""
    painted = TerminalContent()

    def line(mark: str) -> CompositorUpdate:
        segments = [Segment("caf"), Segment("e", STYLES[1]), Segment(f"{mark} au")]
        return LayoutUpdate([[Strip(segments)]], Region(0, 0, WIDTH, 1))

    painted.update(line("")).render_segments(CONSOLE)
    changed = painted.update(line("\u0301")).render_segments(CONSOLE)
    assert "caf" in changed
