"""The window over a log: rows, moves and what stays where it is, against all rows laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.present.test_log_sections import log_of

from platui.logs import Log
from platui.ui.widgets.log_content import FilterResult, LogContent
from platui.ui.widgets.log_window import LogWindow, Row, Top

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument


def window_on(document: LogDocument, height: int, room: int, *, wraps: bool) -> LogWindow:
    """Return a window of that size on a document."""
    window = LogWindow(LogContent())
    window.show(document)
    window.fit(height, room, wraps=wraps)
    return window


def all_rows(window: LogWindow) -> list[Row]:
    """Return every row of a log, laid out as no window does."""
    height, top = window.height, window.top
    window.height, window.top = 1_000_000, Top(0)
    rows = [*window.rows()]
    window.height, window.top = height, top
    return rows


def break_rows(window: LogWindow) -> list[Row]:
    """Return the rows that stand for lines left out."""
    return [row for row in all_rows(window) if window.is_break(row)]


lengths = st.lists(st.integers(0, 60), max_size=20)


@given(
    lengths=lengths,
    height=st.integers(1, 12),
    wraps=st.booleans(),
    found=st.sets(st.integers(0, 19)),
    context=st.integers(0, 3),
    moves=st.lists(st.integers(-30, 30), max_size=6),
)
def test_moves_go_by_rows(
    lengths: list[int], height: int, *, wraps: bool, found: set[int], context: int, moves: list[int]
) -> None:
    """As in a list of all rows: not beyond the first, nor beyond the last; filtered or not."""
    document = Log("".join("x" * length + "\n" for length in lengths).encode())
    window = window_on(document, height, 10, wraps=wraps)
    if found:
        lines = sorted(line for line in found if line < len(lengths))
        window.content.apply_filter(FilterResult(lines, context, inverse=False, until=None))
    rows = all_rows(window)
    last = max(0, len(rows) - height)
    at = 0
    for move in moves:
        window.top = window.step(window.top, move)
        at = min(max(0, at + move), last)
        assert window.rows() == rows[at : at + height]
    window.top = window.last_top
    assert window.rows() == rows[last:]


@given(
    lengths=lengths,
    rooms=st.lists(st.integers(8, 40), min_size=2, max_size=4),
    down=st.integers(0, 40),
)
def test_another_width_keeps_the_text_on_top(
    lengths: list[int], rooms: list[int], down: int
) -> None:
    """The row on top holds the character that began the one before."""
    document = Log("".join("x" * length + "\n" for length in lengths).encode())
    window = window_on(document, 3, rooms[0], wraps=True)
    window.top = window.step(window.top, down)
    for room in rooms[1:]:
        rows = window.rows()
        if not rows:
            return
        part = window.part(rows[0])
        assert part is not None
        window.fit(3, room, wraps=True)
        now = window.rows()[0]
        after = window.part(now)
        assert after is not None
        assert now.line == rows[0].line
        assert after.start <= part.start < max(after.end, 1)


@given(
    steps=st.text(alphabet="....aAbB", min_size=1, max_size=60),
    folds=st.sets(st.integers(0, 12)),
    line=st.integers(0, 60),
    wraps=st.booleans(),
)
def test_what_is_in_a_fold_can_be_unfolded(
    steps: str, folds: set[int], line: int, *, wraps: bool
) -> None:
    """And nothing else is."""
    document = log_of(steps + ".")
    line = min(line, document.line_count - 1)
    window = window_on(document, 5, 20, wraps=wraps)
    window.content.fold(folds)
    before = set(window.content.folded)
    hidden = not window.content.shown.shows(line)
    assert window.content.unfold(line) is hidden
    assert window.content.shown.shows(line)
    assert all(
        window.content.sections[at].start
        < line
        < window.content.sections.end(at, window.content.lines)
        for at in before - window.content.folded
    )
    window.put(line, 2)
    assert line in {row.line for row in window.rows()}


def test_the_header_of_a_section_stays_in_sight() -> None:
    """The innermost, where its own line is not; never in place of the first line of the log."""
    window = window_on(log_of("..a...b....B...A..."), 5, 20, wraps=False)
    headers = {}
    for place in range(window.content.lines):
        window.top = Top(place)
        at = window.sticky(window.rows())
        headers[place] = None if at is None else window.content.sections[at].name
    inner, outer = (window.content.sections[at].start for at in (1, 0))
    assert headers[0] is headers[1] is headers[outer] is headers[inner] is None
    assert headers[outer + 1] == "a"
    assert headers[inner + 1] == "b"
    assert headers[window.content.sections.end(1, 0)] == "a"
    assert headers[window.content.sections.end(0, 0)] is None


@pytest.mark.parametrize("context", [0, 1])
def test_under_a_filter_the_header_is_that_of_the_first_line_below_it(context: int) -> None:
    """Not that of the line it covers, which may be of the section before, or of none."""
    window = window_on(log_of("a.....A" * 4), 4, 20, wraps=False)
    headers = {section.start for section in window.content.document.sections}
    found = [line for line in range(1, window.content.lines, 2) if line not in headers]
    window.content.apply_filter(FilterResult(found, context, inverse=False, until=None))
    seen = set()
    for row in range(len(all_rows(window))):
        window.top = window.step(Top(0), row)
        rows = window.rows()
        if (at := window.sticky(rows)) is None:
            continue
        first = next(row.line for row in rows[1:] if not window.is_break(row))
        here = window.content.sections.at(first)
        assert here is not None or window.content.sections.header_at(first) is not None
        if window.content.sections.header_at(first) is None:
            assert at == here
        seen.add(at)
    assert len(seen) > 1


@pytest.mark.parametrize("line", range(20))
def test_a_line_at_the_top_is_not_below_a_header(line: int) -> None:
    """It is the first one in sight, or the header of its section is right above it."""
    window = window_on(log_of("..a...b....B...A" + "." * 20), 5, 20, wraps=False)
    window.show_at_top(line)
    first, second, *_ = (row.line for row in window.in_sight)
    assert line == (
        second
        if window.content.sections.header_at(first) is not None and first == line - 1
        else first
    )


@pytest.mark.parametrize("wraps", [False, True])
def test_between_groups_a_row_stands_for_the_lines_left_out(*, wraps: bool) -> None:
    """Between groups alone, and only where lines are shown around those found."""
    window = window_on(log_of("." * 50), 30, 20, wraps=wraps)
    window.content.apply_filter(FilterResult([3, 5, 9, 40], 1, inverse=False, until=None))
    rows = all_rows(window)
    assert [row.line for row in rows] == [2, 3, 4, 5, 6, 6, 8, 9, 10, 10, 39, 40, 41]
    assert break_rows(window) == [Row(6, 1), Row(10, 1)]
    assert [window.content.omitted_below(line) for line in (4, 6, 10, 41)] == [0, 1, 28, 0]
    asides = [
        row.line for row in rows if not window.is_break(row) and window.content.is_context(row.line)
    ]
    assert asides == [2, 4, 6, 8, 10, 39, 41]
    for filter_result in (
        FilterResult([3, 40], 0, inverse=False, until=None),
        FilterResult([3, 40], 1, inverse=True, until=None),
        None,
    ):
        window.content.apply_filter(filter_result)
        assert not break_rows(window)
        assert not any(window.content.is_context(row.line) for row in window.rows())


def test_a_break_goes_when_the_lines_between_come() -> None:
    """Groups that touch are one; below the last there is none, until another one comes."""
    window = window_on(log_of("." * 50), 30, 20, wraps=False)
    found = [3]
    window.content.apply_filter(FilterResult(found, 2, inverse=False, until=None))
    assert not break_rows(window)
    found.append(30)
    window.grow()
    assert break_rows(window) == [Row(5, 1)]
    window.content.apply_filter(FilterResult([3, 8], 2, inverse=False, until=None))
    assert not break_rows(window)


def test_what_a_line_goes_to_is_not_the_break_below_it() -> None:
    """A line put on a row has its own first row there."""
    window = window_on(log_of("." * 50), 4, 20, wraps=False)
    window.content.apply_filter(FilterResult([3, 20, 40], 1, inverse=False, until=None))
    window.put(20, 1)
    assert window.row_of(20) == 1
    window.fit(4, 20, wraps=True)
    assert window.row_of(20) == 1


def test_a_filter_that_goes_on_keeps_its_place() -> None:
    """The same sequence, grown: what was shown is not laid out anew."""
    window = window_on(log_of("." * 50), 5, 20, wraps=False)
    found = [3, 5]
    window.content.apply_filter(FilterResult(found, 0, inverse=False, until=None))
    shown = window.content.shown
    found.append(40)
    window.content.apply_filter(FilterResult(found, 0, inverse=False, until=None))
    window.grow()
    assert window.content.shown is shown
    assert [row.line for row in window.rows()] == [3, 5, 40]
    window.content.apply_filter(None)
    assert window.content.shown.count == window.content.lines
