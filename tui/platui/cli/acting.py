"""What `platui cancel`, `retry`, `play` and `schedule run` share: from the words to the act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.act_states import makes_sense
from platui.cli.asking import first
from platui.cli.connecting import platform_of
from platui.cli.targets import Kind, target_at
from platui.cli.writing import refused, write
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.writes import Act, ActOn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.cli.manner import After, Manner
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.service import PlatformService


def act(
    options: Options,
    words: tuple[str, ...],
    acts: Mapping[Kind, Act],
    kind: Kind,
    *,
    manner: Manner,
    hint: str,
    after: After | None = None,
    named: Callable[[ActOn], None] | None = None,
) -> int:
    """Act on a pipeline or job; returns the exit code.

    Args:
        options: which profile.
        words: which pipeline or job.
        acts: what is done to each kind of thing.
        kind: what a number among the words is of.
        manner: how it is asked for and told of.
        hint: where the right words are told.
        after: what comes then.
        named: makes sure, before it is asked about, that the thing is the one that is meant;
            raises PlatuiError where it is not.

    Raises:
        PlatuiError: the words name nothing, or nothing was changed.
    """
    with platform_of(options, words, manner) as platform:
        target = target_at(words, platform.address, kind, hint)
        if target.kind not in acts:
            raise ConfigError(
                f"That is a {target.kind}, and there is no such act on one.", hint=hint
            )
        what, name, note = acts[target.kind], "", ""
        if not manner.dry_run and (named is not None or not manner.yes):
            try:
                name, status = platform.run(_looked_at(platform.service, target))
            except PlatuiError as error:
                return refused(error)
            if status and not makes_sense(what, status):
                note = f"It is {shorten(status, 40)}: that may change nothing."
        intent = ActOn(what, target.project, target.id, name)
        if named is not None and not manner.dry_run:
            named(intent)
        return write(platform, intent, manner, after, note)


async def _looked_at(service: PlatformService, target: Target) -> tuple[str, str]:
    """Return by what name people know it, and its status: a question should name both.

    Raises:
        PlatuiError: there is no such thing, or nobody tells.
    """
    await service.start()
    if target.kind is Kind.JOB:
        job = await first("that job", service.watch_job(target.project, target.id), bool, anew=True)
        return job.name, job.status
    if target.kind is Kind.SCHEDULE:
        plan = service.watch_schedule(target.project, target.id)
        schedule = await first("that schedule", plan, bool, anew=True)
        return clean(schedule.description), ""
    feed = service.watch_pipeline(target.project, target.id)
    pipeline = await first("that pipeline", feed, bool, anew=True)
    return f"({pipeline.ref})" if pipeline.ref else "", pipeline.status
