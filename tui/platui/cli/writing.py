"""One write of a command: asked for, sent, and told of; then perhaps waited for."""

from __future__ import annotations

import shlex
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final

from platui.cli.consent import consent, refuse_early
from platui.cli.dispatch import complain, tell
from platui.cli.exits import Exit, exit_code_of
from platui.cli.manner import After
from platui.cli.patience import narrate
from platui.cli.targets import Kind, Target, wait_on
from platui.cli.told import say, say_object
from platui.cli.write_told import (
    Teller,
    outcome_line,
    outcome_object,
    say_plan,
    unknown_object,
)
from platui.core.errors import NotFoundError, PlatuiError, RejectedError
from platui.core.text import clean
from platui.models.values.write_states import Done, Found, NotFound, Refused, WriteProgress
from platui.models.values.writes import (
    ActOn,
    Confirmation,
    NewPipeline,
    NewSchedule,
    ScheduleChange,
)
from platui.present.write_courses import refused_words
from platui.service.write_plans import operation_of

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from platui.cli.connecting import Platform
    from platui.cli.manner import Manner
    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import Outcome, WriteState
    from platui.models.values.writes import Intent
    from platui.service import PlatformService

_ENDING: Final = (Kind.PIPELINE, Kind.JOB)
"""What can be waited for."""


def write(
    platform: Platform,
    intent: Intent,
    manner: Manner,
    after: After | None = None,
    note: str = "",
    *,
    starts: Callable[[], Coroutine[Any, Any, Outcome | None]] | None = None,
) -> int:
    """Do what a command is for; returns the exit code.

    Args:
        platform: where.
        intent: what.
        manner: how it is asked for and told of.
        after: what comes once it is done.
        note: what is to be read before a yes.
        starts: looks for the pipeline that a write starts whose answer does not name it.

    Raises:
        PlatuiError: nothing was sent, and why.
        KeyboardInterrupt: the user said no, or ended it; what that means was said.
    """
    refuse_early(platform, manner)
    service, after = platform.service, after or After()
    plan = service.write_desk.plan(intent)
    if manner.dry_run:
        say_plan(plan, as_json=manner.as_json)
        opens = service.writes == "locked" and manner.unlock == service.profile.name
        if plan.problem and not (opens and plan.is_offered):
            opening = f" --unlock {shlex.quote(service.profile.name)} opens it for this once."
            is_locked = service.writes == "locked" and plan.is_offered
            narrate(f"It could not be sent now: {plan.problem}{opening * is_locked}")
        return 0
    teller = Teller(plan)
    try:
        platform.run(service.start())  # nobody says yes to what lacks its token
        typed = consent(service, plan, manner, note)
        state = platform.run(_sent(service, plan, typed, teller))
    except KeyboardInterrupt:
        teller.tell_interrupted()
        raise
    match state:
        case Refused(error):
            return refused(_with_remedy(intent, error))
        case Found() | NotFound():
            if manner.as_json:
                say_object(unknown_object(state))
            return Exit.UNKNOWN
        case Done(outcome):
            teller.tell_end(WriteProgress((state,)))
            is_new = isinstance(intent, NewPipeline)
            if starts is not None:
                made = platform.run(starts())
                if made is None and not (after.waits or manner.as_json):
                    return 0  # the id of something else would be taken for the pipeline's
                outcome, is_new = made or outcome, made is not None
            return _ended(platform, outcome, manner, after, is_new=is_new)
    raise PlatuiError("The write ended without an outcome.")


def refused(error: PlatuiError) -> int:
    """Say why nothing was changed; returns the exit code."""
    tell(refused_words(error), error)
    return exit_code_of(error)


def _with_remedy(intent: Intent, error: PlatuiError) -> PlatuiError:
    """Return a refusal with what helps whoever typed the command, where that is known."""
    match error, intent:
        case RejectedError(), NewPipeline() | NewSchedule() | ScheduleChange() if (
            "reference" in error.sentence.casefold()
        ):
            hint = "--ref names a branch or tag of the project, by its whole name."
            return RejectedError(error.sentence, status=error.status, hint=hint)
        case NotFoundError(), ScheduleChange() | ActOn() if operation_of(intent).endswith(
            "schedule"
        ):
            project = clean(shlex.quote(str(intent.project)))
            hint = f"platui schedules {project} lists them."
            return NotFoundError(error.sentence, status=error.status, hint=hint)
    return error


async def _sent(
    service: PlatformService, plan: WritePlan, typed: str, teller: Teller
) -> WriteState | None:
    """Send what was confirmed, and return the last of its states.

    Raises:
        WriteRefusedError: what was typed is not the profile's name.
    """
    if service.writes == "locked":
        service.write_desk.lock.unlock(typed)
    intent, state = plan.intents[0], None
    if isinstance(intent, ActOn):
        service.remembrance.know_act(intent.act)
    async with aclosing(service.write_desk.perform(intent, Confirmation(plan.key))) as states:
        async for state in states:
            teller.tell(state, service.clock.monotonic(), service.clock.now())
    return state


def _ended(
    platform: Platform, outcome: Outcome, manner: Manner, after: After, *, is_new: bool
) -> int:
    """Print what was made, and wait for it where that was asked for; returns the exit code."""
    line = outcome_line(outcome)
    if not after.waits:
        if manner.as_json:
            say_object(outcome_object(outcome))
        elif line:
            say(line)
        return 0
    from platui.cli.waiting import wait_for  # noqa: PLC0415  (only when meant)

    if outcome.id is None or outcome.project is None or outcome.kind not in _ENDING:
        kind = outcome.kind if outcome.kind in _ENDING else "pipeline"
        narrate(f"Nobody can wait for the {kind}: which it is the platform does not say.")
        return Exit.UNKNOWN
    if after.follow:
        narrate(line.replace("\t", " · "))
    elif not manner.as_json:
        say(line)
    target = Target(Kind(outcome.kind), outcome.project, outcome.id)
    fields = outcome_object(outcome) if manner.as_json else None
    try:
        return wait_for(platform, target, follow=after.follow, fields=fields, is_new=is_new)
    except PlatuiError as error:
        # No script may take it for a write that failed, and send it again.
        complain(error)
        narrate(wait_on(target, platform.service.profile, follow=after.follow))
        return Exit.UNKNOWN
