"""What is not written again must be there already: compared on a terminal, cell by cell."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pyte
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region, Size
from textual.strip import Strip

from platui.ui.terminal.cells import PLAIN, Alphabet, Pen, change_pen
from platui.ui.terminal.encoder import Encoder
from platui.ui.terminal.frame_record import FrameRecord
from platui.ui.terminal.frames import FrameOutput, pieces_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Frame = LayoutUpdate | ChopsUpdate

WIDTH, HEIGHT = 24, 8
SYSTEM = ColorSystem.EIGHT_BIT
CONSOLE = Console(force_terminal=True, color_system="256", width=WIDTH, legacy_windows=False)
STYLES = (
    Style(),
    Style(color="red"),
    Style(bgcolor="blue", bold=True),
    Style(color="#ffaa00", bgcolor="blue", dim=True, italic=True),
    Style(bgcolor="blue", underline=True),
    Style(reverse=True, strike=True),
)
TEXTS = ("a", "a", "b", " ", " ", "──", "漢", "e\u0301", "é", "🚀", "one", " " * 14, "    ")

Line = tuple[list[tuple[str, int]], list[int]]
"""Texts with their styles, and the columns at which the line is cut into pieces."""


def random_steps(chance: Random) -> list[Any]:
    """Return screens, spans of screens, and moves of what is shown by some lines."""
    return [chance.choice((random_lines, random_spans, random_move))(chance) for _ in range(6)]


def random_lines(chance: Random) -> list[Line]:
    """Return a whole screen."""
    return [
        (
            [
                (chance.choice(TEXTS), chance.randrange(len(STYLES)))
                for _ in range(chance.randrange(20))
            ],
            sorted(chance.sample(range(1, WIDTH), chance.randrange(4))),
        )
        for _ in range(HEIGHT)
    ]


def random_spans(chance: Random) -> tuple[list[Line], list[tuple[int, int, int]]]:
    """Return a screen of which only some cells are painted."""
    cells = [
        (chance.randrange(HEIGHT), chance.randrange(WIDTH), chance.randrange(1, WIDTH + 1))
        for _ in range(chance.randrange(1, 5))
    ]
    return random_lines(chance), cells


def random_move(chance: Random) -> int:
    """Return by how many lines the screen moves."""
    return chance.randrange(1 - HEIGHT, HEIGHT)


def strip_of(spans: Sequence[tuple[str, int]]) -> Strip:
    """Return a line of the screen's width."""
    strip = Strip([Segment(text, STYLES[style]) for text, style in spans])
    return strip.adjust_cell_length(WIDTH, STYLES[2])


def frames_of(drawn: Sequence[Any]) -> list[Frame]:
    """Return frames: of the whole screen, of some spans of it, or of the lines before, moved."""
    frames: list[Frame] = []
    shown = [strip_of([])] * HEIGHT
    for step in drawn:
        if isinstance(step, int):
            shown = [shown[(y + step) % HEIGHT] for y in range(HEIGHT)]
            frames.append(whole([{0: one} for one in shown]))
            continue
        content, spans = step if isinstance(step, tuple) else (step, None)
        chops = []
        for text, cut_at in content:
            strip, edges = strip_of(text), [0, *cut_at, WIDTH]
            chops.append({start: strip.crop(start, end) for start, end in pairwise(edges)})
        if spans is None:
            shown = [Strip.join(line.values()) for line in chops]
            frames.append(whole(chops))
        else:
            ends = [[*list(line)[1:], WIDTH] for line in chops]
            places = [(y, min(a, b - 1), max(a + 1, b)) for y, a, b in sorted(spans)]
            frames.append(ChopsUpdate(chops, places, ends))
    return frames


def whole(chops: Sequence[dict[int, Strip]]) -> Frame:
    """Return a frame of the whole screen."""
    pieces: list[Any] = [list(line.values()) for line in chops]
    return LayoutUpdate(pieces, Region(0, 0, WIDTH, HEIGHT))


def changes(encoder: Encoder, frame: Frame) -> str:
    """Return what an encoder writes for a frame."""
    return encoder.changes(pieces_of(frame), WIDTH, SYSTEM)


