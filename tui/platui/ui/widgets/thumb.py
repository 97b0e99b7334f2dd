"""Where the one-column scroll thumb lies: arithmetic only, painted by whoever scrolls.

Textual's ScrollBar widgets cost 40 % of a scrolled frame, so tables and logs paint a
thumb into their own last column.
"""

from __future__ import annotations


def thumb_rows(height: int, offset: int, total: int, last: int | None = None) -> range:
    """Return the rows of a view that the thumb covers; none where everything fits.

    The thumb touches the top only at the first line and the bottom only at the last,
    so that the ends can be trusted.

    Args:
        height: rows of the view.
        offset: first line that is shown.
        total: lines there are.
        last: first line that is shown at the end; None where a line takes a row.
    """
    last_offset = total - height if last is None else last
    if height <= 0 or last_offset <= 0:
        return range(0)
    size = max(1, height * (total - last_offset) // total)
    room = height - size
    offset = min(max(offset, 0), last_offset)
    start = offset * room // last_offset
    if 0 < offset < last_offset and room > 1:
        start = min(max(start, 1), room - 1)
    return range(start, start + size)
