"""Once a day, behind whatever the user does: what is too old goes, and caches get their size."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from platui.core.paths import data_dir
from platui.store.sweeping import is_due, sweep

if TYPE_CHECKING:
    from platui.store.pages import PageStore


def keep_house(pages: PageStore) -> None:
    """Sweep, unless somebody has today. It takes a moment: callers use a thread.

    Args:
        pages: the cache, which shrinks to its cap where that was lowered.
    """
    if not is_due():
        return
    sweep()
    _sweep_reports()
    pages.trim()


def _sweep_reports() -> None:
    # Once a day only: it brings what reads reports.
    from platui.report.reading.draft import sweep_drafts  # noqa: PLC0415
    from platui.service.report_parts import sweep_parts  # noqa: PLC0415

    with suppress(OSError):  # no report was ever kept
        for shelf in (data_dir() / "reports").iterdir():
            sweep_drafts(shelf)
            sweep_parts(shelf)
