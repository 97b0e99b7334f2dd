"""Errors of several lines: which lines belong to one, and which line has the message."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from platui.analysis.errors.prefixes import without_prefix
from platui.analysis.errors.rule import LONGEST, VERDICT
from platui.core.named_tuple import NamedTuple

_BEGINNING: Final = 200  # Characters that decide whether a line belongs to an error
_BLANKS: Final = 2  # Empty lines in a row inside a block


class OneLine(NamedTuple):
    rule: str
    rank: int
    length: int = 1
    message_offset: int = 0

    def take(self, line: str) -> bool:
        del line
        return False


class _MultiLine:
    """An error of several lines; subclasses decide which ones."""

    def __init__(self, rule: str, rank: int) -> None:
        self.rule = rule
        self.rank = rank
        self.length = 1
        self.message_offset = 0
        self._waiting = 0  # lines taken that may turn out not to belong

    def take(self, line: str) -> bool:
        """Add a line if it belongs; up to two empty lines wait for the next one."""
        line = line[:LONGEST]
        if not without_prefix(line).strip():
            self._waiting += 1
            return self._waiting <= _BLANKS
        if not self._belongs(line):
            return False
        self.length += self._waiting + 1
        self._waiting = 0
        return True

    def _belongs(self, line: str) -> bool:
        raise NotImplementedError

    def _set_message(self) -> None:
        self.message_offset = self.length + self._waiting


class Followed(_MultiLine):
    """An error with indented or similar lines below; a new match starts another error."""

    def __init__(
        self, rule: str, rank: int, goes_on: re.Pattern[str], begins: Callable[[str], bool]
    ) -> None:
        super().__init__(rule, rank)
        self._goes_on = goes_on
        self._begins = begins

    def _belongs(self, line: str) -> bool:
        body = without_prefix(line)
        goes_on = self._goes_on.match(body[:_BEGINNING]) is not None
        return goes_on and not self._begins(body)


_TRACEBACK: Final = re.compile(r"Traceback \(most recent call last\):|Exception Group Traceback")
_FRAME: Final = re.compile(r'[> ]*(?:\| *)?File "|\s+\S|\s*[|+][-+ |]|\s*\[Previous line repeated')
_EXCEPTION: Final = re.compile(
    rf"(?!{VERDICT})(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:\[\w+\])?(?::\s|:?$)"
    r"|[\w.]*(?:Error|Exception)\b"
)
_NAMED_EXCEPTION: Final = re.compile(r"(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception)\b")
_CHAINED: Final = re.compile(
    r"During handling of the above exception|The above exception was the direct cause"
)
_MORE_WORDS: Final = re.compile(
    r"\s+\S|\[SQL:|\[parameters:|\(Background on this error|LINE \d+:|DETAIL: |HINT: |CONTEXT: |\^"
    r"|Reason: |HTTP response |: (?:[a-z]\w*\.)+[A-Z]\w*|Caused by: |\.\.\. \d+ more"
)
_GROUP_MESSAGE: Final = re.compile(r"[\s|]*\| *[\w.]*(?:Error|Exception|ExceptionGroup)\b.*:")
_DIGITS: Final = re.compile(r"\d")


class Traceback(_MultiLine):
    """A Python traceback with chained exceptions."""

    def __init__(self, rule: str, rank: int, line: str) -> None:
        super().__init__(rule, rank)
        found = _TRACEBACK.search(line)
        begin = found.start() if found else 0
        self._grouped = found is not None and found.group().startswith("Exception Group")
        # A logger's prefix, with digits replaced since its time changes.
        self._before = "" if self._grouped else _DIGITS.sub("0", line[:begin])
        self._has_message = False
        self._chained = False

    def _belongs(self, line: str) -> bool:
        body = line
        if _DIGITS.sub("0", line[: len(self._before)]) == self._before:
            body = line[len(self._before) :]
        if self._chained or _CHAINED.match(body) or self._has_message:
            return self._after_message(body)
        if self._grouped and line.lstrip().startswith(("|", "+")):
            if _GROUP_MESSAGE.match(line):
                self._set_message()
            return True
        if _FRAME.match(body):
            return True
        # Loguru puts empty lines between the frames.
        if (_NAMED_EXCEPTION if self._waiting else _EXCEPTION).match(body):
            self._has_message = True
            self._set_message()
            return True
        return False

    def _after_message(self, body: str) -> bool:
        if _CHAINED.match(body):
            self._chained = True
            return True
        if self._chained:
            if not _TRACEBACK.search(body):
                return False
            self._chained = self._has_message = False
            return True
        if self._waiting or _MORE_WORDS.match(body) is None:
            return False
        if body.startswith(("Caused by: ", ": ")):
            self._set_message()
        return True


_STACK: Final = re.compile(
    r"\s+at |\s*\.\.\. \d+ (?:more|common frames omitted)|\s*Suppressed: |\s*\[CIRCULAR REFERENCE"
)
_CAUSED: Final = re.compile(r"\s*Caused by: ")
_FIELD: Final = re.compile(r"\s+'?\w+'?: |\s*\}|\s+\[")


class Stack(_MultiLine):
    """A stack trace of the JVM or Node."""

    def __init__(self, rule: str, rank: int) -> None:
        super().__init__(rule, rank)
        self._in_fields = False

    def take(self, line: str) -> bool:
        """Add frames and causes; a stack has no empty lines."""
        return bool(line.strip()) and super().take(line)

    def _belongs(self, line: str) -> bool:
        if self._in_fields:
            self._in_fields = not line.startswith("}")
            return _FIELD.match(line) is not None
        body = line if line[:1].isspace() else without_prefix(line)
        if _CAUSED.match(body):
            self._set_message()
            return True
        if _STACK.match(body):
            self._in_fields = body.endswith(" {")
            return True
        return False


_GOROUTINES: Final = re.compile(
    r"goroutine \d+|\s+\S|(?=.*\)$)[\w./*()%@-]+\(|created by |\[signal |exit status \d|panic: "
    r"|runtime"
)


class Goroutines(_MultiLine):
    """A Go panic."""

    def _belongs(self, line: str) -> bool:
        return _GOROUTINES.match(line) is not None