def cell(one: Any) -> tuple[Any, ...]:
    """Return what is seen of a cell: a blank shows no ink, half a wide sign nothing of its own."""
    if not one.data:
        return ()
    if one.data == " " and not (one.reverse or one.underscore or one.strikethrough):
        return (" ", one.bg)
    return tuple(one)


def shown(written: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """Return every cell of a terminal to which this was written."""
    screen = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(screen)
    for text in ("\x1b[?7l", *written):  # lines do not wrap during a program
        stream.feed(text)
    return [[cell(screen.buffer[y][x]) for x in range(WIDTH)] for y in range(HEIGHT)]


def difference(ours: Sequence[str], stock: Sequence[str]) -> str:
    """Return where two terminals differ; empty: nowhere."""
    for y, (left, right) in enumerate(zip(shown(ours), shown(stock), strict=True)):
        for x, (one, other) in enumerate(zip(left, right, strict=True)):
            if one and other and one != other:
                return f"line {y}, column {x}: {one} instead of {other}"
    return ""


@pytest.mark.parametrize("edits", [True, False])
@pytest.mark.parametrize("seed", range(0, 1000, 100))
def test_the_terminal_shows_what_it_would_show_of_everything(seed: int, *, edits: bool) -> None:
    """Whatever was painted before: pieces that move, overlap, are cut, or hold wide signs."""
    for number in range(seed, seed + 50):
        frames = frames_of(random_steps(Random(number)))
        stock = [frame.render_segments(CONSOLE).replace("\n", "") for frame in frames]
        encoder = Encoder(edits=edits)
        ours = [changes(encoder, frame) for frame in frames]
        assert difference(ours, stock) == "", number


def test_the_same_frame_is_written_once() -> None:
    """And again when the terminal was in other hands."""
    encoder = Encoder(edits=True)
    [frame] = frames_of([random_lines(Random(1))])
    first = changes(encoder, frame)
    assert first
    assert changes(encoder, frame) == ""
    encoder.forget()
    assert changes(encoder, frame) == first


def line_of(*segments: Segment) -> Frame:
    """Return a frame of one line."""
    return LayoutUpdate([[Strip(segments)]], Region(0, 0, WIDTH, 1))


def test_of_a_line_only_what_changed_is_written() -> None:
    """A number in the middle of a line: only its last digit."""
    encoder = Encoder(edits=True)

    def line(number: str) -> Frame:
        return line_of(Segment("left", STYLES[1]), Segment(number), Segment("right", STYLES[2]))

    changes(encoder, line("123"))
    assert changes(encoder, line("124")) == "\x1b[1;7H4"


def test_what_joins_the_sign_before_it_is_written_with_it() -> None:
    """A combining mark at the beginning of a segment belongs to a cell of another one."""
    encoder = Encoder(edits=True)

    def line(mark: str) -> Frame:
        return line_of(Segment("caf"), Segment("e", STYLES[1]), Segment(f"{mark} au"))

    changes(encoder, line(""))
    assert "e\u0301" in changes(encoder, line("\u0301"))


def test_private_use_characters_are_written_as_they_are() -> None:
    """Also those whose code points stand for other texts inside."""
    written = changes(Encoder(edits=True), line_of(Segment("e\u0301 \U00100000 \U0010fffd")))
    assert [written.count(one) for one in ("e\u0301", "\U00100000", "\U0010fffd")] == [1, 1, 1]


MARKS = [chr(code) for code in range(0x300, 0x370)]
MARKED = [f"{one}{first}{second}" for one in "abcdef" for first in MARKS for second in MARKS]


def test_more_combined_characters_than_there_are_code_points_for_them() -> None:
    """A hostile log has others in each frame: each one is shown."""
    encoder = Encoder(edits=True)
    for at in range(0, len(MARKED), WIDTH):
        texts = MARKED[at : at + WIDTH]
        written = changes(encoder, line_of(Segment("".join(texts))))
        assert all(one in written for one in texts)


def test_a_frame_of_more_combined_characters_than_fit_ends_nothing() -> None:
    """The next frame is right again."""
    encoder = Encoder(edits=True)
    assert changes(encoder, whole([{0: Strip([Segment("".join(MARKED))])}]))
    assert MARKED[-1] in changes(encoder, line_of(Segment(MARKED[-1])))


def test_lines_that_moved_are_scrolled() -> None:
    """A list that moved by one line costs the new line, in both directions."""
    encoder = Encoder(edits=True)

    def rows(first: int) -> Frame:
        texts = [f"row {number:,} of many in this list" for number in range(first, first + HEIGHT)]
        return whole([{0: strip_of([(text[:WIDTH], 1)])} for text in texts])

    changes(encoder, rows(100))
    down = changes(encoder, rows(101))
    assert "row 108" in down
    assert "row 107" not in down
    up = changes(encoder, rows(100))
    assert "row 100" in up
    assert "row 101" not in up


@pytest.mark.parametrize("edits", [True, False])
def test_no_blank_behind_italics_is_italic(*, edits: bool) -> None:
    """GNU screen shows italics as reversed, also on blanks."""
    encoder = Encoder(edits=edits)
    background = Style(bgcolor="blue")
    changes(encoder, line_of(Segment("x" * WIDTH, background)))
    comment = Segment("note", background + Style(italic=True))
    frame = line_of(comment, Segment(" " * (WIDTH - 4), background))
    screen = pyte.Screen(WIDTH, 1)
    pyte.Stream(screen).feed(changes(encoder, frame))
    assert [screen.buffer[0][x].italics for x in range(WIDTH)] == [x < 4 for x in range(WIDTH)]


def test_the_rest_of_a_line_is_erased() -> None:
    """Blanks at the end cost three bytes, but only where erased cells have a background."""
    blue = line_of(Segment("one"), Segment(" " * (WIDTH - 3), Style(bgcolor="blue")))
    assert "\x1b[K" in changes(Encoder(edits=True), blue)
    assert "\x1b[K" not in changes(Encoder(edits=False), blue)


def test_cells_of_a_pen_are_written_together() -> None:
    """A table whose columns have a colour each: each colour is set once, not once a line."""
    colours = [Style(color=colour, bgcolor="#101010") for colour in ("#112233", "#445566")]
    lines = [[Segment("left"), *(Segment(f"{y} one", one) for one in colours)] for y in range(8)]
    frame = whole([{0: Strip(line)} for line in lines])
    encoder = Encoder(edits=True)
    written = encoder.changes(pieces_of(frame), WIDTH, ColorSystem.TRUECOLOR)
    assert [written.count(f"\x1b[38;2;{rgb}") for rgb in ("17;34;51", "68;85;102")] == [1, 1]


@pytest.mark.parametrize(
    ("before", "after", "written"),
    [
        (PLAIN, PLAIN, ""),
        (Pen("31"), PLAIN, "\x1b[m"),
        (Pen("31", "44"), Pen("32", "44"), "\x1b[32m"),
        (Pen("31", "44"), Pen("", "44"), "\x1b[39m"),
        (
            Pen("31", "", frozenset({"bold", "dim"})),
            Pen("31", "", frozenset({"dim"})),
            "\x1b[22;2m",
        ),
        (Pen("31", "44", frozenset({"bold"})), Pen("31"), "\x1b[;31m"),
    ],
)
def test_the_shortest_change_of_a_pen(before: Pen, after: Pen, written: str) -> None:
    """Only what differs, or all anew if that is shorter."""
    assert change_pen(before, after) == written


@pytest.mark.parametrize("seed", range(200))
def test_another_program_goes_on_from_a_stored_frame(seed: int) -> None:
    """The last frame of a run is written at the next start, whose frames are differences to it."""
    chance = Random(seed)
    before = frames_of([random_lines(chance) for _ in range(2)])
    after = frames_of(random_steps(chance))
    first = Encoder(edits=True)
    for frame in before[:1]:
        changes(first, frame)
    last = first.blank()
    stored = changes(last, before[1])
    second = Encoder(edits=True)
    second.take(json.loads(json.dumps(last.shown())), (WIDTH, HEIGHT))
    ours = [stored, *(changes(second, frame) for frame in after)]
    stock = [frame.render_segments(CONSOLE) for frame in (before[1], *after)]
    assert difference(ours, stock) == ""


@pytest.mark.parametrize(
    "change",
    [
        lambda cells: cells.pop("rows"),
        lambda cells: cells.pop("alphabet"),
        lambda cells: cells["rows"].pop(0),
        lambda cells: cells["rows"][0][1].pop(),
        lambda cells: cells["rows"].append([9, ["short", "short"]]),
        lambda cells: cells["rows"].append([9, ["x" * WIDTH, "\uffff" * WIDTH]]),
        lambda cells: cells["rows"].append([9, 5]),
        lambda cells: cells["alphabet"]["pens"].append(["1"]),
    ],
)
def test_cells_of_a_wrong_shape_are_refused(change: Callable[[Any], object]) -> None:
    """They would be wrong differences, or a crash at a later frame."""
    encoder = Encoder(edits=True)
    changes(encoder, frames_of([random_lines(Random(1))])[0])
    cells = json.loads(json.dumps(encoder.shown()))
    change(cells)
    other = Encoder(edits=True)
    with pytest.raises((AttributeError, LookupError, TypeError, ValueError)):
        other.take(cells, (WIDTH, HEIGHT))
    assert changes(other, frames_of([random_lines(Random(2))])[0])


@pytest.mark.parametrize("size", [(WIDTH, HEIGHT - 1), (WIDTH, HEIGHT + 1), (WIDTH + 1, HEIGHT)])
def test_cells_of_another_size_are_refused(size: tuple[int, int]) -> None:
    """The terminal was resized while the program loaded, which may have moved its lines."""
    encoder = Encoder(edits=True)
    frame = frames_of([random_lines(Random(1))])[0]
    changes(encoder, frame)
    other = Encoder(edits=True)
    with pytest.raises(ValueError, match=r"\d"):
        other.take(encoder.shown(), size)
    assert changes(other, frame) == changes(Encoder(edits=True), frame)


def test_of_a_stored_frame_changes_are_appended_while_they_are_few() -> None:
    """Exit encodes a line, not the screen; a start does not write two screens."""
    app: Any = SimpleNamespace(size=Size(WIDTH, HEIGHT), console=CONSOLE)

    def rows(*last: str) -> Any:
        texts = ("ever", "the", "same", "words", "in", "these", "lines", *last)[-HEIGHT:]
        return whole([{0: strip_of([(text, 1)])} for text in texts])

    size = Size(WIDTH, HEIGHT)
    record = FrameRecord(FrameOutput(app, edits=True))
    first, _ = record.take(rows("1"), size)
    second, cells = record.take(rows("2"), size)
    assert second.startswith(first)
    assert len(second) < len(first) * 1.2
    again, whole_cells = FrameRecord(FrameOutput(app, edits=True)).take(rows("2"), size)
    assert cells == whole_cells
    assert record.has(rows("2"), size)
    assert not record.has(rows("3"), size)
    later = rows("2")
    later.strips[0] = [strip_of([("later", 1)])]
    assert record.has(later, size)
    assert difference([second], [again]) == ""
    other = rows("all", "others", *"abcdef")
    assert record.take(other, size) == FrameRecord(FrameOutput(app, edits=True)).take(other, size)


def test_lines_below_the_screen_are_not_written() -> None:
    """A frame of a larger size is painted right after a resize, and line feeds would scroll."""
    app: Any = SimpleNamespace(console=CONSOLE, size=Size(WIDTH, 2))
    larger = LayoutUpdate(
        [[Strip([Segment(f"line {y}")])] for y in range(HEIGHT)], Region(0, 0, WIDTH, HEIGHT)
    )
    written = FrameOutput(app, edits=True).changes(larger)
    assert "line 1" in written
    assert "line 2" not in written


@pytest.mark.parametrize("text", ["e", "漢", "", "ab "])
@pytest.mark.parametrize("end", ["", " x", "\u0323y", "漢"])
def test_a_row_has_a_pen_for_each_cell(text: str, end: str) -> None:
    """Also where a cursor, a search or a log gives each mark of a letter its own style."""
    texts = (text, "\u0301", "\u0302", end)
    strip = Strip([Segment(one, style) for one, style in zip(texts, STYLES, strict=False)])
    row = Alphabet().row(strip, ColorSystem.TRUECOLOR)
    assert len(row.texts) == len(row.pens) == strip.cell_length
