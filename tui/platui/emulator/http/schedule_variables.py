"""The variables of a schedule, which only its owner and maintainers see."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.emulator.http.answers import json_answer
from platui.emulator.http.failures import forbidden, invalid, not_found
from platui.emulator.http.render.pipelines import variable
from platui.emulator.http.schedules import administers, changed, find_schedule, owned_schedule
from platui.emulator.records import ScheduleChange, Variable

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table
    from platui.emulator.records import Schedule

_KEY: Final = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_LONGEST_KEY: Final = 255
_KINDS: Final = ("env_var", "file")


def create_variable(call: Call) -> Response:
    """Add a variable; its key must be new."""
    _, record = owned_schedule(call)
    key, value = call.params.required("key", "value")
    kind = call.params.choice("variable_type", _KINDS) or "env_var"
    wrong: list[str] = []
    if not _KEY.fullmatch(key):
        wrong.append("can contain only letters, digits and '_'.")
    if len(key) > _LONGEST_KEY:
        wrong.append(f"is too long (maximum is {_LONGEST_KEY} characters)")
    if any(one.key == key for one in record.variables):
        wrong.append("has already been taken")
    if wrong:
        raise invalid(key=wrong)
    made = Variable(key, value, kind)
    _put(call, record, (*record.variables, made))
    return json_answer(variable(made), 201)


def show_variable(call: Call) -> Response:
    """Show one variable."""
    _, record = find_schedule(call)
    if not administers(call, record):
        raise forbidden()
    return json_answer(variable(_find(call, record)))


def edit_variable(call: Call) -> Response:
    """Change the value or the kind of a variable."""
    _, record = owned_schedule(call)
    old = _find(call, record)
    value, kind = call.params.text("value"), call.params.choice("variable_type", _KINDS)
    new = replace(
        old,
        value=old.value if value is None else value,
        variable_type=kind or old.variable_type,
        secret=old.secret and value is None,
    )
    _put(call, record, tuple(new if one is old else one for one in record.variables))
    return json_answer(variable(new))


def delete_variable(call: Call) -> Response:
    """Delete a variable; the answer says what it was."""
    _, record = find_schedule(call)
    call.require_write_scope()
    if not administers(call, record):
        raise forbidden()
    old = _find(call, record)
    _put(call, record, tuple(one for one in record.variables if one is not old))
    return json_answer(variable(old), 202)


def _find(call: Call, record: Schedule) -> Variable:
    for one in record.variables:
        if one.key == call.path["key"]:
            return one
    raise not_found("Pipeline Schedule Variable")


def _put(call: Call, record: Schedule, variables: tuple[Variable, ...]) -> None:
    changed(call, record, ScheduleChange(variables=variables))


_PATH: Final = "projects/{project}/pipeline_schedules/{schedule}/variables"

ROUTES: Table = {
    _PATH: {"POST": create_variable},
    f"{_PATH}/{{key}}": {"GET": show_variable, "PUT": edit_variable, "DELETE": delete_variable},
}
