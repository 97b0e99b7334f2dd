"""Find the error that failed a job, and its section."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.rule import Rank
from platui.models.values.log import LogFailure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.values.log import ErrorMark, Section

_SCRIPTS: Final = frozenset({"step_script", "build_script", "user_script"})
# Sections that the runner opens after the script.
_AFTERMATH: Final = frozenset(
    {"after_script", "archive_cache", "archive_cache_on_failure", "cleanup_file_variables",
     "upload_artifacts_on_failure", "upload_artifacts_on_success"},
)  # fmt: skip


def find_verdict(errors: Sequence[ErrorMark]) -> ErrorMark | None:
    verdicts = (mark for mark in reversed(errors) if mark.rank in {Rank.VERDICT, Rank.STOPPED})
    return next(verdicts, None)


def find_failure(
    sections: Sequence[Section], errors: Sequence[ErrorMark], line_count: int
) -> LogFailure:
    """Return the first error of the highest rank in the job's own sections, before the verdict."""
    verdict = find_verdict(errors)
    end = line_count if verdict is None else verdict.first
    going_on = set(_open_at_the_end(sections, end))
    aftermath = _Lines(one for one in sections if one.name in _AFTERMATH)
    survived = _Lines(
        one for at, one in enumerate(sections) if at not in going_on and one.name not in _AFTERMATH
    )
    before = [mark for mark in errors if mark.first <= end and mark.rank != Rank.VERDICT]
    before = [mark for mark in before if mark.first not in aftermath] or before
    if not before:
        return LogFailure(verdict, tuple(sorted(going_on)))
    highest = max(mark.rank for mark in before)
    nearest = [mark for mark in before if mark.rank == highest]
    error = next((mark for mark in nearest if mark.first not in survived), nearest[0])
    return LogFailure(error, tuple(_around(sections, error.first) or sorted(going_on)))


def _open_at_the_end(sections: Sequence[Section], end: int) -> list[int]:
    """Return the sections that were open when the script ended, outermost first."""
    script = next((one for one in reversed(sections) if one.name in _SCRIPTS), None)
    if script is None:
        unended = [at for at, one in enumerate(sections) if one.end is None]
        work = [at for at, one in enumerate(sections) if one.name not in _AFTERMATH]
        return unended or work[-1:]
    stop = end if script.end is None else script.end
    return [
        at for at, one in enumerate(sections)
        if script.start <= one.start < stop and (one.end is None or one.end >= stop)
    ]  # fmt: skip


def _around(sections: Sequence[Section], line: int) -> list[int]:
    return [
        at for at, one in enumerate(sections)
        if one.start <= line and (one.end is None or line < one.end)
    ]  # fmt: skip


class _Lines:
    def __init__(self, sections: Iterable[Section]) -> None:
        self._starts: list[int] = []
        self._ends: list[float] = []
        for one in sections:
            end = float("inf") if one.end is None else one.end
            if not self._ends or one.start >= self._ends[-1]:
                self._starts.append(one.start)
                self._ends.append(end)
            else:
                self._ends[-1] = max(self._ends[-1], end)

    def __contains__(self, line: int) -> bool:
        at = bisect_right(self._starts, line) - 1
        return at >= 0 and line < self._ends[at]
