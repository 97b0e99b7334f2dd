"""Confirm and send a write, and optionally wait for what it started."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.cli.confirmation import check_writes_allowed, confirm_write
from platui.cli.error_output import exit_code_of, hint_of, print_error
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.cli.output.writes import (
    WriteReporter,
    left_commands,
    outcome_object,
    print_left,
    print_request,
)
from platui.cli.project_lookup import project_to_write
from platui.cli.prompts import has_terminal
from platui.cli.ref_check import ref_errors
from platui.cli.target_lookup import not_found_words
from platui.cli.targets import Kind, Target, command_of, resume_hint
from platui.cli.waiting import wait_for
from platui.core.errors import (
    ForbiddenError,
    MissingScopeError,
    NotFoundError,
    NotSupportedError,
    PlatuiError,
    RejectedError,
    UnauthorizedError,
    WriteRefusedError,
    WritesOffError,
)
from platui.core.text import clean, with_full_stop
from platui.models.values import write_states as states
from platui.models.values.writes import (
    NewPipeline,
    NewSchedule,
    RecordAction,
    ScheduleChange,
    ScheduleVariable,
    WriteAction,
)
from platui.models.wire import Pipeline
from platui.present.writes.states import outcome_words, refused_words
from platui.service.writes.requests import operation_of

if TYPE_CHECKING:
    from platui.cli.connection import Platform
    from platui.config.profile import Profile
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import Outcome, WriteProgress, WriteState
    from platui.models.values.writes import Confirmation, Intent, WriteRequest
    from platui.service import PlatformService

_ENDING: Final = (Kind.PIPELINE, Kind.JOB)


def write(
    platform: Platform,
    *intents: Intent,
    note: str = "",
    starts: Callable[[], Coroutine[Any, Any, Outcome | None]] | None = None,
    then: Callable[[Outcome], int] | None = None,
    unsent: Callable[[Sequence[Outcome]], Sequence[str]] | None = None,
    is_rest: bool = False,
) -> int:
    """Send writes of one confirmation, in order.

    `note` precedes the confirmation, `starts` finds the started pipeline, `then` sends what needs
    the outcome, `unsent` returns the commands of that, if the outcome is unknown. `is_rest`
    continues a write that is done: it prints only to standard error.
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
    match state := _deciding_state(service.profile, request, progress):
        case states.Refused(error):
            return _refused(request, progress, error, is_rest=is_rest)
        case states.Found() | states.NotFound():
            found = state.candidates if isinstance(state, states.Found) else ()
            if write_options.as_json and not is_rest:
                print_object(
                    {
                        "outcome": "unknown",
                        "sentence": state.sentence,
                        "found": [outcome_object(one, "probably") for one in found],
                    }
                )
            later = () if unsent is None else unsent(found)
            print_left([*left_commands(request, progress), *later])
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


def _dry_run(platform: Platform, request: WriteRequest) -> Exit:
    """Print the request, and why sending it would fail."""
    as_json, intent = platform.write_options.as_json, request.intents[0]
    errors = [
        *_profile_errors(platform, request),
        *platform.failures,
        *platform.run(ref_errors(platform.service, request.intents)),
    ]
    if isinstance(intent, NewPipeline) and intent.triggered:  # without the access token
        of_token = UnauthorizedError | MissingScopeError
        errors = [error for error in errors if not isinstance(error, of_token)]
    reasons = {clean(error.sentence): clean(hint_of(error)) for error in errors}
    print_request(request, as_json=as_json, problem=" ".join(map(with_full_stop, reasons)))
    for reason, hint in reasons.items():
        print_notice(f"Sending it would fail: {with_full_stop(reason)} {hint}".strip())
    return exit_code_of(errors[0]) if errors else Exit.DONE


def _profile_errors(platform: Platform, request: WriteRequest) -> Iterator[PlatuiError]:
    service, unlock = platform.service, platform.write_options.unlock
    name = clean(service.profile.name)
    if not request.is_supported:
        yield NotSupportedError(request.problem, hint="")
    elif service.writes == "off":
        yield WritesOffError(f"Writes are off for the profile {name}.", hint=platform.why_off)
    elif unlock not in {"", service.profile.name}:
        yield WriteRefusedError(f"--unlock: the name of this profile is {name}.")
    elif service.writes == "locked" and not unlock:
        if has_terminal():
            print_notice(f"{request.problem} Sending asks for its name.")
        else:
            hint = f"Add --unlock {shlex.quote(name)} to unlock them."
            yield WriteRefusedError(request.problem, hint=hint)


def _deciding_state(
    profile: Profile, request: WriteRequest, progress: WriteProgress
) -> WriteState | None:
    """Return the first state that is not done, else the last; an error gets its remedy."""
    undone = (at for at, one in enumerate(progress.states) if not isinstance(one, states.Done))
    at = next(undone, len(progress.states) - 1)
    state = progress.states[at]
    if state is None and progress.stopped is not None:
        state = states.Refused(progress.stopped)
    if at and not isinstance(state, states.Done):
        print_notice(outcome_words(request, progress)[1])
    if isinstance(state, states.Refused):
        return states.Refused(_with_remedy(profile, request.intents[at], state.error))
    return state


def _refused(
    request: WriteRequest, progress: WriteProgress, error: PlatuiError, *, is_rest: bool
) -> Exit:
    """Raise the error, unless something is done, or may be."""
    left = left_commands(request, progress)
    if not is_rest and len(left) == len(request.commands):
        raise refused(error)
    return done_in_part(error, left)


def done_in_part(error: PlatuiError, left: Sequence[str]) -> Exit:
    """Print the error and the commands that are left, after a write that is done or may be."""
    # Not the error's exit code: a script might send all of it again.
    print_error(error)
    print_left(left)
    return Exit.UNKNOWN


def refused(error: PlatuiError) -> PlatuiError:
    error.sentence = refused_words(error)
    return error


def writable_project(platform: Platform, named: ProjectRef) -> ProjectRef:
    check_writes_allowed(platform)
    try:
        return platform.read(project_to_write(platform, named))
    except PlatuiError as error:
        raise refused(error) from None


def _with_remedy(profile: Profile, intent: Intent, error: PlatuiError) -> PlatuiError:
    match error, intent:
        case ForbiddenError(), ScheduleChange() | ScheduleVariable() if error.hint:
            own = command_of(profile, "schedule", "own", str(intent.project), str(intent.schedule))
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
