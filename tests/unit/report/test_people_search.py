"""Which people the terms of a query find."""

from __future__ import annotations

import pytest
from tests.support.report_arrays import PlainPerson, group, plain_report
from tests.support.report_company import BOT, COMPANY, EMILE, GONE, JANE, JOHN, LURKER, UNLISTED

from platui.core.errors import TermError
from platui.models.values.access import PEOPLE_TERMS, PLACE_TERMS, Facet, PeopleOrder, term_of

REPORT = COMPANY.opened()
EARLY = COMPANY.opened(stage=1)

FOUND = {
    "": [JANE, JOHN, EMILE, BOT, GONE, LURKER, UNLISTED],
    "jane": [JANE, BOT],
    "JANE doe": [JANE],
    "émile": [EMILE],
    "uuid": [JANE, EMILE],
    "d*e": [JANE, JOHN, EMILE, BOT],
    '"d*e"': [],
    '"jane doe"': [JANE],
    "-doe": [EMILE, BOT, GONE, LURKER, UNLISTED],
    "!doe -is:unlisted": [EMILE, BOT, GONE, LURKER],
    "-": [JANE, EMILE, BOT],
    'name:"Jane Doe"': [JANE],
    "name:j*doe": [JANE, JOHN],
    'name:"deploy, bot",émile': [EMILE, BOT],
    "user:jane": [JANE, BOT],
    "user:=jane": [JANE],
    "name:*": [JANE, JOHN, EMILE, BOT, GONE, LURKER, UNLISTED],
    "name:?*": [JANE, JOHN, EMILE, BOT, GONE],
    "*": [JANE, JOHN, EMILE, BOT, GONE, LURKER, UNLISTED],
    "group:*": [JANE, JOHN, EMILE, BOT, GONE, UNLISTED],
    "level:* group:*,?": [JANE, JOHN, EMILE, BOT, GONE, UNLISTED],
    "email:acme": [JOHN, EMILE, GONE],
    "email:*@acme.example": [JOHN, EMILE],
    "level:owner": [JANE, JOHN, EMILE],
    "level:>=maintainer": [JANE, JOHN, EMILE, GONE],
    "level:<owner": [JOHN, EMILE, BOT, GONE, UNLISTED],
    "level:auditor": [GONE],
    "level:<guest": [GONE],
    "level:owner,auditor": [JANE, JOHN, EMILE, GONE],
    "level:>guest level:<=developer": [JOHN, EMILE, BOT],
    "level:planner": [],
    "level:own": [JANE, JOHN, EMILE],
    "level:*er,planner": [JANE, JOHN, EMILE, BOT, GONE],
    "-level:owner": [BOT, GONE, LURKER, UNLISTED],
    "highest:owner": [JANE, JOHN, EMILE],
    "highest:maintainer": [GONE],
    "highest:none": [LURKER],
    "highest:none,reporter": [BOT, LURKER],
    "state:blocked": [EMILE, GONE],
    "state:de*,blocked": [EMILE, GONE, LURKER],
    "state:nonsense": [],
    "domain:gmail.com": [JANE],
    "domain:@gmail.com": [JANE],
    "domain:*.example": [JOHN, EMILE, GONE],
    "domain:none": [BOT, LURKER],
    "identity:none": [JOHN, BOT, GONE, LURKER],
    "identity:any": [JANE, EMILE],
    "identity:-emile": [EMILE],
    "id:99": [UNLISTED],
    "id:11,12": [JANE, JOHN],
    "is:unlisted": [UNLISTED],
    "is:listed doe": [JANE, JOHN],
    "memberships:>2": [EMILE],
    "memberships:0": [LURKER],
    "group:finance": [JANE, JOHN, EMILE, GONE, UNLISTED],
    "group:fin*": [JANE, JOHN, EMILE, BOT, GONE, UNLISTED],
    "group:finance/*": [JANE, EMILE, GONE],
    "group:tax": [JANE, EMILE, GONE],
    'group:"taxes & co"': [JANE, EMILE, GONE],
    "group:/finance/tax/": [JANE, EMILE, GONE],
    "group:payroll": [],
    "project:payroll": [JOHN, EMILE, UNLISTED],
    "project:*/api": [JANE, GONE],
    "level:owner group:finance": [JANE, EMILE],
    "level:owner project:payroll,api": [JANE],
    "level:>=maintainer group:finance -group:tax": [],
    "group:finance group:finland": [JOHN],
    "level:owner group:finance group:finland": [],
    "level:owner state:blocked group:finance": [EMILE],
    "-group:finance": [BOT, LURKER],
    "-project:payroll level:owner": [JANE],
}
"""Queries and the rows they find."""


