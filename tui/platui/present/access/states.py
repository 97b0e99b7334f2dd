"""Progress and errors of an access report, as lines and pages."""

from __future__ import annotations

from typing import Final

from platui.core.errors import RETRIED, PlatuiError
from platui.core.text import clean
from platui.models.values.reports import ReportStage, ReportState
from platui.present.chrome import Pieces, progress_bar
from platui.present.counts import human_bytes

_TRIES_AGAIN: Final = "Press r to retry."
_BAR: Final = 20
_STOP: Final[Pieces] = (("   esc", "key"), (" stops", "muted"))

NEVER_FETCHED: Final = (
    "No access report has been fetched yet.\n\n"
    "It lists all members and levels of all groups and projects of the organization.\n"
    "It is made of daily snapshots, may exceed 100 MB, and is saved on this machine.\n\n"
    "{view.refresh}  fetch        {access.docs}  documentation        esc  back"
)
OPENING: Final = "Opening the report …"


def progress_pieces(state: ReportState, *, stops: bool) -> Pieces:
    """Return the progress of download and parsing; `stops`: `esc` cancels it."""
    stop = _STOP if stops else ()
    if state.stage is ReportStage.ASKING:
        return ((" Requesting the report …", "text"), *stop)
    if state.stage is ReportStage.RECEIVING:
        return (*_receiving(state), *stop)
    what = "memberships" if state.stage is ReportStage.FIRST_ROWS else "the report"
    return ((f" Reading {what}  ", "text"), *progress_bar(state.share, _BAR), *stop)


def _receiving(state: ReportState) -> Pieces:
    rate = f"{human_bytes(int(state.rate))}/s" if state.rate else ""
    progress = state.progress
    if progress is None:
        return ((" Fetching the report …", "text"),)
    if not progress.total:
        return (
            (" Fetching the report  ", "text"),
            (human_bytes(progress.received), "strong"),
            (f"   {rate}", "muted"),
        )
    return (
        (" Fetching  ", "text"),
        *progress_bar(progress.received / progress.total, _BAR),
        (f"  {human_bytes(progress.received)} of {human_bytes(progress.total)}  {rate}", "muted"),
    )


def trouble_page(error: PlatuiError, again: str = "r") -> str:
    """Return the page of an error; `again` is the retry key."""
    lines = [clean(error.title), "", clean(error.sentence)]
    if hint := hint_of(error):
        lines += ["", clean(hint)]
    return "\n".join([*lines, "", f"{again}  retry        esc  back"])


def trouble_line(error: PlatuiError, room: int, again: str = "r") -> Pieces:
    """Return the error line above a cached report."""
    whole = _whole_line(error, again)
    return whole if fits_in_line(error, room, again) else whole[:3]


def fits_in_line(error: PlatuiError, room: int, again: str = "r") -> bool:
    return sum(len(text) for text, _ in _whole_line(error, again)) <= room


def _whole_line(error: PlatuiError, again: str) -> Pieces:
    hint = hint_of(error)
    named = ((f" {clean(error.title)}  ", "failed"), (again, "key"), (" retry  ", "muted"))
    beside = "" if hint == _TRIES_AGAIN else clean(hint)
    return (*named, (clean(error.sentence), "text"), (f"  {beside}", "muted"))


def with_manual_hint(error: PlatuiError) -> PlatuiError:
    error.hint = hint_of(error)
    return error


def hint_of(error: PlatuiError) -> str:
    """Return the hint of an error; reports are only fetched on request."""
    is_retried = isinstance(error, RETRIED) and error.hint == error.default_hint
    return _TRIES_AGAIN if is_retried else error.hint
