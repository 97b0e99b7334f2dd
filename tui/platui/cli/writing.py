"""Confirm and send a write, print its outcome, and optionally wait for what it started."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Coroutine, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from platui.cli.confirmation import check_writes_allowed, confirm_write
from platui.cli.error_output import print_error
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.cli.project_lookup import project_to_write
from platui.cli.prompts import has_terminal
from platui.cli.ref_check import lacks_refs
from platui.cli.target_lookup import not_found_words
from platui.cli.targets import Kind, Target, resume_hint
from platui.cli.waiting import wait_for
from platui.core.errors import ForbiddenError, NotFoundError, PlatuiError, RejectedError
from platui.core.text import clean, json_escaped
from platui.models.values import write_states as states
from platui.models.values.write_states import WriteProgress
from platui.models.values.writes import (
    NewPipeline,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.models.wire import Pipeline, Project
from platui.present.writes.requests import preview
from platui.present.writes.states import (
    candidate_words,
    left_words,
    outcome_words,
    refused_words,
    tally,
    unknown_words,
)
from platui.service.writes.requests import operation_of

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import Outcome, WriteState
    from platui.models.values.writes import Confirmation, Intent, WriteRequest
    from platui.service import PlatformService

_ENDING: Final = (Kind.PIPELINE, Kind.JOB)


def write(
    platform: Platform,
    *intents: Intent,
    note: str = "",
    starts: Callable[[], Coroutine[Any, Any, Outcome | None]] | None = None,
    then: Callable[[Outcome], int] | None = None,
    is_rest: bool = False,
) -> int:
    """Send writes of one confirmation, in order.

    `note` precedes the confirmation, `starts` finds the started pipeline, `then` sends what needs
    the outcome, `is_rest` continues a write that is done: it prints only to standard error.
    """
    check_writes_allowed(platform)
    service, write_options = platform.service, platform.write_options
    request, intent = service.write_service.request(*intents), intents[0]
    if write_options.dry_run:
        return _dry_run(platform, request)
    reporter = WriteReporter(request)
    try:
        platform.run(service.start())  # check the token before the confirmation
        confirmed, typed = confirm_write(platform, request, note)
        progress = platform.run(_sent(service, confirmed, typed, reporter))
    except KeyboardInterrupt:
        reporter.print_interrupted(is_rest=is_rest)
        raise
    match state := _deciding_state(request, progress):
        case states.Refused(error):
            return _refused(request, progress, error, is_rest=is_rest)
        case states.Found() | states.NotFound():
            if write_options.as_json:
                found = state.candidates if isinstance(state, states.Found) else ()
                print_object(
                    {
                        "outcome": "unknown",
                        "sentence": state.sentence,
                        "found": [outcome_object(one, "probably") for one in found],
                    }
                )
            _print_left(_left(request, progress))
            return Exit.UNKNOWN
        case states.Done(outcome):
            print_notice(outcome_words(request, progress, stopped=False)[1])
            if is_rest:
                return 0
            is_new = isinstance(intent, NewPipeline)
            if starts is not None:
                made = platform.run(starts())
                if made is None and not (write_options.waits or write_options.as_json):
                    return 0  # stdout is for the id of the pipeline
                outcome, is_new = made or outcome, made is not None
            code = _ended(platform, outcome, intent, is_new=is_new)
            return then(outcome) if then is not None else code
    raise PlatuiError("The write ended without a result.")


def _dry_run(platform: Platform, request: WriteRequest) -> int:
    service, write_options = platform.service, platform.write_options
    is_missing = platform.run(lacks_refs(service, request.intents))
    print_request(request, as_json=write_options.as_json)
    done = Exit.REFUSED if is_missing else Exit.DONE
    name, unlock = service.profile.name, write_options.unlock
    is_locked = service.writes == "locked" and request.is_supported
    if not request.problem or (is_locked and unlock == name):
        return done
    problem = request.problem
    if is_locked and not unlock and has_terminal():
        print_notice(f"{problem} Sending asks for its name.")
        return done
    if is_locked and unlock:
        problem = f"--unlock: the name of this profile is {clean(name)}."
    elif is_locked:
        problem = f"{problem} Add --unlock {shlex.quote(name)} to unlock them."
    print_notice(f"Sending it would fail: {problem}")
    return Exit.REFUSED


def _deciding_state(request: WriteRequest, progress: WriteProgress) -> WriteState | None:
    """Return the first state that is not done, else the last; an error gets its remedy."""
    undone = (at for at, one in enumerate(progress.states) if not isinstance(one, states.Done))
    at = next(undone, len(progress.states) - 1)
    state = progress.states[at]
    if state is None and progress.stopped is not None:
        state = states.Refused(progress.stopped)
    if at and not isinstance(state, states.Done):
        print_notice(outcome_words(request, progress)[1])
    if isinstance(state, states.Refused):
        return states.Refused(_with_remedy(request.intents[at], state.error))
    return state


def _refused(
    request: WriteRequest, progress: WriteProgress, error: PlatuiError, *, is_rest: bool
) -> Exit:
    """Raise the error, unless something is done, or may be."""
    left = _left(request, progress)
    if not is_rest and len(left) == len(request.commands):
        raise refused(error)
    return done_in_part(error, left)


def _left(request: WriteRequest, progress: WriteProgress) -> list[str]:
    """Return the commands of the writes that surely changed nothing."""
    each = zip(request.commands, progress.states, strict=True)
    unsent = (states.Waiting, states.Refused)
    return [one for one, state in each if state is None or isinstance(state, unsent)]


def done_in_part(error: PlatuiError, left: Sequence[str]) -> Exit:
    """Print the error and the commands that are left, after a write that is done or may be."""
    # Not the error's exit code: a script might send all of it again.
    print_error(error)
    _print_left(left)
    return Exit.UNKNOWN


def _print_left(commands: Sequence[str]) -> None:
    if commands:
        print_notice("Not done:")
    for command in commands:
        print_notice(f"  {json_escaped(command)}")


def refused(error: PlatuiError) -> PlatuiError:
    error.sentence = refused_words(error)
    return error


def writable_project(platform: Platform, named: ProjectRef) -> ProjectRef:
    check_writes_allowed(platform)
    try:
        return platform.read(project_to_write(platform, named))
    except PlatuiError as error:
        raise refused(error) from None


def _with_remedy(intent: Intent, error: PlatuiError) -> PlatuiError:
    match error, intent:
        case ForbiddenError(), ScheduleChange() | ScheduleVariable() if error.hint:
            project = clean(shlex.quote(str(intent.project)))
            own = f"platui schedule own {project} {intent.schedule}"
            return ForbiddenError(error.sentence, status=error.status, hint=f"{error.hint} {own}")
        case RejectedError(), NewPipeline() | NewSchedule() | ScheduleChange() if (
            "reference" in error.sentence.casefold()
        ):
            hint = "Use the full name of a branch or tag of the project for --ref."
            return RejectedError(error.sentence, status=error.status, hint=hint)
        case NotFoundError(), ScheduleChange() | RecordAction() if operation_of(intent).endswith(
            "schedule"
        ):
            project = clean(shlex.quote(str(intent.project)))
            hint, sentence = f"List them with: platui schedules {project}", error.sentence
            if "schedule" in sentence.casefold():
                number = intent.id if isinstance(intent, RecordAction) else intent.schedule
                sentence = not_found_words(f"schedule #{number}", intent.project)
            return NotFoundError(sentence, status=error.status, hint=hint)
    return error


async def _sent(
    service: PlatformService, confirmed: Confirmation, typed: str, reporter: WriteReporter
) -> WriteProgress:
    if service.writes == "locked" and not service.writes_open_until.value:
        service.write_service.lock.unlock(typed)
    intent = confirmed.request.intents[0]
    if isinstance(intent, RecordAction):
        service.local_state.confirm_action(intent.action)
    clock = service.clock
    task = service.write_service.task(confirmed)
    task.progress.observe(
        lambda now: reporter.print_state(now, task.state, clock.monotonic(), clock.now())
    )
    await task.follow(service.write_service)
    return task.progress.value


def _ended(platform: Platform, outcome: Outcome, intent: Intent, *, is_new: bool) -> int:
    write_options = platform.write_options
    # Id and address of the created object; empty without id
    url = [clean(outcome.web_url)] if outcome.web_url else []
    line = "" if outcome.id is None else "\t".join([str(outcome.id), *url])
    if not write_options.waits:
        if write_options.as_json:
            print_object(outcome_object(outcome))
        elif line:
            print_line(line)
        return 0

    if outcome.id is None or outcome.project is None or outcome.kind not in _ENDING:
        kind = outcome.kind if outcome.kind in _ENDING else "pipeline"
        print_notice(f"Cannot wait for the {kind}: the platform did not send its id.")
        return Exit.UNKNOWN
    if write_options.follow:
        print_notice(line.replace("\t", " · "))
    elif not write_options.as_json:
        print_line(line)
    target = Target(Kind(outcome.kind), outcome.project, outcome.id)
    fields = outcome_object(outcome) if write_options.as_json else None
    is_retry = isinstance(intent, RecordAction) and intent.action is WriteAction.RETRY_PIPELINE
    before = outcome.record if is_retry and isinstance(outcome.record, Pipeline) else None
    try:
        return wait_for(
            platform, target, follow=write_options.follow, fields=fields, is_new=is_new,
            before=before,
        )  # fmt: skip
    except PlatuiError as error:
        # Not the error's exit code: a script might send the write again.
        print_error(error)
        print_notice(resume_hint(target, platform.service.profile, follow=write_options.follow))
        return Exit.UNKNOWN


class WriteReporter:
    def __init__(self, request: WriteRequest) -> None:
        self._request = request
        self._progress = WriteProgress((None,) * len(request.intents))
        self._last: WriteState | None = None
        self._until = 0.0

    def print_state(
        self, progress: WriteProgress, state: WriteState | None, now: float, at: datetime
    ) -> None:
        """Print the new state of the current part; `now` is in monotonic seconds."""
        self._progress = progress
        if state is self._last:
            return
        self._last = state
        match state:
            case states.Waiting(until, reason):
                if abs(until - self._until) > 1:
                    self._until = until
                    print_notice(f"{reason} Sending in {left_words(until, now)}; Ctrl+C to cancel.")
            case states.Unknown(error):
                print_notice(unknown_words(error))
            case states.Probing(until):
                print_notice(f"Checking the result, for at most {left_words(until, now)}.")
            case states.Found(candidates, sentence):
                print_notice(sentence)
                for outcome in candidates:
                    link = f" · {outcome.web_url}" if outcome.web_url else ""
                    print_notice(f"  {candidate_words(outcome, at, utc=True)}{link}")
            case states.NotFound(sentence):
                print_notice(f"{sentence} Check before you send it again.")
            case states.Done(outcome) if outcome.id is None:
                print_notice(f"{self._request.effect}: done; the platform did not send its id.")

    def print_interrupted(self, *, is_rest: bool) -> None:
        left = _left(self._request, self._progress)
        is_begun = len(left) < len(self._request.intents)
        match self._last:
            case None | states.Waiting() if not is_begun:
                print_notice("Nothing was sent.")
            case states.Sent():
                print_notice(
                    "It was sent; stopped waiting for the response. Result unknown: "
                    "check `platui audit`."
                )
            case states.Unknown() | states.Probing():
                print_notice("Stopped checking. Result unknown.")
        if is_begun and len(self._request.intents) > 1:
            print_notice(f"{tally(self._progress)}.")
        if is_begun or is_rest:
            _print_left(left)


def outcome_object(outcome: Outcome, result: str = "done") -> dict[str, Any]:
    created, project, record = outcome.created_at, outcome.project, outcome.record
    if isinstance(record, Project):
        project = record.path_with_namespace or record.id
    return {
        "outcome": result,
        "kind": outcome.kind,
        "project": project,
        "id": outcome.id,
        "status": outcome.status or None,
        "web_url": outcome.web_url or None,
        "created_at": None if created is None else created.isoformat(),
    }


def print_request(request: WriteRequest, *, as_json: bool) -> None:
    if not as_json:
        for line in preview(request):
            print_line(line)
        return
    first, *others = (
        {
            "effect": effect,
            "method": http.method,
            "target": http.target,
            "encoding": http.encoding or None,
            "body": json.loads(http.body) if http.body else None,
            "command": json_escaped(command),
        }
        for effect, http, command in zip(
            request.effects, request.http_requests, request.commands, strict=True
        )
    )
    common = {"profile": request.profile, "credential": request.credential}
    print_object({"outcome": "dry run", **first, **common, **({"then": others} if others else {})})
