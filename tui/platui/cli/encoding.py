"""Print what an encoding cannot write with the signs of `--ascii`."""

from __future__ import annotations

import codecs
from functools import partial
from typing import Final

ALIKE: Final = "platui.alike"  # Name of the error handler
ALIKE_OR_ESCAPED: Final = "platui.alike_or_escaped"  # Names in messages can still be told


def _ascii_signs(error: UnicodeError, *, escapes: bool) -> tuple[str, int]:
    """Return the signs of unwritable characters, else `?` or escapes, and where to continue."""
    from platui.ui.ascii_fallbacks import ASCII_BY_CODE_POINT  # noqa: PLC0415  (UTF-8 writes nearly all)

    if not isinstance(error, UnicodeEncodeError):
        raise error
    points = map(ord, error.object[error.start : error.end])
    signs = (
        ASCII_BY_CODE_POINT.get(one) or (ascii(chr(one))[1:-1] if escapes else "?")
        for one in points
    )
    return "".join(signs), error.end


codecs.register_error(ALIKE, partial(_ascii_signs, escapes=False))
codecs.register_error(ALIKE_OR_ESCAPED, partial(_ascii_signs, escapes=True))
