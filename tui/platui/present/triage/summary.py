"""The line above the triage board, and the pages that stand where it has no row."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.present.chrome import Age, Freshness, joined
from platui.present.counts import counted, plural
from platui.present.times import age, at_wall_time, clock, in_zone
from platui.present.triage.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage_board import Board, Counts
    from platui.present.chrome import Piece, Pieces

GREEN_KEYS: Final = "{place.refresh}  look again      {app.projects}  all projects"
"""The last line of a page on which all is green, with ids of actions in place of keys."""
_RECENT: Final = timedelta(seconds=90)
"""For which what a cache has is as good as told now."""
_NAMED: Final = 3
_BLANKS: Final = 3
"""Cells of the line before, between and after both of its parts."""
_MORNING: Final = 8
"""The hour at which the next shift is there."""


def summary_pieces(counts: Counts, *, wide: bool = True, reading: bool = False) -> list[Piece]:
    """Return the board in numbers; while `reading` causes, nobody knows how many there are."""
    broken = f"{counts.broken} broken"
    if reading and counts.broken:
        broken += ", causes are being read"
    elif 0 < counts.causes < counts.broken:
        broken += f" ({counted(counts.causes, 'cause')})"
    quiet = f"{counts.quiet} quiet"
    pieces = [
        (counts.broken, broken, "failed"),
        (counts.late, f"{counts.late} late", "warning"),
        (counts.running, f"{counts.running} running", "running"),
        (counts.recovered, f"{counts.recovered} recovered{' today' * wide}", "success"),
    ]
    # Where it is narrow the end is cut, and what recovered matters least.
    pieces.insert(len(pieces) if wide else 1, (counts.quiet, quiet, "muted"))
    said: list[Piece] = [(text, role) for count, text, role in pieces if count]
    nothing = "nothing else is broken" if counts.quiet else "nothing is broken"
    return said if counts.broken else [(nothing, "success"), *said]


def cost_pieces(board: Board, *, wide: bool) -> list[Piece]:
    told = board.known + len(board.inaccessible)
    watched = (
        f"{board.watched} {plural(board.watched, 'project')} watched"
        if wide
        else f"{board.watched} watched"
    )
    pieces: list[Piece] = []
    if told < board.watched:
        pieces.append((f"{told} of {watched}", "warning"))
    else:
        pieces.append((watched, "muted"))
    if board.pending_causes:
        causes = counted(board.pending_causes, "cause")
        # While nobody answers none is read.
        words = f"reading {causes}" if board.error is None else f"{causes} not read"
        pieces.append((words, "warning"))
    pieces.append((f"{board.requests} req/min", "muted"))
    return pieces


def fitting_cost(left: Sequence[Piece], cost: Sequence[Piece], width: int) -> Pieces:
    """What it spends leaves first, then over how much it is; what is not known yet stays."""
    room = width - _BLANKS - sum(len(text) for text, _ in joined(left))
    kept = list(cost)
    while kept and len(_text(kept)) > room:
        calm = [piece for piece in kept if piece[1] == "muted"]
        if not calm:
            break
        kept.remove(calm[-1])
    return joined(kept)


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(text for text, _ in joined(pieces))


def refused_pieces(board: Board) -> Pieces:
    if not board.inaccessible:
        return ()
    names = Names(board.names)
    labels = [names.label(project) for project in board.inaccessible[:_NAMED]]
    more = len(board.inaccessible) - len(labels)
    listed = ", ".join(labels) + f" and {more} more" * bool(more)
    return (
        (f" {counted(len(board.inaccessible), 'watched project')} not shown  ", "warning"),
        (f"This token may not see {listed}, or they are gone.", "text"),
    )


def gaps(board: Board, name: Callable[[ProjectRef], str], most: int) -> Iterator[str]:
    """Yield a sentence for each part of the board that is missing; `name` names a project."""
    if board.inaccessible:
        named = ", ".join(map(name, board.inaccessible[:most]))
        more = len(board.inaccessible) - most
        yield f"Not shown to this token, or gone: {named}{f' and {more} more' * (more > 0)}."
    if board.pending_causes:
        yield f"Of {counted(board.pending_causes, 'incident')} the cause was not read yet."


def all_refused(board: Board) -> bool:
    return bool(board.watched) and len(board.inaccessible) == board.watched


def refused_page(board: Board) -> str:
    return (
        f"None of the {counted(board.watched, 'watched project')} may be seen.\n\n"
        "This token may not see them, or they are gone.\n\n"
        "{place.token}  give another token      {place.refresh}  look again"
    )


def green_page(board: Board, now: datetime, keys: str, *, utc: bool) -> str:
    """`keys` is `GREEN_KEYS` with keys in it. In the rest are names, which stand for no key."""
    told = board.fetched_at
    when = f"Told {age(told, now)} ago" if told is not None else "Not told yet"
    lines = ["Everything watched is green.", "", f"{when}, of {counted(board.known, 'project')}."]
    if board.last_run is not None:
        lane, ran = board.last_run
        label = Names(board.names).label(lane.project)
        lines.append(f"{label} ran last: {clock(ran.at, now, utc=utc)}.")
    return "\n".join([*lines, "", keys])


def board_age(
    board: Board, now: datetime, left_at: datetime | None = None, *, answered: bool = True
) -> Age:
    """Return how much a board can be trusted to be so now.

    `left_at` is when the platform told all of the board that was shown before this one: a cache
    may have the same answers with an earlier time. Until the platform has `answered`, what a
    cache has is not live, however new it is.
    """
    told = board.fetched_at
    if told is None:
        # Nothing was told: because nothing is watched, because nobody answers, or not yet.
        if board.error is not None or all_refused(board):
            return Age(Freshness.FAILED)
        return Age(Freshness.NOTHING if board.watched else Freshness.UNASKED)
    if board.is_live and board.error is None:
        return Age(Freshness.LIVE, told)
    told = told if left_at is None else max(told, left_at)
    if board.error is not None:
        return Age(Freshness.STALE, told)
    if now - told > _RECENT or not answered:
        return Age(Freshness.STALE, told)
    whole = board.known + len(board.inaccessible) == board.watched
    return Age(Freshness.LIVE if whole else Freshness.NOTHING, told)


def nothing_watched(choice: int | None, platform: str) -> str:
    """Return the page, with ids in place of keys; `choice`: projects one is in, None: unknown."""
    if choice is None:
        return (
            f"Asking {platform} which projects you are a member of …\n\n"
            "What breaks in those that you watch stands here: since when, and why."
        )
    some = counted(choice, "project")
    return (
        "No project is watched yet.\n\n"
        "What breaks in the projects that you watch stands here: since when, and why.\n\n"
        f"{{watch.choose}}  choose among the {some} you are a member of      "
        "{app.projects}  open them"
    )


class Snooze(NamedTuple):
    """For how long an incident can be quiet."""

    title: str
    until: datetime


def snoozes(now: datetime, *, utc: bool) -> list[Snooze]:
    local = in_zone(now, utc=utc)
    today = datetime.combine(local, time(_MORNING))
    morning, next_one = (at_wall_time(today + timedelta(days=days), utc=utc) for days in (0, 1))
    choices = [
        Snooze("30 minutes", now + timedelta(minutes=30)),
        Snooze("1 hour", now + timedelta(hours=1)),
        Snooze("4 hours", now + timedelta(hours=4)),
    ]
    if local < morning:
        choices.append(Snooze("until 08:00", morning))
    choices.append(Snooze("until tomorrow 08:00", next_one))
    return choices
