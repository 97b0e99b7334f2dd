"""Build write requests from intents, for confirmation and preview. Pure."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final

from platui.api.endpoints import pipelines, projects, schedules
from platui.api.endpoints.actions import record_action
from platui.core.dataclass import dataclass
from platui.core.secrets import MASK, Secret
from platui.core.text import clean, shorten
from platui.models.values.writes import (
    Encoding,
    MaskedRequest,
    NewPipeline,
    NewProject,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
    WriteRequest,
)
from platui.service.writes.optional_writes import OptionalWrites

if TYPE_CHECKING:
    from platui.api.write import Write
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Intent, RunVariable

_NAMED: Final = 12  # variables that are named
_LONGEST_KEY: Final = 40
_MASKED: Final = Secret(MASK)
_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)

_COMMANDS: Final = {
    WriteAction.CANCEL_PIPELINE: ("cancel",),
    WriteAction.RETRY_PIPELINE: ("retry",),
    WriteAction.CANCEL_JOB: ("cancel", "--job"),
    WriteAction.RETRY_JOB: ("retry", "--job"),
    WriteAction.PLAY_JOB: ("play",),
    WriteAction.RUN_SCHEDULE: ("schedule", "run"),
    WriteAction.OWN_SCHEDULE: ("schedule", "own"),
    WriteAction.DELETE_SCHEDULE: ("schedule", "delete"),
}


@dataclass(frozen=True, slots=True)
class RequestContext:
    """The context of a request: profile, credentials, and whether it can be sent."""

    profile: str
    production: bool = False
    trigger_source: str = ""
    problem: str = ""
    options: tuple[str, ...] = ()  # of a command that select the profile; none: by its name
    optional: OptionalWrites = field(default_factory=OptionalWrites)
    called: str = ""


def write_of(intent: Intent, trigger_token: Secret | None = None) -> Write[Any]:
    match intent:
        case NewPipeline(triggered=True):
            return pipelines.trigger(intent, trigger_token or Secret(""))
        case NewPipeline():
            return pipelines.start(intent)
        case NewSchedule():
            return schedules.create(intent)
        case ScheduleChange():
            return schedules.change(intent)
        case ScheduleVariable():
            return schedules.set_variable(intent)
        case NewProject():
            return projects.create(intent)
        case RecordAction():
            return record_action(intent)


def request_of(intents: Sequence[Intent], context: RequestContext) -> WriteRequest:
    """Return the request of one or more intents. Raises ValueError: there are none."""
    if not intents:
        raise ValueError("no intents")
    effects = tuple(map(effect_of, intents))
    projects = {_project_of(intent) for intent in intents}
    project = projects.pop() if len(projects) == 1 else None
    name = "" if project is None else context.called or clean(str(project))
    # Only a real path, since users copy the commands.
    path = name if _PATH.fullmatch(name) else ""
    credential, first = "access token", intents[0]
    if isinstance(first, NewPipeline) and first.triggered:
        source = f" from {context.trigger_source}" if context.trigger_source else ""
        credential = f"trigger token of {name}{source}"
    options = context.options or ("--profile", context.profile)
    operations = sorted({operation_of(intent) for intent in intents} - {""})
    absent = [name for name in operations if context.optional.offers(name) is False]
    is_off = context.optional.is_off
    return WriteRequest(
        intents=tuple(intents),
        effect=effects[0] if len(effects) == 1 else _together(intents),
        effects=effects,
        profile=context.profile,
        production=context.production,
        project=project,
        called=name,
        http_requests=tuple(map(_masked_request, intents)),
        commands=tuple(shlex.join(command_of(intent, options, path)) for intent in intents),
        credential=credential,
        # An unlocked profile would not help.
        problem=not_offered(absent[0], is_off=is_off) if absent else context.problem,
        is_supported=not absent,
        trigger_source=context.trigger_source,
    )


def operation_of(intent: Intent) -> str:
    """Return the name of the optional endpoint of an intent; empty for a specified one."""
    write = write_of(intent)
    return write.name if write.optional else ""


def not_offered(operation: str, *, is_off: bool = False) -> str:
    verb, _, noun = operation.rpartition(" ")
    if is_off:
        return f'The profile disables this operation (neighbours = "off"): {verb} a {noun}.'
    return f"This platform does not support this operation: {verb} a {noun}."


def effect_of(intent: Intent) -> str:
    """Describe the effect of an intent in one line, without the project."""
    match intent:
        case NewPipeline():
            verb = "Trigger" if intent.triggered else "Start"
            file = f" from {clean(intent.pipeline_file)}" if intent.pipeline_file else ""
            return f"{verb} a pipeline on {clean(intent.ref)}{file}{_with(intent.variables)}"
        case NewSchedule():
            state = "" if intent.active else ", inactive"
            name, ref, cron = clean(intent.description), clean(intent.ref), clean(intent.cron)
            zone = clean(intent.cron_timezone) or "UTC"
            return f'Create the schedule "{name}": {cron} ({zone}) on {ref}{state}'
        case ScheduleChange():
            name = f' "{clean(intent.name)}"' if intent.name else f" #{intent.schedule}"
            return f"Change the schedule{name}: {clean(_changes_text(intent)) or 'nothing'}"
        case ScheduleVariable():
            verb = "Remove" if intent.value is None else "Change" if intent.exists else "Add"
            hidden = " (secret)" if isinstance(intent.value, Secret) else ""
            return f"{verb} the variable {clean(intent.key)}{hidden} of schedule #{intent.schedule}"
        case NewProject():
            return f'Create the project "{clean(intent.name)}"'
        case RecordAction():
            name = f" {clean(intent.name)}" if intent.name else ""
            details = f" · {clean(intent.details)}" if intent.details else ""
            return f"{intent.action.effect} #{intent.id}{name}{details}"


def command_of(intent: Intent, options: Sequence[str], path: str = "") -> list[str]:
    """Return the equivalent command with these global options, without values of secrets."""
    words = ["platui", *options]
    project = _project_of(intent)
    target = [] if project is None else [path or str(project)]
    match intent:
        case NewPipeline():
            words += ["trigger" if intent.triggered else "run", *target, "--ref", intent.ref]
            words += ["--file", intent.pipeline_file] if intent.pipeline_file else []
            words += [word for item in intent.variables for word in _variable_option(item)]
        case NewSchedule():
            words += ["schedule", "create", *target, "--description", intent.description]
            words += ["--ref", intent.ref, "--cron", intent.cron]
            # Always given: the command defaults to the zone of the machine.
            words += ["--timezone", intent.cron_timezone or "UTC"]
            words += [] if intent.active else ["--active", "false"]
        case ScheduleChange():
            words += ["schedule", "edit", *target, str(intent.schedule)]
            for name, value in _changes(intent).items():
                words += [f"--{name}", value]
        case ScheduleVariable():
            words += ["schedule", "edit", *target, str(intent.schedule), *_variable_option(intent)]
        case NewProject():
            words += ["project", "create", intent.name]
            words += ["--description", intent.description] if intent.description else []
            words += ["--access", intent.project_access] if intent.project_access else []
            words += ["--form"] if intent.encoding is Encoding.FORM else []
        case RecordAction():
            first, *rest = _COMMANDS[intent.action]
            words += [first, *target, *rest, str(intent.id)] if rest[:1] == ["--job"] else [
                first, *rest, *target, str(intent.id)
            ]  # fmt: skip
            if intent.action is WriteAction.DELETE_SCHEDULE and intent.name:
                words += ["--confirm", intent.name]
    return words


def _variable_option(item: RunVariable | ScheduleVariable) -> list[str]:
    if item.value is None:
        return ["--unset", item.key]
    if isinstance(item.value, Secret):
        return ["--secret", f"{item.key}={item.source}" if item.source else item.key]
    return ["--var", f"{item.key}={item.value}"]


def _changes(change: ScheduleChange) -> dict[str, str]:
    fields = {
        "description": change.description,
        "ref": change.ref,
        "cron": change.cron,
        "timezone": change.cron_timezone,
        "active": None if change.active is None else str(change.active).lower(),
    }
    return {name: value for name, value in fields.items() if value is not None}


def _changes_text(change: ScheduleChange) -> str:
    before = dict(change.before)
    return ", ".join(
        f"{name} {before[name] or '(none)'} → {value}" if name in before else f"{name} {value}"
        for name, value in _changes(change).items()
    )


def _with(variables: tuple[RunVariable, ...]) -> str:
    if not variables:
        return ""
    names = [
        f"{shorten(item.key, _LONGEST_KEY)} (secret)"
        if isinstance(item.value, Secret)
        else shorten(item.key, _LONGEST_KEY)
        for item in variables
    ]
    noun = "variable" if len(names) == 1 else "variables"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" with {len(names)} {noun}: {', '.join(names[:_NAMED])}{more}"


def _together(intents: Sequence[Intent]) -> str:
    acts = {intent.action for intent in intents if isinstance(intent, RecordAction)}
    if len(acts) == 1 and all(isinstance(intent, RecordAction) for intent in intents):
        act = acts.pop()
        words = act.effect.rpartition(" ")[0]
        return f"{words} {len(intents):,} {act.kind}s"
    return f"{len(intents):,} changes"


def _project_of(intent: Intent) -> ProjectRef | None:
    return None if isinstance(intent, NewProject) else intent.project


def _masked_request(intent: Intent) -> MaskedRequest:
    write = write_of(intent)
    digest = write.digest
    if isinstance(intent, ScheduleVariable) and isinstance(intent.value, Secret):
        write = write_of(replace(intent, value=_MASKED))
    if isinstance(intent, NewPipeline):
        variables = tuple(
            replace(item, value=_MASKED) if isinstance(item.value, Secret) else item
            for item in intent.variables
        )
        write = write_of(replace(intent, variables=variables), _MASKED)
    if write.payload == ():
        return MaskedRequest(write.method, write.target, "", "", digest)
    form = isinstance(write.payload, tuple)
    body = json.dumps(dict(write.payload), ensure_ascii=False, indent=2)
    return MaskedRequest(write.method, write.target, body, "form" if form else "json", digest)
