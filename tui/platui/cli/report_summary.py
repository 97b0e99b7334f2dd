"""What a report holds, in one page: what it is and is not, and its levels as bars."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from platui.cli.report_words import counts_words, info_object, when
from platui.cli.table_fit import table
from platui.core.text import shorten
from platui.models.values.access import CAVEATS, PeopleOrder
from platui.present.sizes import human_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.config.settings import Options
    from platui.models.values.access import AccessReport, Facet

_BAR: Final = 24
"""Cells of the longest bar."""
_DOMAINS: Final = 8
_LONGEST: Final = 40


def summary_lines(report: AccessReport, options: Options) -> Iterator[str]:
    """Yield the page; some 30 ms for 50,000 people."""
    info = report.info
    answer = report.people("", PeopleOrder.FILE)
    yield f"Report {info.id}, which came {when(info, options)} from {info.origin}"
    yield f"{counts_words(info)}; {human_bytes(info.size)}"
    yield ""
    yield from (f"  {caveat}" for caveat in CAVEATS)
    yield ""
    sign = "#" if options.ascii or not _has_blocks() else "█"
    highest = {facet.value: facet.people for facet in answer.levels}
    levels = list(zip(report.levels, report.level_counts(None), strict=True))[::-1]
    most = max((count for _, count in levels), default=0)
    rows = [
        (
            shorten(level, _LONGEST),
            f"{count:,}",
            _share(count, info.memberships),
            f"{highest.get(level, 0):,}",
        )
        for level, count in levels
    ]
    heads = ("LEVEL", "MEMBERSHIPS", "SHARE", "AS HIGHEST")
    for at, line in enumerate(table([heads, *rows], {1, 2, 3})):
        count = levels[at - 1][1] if at else 0
        yield f"{line}  {_bar(count, most, sign)}".rstrip()
    for head, facets in (
        ("STATE", answer.states),
        ("E-MAIL DOMAIN", answer.domains[:_DOMAINS]),
        ("SERVICE IDENTITY", answer.identities),
    ):
        yield from _facets(head, facets)
    if info.oddities:
        yield ""
        yield "What was strange in it:"
        yield from (f"  {oddity}" for oddity in info.oddities)


def summary_object(report: AccessReport) -> dict[str, Any]:
    """Return the same for JSON."""
    answer = report.people("", PeopleOrder.FILE)
    return {
        **info_object(report.info),
        "people_by_highest_level": dict(answer.levels),
        "people_by_state": dict(answer.states),
        "people_by_domain": dict(answer.domains),
        "people_by_service_identity": dict(answer.identities),
        "oddities": list(report.info.oddities),
        "caveats": list(CAVEATS),
    }


def _facets(head: str, facets: Sequence[Facet]) -> Iterator[str]:
    if facets:
        yield ""
        rows = [(shorten(facet.value, _LONGEST), f"{facet.people:,}") for facet in facets]
        yield from table([(head, "PEOPLE"), *rows], {1})


def _share(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %" if total else ""


def _bar(count: int, most: int, sign: str) -> str:
    """Return a bar; none only where there is nothing."""
    return sign * max(1, round(count / most * _BAR)) if count else ""


def _has_blocks() -> bool:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
