"""Text of a log comparison: progress, results and current position."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.comparison import BlockKind, CompareStep
from platui.present.chrome import Piece, Pieces, Sign, pieces_width
from platui.present.counts import counted, some_of
from platui.present.status import status_cell
from platui.present.times import age

if TYPE_CHECKING:
    from platui.models.values.comparison import CompareUpdate, Comparison, JobRun, LastSuccessSearch
    from platui.models.values.log import LogDocument
    from platui.present.logs.compared_rows import ComparedRows, Fold

_MAX_NAMED: Final = 3
_MAX_COPIED: Final = 1000  # Lines of one difference that are copied
_COLUMNS: Final = "success │ this"  # Titles of the two line numbers

SIGNS: Final = (
    Sign("+", "New", "A line only in this log"),
    Sign("-", "Gone", "A line only in the successful log"),
    Sign("- +", "Changed", "In both; differences are bold"),
    Sign("~", "Similar", "Moved, or different in every run"),
    Sign("⋯", "Folded", "Equal or similar lines: z shows them"),
    Sign("1 2", "Numbers", "In the successful log, in this log"),
)

_REQUIRED_PIECES: Final = 3
_UNBOUNDED: Final = 1 << 30


def compare_status(update: CompareUpdate, now: datetime, width: int = _UNBOUNDED) -> list[Piece]:
    search, this = update.search, update.this
    if this is None:
        return []
    state = status_cell(this.status)
    pieces = [(state.text, state.role), (_run(this, now), "text")]
    if search is not None and search.run is not None:
        pieces.append((f"vs {_run(search.run, now, 'success ')}", "success"))
        if search.has_no_success:
            pieces.append((_no_success(search), "warning"))
        pieces.append((_COLUMNS, "muted"))
        if search.without and not search.has_no_success:
            pieces.append((f"not successful in {_numbers(search.without)}", "muted"))
    # Which runs are compared is always shown.
    while len(pieces) > _REQUIRED_PIECES and pieces_width(pieces, len(" · ")) > width:
        pieces.pop()
    return pieces


def _run(run: JobRun, now: datetime, state: str = "") -> str:
    number = f"#{run.pipeline}" if run.pipeline is not None else f"job {run.job}"
    when = f"{age(run.finished_at, now)} ago" if run.finished_at is not None else ""
    return f"{number} {state}{when}".strip()


def waiting_page(update: CompareUpdate, again: str = "r", back: str = "esc") -> str:
    """`again` and `back` are keys."""
    search = update.search
    match update.step:
        case CompareStep.ASKING:
            return "Loading the job …"
        case CompareStep.LOOKING if search is not None:
            if search.has_no_success and search.checking is None:
                return f"{_no_success(search)}.\n\nSearching other refs …"
            where = f" … #{search.checking}" if search.checking is not None else " …"
            return f"Searching for the last successful run of {_ref(search)}{where}"
        case CompareStep.READING if search is not None and search.run is not None:
            return f"Loading both logs (last success: #{search.run.pipeline}) …"
        case CompareStep.COMPARING:
            return f"Comparing … {update.progress:.0%}\n\n{back}  back"
        case CompareStep.NOTHING if search is not None:
            return f"{_no_run_text(update, search)}.\n\n{_back(search, again, back)}"
        case _:
            return "…"


def _no_run_text(update: CompareUpdate, search: LastSuccessSearch) -> str:
    name = clean(update.this.name) if update.this is not None else "this job"
    if search.without:
        count = len(search.without)
        pipelines = counted(count, "successful pipeline")
        first = f"The last {pipelines} of {_ref(search)} had no successful {name}"
        if search.has_no_success:
            first = f"{_no_success(search)}, and no other successful run of {name}"
            first += f" is in {_numbers(search.without)}"
        return first
    scope = "before this one" if search.is_whole else "among the newest pipelines"
    return f"No successful pipeline {scope} to compare {name} with"


def _back(search: LastSuccessSearch, again: str, back: str) -> str:
    more = "" if search.is_whole else "Older pipelines were not searched.\n\n"
    return f"{more}{again}  search again     {back}  back"


def _no_success(search: LastSuccessSearch) -> str:
    scope = "before this run" if search.is_whole else "among the newest pipelines"
    return f"{_ref(search)} had no success {scope}"


def _ref(search: LastSuccessSearch) -> str:
    return clean(search.ref) or "this project"


def _numbers(pipelines: tuple[int, ...]) -> str:
    return some_of([f"#{number}" for number in pipelines], _MAX_NAMED)


def difference_status(
    update: CompareUpdate,
    rows: ComparedRows | None,
    y: int,
    width: int = _UNBOUNDED,
    again: str = "r",
) -> Pieces:
    """Return the current difference and the totals, shortened to fit the width."""
    comparison = update.comparison
    if comparison is None or rows is None:
        return ()
    total = len(rows.differences)
    first: list[Piece] = [(" ", "text")]
    if total == 0:
        first.append(("no differences", "success"))
    else:
        at = max(0, rows.difference_at(y))
        past = "after " * (y >= rows.differences[at].end)
        first.append((f"{past}difference {at + 1} of {total}", "accent"))
    if not update.masks:
        first.append((" · exact comparison", "warning"))
    if update.is_growing:
        first += [(" · still running ", "running"), (again, "key"), (" compare again", "muted")]
    counts = _counts(comparison, update)
    sections, limits = _sections(comparison, update), _limits(comparison)
    if total and pieces_width((*first, *counts, *sections, *limits)) > width:
        # All counts with one word each say more than some of them in full.
        counts = _counted(comparison, "new", "gone", "similar")
    news, counts = counts[:2], counts[2:]
    # A missing section matters more than line counts.
    for parts in (news, sections, limits):
        while parts and pieces_width((*first, *news, *sections, *limits)) > width:
            parts.pop()
    while counts and pieces_width((*first, *news, *counts, *sections, *limits)) > width:
        counts.pop()
    return (*first, *news, *counts, *sections, *limits)


def _counts(comparison: Comparison, update: CompareUpdate) -> list[Piece]:
    status = clean(update.this.status) if update.this is not None else ""
    right = f"only in the {status or 'other'} run" if status != "success" else "only in this run"
    return _counted(comparison, right, "in the successful one", "moved or similar")


def _counted(comparison: Comparison, right: str, left: str, alike: str) -> list[Piece]:
    count = dict.fromkeys(BlockKind, 0)
    for block in comparison.blocks:
        if block.is_difference:
            count[block.kind] += block.height
    words = (
        ("+", count[BlockKind.RIGHT], right), ("-", count[BlockKind.LEFT], left),
        ("", count[BlockKind.CHANGED], "changed"),
    )  # fmt: skip
    pieces: list[Piece] = [
        (f" · {sign}{number:,} {what}", "muted") for sign, number, what in words if number
    ]
    if any(block.is_routine for block in comparison.blocks):
        pieces.append((f" · ~ {alike}", "muted"))
    return pieces


def _sections(comparison: Comparison, update: CompareUpdate) -> list[Piece]:
    pieces: list[Piece] = []
    for names, what in (
        (comparison.left_sections, "without"),
        (comparison.right_sections, "with"),
    ):
        # A running job may not have reached them yet.
        if names and not update.is_growing:
            pieces.append((f" · {what} section {', '.join(dict.fromkeys(names))}", "warning"))
    return pieces


def _limits(comparison: Comparison) -> list[Piece]:
    pieces: list[Piece] = []
    if not comparison.is_whole:
        counts = (
            f"{extent.end - extent.first:,} of {extent.total:,}"
            for extent in (comparison.left, comparison.right)
        )
        pieces.append((f" · compared: the last {' and '.join(counts)} lines", "warning"))
    if comparison.is_coarse:
        pieces.append((" · too different to match line by line", "warning"))
    return pieces


def fold_text(fold: Fold) -> str:
    if not fold.routine:
        return counted(fold.equal, "equal line")
    routine = f"{fold.routine:,} moved or similar"
    return f"{fold.equal:,} equal · {routine}" if fold.equal else routine


def no_difference_page(update: CompareUpdate, masks: str = "m", back: str = "esc") -> str:
    """Return the page of logs whose lines are all equal; `masks` and `back` are keys."""
    run = update.search.run if update.search is not None else None
    of = f"#{run.pipeline}" if run is not None else "the successful run"
    if update.comparison is not None and not update.comparison.blocks:
        return f"This log and that of {of} are empty.\n\n{back}  back"
    if not update.masks:
        return f"No differences from {of}.\n\n{masks}  compare with masks     {back}  back"
    return (
        f"No differences from {of} except values that differ in every run:\n"
        f"times, durations, ids, machines.\n\n{masks}  compare exactly     {back}  back"
    )


def difference_text(rows: ComparedRows, number: int, left: LogDocument, right: LogDocument) -> str:
    """Return a difference as plain lines: `-` left log, `+` right log."""
    difference = rows.differences[number]
    lines: list[str] = []
    most = _MAX_COPIED + 1  # a block may have a million lines
    for whole in rows.comparison.blocks[difference.block : difference.block_end]:
        block = whole._replace(
            left_end=min(whole.left_end, whole.left + most),
            right_end=min(whole.right_end, whole.right + most),
        )
        if block.kind is BlockKind.EQUAL:
            lines += [f"  {right.text(y)}" for y in range(block.right, block.right_end)]
        elif block.kind is BlockKind.CHANGED:
            pairs = zip(
                range(block.left, block.left_end), range(block.right, block.right_end), strict=True
            )
            for one, other in pairs:
                lines += [f"- {left.text(one)}", f"+ {right.text(other)}"]
        else:
            lines += [f"- {left.text(y)}" for y in range(block.left, block.left_end)]
            lines += [f"+ {right.text(y)}" for y in range(block.right, block.right_end)]
        if len(lines) > _MAX_COPIED:
            return "\n".join([*lines[:_MAX_COPIED], "…"])
    return "\n".join(lines)
