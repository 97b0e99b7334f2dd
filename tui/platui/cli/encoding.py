"""Print what an encoding cannot write with the signs of `--ascii`."""

from __future__ import annotations

import codecs
from typing import Final

ALIKE: Final = "platui.alike"  # Name of the error handler


def _ascii_signs(error: UnicodeError) -> tuple[str, int]:
    """Return the signs of unwritable characters, else `?`, and where to continue."""
    from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT  # noqa: PLC0415  (UTF-8 writes nearly all)

    if not isinstance(error, UnicodeEncodeError):
        raise error
    points = map(ord, error.object[error.start : error.end])
    return "".join(ASCII_BY_CODE_POINT.get(one, "?") for one in points), error.end


codecs.register_error(ALIKE, _ascii_signs)