@pytest.mark.parametrize(("query", "rows"), FOUND.items())
def test_terms_find(query: str, rows: list[int]) -> None:
    """Each kind of term, alone and with others."""
    assert list(REPORT.people(query, PeopleOrder.FILE).rows) == rows


MEMBERSHIPS = {
    "": 11,
    "jane": 3,
    "level:owner": 4,
    "level:owner state:blocked": 1,
    "group:finance": 9,
    "group:finance,tax": 9,
    "group:finance group:tax": 7,
    "level:owner group:finance": 3,
    "state:blocked group:payroll": 0,
    "email:acme group:finance": 6,
    "level:planner": 0,
}


@pytest.mark.parametrize(("query", "count"), MEMBERSHIPS.items())
def test_memberships_are_those_that_the_query_names(query: str, count: int) -> None:
    """Of the people found: those in its places, of its levels; all where it names none."""
    assert REPORT.people(query, PeopleOrder.FILE).memberships == count
    assert sum(len(held.people) for held in REPORT.memberships(query)) == count


WRONG = {
    "levl:owner": (0, 5, "Did you mean level:"),
    "jane  http://x": (6, 11, "Quote it to search for the text."),
    "level:": (0, 6, "level:value"),
    "level:chief": (6, 11, "Levels are"),
    "level:ovner": (6, 11, "Did you mean owner?"),
    "level:>": (6, 7, "Levels are"),
    "level:m": (6, 7, "Levels are"),
    "id:jane": (3, 7, "Example: 5."),
    "doe memberships:>x": (16, 18, ">5"),
    "is:odd": (3, 6, "listed or unlisted"),
}


@pytest.mark.parametrize(("query", "said"), WRONG.items())
def test_what_cannot_be_read_is_said_and_shown(query: str, said: tuple[int, int, str]) -> None:
    """The error knows where in the query it is, and what was probably meant."""
    with pytest.raises(TermError) as caught:
        REPORT.people(query, PeopleOrder.FILE)
    start, end, hint = said
    assert (caught.value.start, caught.value.end) == (start, end)
    assert hint in caught.value.hint


@pytest.mark.parametrize("query", ["x" * 2001, "a " * 101, "level:" + "x" * 1000])
def test_a_query_has_bounds(query: str) -> None:
    """So much is not searched for."""
    with pytest.raises(TermError):
        REPORT.people(query, PeopleOrder.FILE)


def test_facets_count_what_was_found() -> None:
    """Highest levels, states, domains and identities, of those listed."""
    answer = REPORT.people("", PeopleOrder.FILE)
    assert answer.levels == (
        Facet("OWNER", 3), Facet("MAINTAINER", 1), Facet("REPORTER", 1), Facet("GUEST", 1),
        Facet("none", 1),
    )  # fmt: skip
    assert answer.states == (Facet("active", 3), Facet("blocked", 2), Facet("deactivated", 1))
    assert answer.domains == (
        Facet("acme.example", 2), Facet("none", 2), Facet("gmail.com", 1),
        Facet("mail.acme.example", 1),
    )  # fmt: skip
    assert answer.identities == (Facet("any", 2), Facet("none", 4))
    assert REPORT.people("jane", PeopleOrder.FILE).states == (Facet("active", 2),)


@pytest.mark.parametrize("query", ["", "jane", "state:blocked", "level:>=developer"])
def test_a_facet_as_a_term_finds_as_many(query: str) -> None:
    """What a facet counts is what its term adds to the query."""
    answer = REPORT.people(query, PeopleOrder.FILE)
    facets = {
        "highest": answer.levels,
        "state": answer.states,
        "domain": answer.domains,
        "identity": answer.identities,
    }
    for field, values in facets.items():
        for facet in values:
            narrowed = f"{query} {term_of(field, facet.value)}"
            assert len(REPORT.people(narrowed, PeopleOrder.FILE).rows) == facet.people


