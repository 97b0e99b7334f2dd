"""The summary line of the triage board, and pages for an empty board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.present.chrome import Age, Freshness, Piece, Pieces, joined
from platui.present.counts import counted, plural, some_of
from platui.present.times import age, at_wall_time, clock, in_zone
from platui.present.triage.labels import Names

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, Counts

# The last line of the page without failures, with ids of actions instead of keys.
NO_FAILURES_KEYS: Final = "{view.refresh}  refresh      {app.projects}  all projects"
_RECENT: Final = timedelta(seconds=90)  # Cached data of this age counts as live
_NAMED: Final = 3
_BLANKS: Final = 3  # Cells before, between and after the two parts of the line
_MORNING: Final = 8  # Hour at which the next shift begins


def missing_projects(board: Board) -> str:
    """Return what to say instead of "nothing is broken"; empty: all projects have answered."""
    if board.has_answered:
        return ""
    return "loading projects" if board.error is None else "some projects not loaded"


def summary_pieces(
    counts: Counts, *, wide: bool = True, reading: bool = False, missing: str = ""
) -> list[Piece]:
    """Return the counts of the board; while `reading` causes, their number is unknown.

    `missing`: of `missing_projects`.
    """
    broken = f"{counts.broken} broken"
    if reading and counts.broken:
        broken += ", loading causes"
    elif 0 < counts.causes < counts.broken:
        broken += f" ({counted(counts.causes, 'cause')})"
    quiet = f"{counts.quiet} quiet"
    pieces = [
        (counts.broken, broken, "failed"),
        (counts.late, f"{counts.late} late", "warning"),
        (counts.running, f"{counts.running} running", "running"),
        (counts.recovered, f"{counts.recovered} recovered{' today' * wide}", "success"),
    ]
    # On a narrow screen the end is cut: recoveries matter least.
    pieces.insert(len(pieces) if wide else 1, (counts.quiet, quiet, "muted"))
    found: list[Piece] = [(text, role) for count, text, role in pieces if count]
    if counts.broken:
        return found
    nothing = "nothing else is broken" if counts.quiet else "nothing is broken"
    return [(missing, "warning") if missing else (nothing, "success"), *found]


def hidden_branches(hidden: int, key: str = "") -> list[Piece]:
    """Return how many rows of other branches are hidden, and the key that shows them."""
    shown_by = f" ({key})" if key else ""
    return [(f"{hidden} hidden on other branches{shown_by}", "accent")] if hidden else []


def cost_pieces(board: Board, *, wide: bool) -> list[Piece]:
    loaded = board.answered
    noun = f"{plural(board.watched, 'project')} " if wide else ""
    watched, is_whole = f"{board.watched} {noun}watched", loaded >= board.watched
    pieces = [(watched, "muted") if is_whole else (f"{loaded} of {watched}", "warning")]
    if board.pending_causes:
        causes = counted(board.pending_causes, "cause")
        words = f"loading {causes}" if board.error is None else f"{causes} not loaded"
        pieces.append((words, "warning"))
    pieces.append((f"{board.requests} req/min", "muted"))
    return pieces


def fit_cost(left: Sequence[Piece], cost: Sequence[Piece], width: int) -> Pieces:
    """Drop pieces that do not fit: first the request rate; warnings stay."""
    room = width - _BLANKS - sum(len(text) for text, _ in joined(left))
    kept = list(cost)
    while kept and sum(len(text) for text, _ in joined(kept)) > room:
        calm = [piece for piece in kept if piece[1] == "muted"]
        if not calm:
            break
        kept.remove(calm[-1])
    return joined(kept)


def refused_pieces(board: Board) -> Pieces:
    if not (board.inaccessible or board.empty_groups):
        return ()
    what = counted(len(board.inaccessible), "watched project")
    if not board.inaccessible:
        what = counted(len(board.empty_groups), "watched group")
    first = next(gaps(board, Names(board.names).label, _NAMED))
    return ((f" {what} not shown  ", "warning"), (first, "text"))


def gaps(board: Board, name: Callable[[ProjectRef], str], most: int) -> Iterator[str]:
    """Yield a sentence for each missing part of the board; `name` formats a project."""
    if board.inaccessible:
        named = some_of([*map(name, board.inaccessible)], most)
        yield f"No access with this token, or deleted: {named}."
    if board.empty_groups:
        named = some_of([*map(clean, board.empty_groups)], most)
        yield f"No project visible with this token; renamed, moved or empty: {named}."
    if board.pending_causes:
        yield f"The cause of {counted(board.pending_causes, 'incident')} is not loaded yet."


def all_refused(board: Board) -> bool:
    is_any = bool(board.watched or board.empty_groups)
    return is_any and len(board.inaccessible) == board.watched


def refused_page(board: Board) -> str:
    what = counted(board.watched, "watched project")
    if not board.watched:
        what = counted(len(board.empty_groups), "watched group")
    return (
        f"No access to the {what}.\n\n"
        "They are not visible with this token, or deleted.\n\n"
        "{view.token}  enter another token      {view.refresh}  refresh"
    )


def no_failures_page(board: Board, now: datetime, keys: str, *, utc: bool) -> str:
    """Return the page without failures; `keys` is its last line with keys filled in."""
    updated = board.fetched_at
    when = f"Updated {age(updated, now)} ago" if updated is not None else "Not updated yet"
    lines = ["No failures.", "", f"{when} from {counted(board.known, 'watched project')}."]
    if board.last_run is not None:
        lane, ran = board.last_run
        label = Names(board.names).label(lane.project)
        lines.append(f"Last run: {label} {clock(ran.at, now, utc=utc)}.")
    return "\n".join([*lines, "", keys])


def all_hidden(hidden: int) -> str:
    """Return the page of a board whose rows are all hidden, with ids of actions for keys."""
    return (
        "No failures on default branches.\n\n"
        f"{counted(hidden, 'row')} of other branches {'is' if hidden == 1 else 'are'} hidden.\n\n"
        "{triage.branches}  show other branches      {view.refresh}  refresh"
    )


def board_age(
    board: Board, now: datetime, left_at: datetime | None = None, *, answered: bool = True
) -> Age:
    """Return how current a board is; until the platform has `answered`, never live."""
    updated = board.fetched_at
    if updated is None:
        # Nothing loaded: no projects, no response, or not yet.
        if board.error is not None or all_refused(board):
            return Age(Freshness.FAILED)
        return Age(Freshness.NOTHING if board.watched else Freshness.UNASKED)
    if board.is_live and board.error is None:
        return Age(Freshness.LIVE, updated)
    updated = updated if left_at is None else max(updated, left_at)
    if board.error is not None or now - updated > _RECENT or not answered:
        return Age(Freshness.STALE, updated)
    return Age(Freshness.LIVE if board.has_answered else Freshness.NOTHING, updated)


def nothing_watched(choice: int | None, platform: str) -> str:
    """Return the page, with ids of actions for keys; `choice`: number of own projects."""
    if choice is None:
        return (
            f"Loading your projects from {platform} …\n\n"
            "Failures in the projects that you watch appear here, with start and cause."
        )
    some = counted(choice, "project")
    return (
        "No projects watched yet.\n\n"
        "Failures in the projects that you watch appear here, with start and cause.\n\n"
        f"{{watch.choose}}  choose from your {some}      "
        "{app.projects}  open the projects"
    )


class Snooze(NamedTuple):
    title: str
    until: datetime
    is_duration: bool = False  # Whether the title is one


def snoozes(now: datetime, *, utc: bool) -> list[Snooze]:
    local = in_zone(now, utc=utc)
    today = datetime.combine(local, time(_MORNING))
    morning, next_one = (at_wall_time(today + timedelta(days=days), utc=utc) for days in (0, 1))
    return [
        Snooze("30 minutes", now + timedelta(minutes=30), is_duration=True),
        Snooze("1 hour", now + timedelta(hours=1), is_duration=True),
        Snooze("4 hours", now + timedelta(hours=4), is_duration=True),
        *([Snooze("until 08:00", morning)] if local < morning else []),
        Snooze("until tomorrow 08:00", next_one),
    ]
