"""Errors that a tool writes line by line, each of which looks like an error of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.analysis.errors.rule import Rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.log import ErrorMark

_MOST: Final = 8
"""Lines, at most, that are taken together."""


def whole_error(errors: Sequence[ErrorMark], mark: ErrorMark) -> ErrorMark:
    """Return an error with those right below it that the same tool says of the same thing.

    Args:
        errors: all of the log, in the order of their lines.
        mark: the one of them that is looked at.
    """
    if mark.end - mark.first != 1 or mark.rank < Rank.TOOL:
        return mark
    end = mark.end
    for one in errors:
        goes_on = one.first == end and one.rule == mark.rule and one.end == one.first + 1
        if goes_on and one.end - mark.first <= _MOST:
            end = one.end
    return mark._replace(end=end)
