"""Long lines broken to rows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from platui.ui.widgets.log_wrap import LEAST_ROOM, wrap

texts = st.text(alphabet="ab c日本é\u0301👩\u200d💻", max_size=120)


@given(text=texts | st.text(alphabet=" xy", max_size=200), room=st.integers(0, 40))
def test_rows_hold_the_whole_text_and_fit(text: str, room: int) -> None:
    """Nothing is lost or said twice, and no row is wider than there is room."""
    wrapped = wrap(text, room)
    parts = [wrapped.part(number) for number in range(len(wrapped.ends))]
    assert "".join(text[part.start : part.end] for part in parts) == text
    assert parts[0].lead == 0
    for part in parts:
        assert part.lead + cell_len(text[part.start : part.end]) <= max(room, LEAST_ROOM)
    for number, part in enumerate(parts):
        assert all(wrapped.part_of(at) == number for at in range(part.start, part.end))


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
