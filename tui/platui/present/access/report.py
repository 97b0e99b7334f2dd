"""Parts shared by the views of the access report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten
from platui.models.values.access import CAVEATS, ReportInfo, TermHelp
from platui.models.values.table import Cell
from platui.present.chrome import Piece, Pieces, Sign
from platui.present.counts import counted, human_bytes
from platui.present.details.layout import Details, details, text_cell
from platui.present.times import day_and_time, in_zone, stamp

if TYPE_CHECKING:
    from platui.core.errors import TermError
    from platui.models.values.reports import DamagedReport

CAVEAT: Final[Pieces] = (
    (" A summary of daily snapshots · for utilization, not for security auditing", "muted"),
)

_SHORT: Final = {
    "NO_ACCESS": "NONE",
    "MINIMAL_ACCESS": "MIN",
    "GUEST": "GUEST",
    "PLANNER": "PLAN",
    "REPORTER": "REP",
    "DEVELOPER": "DEV",
    "MAINTAINER": "MAIN",
    "OWNER": "OWN",
    "ADMIN": "ADM",
}
_BARS: Final = "▁▂▃▄▅▆▇█"
_NIL: Final = Cell("·", "muted")
_LEAST_BARS: Final = 8  # Cells of all bars together, at least
_LONGEST_BARS: Final = 60  # Cells of all bars together, at most
_MOST_REPORTS: Final = 24
_TELLING: Final = 2  # Letters from which a word may become a term
_MORE: Final = ("…", "muted")
_LONGEST: Final = 200  # Characters of a search that are shown


class Tab(NamedTuple):
    name: str
    text: str


def short_level(level: str) -> str:
    return _SHORT.get(level) or shorten(level, 5)


def count_width(most: int, title: str) -> int:
    return max(4, len(f"{most:,}"), len(title))


def number(count: int) -> Cell:
    return Cell(f"{count:,}") if count else _NIL


def state_cell(state: str, *, holds: bool) -> Cell:
    """Return the state of a person; highlights inactive people with levels."""
    text = clean(state)
    if text == "active":
        return Cell(text, "muted")
    return Cell(text, "warning" if holds else "muted")


def report_time(info: ReportInfo | DamagedReport, now: datetime, *, utc: bool) -> str:
    at = day_and_time(in_zone(info.fetched_at, utc=utc), in_zone(now, utc=utc))
    return f"{at} UTC" if utc else at


def dropped_reports_message(dropped: Sequence[ReportInfo], now: datetime, *, utc: bool) -> str:
    newest = f"the report of {report_time(dropped[0], now, utc=utc)}"
    more = f" and {counted(len(dropped) - 1, 'older one')}" if len(dropped) > 1 else ""
    return f"Deleted: {newest}{more}."


def report_pieces(info: ReportInfo, now: datetime, *, utc: bool, is_whole: bool) -> Pieces:
    counts = [
        counted(info.people, "person"),
        counted(info.groups, "group"),
        counted(info.projects, "project"),
        counted(info.memberships, "membership") if is_whole else "memberships …",
    ]
    return ((report_time(info, now, utc=utc), "strong"), *((one, "text") for one in counts))


def people_over_time(saved: Sequence[ReportInfo]) -> Pieces:
    """Return the number of people over the saved reports, oldest first."""
    counts = [info.people for info in saved[:_MOST_REPORTS]][::-1]
    if len(counts) < 2:  # noqa: PLR2004  (a trend needs two)
        return ()
    low, high = min(counts), max(counts)
    last = len(_BARS) - 1
    # From the minimum on, to show small changes.
    bars = [_BARS[round((one - low) / (high - low) * last) if high > low else 3] for one in counts]
    return ((f"people over {len(counts)} reports ", "muted"), ("".join(bars), "accent"))


def level_bars(heading: str, counts: Sequence[tuple[str, int]], width: int) -> Pieces:
    """Return a bar per level; `counts` has the highest first."""
    shown = [(clean(level), count) for level, count in counts if count]
    if not shown:
        return ()
    lead = f" {heading} "
    room = 0
    for name in (clean, short_level):
        texts = [f" {name(level)} {count:,} " for level, count in shown]
        room = width - len(lead) - 1 - sum(len(text) + 1 for text in texts)
        if room >= _LEAST_BARS:
            break
    total = sum(count for _, count in shown)
    pieces: list[tuple[str, str]] = [(lead, "muted")]
    for text, (_, count) in zip(texts, shown, strict=True):
        pieces.append((text, "text"))
        if room >= _LEAST_BARS:
            pieces.append((_bar(count / total * min(room, _LONGEST_BARS)), "accent"))
    return tuple(pieces)


def _bar(cells: float) -> str:
    whole, half = divmod(max(1, round(cells * 2)), 2)
    return "━" * whole + "╸" * half


def fitting(pieces: Sequence[Piece], room: int, *, between: int = 3) -> tuple[Piece, ...]:
    """Return the pieces that fit, with an ellipsis for the rest."""
    for count in range(len(pieces), 1, -1):
        shown = (*pieces[:count], *((_MORE,) if count < len(pieces) else ()))
        if sum(len(text) + between for text, _ in shown) - between <= room:
            return shown
    return tuple(pieces[:1])


def tabs_line(
    tabs: Iterable[Tab], at: str, query: str, *, more: str = "", room: int = 0
) -> tuple[Pieces, Pieces]:
    """Return the tabs with the current one highlighted, and the query; a room of 0: unknown."""
    left: list[Piece] = []
    for tab in tabs:
        here = tab.name == at
        left.append((f" {tab.name}", "accent" if here else "muted"))
        left.append((f" {tab.text}" if tab.text else "", "strong" if here else "muted"))
        left.append(("  ", "text"))
    right: list[Piece] = [(f"{more}  ", "muted")] if more else []
    if query:
        right.append((f"/{clean(shorten(query, _LONGEST))} ", "accent"))
    width = sum(len(text) for text, _ in (*left, *right))
    # The texts of the other tabs are dropped, the last first.
    for place in reversed(range(1, len(left), 3)):
        text, role = left[place]
        if room and width >= room and role == "muted":
            left[place] = ("", role)
            width -= len(text)
    return tuple(left), tuple(right)


def found_of(found: int, total: int, query: str) -> str:
    return f"{found:,} of {total:,}" if query.strip() else f"{total:,}"


def term_error(error: TermError, query: str) -> Pieces:
    before, wrong = query[: error.start], query[error.start : error.end]
    pieces = [
        (f" {clean(error.sentence)} ", "failed"),
        (f" {clean(error.hint)} " if error.hint else "", "muted"),
    ]
    if before.strip():
        pieces.append((f" …{clean(before[-12:])}", "muted"))
        pieces.append((clean(wrong), "failed"))
    return tuple(pieces)


def slip_pieces(slips: Sequence[str]) -> Pieces:
    return tuple((f" {clean(slip)} ", "warning") for slip in slips)


def typing_pieces(text: str, terms: Sequence[TermHelp], room: int) -> Pieces:
    word = "" if text[-1:].isspace() else (text.split() or [""])[-1]
    field, colon, value = word.lstrip("-!").partition(":")
    if value or (field and not colon and len(field) < _TELLING):
        return ()
    if not field:
        pieces: list[tuple[str, str]] = []
        for term in terms:
            if term.field.isalpha() and f" {term.field}:" not in [text for text, _ in pieces]:
                pieces.append((f" {term.field}:", "accent"))
        return fitting([(" terms ", "muted"), *pieces], room, between=0)
    near = [term for term in terms if term.field.startswith(field.lower())]
    if not near:
        return ()
    pieces = [(f" {near[0].example}", "accent"), (f"  {near[0].meaning}", "muted")]
    pieces += [
        (f"   {term.example}", "accent") for term in near[1:3] if term.field == near[0].field
    ]
    return tuple(pieces)


def term_signs(terms: Iterable[TermHelp]) -> tuple[Sign, ...]:
    return tuple(Sign(term.example, "search term", term.meaning) for term in terms)


def admin_key_help(profile: str) -> str:
    return (
        "The report needs an organization API key, not an access token: it comes from "
        f"PLATUI_ADMIN_KEY, or admin_key_command or admin_key_file of the profile {clean(profile)}."
    )


def report_details(info: ReportInfo, now: datetime, *, utc: bool) -> Details:
    levels = [(level.lower(), f"{count:,}") for level, count in reversed(info.levels) if count]
    return details(
        "Access report",
        {
            "": [
                ("fetched", stamp(info.fetched_at, now, utc=utc)),
                ("from", info.origin),
                ("people", f"{info.people:,}"),
                ("groups", f"{info.groups:,}"),
                ("projects", f"{info.projects:,}"),
            ],
            "limits of the report": [("", text_cell(caveat, "warning")) for caveat in CAVEATS],
            "anomalies": [("", text_cell(oddity)) for oddity in info.warnings],
            counted(info.memberships, "membership"): levels,
            "technical": [
                ("size", human_bytes(info.size)),
                ("sha-256", info.digest),
                ("etag", info.etag),
                ("report", info.id),
            ],
        },
    )
