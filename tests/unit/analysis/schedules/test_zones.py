"""Zones by the names that schedules have."""

from __future__ import annotations

from datetime import UTC
from zoneinfo import ZoneInfo

import pytest

from platui.analysis.schedules.zones import find_zone, rails_zones, zone_problem


def test_every_rails_name_is_a_zone() -> None:
    """Of the 151 names that the platform's form may offer, UTC is one without a row."""
    assert len(rails_zones()) == 150
    assert [name for name in rails_zones() if find_zone(name) is None] == []


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
        "No time zone is called Europe/Pari; did you mean Europe/Paris?"
    )
    assert zone_problem("moon") == ("No time zone is called moon, such as Europe/Paris or UTC.")
    assert zone_problem("Eastern Time (US & Canada)") == ""
