"""A comparison in words: what is looked for, what was found, where one is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import cells, clean
from platui.models.values.comparison import BlockKind, CompareStep
from platui.present.chrome import Sign
from platui.present.counts import counted
from platui.present.status import status_cell
from platui.present.times import age

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from platui.models.values.comparison import CompareUpdate, Comparison, JobRun, LastSuccessSearch
    from platui.models.values.log import LogDocument
    from platui.present.chrome import Piece, Pieces
    from platui.present.logs.compared_rows import ComparedRows, Fold

_MOST_NAMED: Final = 3
_MOST_COPIED: Final = 1000
"""Lines of one difference that are copied."""

_COLUMNS: Final = "green │ this"
"""Whose line numbers the two columns are."""

SIGNS: Final = (
    Sign("+", "New", "A line that only this job's log has"),
    Sign("-", "Gone", "A line that only the green log has"),
    Sign("- +", "Changed", "In both; what differs is bold"),
    Sign("~", "Alike", "Moved, or different in every run"),
    Sign("⋯", "Folded", "Equal or alike lines: z shows them"),
    Sign("1 2", "Numbers", "In the green log, in this job's"),
)

_SAID_ALWAYS: Final = 3
_UNBOUNDED: Final = 1 << 30

_KEY: Final = "key"


def compare_line(update: CompareUpdate, now: datetime, width: int = _UNBOUNDED) -> list[Piece]:
    search, this = update.search, update.this
    if this is None:
        return []
    state = status_cell(this.status)
    pieces = [(state.text, state.role), (_run(this, now), "text")]
    if search is not None and search.run is not None:
        pieces.append((f"against {_run(search.run, now, 'green ')}", "success"))
        if search.has_no_success:
            pieces.append((f"{_ref(search)} was never green before", "warning"))
        pieces.append((_COLUMNS, "muted"))
        if search.without and not search.has_no_success:
            pieces.append((f"not green in {_numbers(search.without)}", "muted"))
    between = len(" · ")
    # Which run against which is said in any case.
    while len(pieces) > _SAID_ALWAYS and _width(pieces) + between * (len(pieces) - 1) > width:
        pieces.pop()
    return pieces


def _run(run: JobRun, now: datetime, state: str = "") -> str:
    number = f"#{run.pipeline}" if run.pipeline is not None else f"job {run.job}"
    when = f"{age(run.finished_at, now)} ago" if run.finished_at is not None else ""
    return f"{number} {state}{when}".strip()


def waiting_page(update: CompareUpdate, again: str = "r") -> str:
    search = update.search
    match update.step:
        case CompareStep.ASKING:
            return "Asking for the job …"
        case CompareStep.LOOKING if search is not None:
            if search.has_no_success and search.checking is None:
                return f"{_ref(search)} was never green before.\n\nLooking at other refs …"
            where = f" … #{search.checking}" if search.checking is not None else " …"
            return f"Looking for the last green run of {_ref(search)}{where}"
        case CompareStep.READING if search is not None and search.run is not None:
            return f"Reading both logs: #{search.run.pipeline} was green …"
        case CompareStep.COMPARING:
            return f"Comparing … {update.progress:.0%}\n\nesc  leave it"
        case CompareStep.NOTHING if search is not None:
            return _nothing(update, search, again)
        case _:
            return "…"


def _nothing(update: CompareUpdate, search: LastSuccessSearch, again: str) -> str:
    name = clean(update.this.name) if update.this is not None else "this job"
    if search.without:
        count = len(search.without)
        greens = counted(count, "green pipeline")
        first = f"The last {greens} of {_ref(search)} had no green {name}"
        if search.has_no_success:
            first = f"{_ref(search)} was never green before, and no other green run of {name}"
            first += f" is in {_numbers(search.without)}"
        return f"{first}.\n\n{_back(search, again)}"
    scope = "before this one" if search.is_whole else "among the newest pipelines"
    return f"There is no green pipeline {scope} to compare {name} with.\n\n{_back(search, again)}"


def _back(search: LastSuccessSearch, again: str) -> str:
    more = "" if search.is_whole else "Older ones were not looked at.\n\n"
    return f"{more}{again}  look again     esc  back"


def _ref(search: LastSuccessSearch) -> str:
    return clean(search.ref) or "this project"


def _numbers(pipelines: tuple[int, ...]) -> str:
    named = ", ".join(f"#{number}" for number in pipelines[:_MOST_NAMED])
    more = len(pipelines) - _MOST_NAMED
    return f"{named} and {more} more" if more > 0 else named


def found_line(
    update: CompareUpdate,
    rows: ComparedRows | None,
    y: int,
    width: int = _UNBOUNDED,
    again: str = "r",
) -> Pieces:
    """Return at which difference one is, and what there is in all; less where the width ends."""
    comparison = update.comparison
    if comparison is None or rows is None:
        return ()
    total = len(rows.differences)
    first: list[Piece] = [(" ", "text")]
    news: list[Piece] = []
    counts: list[Piece] = []
    if total == 0:
        first.append(("no difference", "success"))
    else:
        at = max(0, rows.difference_at(y)) + 1
        first.append((f"difference {at} of {total}", "accent"))
        first += _manner(update, again)
        counts = _counts(comparison, update)
    sections, limits = _sections(comparison, update), _limits(comparison)
    if total and _width((*first, *counts, *sections, *limits)) > width:
        # Signs with a word each say more than some of them with many.
        counts = _counted(comparison, "new", "gone", "alike")
    news, counts = counts[:2], counts[2:]
    # That a section is missing tells more than how many lines are.
    for parts in (news, sections, limits):
        while parts and _width((*first, *news, *sections, *limits)) > width:
            parts.pop()
    while counts and _width((*first, *news, *counts, *sections, *limits)) > width:
        counts.pop()
    return (*first, *news, *counts, *sections, *limits)


def _width(pieces: Sequence[Piece]) -> int:
    return sum(cells(text) for text, _ in pieces)


def _counts(comparison: Comparison, update: CompareUpdate) -> list[Piece]:
    status = clean(update.this.status) if update.this is not None else ""
    right = f"only in the {status or 'other'} run" if status != "success" else "only in this run"
    return _counted(comparison, right, "in the green", "moved or alike")


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


def _manner(update: CompareUpdate, again: str) -> list[Piece]:
    pieces: list[Piece] = [] if update.masks else [(" · every letter counts", "warning")]
    if update.is_growing:
        pieces += [(" · still running ", "running"), (again, _KEY), (" compares anew", "muted")]
    return pieces


def _sections(comparison: Comparison, update: CompareUpdate) -> list[Piece]:
    pieces: list[Piece] = []
    for names, what in (
        (comparison.left_sections, "without"),
        (comparison.right_sections, "with"),
    ):
        # What a running job has not come to yet is not missing.
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
        pieces.append((" · too different to be matched line by line", "warning"))
    return pieces


def fold_text(fold: Fold) -> str:
    if not fold.routine:
        return counted(fold.equal, "equal line")
    routine = f"{fold.routine:,} moved or alike"
    return f"{fold.equal:,} equal · {routine}" if fold.equal else routine


def same_page(update: CompareUpdate, masks: str = "m") -> str:
    """`masks` is the key that compares every letter."""
    run = update.search.run if update.search is not None else None
    of = f"#{run.pipeline}" if run is not None else "the green run"
    lines = update.comparison.right.total if update.comparison is not None else 0
    if not lines:
        return f"This job has left no log; that of {of} has lines.\n\nesc  back"
    return (
        f"Nothing differs from {of} but what differs in every run:\n"
        f"times, durations, ids, machines.\n\n{masks}  compare every letter     esc  back"
    )


def difference_text(rows: ComparedRows, number: int, left: LogDocument, right: LogDocument) -> str:
    """Return a difference as plain lines: `-` of the left log, `+` of the right."""
    difference = rows.differences[number]
    lines: list[str] = []
    for block in rows.comparison.blocks[difference.block : difference.block_end]:
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
        if len(lines) > _MOST_COPIED:
            return "\n".join([*lines[:_MOST_COPIED], "…"])
    return "\n".join(lines)
