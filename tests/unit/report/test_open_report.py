"""What an opened report tells, against plain lists of the same data."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.report_arrays import (
    PlainPerson,
    PlainPlace,
    PlainReport,
    group,
    plain_report,
    project,
)
from tests.support.report_company import COMPANY, FINANCE, FINLAND, GONE, JANE, TAX, UNLISTED

from platui.models.values.access import AccessReport, Membership, PeopleOrder
from platui.report.queries import memberships, orders, text_lines
from platui.report.queries import row_masks as masks

T = TypeVar("T")

REPORT: AccessReport = COMPANY.opened()


def test_a_person_is_told_clean() -> None:
    """Nothing of a name commands; numbers by level are in order of levels."""
    jane, gone, unlisted = map(REPORT.person, (JANE, GONE, UNLISTED))
    assert (jane.id, jane.name, jane.username) == (11, "Jane Doe", "jane")
    assert (jane.email, jane.state, jane.identity) == ("Jane@Gmail.com", "active", "uuid-jane")
    assert REPORT.levels == (
        "AUDITOR", "GUEST", "REPORTER", "DEVELOPER", "MAINTAINER", "OWNER",
    )  # fmt: skip
    assert (jane.highest, jane.counts) == ("OWNER", (0, 0, 0, 0, 0, 2))
    everybody = map(REPORT.person, range(REPORT.person_count))
    assert REPORT.max_memberships == max(sum(person.counts) for person in everybody)
    assert gone.name == "gone�[31m"
    assert gone.identity is None
    assert (unlisted.id, unlisted.is_listed, unlisted.highest) == (99, False, "GUEST")
    assert (unlisted.name, unlisted.state, unlisted.identity) == ("", "", None)


def test_an_id_below_nought_is_an_id() -> None:
    """The page of whom or what has it opens, and the commands find it."""
    report = plain_report(
        [PlainPerson(-5, "Jane", "jane")], [group(-7, "fin", {-5: "OWNER"})]
    ).opened()
    assert (report.person_row(-5), report.find_person("-5"), report.person_row(5)) == (0, 0, None)
    assert (report.place_row("group", -7), report.find_place("-7")) == (0, 0)


def test_an_id_is_found_where_its_bytes_stand_across_two_others() -> None:
    """Ids are looked for as bytes: what only looks like one is none."""
    ids = [0, 1, 1 << 56, 255, 1 << 62, -1, -(1 << 63), (1 << 63) - 1]
    report = plain_report([PlainPerson(one, str(one), str(one)) for one in ids], []).opened()
    assert [report.person_row(one) for one in ids] == [*range(len(ids))]
    others = (256, 1 << 8, 1 << 48, 65280, 1 << 64, -2, 10**18)
    assert {report.person_row(one) for one in others} == {None}


def test_a_place_knows_what_lies_in_it() -> None:
    """Groups and projects at any depth, direct members, and what it lies in."""
    finance, tax = REPORT.place(FINANCE), REPORT.place(TAX)
    assert (finance.groups, finance.projects, finance.members) == (1, 2, 2)
    assert (tax.kind, tax.name, tax.path) == ("group", "Taxes & co", "finance/tax")
    assert (tax.parent, tax.depth) == (FINANCE, 1)
    assert list(REPORT.children(FINANCE)) == [TAX, TAX - 1]
    assert list(REPORT.children(None)) == [FINANCE, FINLAND]


def test_what_is_listed_above_is_inherited() -> None:
    """Where a group above lists the same person with this level or a higher one."""
    assert list(REPORT.memberships_of(JANE)) == [
        Membership(JANE, FINANCE, "OWNER", False, "OWNER", FINANCE),
        Membership(JANE, TAX + 1, "OWNER", True, "OWNER", FINANCE),
    ]
    held = [(holding.level, holding.is_inherited) for holding in REPORT.memberships_of(2)]
    assert held == [("MAINTAINER", False), ("DEVELOPER", True), ("OWNER", False)]


def test_people_and_places_are_found_by_a_word() -> None:
    """User name, address, id; path, id. Where it means several it means none."""
    assert REPORT.find_person("JANE") == JANE
    assert REPORT.find_person("jane@gmail.com") == JANE
    assert REPORT.find_person("99") == UNLISTED
    for word in ("jan", "", "Jane Doe", "9" * 30):
        assert REPORT.find_person(word) is None
    assert REPORT.find_place("/Finance/Tax") == TAX
    assert REPORT.find_place("5") == FINLAND
    for word in ("1", "tax", ""):
        assert REPORT.find_place(word) is None


LEVELS = ("GUEST", "DEVELOPER", "OWNER", "ODD", "MAINTAINER")
TERMS = ("doe", "-ann", "user:=jane", "state:blocked", "-domain:*.example")


def _report(chance: Random) -> PlainReport:
    def pick(*options: T) -> T:
        return chance.choice(options)

    def members() -> dict[int, str]:
        ids = chance.sample(range(13), chance.randrange(5))
        return {id_: chance.choice(LEVELS) for id_ in ids}

    def places(above: str, depth: int) -> list[PlainPlace]:
        found = []
        for _ in range(chance.randrange(4) if depth < 3 else 0):
            name = pick("fin", "tax", "api")
            path = f"{above}{name}"
            inner = [
                project(next(numbers), f"{path}/web", members()) for _ in range(chance.randrange(3))
            ]
            below = places(f"{path}/", depth + 1)
            found.append(PlainPlace(next(numbers), name, path, members(), inner, below))
        return found

    numbers = count()
    people = [
        PlainPerson(
            id_,
            name=pick("Jane Doe", "doe", "ÉMILE", "ß", "a\nb", "", "x" * 30, "ann e"),
            username=pick("jane", "doe", "ann", "zoe"),
            email=pick("", "a@gmail.com", "b@x.example", "c@y.example"),
            state=pick("active", "blocked"),
            identity=pick(None, "", "uuid"),
        )
        for id_ in chance.sample(range(13), chance.randrange(9))
    ]
    return plain_report(people, places("", 0))


@given(st.integers(0, 1 << 32))
@settings(max_examples=40, deadline=None)
def test_memberships_are_those_of_the_lists(seed: int) -> None:
    """By person, by place, counted in any subtree, and which come from above."""
    plain = _report(Random(seed))
    report = plain.opened()
    inherited = [_holding(plain, at).is_inherited for at in range(len(plain.memberships))]
    for row in range(len(plain.people)):
        assert list(report.memberships_of(row)) == [
            _holding(plain, number)
            for number, one in enumerate(plain.memberships)
            if one.person == row
        ]
    for row, end in enumerate(plain.ends):
        direct = [
            _holding(plain, number)
            for number, one in enumerate(plain.memberships)
            if one.place == row
        ]
        direct.sort(key=lambda holding: -plain.levels.index(holding.level))
        members = report.members_of(row)
        assert list(members) == members[:] == [members[at] for at in range(len(direct))] == direct
        assert report.inherited_members(row) == _members_above(plain, row)
        assert report.level_counts(row) == _counts(plain, range(row, end))
    assert report.level_counts(None) == _counts(plain, range(len(plain.ends)))
    assert [bool(one) for held in report.memberships("") for one in held.inherited] == inherited


def _above(plain: PlainReport, place: int) -> list[int]:
    """Return the groups above a place, the outermost first."""
    above: list[int] = []
    while (place := plain.parents[place]) >= 0:
        above.insert(0, place)
    return above


def _highest_above(plain: PlainReport, person: int, place: int) -> tuple[int, int]:
    """Return the rank of the highest level of a person above a place, and where; -1: none."""
    held = [
        (plain.levels.index(one.level), -at, group)
        for at, group in enumerate(_above(plain, place))
        for one in plain.memberships
        if (one.person, one.place) == (person, group)
    ]
    rank, _, group = max(held, default=(-1, 0, -1))
    return rank, group


def _holding(plain: PlainReport, number: int) -> Membership:
    person, place, level = plain.memberships[number]
    rank, group = _highest_above(plain, person, place)
    if rank < plain.levels.index(level):
        return Membership(person, place, level, False, level, place)
    return Membership(person, place, level, True, plain.levels[rank], group)


def _members_above(plain: PlainReport, place: int) -> list[Membership]:
    direct = {one.person for one in plain.memberships if one.place == place}
    found = []
    for person in range(len(plain.people)):
        rank, group = _highest_above(plain, person, place)
        if rank >= 0 and person not in direct:
            level = plain.levels[rank]
            found.append(Membership(person, group, level, True, level, group))
    return sorted(found, key=lambda one: (-plain.levels.index(one.level), one.person))


def _counts(plain: PlainReport, places: range) -> tuple[int, ...]:
    held = [one.level for one in plain.memberships if one.place in places]
    return tuple(held.count(level) for level in plain.levels)


@given(st.integers(0, 1 << 32))
@settings(max_examples=100, deadline=None)
def test_a_search_finds_what_a_walk_over_all_finds(seed: int) -> None:
    """Levels and groups meet in one membership; slices and short ways change nothing."""
    chance = Random(seed)
    plain = _report(chance)
    terms = chance.sample(TERMS, chance.randrange(3))
    level = chance.choice([None, *plain.levels])
    groups = chance.sample(["fin", "tax", "api"], chance.randrange(3))
    order = chance.choice(list(PeopleOrder))
    report = plain.opened()
    query = " ".join(
        [*terms, *([f"level:{level}"] if level else []), *(f"group:{g}" for g in groups)]
    )
    answer = report.people(query, order)
    found = [row for row in range(len(plain.people)) if _found(plain, row, terms, level, groups)]
    assert sorted(answer.rows) == found
    assert answer.memberships == sum(len(_held(plain, row, level, groups)) for row in found)
    assert sum(facet.people for facet in answer.levels) == len(found)


def _found(
    plain: PlainReport, row: int, terms: list[str], level: str | None, groups: list[str]
) -> bool:
    if not all(_plainly_fits(plain, row, term) for term in terms):
        return False
    if groups:
        return all(_held(plain, row, level, [name]) for name in groups)
    return level is None or bool(_held(plain, row, level, []))


def _held(plain: PlainReport, row: int, level: str | None, groups: list[str]) -> list[int]:
    """Return a person's memberships of a level in one of some groups, or anywhere."""
    places: set[int] = set()
    for at, end in enumerate(plain.ends):
        if not plain.places[at].is_project and plain.places[at].name in groups:
            places.update(range(at, end))
    return [
        number
        for number, one in enumerate(plain.memberships)
        if one.person == row
        and (level is None or one.level == level)
        and (not groups or one.place in places)
    ]


