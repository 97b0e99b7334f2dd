"""Variables in the schedule form: a field each, named by kind and key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from platui.core.secrets import MASK, Secret, is_pem
from platui.core.text import clean
from platui.models.values.drafts import key_problem
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, ScheduleVariable
from platui.present.form_rows import Field

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Schedule

    Values = Mapping[str, str]

ADD: Final = "add variable"  # The field that takes `KEY=VALUE`
_PLAIN: Final = "variable "
_SECRET: Final = "secret "  # noqa: S105  (a prefix of field names)
_HINT: Final = "KEY=VALUE, or KEY alone to type a hidden value"


def known_variables(schedule: Schedule) -> dict[str, str]:
    """Return the fields of the variables of a schedule; their values may be secrets."""
    return {f"{_PLAIN}{clean(one.key)}": MASK for one in schedule.variables if one.key}


def variable_fields(values: Values, before: Values) -> list[Field]:
    found = [
        Field(
            name,
            "removed" if name in before else "empty",
            is_masked=name in before or name.startswith(_SECRET),
        )
        for name in values
        if _key_of(name)
    ]
    return [*found, Field(ADD, _HINT)]


def added_variable(text: str, values: Values) -> tuple[str, str | None]:
    """Return the field and value of `KEY=VALUE`; None: its value is still to be typed."""
    key, equals, value = text.partition("=")
    key, plain = key.strip(), f"{_PLAIN}{key.strip()}"
    secret = f"{_SECRET}{key}"
    is_plain = plain in values or (bool(equals) and not is_pem(value))
    return plain if is_plain and secret not in values else secret, value if equals else None


def variable_notes(values: Values, before: Values) -> dict[str, str]:
    changed = {name for name in values if _key_of(name) and values[name] != before.get(name)}
    known = {name: "delete: remove" for name in values if _key_of(name)}
    return known | dict.fromkeys(changed, "not sent yet")


def variable_problems(values: Values) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        if name.startswith(_SECRET) and not value:
            found[name] = "Enter the value: secrets are not saved."
        # One key selects the pipeline file; a schedule has no other place for it.
        key = _key_of(name)
        if key and key != PIPELINE_FILE_VARIABLE and (problem := key_problem(key)):
            found[name] = problem
    return found


def variable_changes(
    project: ProjectRef, schedule: int, values: Values, before: Values
) -> list[ScheduleVariable]:
    return [
        ScheduleVariable(project, schedule, key, _value(name, text, before), exists=name in before)
        for name, text in values.items()
        if (key := _key_of(name)) and text != before.get(name)
    ]


def variable_names(values: Values) -> list[str]:
    """Return the keys as named in a question: `DAY`, `API_KEY (secret)`."""
    hidden = " (secret)"
    return [
        f"{clean(key)}{hidden * name.startswith(_SECRET)}"
        for name in values
        if (key := _key_of(name))
    ]


def field_of_variable(one: ScheduleVariable, values: Values) -> str:
    return next((name for name in values if _key_of(name) == one.key), f"{_PLAIN}{one.key}")


def _key_of(field: str) -> str:
    """Return the key of the variable of a field; empty for other fields."""
    prefix = next((one for one in (_PLAIN, _SECRET) if field.startswith(one)), "")
    return field.removeprefix(prefix) if prefix else ""


def _value(name: str, text: str, before: Values) -> str | Secret | None:
    if name in before:
        return Secret(text) if text else None
    return Secret(text) if name.startswith(_SECRET) else text
