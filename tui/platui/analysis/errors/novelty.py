"""Lines of a failed log that the last successful run of the job did not have.

From logreduce (Software Factory) and its successor logjuicer: the successful run is the baseline,
and a line without a similar one there is an anomaly, where similar means equal after values that
change in every run are masked. From CiDiff (ISSTA 2025, arXiv 2504.18182): a line that only moved
is not new, and new lines count as blocks, since one failure writes several lines. Left out: their
nearest-neighbour search and alignment of whole logs, which cost seconds; only the end of the
script is looked at, where a failing program writes its last words.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.headings import is_heading, is_separator, reports_end
from platui.analysis.errors.prefixes import without_prefix
from platui.analysis.masking import BLANK_KEYS, Keys, Masker
from platui.logs.plain_text import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import LogDocument

MOST_LINES: Final = 1_000_000  # Lines of the successful log that are known; of more the last ones
_WINDOW: Final = 2_000  # Last lines of the script that are compared
_SLICE: Final = 500  # Lines masked at once: a few milliseconds
_APART: Final = 3  # Known lines between two blocks of new ones

# Words of many failures; weaker than a rule.
_BAD_NEWS: Final = re.compile(
    r"(?i:\b(?:err(?:or)?s?|fail\w*|denied|invalid|refused|missing|cannot|can't|could not|not found"
    r"|unable|time[d]?[ -]?out|exceed\w*|mismatch\w*|abort\w*|reject\w*|violat\w*|corrupt\w*"
    r"|unknown|unexpected|illegal|exception|fatal|panic|no such|expired|forbidden|conflict\w*"
    r"|overflow\w*|too (?:many|large|long)|unauthori[sz]ed|unavailable|unreachable|undefined"
    r"|unsupported|insufficient|broken|lost|dead|killed|crash\w*)\b)"
)
_ECHO: Final = re.compile(r"(?:\$|\++) ")


class KnownLines:
    """The masked lines of a successful log."""

    def __init__(self, document: LogDocument) -> None:
        """Read a whole log; takes a second for 20 MB."""
        keys, masker = Keys(), Masker()
        first = max(0, document.line_count - MOST_LINES)
        for start in range(first, document.line_count, _SLICE):
            masker.take(lines_of(document, start, min(start + _SLICE, document.line_count)), keys)
        self._lines = frozenset(keys.lines)
        self._outlines = frozenset(keys.outlines)

    def newness(self, document: LogDocument, lines: range) -> list[int]:
        """Return 2 for new lines, 1 for lines with other names or numbers, 0 for known lines."""
        keys, masker = Keys(), Masker()
        for start in range(lines.start, lines.stop, _SLICE):
            masker.take(lines_of(document, start, min(start + _SLICE, lines.stop)), keys)
        return [
            0 if line in self._lines or line in BLANK_KEYS else 1 + (outline not in self._outlines)
            for line, outline in zip(keys.lines, keys.outlines, strict=True)
        ]

    def has(self, document: LogDocument, line: int) -> bool:
        return not self.newness(document, range(line, line + 1))[0]


def new_message(document: LogDocument, script: range, known: KnownLines) -> int | None:
    """Return the line of the last new block of a script that most likely gives the reason."""
    window = range(max(script.start, script.stop - _WINDOW), script.stop)
    newness = known.newness(document, window)
    texts = [document.text(y) if new else "" for y, new in zip(window, newness, strict=True)]
    for at, text in enumerate(texts):
        if is_separator(text) or reports_end(text) or _ECHO.match(text):
            newness[at] = 0
    for least in (2, 1):
        block = _last_block(newness, least)
        if block:
            return window[_reason(texts, block)]
    return None


def _last_block(newness: Sequence[int], least: int) -> list[int]:
    """Return the new lines of the last block, without the known ones between them."""
    found: list[int] = []
    for at in range(len(newness) - 1, -1, -1):
        if newness[at] < least:
            continue
        if found and found[-1] - at > _APART:
            break
        found.append(at)
    return found[::-1]


def _reason(texts: Sequence[str], block: Sequence[int]) -> int:
    plain = [at for at in block if not without_prefix(texts[at])[:1].isspace()]
    candidates = [at for at in plain if not is_heading(texts[at])] or list(block)
    bad = [at for at in candidates if _BAD_NEWS.search(texts[at])]
    return (bad or candidates)[0]
