"""Lines of a failed log that the last successful run of the job did not have.

From logreduce (Software Factory) and its successor logjuicer: the successful run is the baseline,
and a line without a similar one there is an anomaly, where similar means equal after values that
change in every run are masked. From CiDiff (ISSTA 2025, arXiv 2504.18182): a line that only moved
is not new, and new lines count as blocks, since one failure writes several lines. Left out: their
nearest-neighbour search and alignment of whole logs, which cost seconds; only the end of the
script is compared, where a failing program writes its last lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from platui.analysis.errors.headings import is_heading, is_separator, reports_end
from platui.analysis.errors.prefixes import is_indented
from platui.analysis.masking import BLANK_KEYS, Keys, Masker
from platui.logs.cleaning import lines_of

if TYPE_CHECKING:
    from platui.models.values.log import LogDocument

MOST_LINES: Final = 1_000_000  # Lines of the successful log that are known; of more the last ones
_WINDOW: Final = 2_000  # Last lines of the script that are compared
_SLICE: Final = 500  # Lines masked at once: a few milliseconds
_APART: Final = 3  # Known lines between two blocks of new ones
_MOST_KINDS: Final = 20_000  # Different lines whose words are compared
_MOST_COMPARED: Final = 200  # Known lines with the same first word and number of words
_MOST_WORDS: Final = 40  # Words of a line that are compared
_LONGEST: Final = 500  # Bytes of a line that are compared
_FEWEST_LINES: Final = 3  # A log with fewer lines was erased, or is no baseline
_NEAR: Final = 40  # Lines before the last block where one with bad news comes first
_FEWEST_WORDS: Final = 3  # A shorter line is like none
_UNRELATED: Final = 0.8  # Part of the lines that are new beside the log of another program
_ALIKE: Final = 2 / 3  # Part of the words that are equal in lines that are alike

_SMALL: Final = bytes(range(256)).lower()
_LETTERS_AND_ENDS: Final = frozenset(b"abcdefghijklmnopqrstuvwxyz \n")
_NO_WORDS: Final = bytes(set(range(128)) - _LETTERS_AND_ENDS)

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
    """The masked lines of a successful log, and their words to recognize similar lines."""

    def __init__(self, document: LogDocument) -> None:
        """Read a whole log; takes half a second for 36 MB of short lines."""
        keys, masker = Keys(), Masker()
        self._words: dict[tuple[bytes, int], list[list[bytes]]] = {}
        kinds: set[bytes] = set()
        first = max(0, document.line_count - MOST_LINES)
        for start in range(first, document.line_count, _SLICE):
            lines = _lines(document, start, min(start + _SLICE, document.line_count))
            masker.take(lines, keys)
            new = set(lines.translate(_SMALL, _NO_WORDS).split(b"\n")) - kinds
            if len(kinds) < _MOST_KINDS:
                kinds |= new
                self._add_words(new)
        self._lines = frozenset(keys.lines)
        self._outlines = frozenset(keys.outlines)

    def __bool__(self) -> bool:
        return len(self._lines) >= _FEWEST_LINES

    def newness(self, document: LogDocument, lines: range) -> list[int]:
        """Return 2 for new lines, 1 for lines like known ones, 0 for known lines."""
        keys, masker = Keys(), Masker()
        texts: list[bytes] = []
        for start in range(lines.start, lines.stop, _SLICE):
            found = _lines(document, start, min(start + _SLICE, lines.stop))
            masker.take(found, keys)
            texts += found.split(b"\n")
        return [
            0
            if line in self._lines or line in BLANK_KEYS
            else 1 + (outline not in self._outlines and not self._is_like_known(text))
            for line, outline, text in zip(keys.lines, keys.outlines, texts, strict=True)
        ]

    def has(self, document: LogDocument, line: int) -> bool:
        return not self.newness(document, range(line, line + 1))[0]

    def _add_words(self, lines: set[bytes]) -> None:
        for line in lines:
            words = line.split(maxsplit=_MOST_WORDS)
            if words:
                alike = self._words.setdefault((words[0], len(words)), [])
                if len(alike) < _MOST_COMPARED:
                    alike.append(words)

    def _is_like_known(self, line: bytes) -> bool:
        """Return whether most words of a line stand in the same order in a known line."""
        words = line.translate(_SMALL, _NO_WORDS).split(maxsplit=_MOST_WORDS)
        if len(words) < _FEWEST_WORDS:
            return False
        return any(
            sum(map(bytes.__eq__, known, words)) >= _ALIKE * len(words)
            for known in self._words.get((words[0], len(words)), ())
        )


def _lines(document: LogDocument, start: int, end: int) -> bytes:
    """Return the clean text of lines, without the part beyond the compared bytes."""
    lines = lines_of(document, start, end)
    if len(lines) <= (end - start) * _LONGEST:
        return lines
    return b"\n".join([line[:_LONGEST] for line in lines.split(b"\n")])


def new_message(document: LogDocument, script: range, known: KnownLines) -> int | None:
    """Return the line of the last new block of a script that most likely gives the reason."""
    window = range(max(script.start, script.stop - _WINDOW), script.stop)
    newness = known.newness(document, window)
    texts = [document.beginning(y) for y in window]
    printed = [new for new, text in zip(newness, texts, strict=True) if not _ECHO.match(text)]
    if printed.count(2) > _UNRELATED * len(printed):
        return None
    for at, text in enumerate(texts):
        if is_separator(text) or reports_end(text) or _ECHO.match(text):
            newness[at] = 0
    for least in (2, 1):
        blocks = list(_blocks(newness, least))
        if blocks:
            near = (one for one in blocks if one[-1] >= blocks[0][-1] - _NEAR)
            bad = (one for one in near if any(_BAD_NEWS.search(texts[at]) for at in one))
            return window[_reason(texts, next(bad, blocks[0]))]
    return None


def is_bad_news(text: str) -> bool:
    """Return whether a program printed a word of many failures."""
    return _BAD_NEWS.search(text) is not None and _ECHO.match(text) is None


def _blocks(newness: Sequence[int], least: int) -> Iterator[list[int]]:
    """Yield blocks of new lines, without the known ones between them, the last block first."""
    found: list[int] = []
    for at in range(len(newness) - 1, -1, -1):
        if newness[at] < least:
            continue
        if found and found[-1] - at > _APART:
            yield found[::-1]
            found = []
        found.append(at)
    if found:
        yield found[::-1]


def _reason(texts: Sequence[str], block: Sequence[int]) -> int:
    candidates = list(_messages(texts, block)) or list(block)
    bad = (at for at in candidates if _BAD_NEWS.search(texts[at]))
    return next(bad, candidates[0])


def _messages(texts: Sequence[str], block: Sequence[int]) -> Iterator[int]:
    """Yield the lines that others are indented below; for a heading, the first of those."""
    plain = [at for at in block if not is_indented(texts[at])]
    for at, after in zip(plain, [*plain[1:], None], strict=True):
        if not is_heading(texts[at]):
            yield at
        elif after is None or not all(map(is_indented, texts[at + 1 : after])):
            # In a trace the message is below the frames.
            yield next((one for one in block if one > at), at)
