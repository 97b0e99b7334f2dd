"""A schedule that is being typed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pytest

from platui.models.values.writes import NewSchedule, ScheduleChange
from platui.models.wire import Schedule
from platui.present.schedules.forms import (
    new_schedule,
    preview,
    problems,
    schedule_change,
    typed_of,
    zone_of,
)
from platui.present.schedules.variables import added_variable, variable_problems

if TYPE_CHECKING:
    from collections.abc import Mapping

NOW: Final = datetime(2026, 3, 27, 12, tzinfo=UTC)
TYPED: Final = {
    "description": "Nightly",
    "ref": "main",
    "cron": "30 2 * * *",
    "zone": "Europe/Berlin",
    "active": "yes",
}
BLANK: Final = dict.fromkeys(TYPED, "")


def told(typed: Mapping[str, str]) -> str:
    """Return what the form says of it."""
    return "\n".join(text for text, _ in preview(typed, NOW, utc=True))


def test_a_draft_is_told_in_words_and_runs() -> None:
    """Both zones on one line, and what the clocks do."""
    said = told(TYPED)
    assert "runs    at 02:30 every day" in said
    assert "next    Sat 28 Mar 02:30 CET   01:30 UTC · in 13h" in said
    assert "clock change skips" in said
    assert "clocks  go forward before Sun 29 Mar: CET to CEST" in said


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"cron": ""}, "such as 0 1 * * 5"),
        ({"cron": "0 25 * * *"}, 'Invalid hour "25"'),
        ({"cron": "0 0 * * mon%2"}, "the platform may"),
        ({"zone": "Europe/Berln"}, "did you mean Europe/Berlin?"),
        ({"active": "no"}, "inactive: runs only manually; when active:"),
    ],
)
def test_what_is_told_instead(fields: dict[str, str], says: str) -> None:
    """While it is not whole yet, or would not run by itself."""
    assert says in told(TYPED | fields)


def test_problems_come_in_the_order_of_the_form() -> None:
    """The cursor goes to the first of them."""
    assert list(problems(BLANK | {"zone": "moon"})) == ["description", "ref", "cron", "zone"]
    assert problems(TYPED) == {}
    assert problems(TYPED, refs={"main"}) == {}
    assert problems(TYPED | {"ref": "refs/heads/main"}, refs={"main"}) == {}
    assert list(problems(TYPED, refs={"develop"})) == ["ref"]


def test_a_new_schedule_is_sent_without_what_was_typed_around_it() -> None:
    """Blanks at the ends, and between the fields of a cron line."""
    words = (" Nightly ", " main ", " 0  1 * * *  ", " ", "yes")
    typed = dict(zip(TYPED, words, strict=True))
    assert new_schedule("acme/etl", typed) == NewSchedule(
        "acme/etl", "Nightly", "main", "0 1 * * *"
    )


def test_only_what_differs_is_changed() -> None:
    """A zone that is taken away is the default, which has to be said."""
    assert schedule_change(7, 3, TYPED, TYPED) is None
    assert schedule_change(7, 3, TYPED | {"cron": "0 3 * * *"}, TYPED) == ScheduleChange(
        7, 3, cron="0 3 * * *", name="Nightly", before=(("cron", "30 2 * * *"),)
    )
    assert schedule_change(7, 3, TYPED | {"zone": "", "active": "no"}, TYPED) == ScheduleChange(
        7, 3, cron_timezone="UTC", active=False, name="Nightly",
        before=(("timezone", "Europe/Berlin"), ("active", "true")),
    )  # fmt: skip
    blank, said = TYPED | {"zone": ""}, TYPED | {"zone": "UTC"}
    assert schedule_change(7, 3, said, blank) is None


@pytest.mark.parametrize(
    ("machine", "zone"),
    [("Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC"), ("", "UTC"), ("Nowhere/Atall", "UTC")],
)
def test_the_zone_of_a_new_schedule_is_that_of_the_machine(machine: str, zone: str) -> None:
    """And where it has no name, the platform's own default."""
    assert zone_of(machine)[0] == zone


def test_a_schedule_is_typed_as_the_platform_has_it() -> None:
    """The ref by its short name."""
    record = Schedule(
        id=3, description="Nightly", ref="refs/heads/main", cron="30 2 * * *",
        cron_timezone="Europe/Berlin", active=None,
    )  # fmt: skip
    assert typed_of(record) == TYPED


def test_a_wrong_key_is_told_before_its_secret_value_is_asked_for() -> None:
    """Else somebody types a secret for a variable that cannot be sent."""
    name, _ = added_variable("A B", {})
    assert variable_problems({name: ""}) == {name: "Use only letters, digits and _ in a key."}
    name, _ = added_variable("TOKEN", {})
    assert variable_problems({name: ""}) == {name: "Enter the value: secrets are not saved."}


def test_a_key_is_one_variable() -> None:
    """What is hidden stays hidden when its key is typed again with a value."""
    name, value = added_variable("TOKEN", {})
    assert added_variable("TOKEN=abc", {name: "hush"}) == (name, "abc")
    assert value is None
    certificate = "-----BEGIN X-----\nQUI=\n-----END X-----\n"
    known = added_variable("CERT=abc", {})[0]
    assert added_variable(f"CERT={certificate}", {known: ""})[0] == known
    assert added_variable(f"CERT={certificate}", {}) == (added_variable("CERT", {})[0], certificate)
