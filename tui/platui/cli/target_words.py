"""The pipeline, job or schedule that words mean, in the project that they mean."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final, TypeVar

from platui.cli.asking import first
from platui.cli.listing import gather
from platui.cli.project_words import in_project
from platui.cli.targets import Kind
from platui.core.errors import CommandError, NotFoundError, NotOfferedError, PlatuiError
from platui.core.text import clean, shorten
from platui.service.write_plans import not_offered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from platui.cli.targets import Target
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Act
    from platui.service import PlatformService

T = TypeVar("T")

BY_OPTION: Final[Mapping[Kind, str]] = {
    Kind.PIPELINE: "There is a job #{id}: --job says that it is meant.",
    Kind.JOB: "There is a pipeline #{id}: without --job it is meant.",
}
"""By what was looked for: what to do where the other has this number. --job tells them apart."""

BY_COMMAND: Final[Mapping[Kind, str]] = {
    Kind.PIPELINE: "There is a job #{id}: platui job {project} {id}",
    Kind.JOB: "There is a pipeline #{id}: platui jobs {project} {id} lists its jobs.",
}
"""The same, where other commands are for the other."""


async def at_target(
    service: PlatformService,
    target: Target,
    ask: Callable[[Target], Awaitable[T]],
    other: Mapping[Kind, str] = BY_COMMAND,
    act: Act | None = None,
) -> T:
    """Return what the platform says of something in a project, however that is named.

    Args:
        service: the platform's, started.
        target: what the words of the command say.
        ask: asks about it; the project has a name there that the platform takes.
        other: what can be done where it is the number of something else.
        act: what is to be done with it; None: it is only read.

    Raises:
        AmbiguousError: several projects are called so.
        NotOfferedError: the platform tells of no schedule, and has no act on one.
        CommandError: there is no such project, or no such thing in it.
        PlatuiError: nobody tells.
    """
    meant = target

    async def ask_in(project: ProjectRef) -> T:
        nonlocal meant
        meant = target._replace(project=project)
        return await ask(meant)

    try:
        return await in_project(service, target.project, ask_in)
    except NotFoundError:
        if act is not None and target.kind is Kind.SCHEDULE and await _lists_none(service, meant):
            raise NotOfferedError(not_offered(act.value)) from None
        raise await _not_there(service, meant, other) from None


async def _not_there(
    service: PlatformService, target: Target, other: Mapping[Kind, str]
) -> CommandError:
    """Return what to say of something in a project that is not there.

    It costs a request: the number may be that of a job where a pipeline was meant.

    Args:
        service: the platform's, started.
        target: what was looked for, in a project that is there.
        other: what can be done where it is the number of the other.
    """
    where = shorten(str(target.project), 100)
    sentence = f"There is no {target.name} in {where}, or this token may not see it."
    if target.kind is Kind.SCHEDULE:
        return CommandError(sentence, hint=f"platui schedules {_word(target)} lists them.")
    if await _is_other(service, target):
        hint = other[target.kind].format(id=target.id, project=_word(target))
        return CommandError(sentence, hint=hint)
    return CommandError(sentence, hint=f"platui {target.kind}s {_word(target)} lists them.")


async def _lists_none(service: PlatformService, target: Target) -> bool:
    """Return whether no schedule of a project can be read, however many there are.

    Who does not list them has no acts on them either: that one is not there says nothing.
    """
    try:
        feed = service.feeds.watch_schedules(target.project)
        return not (await gather("schedules", feed, 1)).offered
    except PlatuiError:
        return False  # nobody can tell now


async def _is_other(service: PlatformService, target: Target) -> bool:
    try:
        if target.kind is Kind.JOB:
            pipeline = service.feeds.watch_pipeline(target.project, target.id)
            await first("that pipeline", pipeline, lambda _: True)
        else:
            job = service.feeds.watch_job(target.project, target.id)
            await first("that job", job, lambda _: True)
    except PlatuiError:
        return False  # what is known of the other is only a hint
    return True


def _word(target: Target) -> str:
    return clean(shlex.quote(str(target.project)))
