"""Which part of a line stands on which row."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from platui.present.raw import RawDocument
from platui.ui.widgets.raw_view import RawRows

LINES = st.lists(st.text(st.sampled_from("ab  日é{"), max_size=40), max_size=6)


@given(LINES, st.integers(8, 20))
def test_rows_hold_every_character_once_and_fit(lines: list[str], room: int) -> None:
    """In their order; and each character is found on the row where it stands."""
    rows = RawRows(RawDocument(tuple(lines)), room, wraps=True)
    told = [""] * len(lines)
    for number in range(len(rows)):
        line, start, end, lead = rows.row(number)
        assert start == len(told[line])
        assert lead + cell_len(lines[line][start:end]) <= room
        assert all(rows.row_of(line, at) == number for at in range(start, end))
        told[line] += lines[line][start:end]
    assert told == lines


def test_what_goes_on_stands_further_in() -> None:
    """So that the keys are a column of their own."""
    rows = RawRows(RawDocument(('  "a": 123456789',)), 12, wraps=True)
    assert [rows.row(number) for number in range(len(rows))] == [
        (0, 0, 12, 0), (0, 12, 16, 6),
    ]  # fmt: skip


def test_without_wrapping_a_row_is_a_line() -> None:
    """However long it is."""
    rows = RawRows(RawDocument(("x" * 50, "y")), 10, wraps=False)
    assert (len(rows), rows.row(0), rows.row_of(1, 0)) == (2, (0, 0, 50, 0), 1)


def test_a_line_of_megabytes_is_laid_out_without_reading_it() -> None:
    """Where it may hold wide characters, each has room for one."""
    rows = RawRows(RawDocument(("日" * 1_000_000,)), 80, wraps=True)
    assert all(cell_len("日" * (row.end - row.start)) + row.lead <= 80
               for row in map(rows.row, (0, 1, len(rows) - 1)))  # fmt: skip
    assert rows.row(len(rows) - 1).end == 1_000_000
