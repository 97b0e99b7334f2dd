"""The map at the right edge of a log, against a look at every line."""

from __future__ import annotations

from array import array
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from platui.models.values.log import ErrorMark
from platui.present.logs.lines import FoldedLines
from platui.ui.widgets.log_content import LogContent
from platui.ui.widgets.log_scrollbar import Scale, part_of, scrollbar_cells

lines = st.sets(st.integers(0, 120)).map(sorted)


@given(
    height=st.integers(1, 20),
    total=st.integers(0, 120),
    fold=st.tuples(st.integers(1, 60), st.integers(0, 60)),
    errors=lines,
    hits=lines,
)
def test_every_mark_is_on_the_map(
    height: int, total: int, fold: tuple[int, int], errors: list[int], hits: list[int]
) -> None:
    """An error before a hit; what is in a fold is marked where the fold is."""
    shown = FoldedLines(total)
    shown.hide(fold[0], fold[0] + fold[1])
    scale = Scale(height, shown.count, max(0, shown.count - height))
    content = LogContent()
    content.shown = shown
    content.errors = [ErrorMark(line, line + 1, "rule") for line in errors if line < total]
    content.hits = array("q", (line for line in hits if line < total))
    cells = scrollbar_cells(scale, 0, content)
    assert len(cells) == height
    for row, cell in enumerate(cells):
        start, end = part_of(scale, row, shown)
        here = range(start, min(end, total))
        wanted = "✖" if any(line in here for line in errors) else ""
        wanted = wanted or ("━" if any(line in here for line in hits) else "")
        assert cell.sign == wanted
    if total:
        parts = [part_of(scale, row, shown) for row in range(min(height, scale.total))]
        assert parts[0][0] == 0
        assert all(one[1] == other[0] for one, other in pairwise(parts))
