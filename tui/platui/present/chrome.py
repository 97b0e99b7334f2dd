"""The header and footer lines, as pieces of text with roles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from math import ceil
from typing import Final

from platui.core.dataclass import dataclass
from platui.core.named_tuple import NamedTuple
from platui.core.text import cells, clean
from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.present.tables.column_widths import cut_end, cut_middle, cut_start
from platui.present.times import age, clock, day_and_time, in_zone, span

Piece = tuple[str, str]

Pieces = tuple[Piece, ...]

_GAUGE: Final = "▁▂▃▄▅▆▇█"
_SEPARATOR: Final = " › "
_PRODUCTION: Final = "PRODUCTION"
_OFFLINE: Final = "✖ offline"
_BEFORE_CRUMBS: Final = (" ", "text")
_STATES: Final = 16  # Cells reserved for the state of writes
_MIN_NAME: Final = 8  # Cells of a name that still identify it
_UNLIMITED: Final = 10_000
_TENS: Final = 10
_MINUTE: Final = 60
# Age at which a daily report has a successor, with some hours of margin
_A_DAY: Final = timedelta(hours=26)
LIVE_FOR: Final = timedelta(seconds=150)


class Freshness(StrEnum):
    NOTHING = "nothing"
    UNASKED = "unasked"  # Waits for the user's input
    FAILED = "failed"
    LIVE = "live"
    STALE = "stale"
    HELD = "held"
    SETTLED = "settled"
    FETCHED = "fetched"  # Fetched once and cached: nothing polls it


_FRESHNESS: Final = {
    Freshness.NOTHING: ("◌ loading", "muted"),
    Freshness.FAILED: ("✖ no data", "failed"),
    Freshness.SETTLED: ("✔ final", "muted"),
    Freshness.LIVE: ("● live", "success"),
}


@dataclass(frozen=True, slots=True)
class Age:
    """The freshness of a screen, with the time of its data."""

    kind: Freshness = Freshness.NOTHING
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class HeaderState:
    """The content of the header."""

    profile: str
    production: bool
    crumbs: tuple[str, ...]
    age: Age
    line: Connection
    budget: BudgetState
    paused_for: float | None  # Seconds until requests resume; None: not paused
    slow_for: float | None = None  # Seconds that a response has been missing; None: none is slow
    read_only: bool = False
    utc: bool = False
    writes_open_for: float | None = None  # Seconds until writes are locked again; None: locked
    has_accent: bool = False
    has_colours: bool = True


def header_left(state: HeaderState, room: int) -> Pieces:
    """Return the left part; cut the lock, then the profile's name, then inner and outer crumbs."""
    badge = "production" if state.production else "accent" if state.has_accent else "muted"
    name = clean(state.profile)
    # Production must be visible without colours.
    word = " · PROD" if state.production and "prod" not in name.lower() else ""
    if state.production and not state.has_colours:
        whole = f" platui  {name} · {_PRODUCTION}  {_SEPARATOR.join(map(clean, state.crumbs))}"
        has_state = state.read_only or state.writes_open_for is not None
        if cells(whole) + _STATES * has_state <= room:
            word = f" · {_PRODUCTION}"
    pieces: list[Piece] = [(" platui ", "accent"), (f" {name}{word} ", badge)]
    if state.read_only:
        pieces.append(("read-only ", "warning"))
    crumbs = [clean(crumb) for crumb in state.crumbs]
    needed = 1 + cells(_SEPARATOR.join(crumbs))
    if state.writes_open_for is not None:
        whole = f" unlocked {time_left(state.writes_open_for)} "
        fits = pieces_width(pieces) + len(whole) + needed <= room
        pieces.append((whole if fits else " unlocked ", "warning"))
    pieces.append(_BEFORE_CRUMBS)
    left = room - pieces_width(pieces)
    excess = needed - 1 - left
    # A cut could remove the `prod` of a name.
    if excess > 0 and cells(name) > _MIN_NAME and "prod" not in name.lower():
        short = cut_end(name, max(_MIN_NAME, cells(name) - excess))
        left += cells(name) - cells(short)
        pieces[1] = (f" {short}{word} ", badge)
    kept = _fitting(crumbs, left)
    for index, crumb in enumerate(kept):
        last = index == len(kept) - 1
        pieces.append((crumb, "strong" if last else "muted"))
        if not last:
            pieces.append((_SEPARATOR, "muted"))
    return tuple(pieces)