def _plainly_fits(plain: PlainReport, row: int, term: str) -> bool:
    person = plain.people[row]
    is_listed = row < plain.listed
    match term:
        case "doe":
            texts = (person.name, person.username, person.email, person.identity or "")
            return any("doe" in text.casefold() for text in texts)
        case "-ann":
            return "ann" not in f"{person.name} {person.username}"
        case "user:=jane":
            return person.username == "jane"
        case "state:blocked":
            return is_listed and person.state == "blocked"
        case _:
            return not (is_listed and person.email.endswith(".example"))


@pytest.mark.parametrize("pace", [0, 1e9], ids=["by person", "by range"])
def test_the_way_it_is_found_changes_nothing(monkeypatch: pytest.MonkeyPatch, pace: float) -> None:
    """However small the pieces, whether people are gone through or ranges of memberships."""
    queries = ("", "jane", "doe d*e", "level:owner group:fin*", "memberships:>1", "email:acme")
    before = [REPORT.people(query, PeopleOrder.NAME) for query in queries]
    monkeypatch.setattr(masks, "SLICE", 2)
    monkeypatch.setattr(text_lines, "_ROWS", 2)
    monkeypatch.setattr(orders, "_AT_ONCE", 2)
    monkeypatch.setattr(memberships, "_ONE_BY_ONE", pace)
    report = COMPANY.opened()
    for query, whole in zip(queries, before, strict=True):
        sliced = report.people(query, PeopleOrder.NAME)
        assert list(sliced.rows) == list(whole.rows)
        assert replace(sliced, rows=()) == replace(whole, rows=())
    assert list(report.memberships("group:fin*")) == list(
        COMPANY.opened().memberships("group:fin*")
    )
