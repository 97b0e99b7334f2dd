"""Refuse a text that cannot be a report before all of it is stored."""

from __future__ import annotations

import re
from typing import Final

from platui.core.errors import ReportError

_BLANKS: Final = re.compile(rb"\xef?\xbb?\xbf?[ \t\r\n]*")
"""A byte order mark, of which a piece may have a part."""
_JSON_BEGINS: Final = frozenset(b'{["-0123456789tfn')
_LARGE: Final = 64 * 1024 * 1024
_MOST_TIMES: Final = 200  # JSON decompresses to 10 to 50 times its size, a bomb to 1,000 times


class Intake:
    """Checks the pieces of a text as they arrive."""

    def __init__(self) -> None:
        self.size = 0  # Bytes so far
        self._has_begun = False

    def take(self, piece: bytes, packed: int) -> None:
        """Take a piece; `packed`: compressed bytes so far. Raises ReportError: not a report."""
        if not self._has_begun and (begin := _blanks(piece)) < len(piece):
            self._has_begun = True
            if piece[begin] not in _JSON_BEGINS:
                at = self.size + begin
                raise ReportError(f"Invalid JSON at byte {at:,}: invalid character.")
        self.size += len(piece)
        if self.size > max(_LARGE, _MOST_TIMES * packed):
            raise ReportError(
                f"{packed:,} bytes decompress to more than {self.size:,}: this is no report."
            )


def _blanks(piece: bytes) -> int:
    found = _BLANKS.match(piece)
    return found.end() if found else 0