def time_left(seconds: float) -> str:
    """Return a countdown: `14m`, or `42s` in its last minute."""
    left = max(0, ceil(seconds))
    return f"{ceil(left / 60)}m" if left > _MINUTE else f"{left}s"


def next_tick(seconds: float) -> float:
    left = max(0, ceil(seconds))
    later = left - 1 if left <= _MINUTE else max(_MINUTE, (ceil(left / 60) - 1) * 60)
    return max(0.05, seconds - later)


def _fitting(crumbs: list[str], room: int) -> list[str]:
    # The first one, such as a project, matters more than those between it and the last.
    first, inner = crumbs[0], crumbs[1:]
    for dropped in range(len(inner)):
        kept = [first, *["…"] * bool(dropped), *inner[dropped:]]
        excess = max(0, cells(_SEPARATOR.join(kept)) - room)
        if not excess:
            return kept
        if cells(first) - excess >= _MIN_NAME:
            return [cut_middle(first, cells(first) - excess), *kept[1:]]
    kept = crumbs
    for dropped, outermost in enumerate(crumbs[:-1]):
        kept = ["…"] * bool(dropped) + crumbs[dropped:]
        excess = cells(_SEPARATOR.join(kept)) - room
        if excess <= 0:
            return kept
        if cells(outermost) - excess >= _MIN_NAME:
            kept[bool(dropped)] = cut_middle(outermost, cells(outermost) - excess)
            return kept
    return ["…", crumbs[-1]] if len(crumbs) > 1 else kept


def wait_shown_for(seconds: float) -> float:
    """Return for how many seconds the header shows a wait unchanged."""
    step = _wait_step(seconds)
    return max(0.05, step - seconds % step)


def _wait_step(seconds: float) -> int:
    """Return the step in which a wait counts up: no frame for each second."""
    return 5 if seconds < _TENS else _TENS if seconds < _MINUTE else _MINUTE


def header(state: HeaderState, now: datetime, width: int) -> tuple[Pieces, Pieces]:
    """Return the left and the right part; if all fits, offline with both of its times."""
    whole = header_left(state, _UNLIMITED), header_right(state, now, has_room=True)
    if pieces_width((*whole[0], *whole[1])) < width:
        return whole
    right = header_right(state, now)
    left = header_left(state, max(0, width - pieces_width(right) - 1))
    is_dropped = ("…", "muted") in left[left.index(_BEFORE_CRUMBS) :][1:2]
    # The project to which writes are unlocked matters more than the time of an outage.
    is_open = state.writes_open_for is not None
    if is_open and is_dropped and right[0][0].startswith(_OFFLINE):
        right = ((_OFFLINE, right[0][1]), *right[1:])
        left = header_left(state, max(0, width - pieces_width(right) - 1))
    return left, right


def header_right(state: HeaderState, now: datetime, *, has_room: bool = False) -> Pieces:
    freshness = freshness_pieces(state, now, has_room=has_room)
    return (*freshness, ("   ", "text"), *gauge_pieces(state), (" ", "text"))


def file_header(title: str, age: Age, width: int) -> tuple[Pieces, Pieces]:
    kind = age.kind
    right: list[Piece] = []
    if kind is Freshness.LIVE:
        right = [("● following", "success")]
    elif kind is Freshness.HELD:
        right = [("‖ paused", "warning")]
    elif kind in {Freshness.STALE, Freshness.FAILED}:
        right = [("✖ not readable", "failed")]
    right.append((" ", "text"))
    left: Pieces = ((" platui ", "accent"), (" ", "text"))
    room = width - pieces_width((*left, *right)) - 1
    # The end of a long path matters most.
    shown = cut_start(title, max(1, room))
    return (*left, (shown, "strong")), tuple(right)


def as_of(fetched_at: datetime, *, utc: bool) -> Pieces:
    """Return what the header shows of a last frame, which a later start shows first."""
    moment = in_zone(fetched_at, utc=utc)
    when = day_and_time(moment, moment)
    return ((f"◌ as of {when}{' UTC' if utc else ''}", "warning"), (" ", "text"))


