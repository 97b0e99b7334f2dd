"""What `platui cancel`, `retry`, `play` and `schedule run` share: from the words to the act."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.act_states import makes_sense
from platui.cli.connecting import platform_of
from platui.cli.consent import refuse_early
from platui.cli.dispatch import tell
from platui.cli.looking import Seen, looked_at
from platui.cli.patience import narrate
from platui.cli.project_words import check_named_whole, project_to_write
from platui.cli.scheduled_run import ScheduledRun
from platui.cli.targets import Kind, target_at
from platui.cli.writing import refused, write
from platui.core.errors import (
    AmbiguousError,
    CommandError,
    ConfigError,
    NothingToDoError,
    NotWholeError,
    PlatuiError,
)
from platui.core.text import shorten
from platui.models.values.writes import Act, ActOn

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.cli.connecting import Platform
    from platui.cli.manner import After, Manner
    from platui.cli.targets import Target
    from platui.config.settings import Options


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
        refuse_early(platform, manner)
        what = acts[target.kind]
        # A schedule has no status: where nobody is asked, there is nothing to look for.
        looks = target.kind is not Kind.SCHEDULE or named is not None or not manner.yes
        try:
            if looks:
                by_option = len(acts) > 1
                seen = platform.read(
                    _looked_at(platform, target, what, manner, by_option=by_option)
                )
            else:
                where = project_to_write(platform, target.project, manner)
                seen = Seen(target._replace(project=platform.read(where)))
        except PlatuiError as error:
            return refused(error)
        note = ""
        if seen.status and not makes_sense(what, seen.status):
            note = f"It is {shorten(seen.status, 40)}: that may change nothing."
        intent = ActOn(what, seen.target.project, target.id, seen.name)
        if named is not None and not manner.dry_run:
            named(intent)
        if what is not Act.RUN_SCHEDULE or manner.dry_run:
            return write(platform, intent, manner, after, note)
        run = ScheduledRun(platform.service, seen.target)
        platform.run(run.look())
        return write(platform, intent, manner, after, note, starts=run.found)


async def _looked_at(
    platform: Platform, target: Target, what: Act, manner: Manner, *, by_option: bool
) -> Seen:
    """Return what an act is on; where nothing will be sent, what is in its way is only said.

    Raises:
        NotWholeError: nobody is asked, and its project is named by less than its path.
        PlatuiError: there is no such thing, or nobody tells, or the act would do nothing.
    """
    try:
        seen = await looked_at(platform.service, target, what, by_option=by_option)
        check_named_whole(target.project, seen.target.project, manner)
        if seen.idle is not None:
            raise seen.idle
    except (AmbiguousError, CommandError, NotWholeError):
        raise
    except NothingToDoError as idle:
        if not manner.dry_run:
            raise
        tell(idle.sentence, idle)
    except PlatuiError as error:
        if not manner.dry_run:
            raise
        narrate(f"Nobody has looked whether it is there: {error.sentence}")
        return Seen(target)
    return seen
