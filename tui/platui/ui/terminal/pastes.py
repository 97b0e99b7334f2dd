"""Pasted text without control characters: Textual's parser would take some of it for keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_BEGIN: Final = "\x1b[200~"
_END: Final = "\x1b[201~"
_LONGEST: Final = 256 * 1024
_CONTROLS: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), *range(127, 160)))


class PasteFilter:
    """Cleans and bounds what the terminal marks as pasted, and passes on all other input."""

    def __init__(self, on_cut: Callable[[], object] = lambda: None) -> None:
        """`on_cut` is called when the rest of a paste is dropped."""
        self._on_cut = on_cut
        self.is_inside = False  # Whether a paste has begun, and not ended
        self._left = 0  # Characters that this paste may still have
        self._held = ""  # The possible beginning of the end mark
        self._before = ""  # The last characters outside, where the begin mark may have begun

    def feed(self, text: str) -> str:
        """Return the next input, with the marks."""
        text, self._held = self._held + text, ""
        passed: list[str] = []
        while text:
            take = self._inside if self.is_inside else self._outside
            piece, text = take(text)
            passed.append(piece)
        return "".join(passed)

    def end(self) -> str:
        """End a paste whose end mark was lost; return the mark."""
        was_inside, self.is_inside, self._held = self.is_inside, False, ""
        return _END if was_inside else ""

    def _outside(self, text: str) -> tuple[str, str]:
        joined = self._before + text
        start = joined.find(_BEGIN)
        if start < 0:
            self._before = joined[1 - len(_BEGIN) :]
            return text, ""
        end = start + len(_BEGIN) - len(self._before)
        self.is_inside, self._left, self._before = True, _LONGEST, ""
        return text[:end], text[end:]

    def _inside(self, text: str) -> tuple[str, str]:
        end = text.find(_END)
        if end < 0:
            begun = next(n for n in range(len(_END) - 1, -1, -1) if text.endswith(_END[:n]))
            end = len(text) - begun
            self._held = text[end:]
            return self._cleaned(text[:end]), ""
        self.is_inside = False
        return self._cleaned(text[:end]) + _END, text[end + len(_END) :]

    def _cleaned(self, text: str) -> str:
        cleaned = text.translate(_CONTROLS)
        if len(cleaned) > self._left > 0:
            self._on_cut()
        cleaned = cleaned[: self._left]
        self._left -= len(cleaned)
        return cleaned
