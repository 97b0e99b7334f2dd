"""A comparison in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from platui.analysis.log_comparison import compare
from platui.logs import Log
from platui.models.values.comparison import (
    BlockKind,
    CompareStep,
    CompareUpdate,
    Comparison,
    DiffBlock,
    Extent,
    JobRun,
    LastSuccessSearch,
)
from platui.present.logs.compared_rows import ComparedRows
from platui.present.logs.comparison import (
    compare_status,
    difference_status,
    difference_text,
    no_difference_page,
    waiting_page,
)

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
THIS = JobRun(4711, 9, "dbt_run", "main", "failed", finished_at=NOW - timedelta(minutes=3))
GREEN = JobRun(4705, 7, "dbt_run", "main", "success", finished_at=NOW - timedelta(hours=2))
SEARCH = LastSuccessSearch("main")
LEFT, RIGHT = Log(b"a\nb 1\nc\n"), Log(b"a\nb 2\nx\n")
BLOCKS = [
    DiffBlock(BlockKind.EQUAL, 0, 1, 0, 1), DiffBlock(BlockKind.CHANGED, 1, 2, 1, 2),
    DiffBlock(BlockKind.LEFT, 2, 3, 2, 2), DiffBlock(BlockKind.RIGHT, 3, 3, 2, 3),
]  # fmt: skip
FOUND = Comparison(BLOCKS, Extent(0, 3, 3), Extent(0, 3, 3))
DONE = CompareUpdate(
    CompareStep.DONE, THIS, replace(SEARCH, run=GREEN), LEFT, RIGHT, FOUND, progress=1.0
)


def said(pieces: object) -> str:
    """Return the text of pieces."""
    return "".join(text for text, _ in pieces)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("update", "words"),
    [
        (CompareUpdate(), "Loading the job"),
        (CompareUpdate(CompareStep.LOOKING, THIS, SEARCH), "last successful run of main …"),
        (
            CompareUpdate(CompareStep.LOOKING, THIS, replace(SEARCH, checking=4705)),
            "main … #4705",
        ),
        (
            CompareUpdate(CompareStep.LOOKING, THIS, replace(SEARCH, has_no_success=True)),
            "main had no success before this run.",
        ),
        (CompareUpdate(CompareStep.READING, THIS, replace(SEARCH, run=GREEN)), "#4705"),
        (CompareUpdate(CompareStep.COMPARING, THIS, SEARCH, progress=0.42), "Comparing … 42%"),
        (
            CompareUpdate(
                CompareStep.NOTHING, THIS, replace(SEARCH, without=(5, 4), is_whole=False)
            ),
            "The last 2 successful pipelines of main had no successful dbt_run.",
        ),
        (
            CompareUpdate(CompareStep.NOTHING, THIS, replace(SEARCH, has_no_success=True)),
            "before this one to compare dbt_run with.",
        ),
        (
            CompareUpdate(
                CompareStep.LOOKING, THIS, replace(SEARCH, has_no_success=True, is_whole=False)
            ),
            "main had no success among the newest pipelines.",
        ),
        (
            CompareUpdate(
                CompareStep.NOTHING, THIS, replace(SEARCH, has_no_success=True, without=(5,))
            ),
            "no other successful run of dbt_run is in #5.",
        ),
        (
            CompareUpdate(CompareStep.NOTHING, THIS, replace(SEARCH, is_whole=False)),
            "Older pipelines were not searched.",
        ),
    ],
)
def test_while_there_is_no_comparison_it_is_said_why(update: CompareUpdate, words: str) -> None:
    """The step, its progress, or that no successful run was found."""
    assert words in waiting_page(update)


def test_the_line_above_names_both_runs() -> None:
    """Another ref, or newer pipelines without a successful job, are noted."""
    words = [text for text, _ in compare_status(DONE, NOW)]
    assert words == ["✖ failed", "#4711 3m ago", "vs #4705 success 2h ago", "success │ this"]
    assert [text for text, _ in compare_status(DONE, NOW, 60)] == words[:3]
    other = replace(DONE, search=replace(SEARCH, run=GREEN, has_no_success=True))
    assert ("main had no success before this run", "warning") in compare_status(other, NOW)
    older = replace(DONE, search=replace(SEARCH, run=GREEN, without=(4, 3, 2, 1)))
    assert ("not successful in #4, #3, #2 and 1 more", "muted") in compare_status(older, NOW)
    assert compare_status(CompareUpdate(), NOW) == []


def test_the_line_below_counts() -> None:
    """Where one is, and what each log has alone."""
    rows = ComparedRows(FOUND)
    assert said(difference_status(DONE, rows, 0)) == (
        " difference 1 of 1 · +1 only in the failed run · -1 in the successful one · 1 changed"
    )
    assert said(difference_status(DONE, rows, rows.count)).startswith(" after difference 1 of 1 ·")
    # With less room a word for each sign, rather than many words for one.
    short = " difference 1 of 1 · +1 new · -1 gone · 1 changed"
    assert said(difference_status(DONE, rows, 0, 60)) == short
    assert said(difference_status(DONE, rows, 0, 40)) == " difference 1 of 1 · +1 new · -1 gone"
    same = replace(FOUND, blocks=[DiffBlock(BlockKind.EQUAL, 0, 3, 0, 3)])
    update = replace(DONE, comparison=same)
    assert said(difference_status(update, ComparedRows(same), 0)) == " no differences"
    exact = said(difference_status(replace(update, masks=False), ComparedRows(same), 0))
    assert exact == " no differences · exact comparison"
    assert difference_status(CompareUpdate(), None, 0) == ()
    growing = replace(DONE, is_growing=True)
    assert "f5 compare again" in said(difference_status(growing, rows, 0, again="f5"))


def test_a_page_without_differences_says_only_what_is_so() -> None:
    """Two empty logs, an exact comparison, and one with masks are not the same; keys are given."""
    same = replace(FOUND, blocks=[DiffBlock(BlockKind.EQUAL, 0, 3, 0, 3)])
    update = replace(DONE, comparison=same)
    masked = no_difference_page(update, "f5", "f6")
    assert "values that differ in every run" in masked
    assert masked.endswith("f5  compare exactly     f6  back")
    exact = no_difference_page(replace(update, masks=False))
    assert exact.startswith("No differences from #4705.")
    nothing = compare(Log(), Log())
    empty = no_difference_page(replace(DONE, comparison=nothing))
    assert empty.startswith("This log and that of #4705 are empty.")


def test_the_line_below_says_what_is_to_be_known() -> None:
    """Missing sections, what was not compared, a log that goes on."""
    partly = replace(
        FOUND,
        left=Extent(7, 10, 10),
        left_sections=("restore_cache", "restore_cache"),
        right_sections=("retry",),
        is_coarse=True,
    )
    update = replace(DONE, comparison=partly, masks=False)
    line = said(difference_status(update, ComparedRows(partly), 0))
    for words in (
        "exact comparison", "without section restore_cache ·", "with section retry",
        "the last 3 of 10 and 3 of 3 lines", "too different",
    ):  # fmt: skip
        assert words in line


def test_of_a_running_job_nothing_is_missing_yet() -> None:
    """The key to compare again is shown."""
    partly = replace(FOUND, left_sections=("after_script",))
    update = replace(DONE, comparison=partly, is_growing=True)
    line = said(difference_status(update, ComparedRows(partly), 0))
    assert line.startswith(" difference 1 of 1 · still running r compare again")
    assert "after_script" not in line


def test_a_difference_is_copied_as_plain_lines() -> None:
    """With the signs of a diff."""
    text = difference_text(ComparedRows(FOUND), 0, LEFT, RIGHT)
    assert text == "- b 1\n+ b 2\n- c\n+ x"


def test_of_a_large_difference_only_what_is_copied_is_read() -> None:
    """A log may have a million lines that the other one lacks."""
    read: list[int] = []

    class Counted(Log):
        """A log that knows which lines were read."""

        def text(self, y: int) -> str:
            """Return a line."""
            read.append(y)
            return super().text(y)

    right = Counted(b"again\n" * 5_000)
    blocks = [DiffBlock(BlockKind.RIGHT, 0, 0, 0, 5_000)]
    many = Comparison(blocks, Extent(0, 0, 0), Extent(0, 5_000, 5_000))
    text = difference_text(ComparedRows(many), 0, Log(), right)
    assert text == "+ again\n" * 1_000 + "…"
    assert len(read) < 1_100
