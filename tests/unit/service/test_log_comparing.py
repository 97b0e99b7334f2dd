"""With which line of a compared log the reader begins."""

from __future__ import annotations

import pytest

from platui.models.values.comparison import BlockKind, DiffBlock
from platui.models.values.log import ErrorMark, Section
from platui.service.logs.comparing import opening_of

BLOCKS = [
    DiffBlock(BlockKind.EQUAL, 0, 10, 0, 10),
    DiffBlock(BlockKind.LEFT, 10, 12, 10, 10),
    DiffBlock(BlockKind.RIGHT, 12, 12, 10, 14),
    DiffBlock(BlockKind.EQUAL, 12, 20, 14, 22),
    DiffBlock(BlockKind.RIGHT, 20, 20, 22, 25, is_routine=True),
    DiffBlock(BlockKind.CHANGED, 20, 22, 25, 27),
    DiffBlock(BlockKind.EQUAL, 22, 30, 27, 35),
]


def _mark(first: int, end: int) -> ErrorMark:
    return ErrorMark(first, end, "rule")


@pytest.mark.parametrize(
    ("error", "errors", "failed", "wanted"),
    [
        (_mark(26, 27), [_mark(12, 13)], [], 26),
        (_mark(30, 31), [_mark(8, 12)], [], 10),
        (_mark(30, 31), [_mark(9, 10), _mark(14, 25)], [(20, 30)], 25),
        (None, [_mark(14, 22)], [(0, 5), (11, None)], 25),
        (None, [], [(0, 5)], 10),
    ],
    ids=["new error", "another new error", "failed section", "open section", "first difference"],
)
def test_it_begins_at_what_is_new_and_says_why(
    error: ErrorMark | None,
    errors: list[ErrorMark],
    failed: list[tuple[int, int | None]],
    wanted: int,
) -> None:
    """An error before a difference of the failed section, and that before any other."""
    sections = [Section("s", start, 0, 0, end=end) for start, end in failed]
    assert opening_of(BLOCKS, error, errors, sections) == wanted


def test_two_equal_logs_have_no_such_line() -> None:
    """There is nothing to begin with."""
    assert opening_of(BLOCKS[:1], _mark(1, 2), [_mark(1, 2)], []) is None


def test_thousands_of_errors_and_differences_are_not_held_against_each_other() -> None:
    """That would take minutes, in a thread that nobody can end."""
    blocks = [
        block
        for at in range(0, 120_000, 6)
        for block in (
            DiffBlock(BlockKind.EQUAL, at, at + 5, at, at + 5),
            DiffBlock(BlockKind.RIGHT, at + 5, at + 5, at + 5, at + 6),
        )
    ]
    old = [_mark(at, at + 1) for at in range(0, 60_000, 6)]
    assert opening_of(blocks, None, old, []) == 5
