"""The cause of a failed job in its log: the line of a rule, a new line, the last line, or the end.

The board, the log view, the handoff and `platui log --cause` use the same function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.headings import (
    is_below,
    is_empty_heading,
    is_heading,
    is_inner,
    is_separator,
    reports_end,
)
from platui.analysis.errors.novelty import KnownLines, is_bad_news, new_message
from platui.analysis.errors.rule import Rank
from platui.analysis.errors.script_end import (
    AFTERMATH,
    Lines,
    last_message,
    open_sections,
    script_of,
    sections_around,
)
from platui.models.values.log import (
    CauseSource,
    Confidence,
    ErrorExcerpt,
    ErrorMark,
    LogFailure,
    error_at,
)

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

NEW_LINE: Final = "new line"  # Names of the rules for lines that no rule knows
LAST_LINE: Final = "last line"

_BELOW: Final = 8  # Lines below a heading that may have the message
_ABOVE: Final = 20  # Lines above the result of a test that may have the message
_MERGED: Final = 8  # Lines merged into one error at most
_CONSIDERED: Final = 1_000  # Errors that are put in order
_TRIES: Final = 100  # Errors that are examined: many may only report an end
_NEAR: Final = 30  # Lines before the script's end where a mere notice counts
_SURE: Final = 500  # Lines before it where the error of a tool is certainly the cause
_NEAR_GENERIC: Final = 200  # Lines before it where an error of unknown origin comes first
_LAST: Final = 3  # Lines at the end that may report a success
_SUCCEEDED: Final = re.compile(r"Job succeeded\b")
_EXCEPTION: Final = re.compile(r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)\b: \S")
_FATAL: Final = re.compile(r"\b(?:FATAL|CRITICAL|PANIC)\b")
_GO_FAILED: Final = re.compile(r"\s*--- FAIL: ")
_GO_MESSAGE: Final = re.compile(r"\s+\S+_test\.go:\d+:")
_GO_RUNS: Final = re.compile(r"=== ")
_KILLED: Final = re.compile(r"\bexit (?:code|status) (?:134|137|139|143)\b")


def find_verdict(errors: Sequence[ErrorMark]) -> ErrorMark | None:
    verdicts = (mark for mark in reversed(errors) if mark.rank in {Rank.VERDICT, Rank.STOPPED})
    return next(verdicts, None)


def find_cause(document: LogDocument, known: KnownLines | None = None) -> LogFailure:
    """Return the error that failed a job; `known` are the lines of its last successful run."""
    return _Search(document, known).result()


def unmarked_cause(document: LogDocument) -> ErrorMark | None:
    """Return the error that failed a finished log, if the errors lack it or its message."""
    mark = find_cause(document).error
    return None if mark in document.errors else mark


def excerpt_of(document: LogDocument, failure: LogFailure) -> ErrorExcerpt | None:
    """Return the lines of an error, and those directly below that belong to it."""
    if failure.error is None:
        return None
    mark = _whole(document.errors, failure.error)
    lines = tuple(document.text(y) for y in range(mark.first, mark.end))
    message = document.text(mark.message_line)
    return ErrorExcerpt(mark, lines, message, failure.source, failure.confidence)


def _whole(errors: Sequence[ErrorMark], mark: ErrorMark) -> ErrorMark:
    """Merge an error with the errors of the same tool directly below it."""
    if mark.end - mark.first != 1 or mark.rank < Rank.TOOL:
        return mark
    end = mark.end
    for one in errors:
        goes_on = one.first == end and one.rule == mark.rule and one.end == one.first + 1
        if goes_on and one.end - mark.first <= _MERGED:
            end = one.end
    return mark._replace(end=end)


class _Search:
    def __init__(self, document: LogDocument, known: KnownLines | None) -> None:
        self._document = document
        self._known = known or None
        self._errors = tuple(mark for mark in document.errors if mark.rule != LAST_LINE)
        self._sections = document.sections
        self._verdict = find_verdict(self._errors)
        self._end = document.line_count if self._verdict is None else self._verdict.first
        self._script = script_of(document, self._end)
        self._open = open_sections(self._sections, self._end)
        self._ends: list[int] = []  # Lines that report the end of a program
        self._endings: list[ErrorMark] = []  # Errors that only report one
        names = {one.name for one in self._sections}
        # Whether the runner went on after a failed script.
        self._script_failed = (
            "upload_artifacts_on_success" not in names and self._script.stop < self._end
        )

    def result(self) -> LogFailure:
        if not self._failed():
            return LogFailure(None, tuple(sorted(self._open)))
        marks = self._candidates()
        best = next(self._reasons(marks), None)
        verdict = self._verdict
        last = "" if verdict is None else self._document.beginning(verdict.message_line)
        explains = best is not None and (best.rank >= Rank.CAUSE or self._is_near(best))
        if verdict is not None and not explains and _KILLED.search(last):
            return self._found(verdict, CauseSource.VERDICT, Confidence.HIGH)
        if best is not None and best.rank >= Rank.TOOL:
            is_sure = best.first >= self._script.stop - _SURE
            sure = Confidence.HIGH if is_sure else Confidence.MEDIUM
            return self._found(best, CauseSource.RULE, sure)
        if self._known is not None:
            line = new_message(self._document, self._script, self._known)
            if line is not None:
                at = error_at(self._errors, line)
                if at is not None and self._errors[at].rank > Rank.END:
                    mark = self._with_message(self._errors[at])
                    return self._found(mark, CauseSource.NOVELTY, Confidence.MEDIUM)
                return self._line(line, NEW_LINE, CauseSource.NOVELTY, Confidence.MEDIUM)
        if best is not None and (best.rank != Rank.NOTICE or self._is_near(best)):
            return self._found(best, CauseSource.RULE, Confidence.MEDIUM)
        found = self._by_the_end()
        if found is not None:
            return found
        if marks:
            mark = best or self._with_message(marks[0])
            return self._found(mark, CauseSource.RULE, Confidence.LOW)
        return LogFailure(verdict, tuple(sorted(self._open)), CauseSource.VERDICT, Confidence.LOW)

    def _by_the_end(self) -> LogFailure | None:
        """Return the last message of the script, or the error that reports its end."""
        near = self._script.stop - _NEAR
        stop = min((line for line in self._ends if line >= near), default=self._script.stop)
        line = last_message(self._document, range(self._script.start, stop))
        endings = (mark for mark in self._endings if mark.message_line >= near)
        ending = max(endings, key=attrgetter("rank", "first"), default=None)
        if line is not None and (ending is None or is_bad_news(self._document.beginning(line))):
            return self._line(line, LAST_LINE, CauseSource.LAST_LINE, Confidence.LOW)
        if ending is not None:
            return self._found(ending, CauseSource.RULE, Confidence.LOW)
        return None

    def _failed(self) -> bool:
        if self._verdict is not None:
            return True
        count = self._document.line_count
        last = (self._document.beginning(y) for y in range(max(0, count - _LAST), count))
        reports = any(
            mark.rank != Rank.NOTICE or mark.first >= count - _BELOW for mark in self._errors
        )
        return reports and not any(map(_SUCCEEDED.match, last))

    def _candidates(self) -> list[ErrorMark]:
        """Return the errors of the job, those nearest to the cause first."""
        before = [
            mark for mark in self._errors
            if mark.first <= self._end and mark.rank != Rank.VERDICT
        ]  # fmt: skip
        if len(before) > _CONSIDERED:
            before = sorted(before, key=attrgetter("rank"), reverse=True)[:_CONSIDERED]
        aftermath = Lines(one for one in self._sections if one.name in AFTERMATH)
        stop = self._script.stop
        is_after = [
            mark.first in aftermath or (self._script_failed and stop <= mark.first < self._end)
            for mark in before
        ]
        if not all(is_after):
            before = [mark for mark, after in zip(before, is_after, strict=True) if not after]
        elif self._script_failed:
            before = [mark for mark in before if mark.rank == Rank.STOPPED]
        survived = Lines(
            one
            for at, one in enumerate(self._sections)
            if at not in self._open and one.name not in AFTERMATH
        )
        near, document = stop - _NEAR_GENERIC, self._document

        def order(mark: ErrorMark) -> tuple[int, bool, bool, bool, int]:
            is_far = mark.rank == Rank.GENERIC and mark.first < near
            is_mild = mark.rank == Rank.GENERIC and not _FATAL.search(
                document.beginning(mark.first)
            )
            # A shell goes on after an error: the last one ended the script.
            place = -mark.first if mark.rule == "shell" else mark.first
            return -mark.rank, mark.first in survived, is_far, is_mild, place

        return sorted(before, key=order)

    def _reasons(self, marks: Sequence[ErrorMark]) -> Iterator[ErrorMark]:
        """Yield the errors that give a reason, which a successful run did not have."""
        headings: list[ErrorMark] = []
        for mark in marks[:_TRIES]:
            found = self._with_message(mark)
            text = self._document.beginning(found.message_line)
            is_end = mark.rank <= Rank.END or reports_end(text)
            is_known = self._known is not None and self._known.has(
                self._document, found.message_line
            )
            if found.rank < Rank.STOPPED and (is_end or is_empty_heading(text)):
                self._ends.append(mark.first)
                # A tool reports it directly below the program's last message.
                if is_end and found.rank in {Rank.GENERIC, Rank.CAUSE} and not is_known:
                    self._endings.append(found)
            elif not is_known:
                if found.rank == Rank.STOPPED or not is_heading(text):
                    yield found
                else:
                    headings.append(found)
        yield from headings

    def _is_near(self, mark: ErrorMark) -> bool:
        return mark.first >= self._script.stop - _NEAR

    def _with_message(self, mark: ErrorMark) -> ErrorMark:
        """Return an error whose message is the line below its headings, or the error there."""
        for _ in range(_BELOW):
            found = self._below_headings(mark)
            if found.first == mark.first:
                above = self._above_result(found)
                return found if above is None else self._below_headings(above)
            mark = found
        return mark

    def _above_result(self, mark: ErrorMark) -> ErrorMark | None:
        """Return an error with the message that `go test -v` prints above the result of a test."""
        text = self._document.beginning
        if _GO_FAILED.match(text(mark.message_line)) is None:
            return None
        for y in range(mark.first - 1, max(-1, mark.first - 1 - _ABOVE), -1):
            if _GO_MESSAGE.match(text(y)):
                return mark._replace(first=y, message_offset=0)
            if _GO_RUNS.match(text(y)):
                break
        return None

    def _below_headings(self, mark: ErrorMark) -> ErrorMark:
        """Return an error with the message below its heading, or the error that begins there."""
        document, line = self._document, self._earlier_exception(mark)
        end = self._script.stop if line < self._script.stop else self._end
        stop = min(end, line + _BELOW)
        while (below := self._below(line, stop)) is not None:
            heading, text = document.beginning(line), document.beginning(below)
            if not is_inner(text):
                if not is_heading(heading):
                    break
                inner = self._inner(below, mark)
                if inner is not None:
                    return inner
                if reports_end(text) and not is_empty_heading(text):
                    break
                if not (below < mark.end or is_below(text, heading)):
                    break
            line = below
        if line == mark.message_line:
            return mark
        offset = line - mark.first
        return mark._replace(end=max(mark.end, line + 1), message_offset=offset)

    def _earlier_exception(self, mark: ErrorMark) -> int:
        """Return the line of the exception before one that only reports an end."""
        line, text = mark.message_line, self._document.beginning
        if line > mark.first and reports_end(text(line)):
            above = range(line - 1, mark.first, -1)
            found = (y for y in above if _EXCEPTION.match(text(y)) and not reports_end(text(y)))
            return next(found, line)
        return line

    def _inner(self, line: int, mark: ErrorMark) -> ErrorMark | None:
        """Return another error that begins at a line below a heading."""
        at = error_at(self._errors, line)
        if at is None or self._errors[at].first != line:
            return None
        found = self._errors[at]
        return found if line > mark.first and found.rank >= mark.rank else None

    def _below(self, line: int, stop: int) -> int | None:
        below = range(line + 1, stop)
        return next((y for y in below if not is_separator(self._document.beginning(y))), None)

    def _line(
        self, line: int, rule: str, source: CauseSource, confidence: Confidence
    ) -> LogFailure:
        mark = self._with_message(ErrorMark(line, line + 1, rule, Rank.GENERIC))
        return self._found(mark, source, confidence)

    def _found(self, mark: ErrorMark, source: CauseSource, confidence: Confidence) -> LogFailure:
        around = sections_around(self._sections, mark.first) or sorted(self._open)
        return LogFailure(mark, tuple(around), source, confidence)
