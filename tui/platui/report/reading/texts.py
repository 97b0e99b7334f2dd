"""Write texts of rows twice, original and folded for searching; number repeated texts."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.text import REPLACEMENT, clean
from platui.report.arrays import FIELD_END, NULL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from platui.report.reading.draft import Draft

LINE_END: Final = "\n"


class Texts:
    """The texts of people or places: text and fold in `ReportArrays`."""

    def __init__(self, draft: Draft, kind: str) -> None:
        self._draft = draft
        self._kind = kind
        self._text = draft.file(f"{kind}_text")
        self._fold = draft.file(f"{kind}_fold")
        self._text_at = array("Q", [0])
        self._fold_at = array("Q", [0])

    def close(self) -> None:
        self._text.close()
        self._fold.close()

    def add(self, rows: Iterable[Sequence[str]]) -> None:
        """Write the texts of more rows. Raises OSError."""
        kept = list(rows)
        self._text.write(_joined(map(_as_it_is, kept), self._text_at))
        self._fold.write(_joined(map(_as_searched, kept), self._fold_at))

    def restart(self) -> None:
        for file, at in ((self._text, self._text_at), (self._fold, self._fold_at)):
            file.seek(0)
            file.truncate()
            del at[1:]

    def flush(self) -> None:
        """Flush texts and row starts; files only grow, so maps stay valid. Raises OSError."""
        self._text.flush()
        self._fold.flush()
        self._draft.put(f"{self._kind}_at", self._text_at)
        self._draft.put(f"{self._kind}_fold_at", self._fold_at)


def text_or_empty(text: str | None) -> str:
    """Return a text that is not the null marker; empty for null."""
    return REPLACEMENT if text == NULL else text or ""


def _joined(lines: Iterable[str], ends: array[int]) -> bytes:
    """Return concatenated lines; append their ends to `ends`."""
    encoded = [line.encode() for line in lines]
    ends.extend(islice(accumulate(map(len, encoded), initial=ends[-1]), 1, None))
    return b"".join(encoded)


def _as_it_is(row: Sequence[str]) -> str:
    joined = FIELD_END.join(row) + FIELD_END
    if joined.count(FIELD_END) == len(row):
        return joined
    return FIELD_END.join(field.replace(FIELD_END, REPLACEMENT) for field in row) + FIELD_END


def _as_searched(row: Sequence[str]) -> str:
    whole = "".join(row)
    if whole.isascii() and whole.isprintable():  # most are, and `clean` would not change them
        return f"{FIELD_END.join(row).lower()}{FIELD_END}{LINE_END}"
    folded = [field if field == NULL else clean(field).casefold() for field in row]
    return f"{FIELD_END.join(folded)}{FIELD_END}{LINE_END}"


class Numbers(dict[str, int]):
    """The number of each text as written; `shown` has the numbers by normalized text."""

    def __init__(
        self, normalize: Callable[[str], str], most: int = sys.maxsize, many: str = ""
    ) -> None:
        """Number at most `most` texts; `many` is the error message for more."""
        super().__init__()
        self.shown: dict[str, int] = {}
        self._normalize = normalize
        self._most = most
        self._many = many

    def __missing__(self, written: str) -> int:
        text = self._normalize(written)
        if text not in self.shown and len(self.shown) == self._most:
            raise ReportError(self._many)
        self[written] = number = self.shown.setdefault(text, len(self.shown))
        return number
