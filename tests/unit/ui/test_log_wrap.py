"""Long lines broken to rows."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.unit.ui.test_log_text import OneLine

from platui.ui.widgets.log_text import LineText, TimeBudget
from platui.ui.widgets.log_wrap import LEAST_ROOM, Wrapped


def wrap(text: str, room: int, piece: int = 10**6) -> Wrapped:
    """Return a text broken to rows."""
    budget = TimeBudget(60.0)  # a busy machine is no reason to stop
    return Wrapped(LineText(OneLine(text, piece), 0, budget), room, budget)


texts = st.text(alphabet="ab c日本é\u0301👩\u200d💻", max_size=120)


@given(text=texts | st.text(alphabet=" xy", max_size=200), room=st.integers(0, 40))
def test_rows_hold_the_whole_text_and_fit(text: str, room: int) -> None:
    """Nothing is lost or said twice, and no row is wider than there is room."""
    wrapped = wrap(text, room)
    parts = [wrapped.part(number) for number in range(wrapped.count)]
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert parts[0].lead == 0
    for part in parts:
        assert part.lead + cell_len(text[part.start : part.end]) <= max(room, LEAST_ROOM)
    for number, part in enumerate(parts):
        assert all(wrapped.part_of(at) == number for at in range(part.start, part.end))


@given(text=texts, room=st.integers(8, 30), piece=st.integers(1, 50))
@example(text="  aaa日日日a", room=8, piece=1)  # an indent of two pieces
@example(text=" " * 12 + "a" * 20, room=30, piece=5)
def test_pieces_of_a_long_line_leave_no_trace_in_its_rows(text: str, room: int, piece: int) -> None:
    """Rows go on from one piece to the next."""
    wrapped, expected = wrap(text, room, piece), wrap(text, room)
    assert wrapped.is_whole
    parts = [wrapped.part(number) for number in range(wrapped.count)]
    assert [part.end for part in parts] == [
        expected.part(number).end for number in range(expected.count)
    ]


def test_rows_of_a_line_of_megabytes_come_turn_by_turn() -> None:
    """Those that are there stay as they are."""
    budget = TimeBudget()
    line = LineText(OneLine("x" * 4_000_000, 16_384), 0, budget)
    budget.spent += 1.0
    wrapped = Wrapped(line, 100, budget)
    assert budget.was_exhausted
    assert (wrapped.count, wrapped.is_whole) == (168, False)
    assert not wrapped.holds(2_000_000)
    first = wrapped.part(100)
    while not wrapped.is_whole:
        budget.reset()
        wrapped.go_on()
    assert wrapped.part(100) == first
    assert wrapped.count == 1 + -(-(4_000_000 - 100) // 98)
    assert wrapped.part_of(2_000_000) == 1 + (2_000_000 - 100) // 98


def test_what_goes_on_stands_further_in_than_its_line() -> None:
    """So that one sees where lines begin."""
    wrapped = wrap("    " + "x" * 40, 20)
    assert wrapped.part(0) == (0, 20, 0)
    assert wrapped.part(1) == (20, 34, 6)
    assert wrapped.part(2) == (34, 44, 6)


def test_a_letter_keeps_its_accents() -> None:
    """Also at the end of a row; a wide one goes to the next row whole."""
    assert wrap("e\u0301" * 10, 8).part(0).end == 16
    assert wrap("x" + "日" * 10, 10).part(0).end == 5
