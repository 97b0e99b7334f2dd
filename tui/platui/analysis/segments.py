"""The outermost sections of a log and what lies between them, and which of two logs go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.analysis.matching import match

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.models.values.comparison import Extent
    from platui.models.values.log import Section

_AFTER: Final = ">"  # no section's name has it


class Segment(NamedTuple):
    """Lines of one outermost section, or those before, between and after sections."""

    name: str
    """Of the section; of lines in none, that of the section before them, with a sign."""
    start: int
    end: int

    @property
    def is_section(self) -> bool:
        """Return whether it is one."""
        return not self.name.startswith(_AFTER)


def segments_of(sections: Sequence[Section], extent: Extent) -> list[Segment]:
    """Return the segments that the lines of an extent fall into, in order."""
    found: list[Segment] = []
    at, name = extent.first, ""
    for section in sections:
        end = extent.end if section.end is None else min(section.end, extent.end)
        if section.depth or end <= at:
            continue
        start = max(section.start, at)
        if start > at:
            found.append(Segment(_AFTER + name, at, start))
        found.append(Segment(section.name, start, end))
        at, name = end, section.name
    if at < extent.end:
        found.append(Segment(_AFTER + name, at, extent.end))
    return found


def paired(
    left: Sequence[Segment], right: Sequence[Segment]
) -> Iterator[tuple[Segment | None, Segment | None]]:
    """Yield which segments go together, in order; None where the other log has none of it."""
    a = b = 0
    for run in match([hash(one.name) for one in left], [hash(one.name) for one in right]).runs:
        yield from _alone(left[a : run.left], right[b : run.right])
        yield from zip(left[run.left :], right[run.right : run.right + run.length], strict=False)
        a, b = run.left + run.length, run.right + run.length
    yield from _alone(left[a:], right[b:])


def _alone(
    left: Sequence[Segment], right: Sequence[Segment]
) -> Iterator[tuple[Segment | None, Segment | None]]:
    yield from ((one, None) for one in left)
    yield from ((None, one) for one in right)