ORDERS = {
    PeopleOrder.NAME: [BOT, EMILE, GONE, JANE, JOHN, LURKER, UNLISTED],
    PeopleOrder.USERNAME: [BOT, EMILE, GONE, JANE, JOHN, LURKER, UNLISTED],
    PeopleOrder.DOMAIN: [JOHN, EMILE, JANE, GONE, BOT, LURKER, UNLISTED],
    PeopleOrder.STATE: [JANE, JOHN, BOT, EMILE, GONE, LURKER, UNLISTED],
    PeopleOrder.HIGHEST: [EMILE, JANE, JOHN, GONE, BOT, UNLISTED, LURKER],
    PeopleOrder.MEMBERSHIPS: [EMILE, JANE, JOHN, GONE, BOT, UNLISTED, LURKER],
}


@pytest.mark.parametrize(("order", "rows"), ORDERS.items())
def test_people_are_put_in_order(order: PeopleOrder, rows: list[int]) -> None:
    """All of them, and those found; nothing known of it comes last."""
    assert list(REPORT.people("", order).rows) == rows
    found = REPORT.people("e", PeopleOrder.FILE).rows
    assert list(REPORT.people("e", order).rows) == [row for row in rows if row in set(found)]


def test_a_level_is_one_however_it_is_written() -> None:
    """A report that writes one in two ways has both found; `?` stands for a sign, as elsewhere."""
    report = plain_report(
        [PlainPerson(1, "Jane", "jane"), PlainPerson(2, "John", "john")],
        [group(1, "fin", {1: "owner", 2: "OWNER"})],
    ).opened()
    for query in ("level:owner", "level:OWNER", 'level:"Owner"', "level:o?ner", "highest:own"):
        assert [*report.people(query, PeopleOrder.FILE).rows] == [0, 1]


def test_states_are_one_in_any_case_and_none_has_a_word() -> None:
    """What stands beside the people can be chosen, and finds as many."""
    states = ("active", "Active", "active", "", 'on "leave"')
    people = [PlainPerson(at, "", f"u{at}", state=state) for at, state in enumerate(states)]
    report = plain_report(people, []).opened()
    facets = report.people("", PeopleOrder.FILE).states
    assert [tuple(one) for one in facets] == [("active", 3), ("none", 1), ('on "leave"', 1)]
    for one in facets:
        found = report.people(term_of("state", one.value), PeopleOrder.FILE).rows
        assert len(found) == one.people
    assert [*report.people("-state:none", PeopleOrder.FILE).rows] == [0, 1, 2, 4]


def test_before_memberships_are_read_nobody_has_a_level() -> None:
    """People and places are searched already; by level they stand as by name."""
    assert not EARLY.is_whole
    assert list(EARLY.people("", PeopleOrder.HIGHEST).rows) == ORDERS[PeopleOrder.NAME]
    for query in ("level:owner", "group:finance", "level:owner group:finance", "memberships:>0"):
        answer = EARLY.people(query, PeopleOrder.NAME)
        assert (list(answer.rows), answer.memberships) == ([], 0)
    assert EARLY.people("", PeopleOrder.FILE).levels == (Facet("none", 7),)


def test_an_empty_report_has_answers_too() -> None:
    """Nobody, nowhere, in any order."""
    empty = plain_report([], []).opened()
    for order in PeopleOrder:
        assert list(empty.people("level:owner jane -x group:y", order).rows) == []
    assert list(empty.places("")) == []
    assert empty.level_counts(None) == ()
    assert list(empty.children(None)) == []


def test_every_example_of_the_help_can_be_searched_for() -> None:
    """The tables tell nothing that the search does not know."""
    for term in PEOPLE_TERMS:
        REPORT.people(term.example, PeopleOrder.FILE)
        for value in term.values:
            REPORT.people(f"{term.field}:{value}", PeopleOrder.FILE)
    for term in PLACE_TERMS:
        REPORT.places(term.example)
        for value in term.values:
            REPORT.places(f"{term.field}:{value}")
