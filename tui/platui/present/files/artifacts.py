"""Expiry, name and download progress of artifacts."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

from platui.present.chrome import progress_bar
from platui.present.counts import human_bytes
from platui.present.times import stamp

if TYPE_CHECKING:
    from platui.models.values.feeds import Progress
    from platui.models.wire import Job

_UNFIT: Final = re.compile(r"[^\w.+-]+", re.ASCII)
_LONGEST_NAME: Final = 60
_BAR: Final = 24


def has_archive(job: Job) -> bool:
    return job.artifacts_file is not None or any(
        one.file_type == "archive" for one in job.artifacts
    )


def expiry(job: Job, now: datetime, *, utc: bool) -> tuple[tuple[str, str], ...]:
    then = job.artifacts_expire_at
    if then is None:
        return ()
    at = stamp(then, now, utc=utc)
    if then <= now:
        return ((f"expired {at}: may be deleted", "warning"),)
    return ((f"expires {at}", "muted"),)


def archive_name(job: Job) -> str:
    return f"{name_in_file(job.name) or 'artifacts'}-{job.id}.zip"


def name_in_file(name: str) -> str:
    return _UNFIT.sub("-", name).strip("-.")[:_LONGEST_NAME]


def progress_line(progress: Progress | None, seconds: float) -> tuple[tuple[str, str], ...]:
    """Return the progress of a download after `seconds`; None: no answer yet."""
    if progress is None:
        return (("requesting …", "muted"),)
    received, total = progress.received, progress.total
    rate = f"{human_bytes(int(received / seconds))}/s" if seconds >= 1 else ""
    if not total:
        return ((human_bytes(received), "text"), (f"   {rate}", "muted"))
    return (
        *progress_bar(received / total, _BAR),
        (f"   {human_bytes(received)} of {human_bytes(total)}   {rate}", "muted"),
    )
