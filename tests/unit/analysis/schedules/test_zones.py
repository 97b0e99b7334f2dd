"""Zones by the names that schedules have."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from platui.analysis.schedules.zones import _places, find_zone, rails_zone_names, zone_problem


def test_every_rails_name_is_a_zone() -> None:
    """Of the 151 names that the platform's form may offer, UTC is one without a row."""
    assert len(rails_zone_names()) == 150
    assert [name for name in rails_zone_names() if find_zone(name) is None] == []


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("", UTC),
        ("UTC", UTC),
        ("Europe/Paris", ZoneInfo("Europe/Paris")),
        ("Eastern Time (US & Canada)", ZoneInfo("America/New_York")),
        ("Bern", ZoneInfo("Europe/Zurich")),
        ("Mumbai", ZoneInfo("Asia/Kolkata")),
        ("Europe", None),
        ("../../etc/passwd", None),
        ("/etc/localtime", None),
        ("a\0b", None),
        ("x" * 10_000, None),
    ],
)
def test_a_zone_by_its_name(name: str, zone: object) -> None:
    """A name comes from others: a path is no zone."""
    assert find_zone(name) == zone


def test_an_unknown_zone_is_answered_with_the_nearest() -> None:
    """As a sentence for a form."""
    assert zone_problem("Europe/Pari") == (
        "Unknown time zone Europe/Pari; did you mean Europe/Paris?"
    )
    assert zone_problem("europe/berlin").endswith("did you mean Europe/Berlin?")
    assert zone_problem("moon") == (
        "Unknown time zone moon; use a name such as Europe/Paris or UTC."
    )
    assert zone_problem("Eastern Time (US & Canada)") == ""
    assert zone_problem("Foo/Bar").endswith("; use a name such as Europe/Paris or UTC.")
    for name in ("UTCberl", "Berliin", "berlin"):
        assert zone_problem(name).endswith("; did you mean Europe/Berlin?")


@pytest.mark.parametrize("letters", ["CEST", "cest", " CEST "])
def test_what_clocks_show_is_answered_with_places(letters: str) -> None:
    """Never with another three letters that look alike."""
    assert zone_problem(letters) == (
        f"Unknown time zone {letters.strip()}; "
        "did you mean Europe/Berlin, Europe/Paris or Europe/Rome?"
    )


def test_letters_that_stand_for_nothing_are_not_guessed_at() -> None:
    """`XST` is near to many, and none of them is meant."""
    assert zone_problem("XST") == "Unknown time zone XST; use a name such as Europe/Paris or UTC."


def test_the_places_of_letters_are_zones_where_clocks_show_them() -> None:
    """In winter or in summer, where the zone database has letters for the place at all."""
    for letters, places in _places().items():
        assert find_zone(letters) is None, letters
        for place in places:
            zone = find_zone(place)
            assert zone is not None, place
            shown = {datetime(2026, month, 1, tzinfo=zone).tzname() or "" for month in (1, 7)}
            assert letters in shown or all(name[:1] in "+-" for name in shown), (letters, place)