def freshness_pieces(state: HeaderState, now: datetime, *, has_room: bool = False) -> Pieces:
    line, seen = state.line, state.age
    if seen.kind is Freshness.FETCHED:
        old = seen.fetched_at is not None and now - seen.fetched_at > _A_DAY
        sign, role = ("◌", "warning") if old else ("✔", "muted")
        return ((f"{sign} fetched {age(seen.fetched_at, now)} ago", role),)
    if line.state is ConnectionState.OFFLINE:
        return (_offline(state, now, has_room=has_room),)
    if line.state is ConnectionState.UNAUTHORIZED:
        return (("✖ not signed in", "failed"),)
    if seen.kind is Freshness.UNASKED:
        return ()
    if seen.kind is Freshness.HELD:
        return ((f"‖ paused, {age(seen.fetched_at, now)} old", "warning"),)
    is_old = seen.fetched_at is not None and now - seen.fetched_at > LIVE_FOR
    if seen.kind is Freshness.STALE or (seen.kind is Freshness.LIVE and is_old):
        return ((f"◌ stale {age(seen.fetched_at, now)}", "warning"),)
    if state.slow_for is not None and seen.kind in {Freshness.NOTHING, Freshness.LIVE}:
        shown = state.slow_for - state.slow_for % _wait_step(state.slow_for)
        return ((f"◌ no response {span(shown)}", "warning"),)
    return (_FRESHNESS[seen.kind],)


def _offline(state: HeaderState, now: datetime, *, has_room: bool) -> Piece:
    line, fetched_at = state.line, state.age.fetched_at
    zone = " UTC" if state.utc else ""
    since = "" if line.since is None else clock(line.since, now, utc=state.utc)
    fetched = clock(fetched_at, now, utc=state.utc)
    if fetched_at is not None and not line.is_known:
        return f"{_OFFLINE}, fetched {fetched}{zone}", "failed"
    if line.since is None:
        return _OFFLINE, "failed"
    is_older = fetched_at is not None and fetched_at < line.since and fetched != since
    if fetched_at is not None and is_older and state.age.kind is not Freshness.SETTLED:
        if has_room:
            return f"{_OFFLINE} since {since}{zone} · data of {fetched}", "failed"
        if line.since - fetched_at > LIVE_FOR:
            return f"{_OFFLINE}, fetched {fetched}{zone}", "failed"
    return f"{_OFFLINE} since {since}{zone}", "failed"


def gauge_pieces(state: HeaderState) -> Pieces:
    """Return used requests of the limit with a bar; `~` marks an own estimate."""
    budget = state.budget
    if state.paused_for is not None:
        return ((f"◷ requests resume in {ceil(state.paused_for)}s", "warning"),)
    share = budget.used / budget.limit if budget.limit else 1.0
    bar = _GAUGE[min(len(_GAUGE) - 1, int(share * len(_GAUGE)))]
    role = "failed" if share >= 0.9 else "warning" if share >= 0.6 else "muted"  # noqa: PLR2004
    source = "" if budget.from_server else "~"
    return ((f"{source}{budget.used}/{budget.limit} {bar}", role),)


class KeyHint(NamedTuple):
    key: str
    label: str
    enabled: bool = True


class Sign(NamedTuple):
    drawn: str
    name: str
    meaning: str


def footer_pieces(hints: Sequence[KeyHint], room: int) -> Pieces:
    """Return the keys that fit; the last one (help) always stays."""
    if not hints:
        return ()
    *others, last = hints
    room -= _hint_width(last)
    shown: list[KeyHint] = []
    for hint in others:
        if _hint_width(hint) > room:
            break
        room -= _hint_width(hint)
        shown.append(hint)
    return hint_pieces((*shown, last))


def hint_pieces(hints: Iterable[KeyHint]) -> Pieces:
    pieces: list[Piece] = []
    for hint in hints:
        pieces.append((f" {hint.key}", "key" if hint.enabled else "muted"))
        pieces.append((f" {hint.label} ", "muted"))
    return tuple(pieces)


def _hint_width(hint: KeyHint) -> int:
    return len(hint.key) + len(hint.label) + 3


def progress_bar(share: float, cells: int) -> Pieces:
    """Return a bar with its percentage; `share` is from 0 to 1."""
    share = min(1.0, max(0.0, share))
    full = int(share * cells)
    return (
        ("█" * full, "running"),
        ("░" * (cells - full), "muted"),
        (f" {int(share * 100):>3} %", "text"),
    )


def pieces_width(pieces: Sequence[Piece], between: int = 0) -> int:
    """Return the cells of pieces with `between` cells after each but the last."""
    return sum(cells(text) for text, _ in pieces) + between * (len(pieces) - 1)


def joined(pieces: Sequence[Piece], separator: str = " · ") -> Pieces:
    out: list[Piece] = []
    for piece in pieces:
        if out:
            out.append((separator, "muted"))
        out.append(piece)
    return tuple(out)
