"""The one status of a pipeline, out of those of its jobs, as the platform computes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_WARNING: Final = "success with warnings"
_IGNORED: Final = "ignored"

# The first row that takes all statuses names the pipeline's.
_ONLY: Final = (
    (frozenset({"success", "skipped", _WARNING, _IGNORED}), "success"),
    (frozenset({"created", _WARNING, _IGNORED}), "created"),
    (frozenset({"preparing", _WARNING, _IGNORED}), "preparing"),
    (frozenset({"canceled", "success", "skipped", _WARNING, _IGNORED}), "canceled"),
    (frozenset({"pending", "created", "skipped", _WARNING, _IGNORED}), "pending"),
)

# Then the first of these that any job has.
_ANY: Final = (
    ("running", "running"),
    ("pending", "running"),
    ("waiting_for_resource", "waiting_for_resource"),
    ("waiting_for_callback", "waiting_for_callback"),
    ("manual", "manual"),
    ("scheduled", "scheduled"),
    ("preparing", "preparing"),
    ("created", "running"),
    ("canceling", "canceling"),
)


def status_of(jobs: Iterable[tuple[str, bool]]) -> str:
    """Return the status of a pipeline with jobs of these statuses, each with `allow_failure`."""
    seen = {_counted(status, allow_failure=allowed) for status, allowed in jobs}
    if not seen:
        return "failed"  # no job came of its file
    if seen <= {"skipped", _IGNORED}:
        return "skipped"
    for taken, status in _ONLY:
        if seen <= taken:
            return status
    return next((status for one, status in _ANY if one in seen), "failed")


def has_warnings(jobs: Iterable[tuple[str, bool]]) -> bool:
    """Tell whether a job failed that was allowed to."""
    return any(_counted(status, allow_failure=allowed) == _WARNING for status, allowed in jobs)


def _counted(status: str, *, allow_failure: bool) -> str:
    if allow_failure and status in {"failed", "canceled"}:
        return _WARNING
    return _IGNORED if allow_failure and status == "manual" else status
