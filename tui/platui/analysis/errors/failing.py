"""Why a job failed: which error of its log comes first, and in which section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.errors.rule import Rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import ErrorMark, Section

_SCRIPTS: Final = frozenset({"step_script", "build_script", "user_script"})
_AFTERMATH: Final = frozenset(
    {"after_script", "archive_cache", "archive_cache_on_failure", "cleanup_file_variables",
     "upload_artifacts_on_failure", "upload_artifacts_on_success"},
)  # fmt: skip
"""What the runner does once the script has ended."""


class Failure(NamedTuple):
    """Where a failed job went wrong, as far as its log tells."""

    error: ErrorMark | None
    """The first of the errors that are nearest to the cause; None where no line tells one."""
    sections: tuple[Section, ...]
    """What was going on then, the outermost first."""

    @property
    def section(self) -> Section | None:
        """Return the innermost section that failed."""
        return self.sections[-1] if self.sections else None


def failure_of(
    sections: Sequence[Section], errors: Sequence[ErrorMark], line_count: int
) -> Failure:
    """Return where a failed job went wrong.

    Of the errors before the runner's verdict those of the highest rank count. Among them,
    one inside a section that was over when the script ended was survived; one that the
    cleaning up ran into came too late to be the cause. What is left first is the one.
    """
    verdict = next((mark for mark in reversed(errors) if mark.rank == Rank.VERDICT), None)
    before = [
        mark for mark in errors
        if mark.rank != Rank.VERDICT and (verdict is None or mark.first < verdict.first)
    ]  # fmt: skip
    going_on = _open_at_the_end(sections, line_count if verdict is None else verdict.first)
    aftermath = [section for section in sections if section.name in _AFTERMATH]
    survived = [
        section for section in sections if section not in going_on and section not in aftermath
    ]

    def weight(mark: ErrorMark) -> tuple[bool, int, bool, int]:
        return (
            not _within(mark.first, aftermath, line_count),
            mark.rank,
            not _within(mark.first, survived, line_count),
            -mark.first,
        )

    error = max(before, key=weight, default=verdict)
    if error is None or error is verdict:
        return Failure(error, tuple(going_on))
    around = tuple(section for section in sections if _holds(section, error.first, line_count))
    return Failure(error, around or tuple(going_on))


def _open_at_the_end(sections: Sequence[Section], end: int) -> list[Section]:
    """Return the sections that were open when the script ended, the outermost first.

    That is the script's own, and those in it that end where it does, or never.
    """
    script = next((one for one in reversed(sections) if one.name in _SCRIPTS), None)
    if script is None:
        unended = [one for one in sections if one.end is None]
        work = [one for one in sections if one.name not in _AFTERMATH]
        return unended or work[-1:]
    stop = end if script.end is None else script.end
    return [
        one for one in sections
        if script.start <= one.start < stop and (one.end is None or one.end >= stop)
    ]  # fmt: skip


def _within(line: int, sections: Sequence[Section], line_count: int) -> bool:
    return any(_holds(section, line, line_count) for section in sections)


def _holds(section: Section, line: int, line_count: int) -> bool:
    end = line_count if section.end is None else section.end
    return section.start <= line < end
