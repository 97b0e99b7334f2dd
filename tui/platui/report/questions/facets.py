"""What the people found have in common: values that a term can ask for, and how many have it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.access import Facet
from platui.report.arrays import NO_LEVEL
from platui.report.questions import masks
from platui.report.questions.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.report.questions.people_columns import PeopleColumns

_MOST: Final = 20
_NONE: Final = "none"


def level_facets(people: PeopleColumns, found: int, levels: Sequence[str]) -> tuple[Facet, ...]:
    """Return the highest levels of some people, highest first, and how many hold nothing."""
    tally = people.highest.tally(found)
    ranked = sorted((level for level in tally if level != NO_LEVEL), reverse=True)
    facets = [Facet(clean(levels[level]), tally[level]) for level in ranked]
    if NO_LEVEL in tally:
        facets.append(Facet(_NONE, tally[NO_LEVEL]))
    return tuple(facets)


def state_facets(people: PeopleColumns, found: int, states: Sequence[str]) -> tuple[Facet, ...]:
    """Return the states of some people, most first; one that is written in two ways is one."""
    tally = people.states.tally(found & people.listed)
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for state, count in tally.items():
        name = clean(states[state]) or _NONE
        counts[names.setdefault(fold(name), name)] += count
    return _ranked(counts.items())


def domain_facets(people: PeopleColumns, found: int, domains: Sequence[str]) -> tuple[Facet, ...]:
    """Return the e-mail domains of some people, most first, some of them only."""
    tally = people.domains.tally(found & people.listed)
    named = ((clean(domains[at]) if at else _NONE, count) for at, count in tally.items())
    return _ranked(named)[:_MOST]


def identity_facets(people: PeopleColumns, found: int) -> tuple[Facet, ...]:
    """Return how many of some people have a service identity, and how many have none."""
    with_one = masks.size(found & people.with_identity)
    without = masks.size(found & people.listed) - with_one
    return tuple(
        Facet(word, count) for word, count in (("any", with_one), (_NONE, without)) if count
    )


def _ranked(counts: Iterable[tuple[str, int]]) -> tuple[Facet, ...]:
    return tuple(Facet(*one) for one in sorted(counts, key=lambda one: (-one[1], one[0])))
