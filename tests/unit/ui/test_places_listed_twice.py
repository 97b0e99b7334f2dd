"""A report may list a group or project in several places, each with members of its own."""

from __future__ import annotations

from tests.support.report_arrays import group, plain_report, project

from platui.ui.route_lines import read_route, route_line
from platui.ui.screens.access.content import listed_row, members_route

TWICE = plain_report(
    (),
    [
        group(1, "one", projects=[project(7, "one/etl", {5: "OWNER"})]),
        group(2, "two", projects=[project(7, "two/etl", {5: "GUEST"})]),
    ],
).opened()
ONCE = plain_report((), [group(1, "one", projects=[project(7, "one/etl")])]).opened()


def test_each_place_has_a_route_of_its_own() -> None:
    """Also as a line to type."""
    routes = [members_route(TWICE, row) for row in range(4)]
    assert [route.entry for route in routes] == ["group 1", "project 7", "group 2", "project 7@3"]
    assert [listed_row(TWICE, route.entry) for route in routes] == [0, 1, 2, 3]
    found = read_route(route_line(routes[3]))
    assert found is not None
    assert found[0] == routes[3]


def test_in_another_report_it_leads_to_a_place_that_is_there() -> None:
    """Rows have moved, or there is only one place."""
    assert listed_row(ONCE, "project 7@3") == 1
    assert listed_row(TWICE, "project 7@2") == 1
    for entry in ("project 8", "project 8@3", "project", "", "project x", "project 7@"):
        assert listed_row(TWICE, entry) == (1 if entry == "project 7@" else None)
