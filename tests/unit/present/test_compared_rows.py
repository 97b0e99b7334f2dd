"""A comparison as rows: folds, context, headers, two layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from platui.models.values.comparison import BlockKind, Comparison, DiffBlock, Extent
from platui.models.values.log import Section
from platui.present.logs.compared_rows import ComparedRows, Fold, Row

if TYPE_CHECKING:
    from collections.abc import Sequence


def comparison(*stretches: tuple[BlockKind, int, bool]) -> Comparison:
    """Return blocks of such kinds and heights, one after the other."""
    blocks: list[DiffBlock] = []
    a = b = 0
    for kind, height, routine in stretches:
        left = 0 if kind is BlockKind.RIGHT else height
        right = 0 if kind is BlockKind.LEFT else height
        blocks.append(DiffBlock(kind, a, a + left, b, b + right, routine))
        a, b = a + left, b + right
    return Comparison(blocks, Extent(0, a, a), Extent(0, b, b))


def shown(rows: ComparedRows) -> list[Row]:
    """Return every row."""
    return [rows.row(y) for y in range(rows.count)]


def signs(rows: ComparedRows) -> str:
    """Return a sign a row: its kind, or F for a fold."""
    letters = {
        BlockKind.EQUAL: "=",
        BlockKind.CHANGED: "c",
        BlockKind.LEFT: "-",
        BlockKind.RIGHT: "+",
    }
    return "".join(
        "F" if row.fold else "~" if row.is_routine else letters[row.kind] for row in shown(rows)
    )


NEWS = comparison(
    (BlockKind.EQUAL, 20, False), (BlockKind.LEFT, 2, False), (BlockKind.RIGHT, 3, False),
    (BlockKind.EQUAL, 3, False), (BlockKind.CHANGED, 1, False), (BlockKind.EQUAL, 9, False),
    (BlockKind.RIGHT, 4, True), (BlockKind.EQUAL, 9, False),
)  # fmt: skip


def test_what_is_equal_is_folded_but_for_two_lines_around_differences() -> None:
    """A routine stretch goes into the fold, and is counted apart."""
    rows = ComparedRows(NEWS)
    assert signs(rows) == "F==--+++===cc==F"
    assert [row.fold for row in shown(rows) if row.fold] == [Fold(18, 0), Fold(16, 4)]
    first = rows.row(1)
    assert (first.left, first.right) == (18, 18)


def test_side_by_side_lines_of_either_log_share_rows() -> None:
    """And a pair is one row."""
    rows = ComparedRows(NEWS, is_wide=True)
    assert [(row.left, row.right) for row in shown(rows)[3:6]] == [(20, 20), (21, 21), (None, 22)]
    pair = next(row for row in shown(rows) if row.kind is BlockKind.CHANGED)
    assert (pair.left, pair.right) == pair.pair == (25, 26)


def test_a_pair_is_two_rows_in_one_column() -> None:
    """The left line, then the right one."""
    rows = [row for row in shown(ComparedRows(NEWS)) if row.kind is BlockKind.CHANGED]
    assert [(row.left, row.right) for row in rows] == [(25, None), (None, 26)]


def test_a_fold_opens_by_the_lines_it_begins_with() -> None:
    """Or all of them at once."""
    assert "F" not in signs(ComparedRows(NEWS, unfolds_all=True))
    opened = ComparedRows(NEWS, unfolded=frozenset({(0, 0)}))
    assert signs(opened).count("F") == 1
    assert signs(opened).startswith("=" * 20 + "--")


def test_differences_close_to_each_other_are_one() -> None:
    """With up to two equal rows between."""
    near = comparison(
        (BlockKind.LEFT, 1, False), (BlockKind.EQUAL, 2, False), (BlockKind.RIGHT, 1, False),
        (BlockKind.EQUAL, 3, False), (BlockKind.RIGHT, 1, False),
    )  # fmt: skip
    rows = ComparedRows(near)
    assert [(one.first, one.end, one.block, one.block_end) for one in rows.differences] == [
        (0, 4, 0, 3), (7, 8, 4, 5),
    ]  # fmt: skip
    assert [rows.difference_at(y) for y in (0, 3, 5, 7)] == [0, 0, 0, 1]
    assert rows.next_difference(0, 1) == 7
    assert rows.next_difference(7, 1) == 0
    assert rows.next_difference(7, -1) == 0
    assert rows.next_difference(0, -1) == 7


def test_the_header_of_a_section_with_a_difference_is_shown() -> None:
    """However far above it is; others are folded."""
    found = comparison((BlockKind.EQUAL, 40, False), (BlockKind.RIGHT, 1, False))
    sections = [Section("a", 0, 0, 1, 2, 10), Section("b", 10, 0, 3)]
    rows = ComparedRows(found, sections)
    assert signs(rows) == "F=F==+"
    assert rows.row(1).right == 10


def test_a_line_is_found_again() -> None:
    """In a fold, the fold."""
    rows = ComparedRows(NEWS)
    assert rows.row_of(0) == 0
    assert rows.row(rows.row_of(21)).right == 21
    assert rows.row(rows.row_of(26)).right == 26
    assert rows.row_of(40) == rows.count - 1
    assert ComparedRows(comparison()).row_of(3) == 0


kinds = st.tuples(st.sampled_from(BlockKind), st.integers(1, 9), st.booleans()).map(
    lambda one: (one[0], one[1], one[2] and one[0] is not BlockKind.EQUAL)
)


@given(st.lists(kinds, max_size=12), st.booleans(), st.booleans())
@settings(max_examples=120)
def test_every_line_is_in_one_row_or_in_a_fold(
    stretches: Sequence[tuple[BlockKind, int, bool]],
    wide: bool,  # noqa: FBT001
    opened: bool,  # noqa: FBT001
) -> None:
    """In order, in both layouts, folded or not."""
    found = comparison(*stretches)
    rows = ComparedRows(found, is_wide=wide, unfolds_all=opened)
    left: list[int] = []
    right: list[int] = []
    hidden = 0
    for row in shown(rows):
        if row.fold is not None:
            hidden += row.fold.height
            continue
        left += [] if row.left is None else [row.left]
        right += [] if row.right is None else [row.right]
    assert left == sorted(set(left))
    assert right == sorted(set(right))
    if not hidden:
        assert left == list(range(found.left.total))
        assert right == list(range(found.right.total))
    for one in rows.differences:
        assert rows.row(one.first).kind is not BlockKind.EQUAL
        assert not any(rows.row(y).fold for y in range(one.first, one.end))
