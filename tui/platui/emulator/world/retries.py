"""What comes of trying a job again: drawn from the seed, and from why it failed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world import causes

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from platui.emulator.world.causes import Cause

_AGAIN: Final = {
    causes.CONNECTION_ERROR: 0.15,
    causes.RUNNER_FAILURE: 0.1,
    causes.OUT_OF_MEMORY: 0.5,
    causes.TIMEOUT: 0.4,
    causes.TEST_FAILED: 0.6,
    causes.TOKEN_EXPIRED: 0.5,
    causes.WAREHOUSE_SUSPENDED: 0.4,
    causes.STALE_SOURCE: 0.5,
    causes.SOFT_FAILURE: 0.4,
    causes.NO_RUNNER: 1.0,
}
"""How likely the same cause strikes again, when no incident is the reason."""


def cause_again(
    cause: Cause, dice: Random, *, asked_for: bool, lasts: Callable[[Cause], bool]
) -> Cause | None:
    """Return why a second attempt fails, or None when it succeeds.

    A retry runs the same commit, so what a commit broke stays broken; what was broken outside is
    broken for as long as the incident lasts.

    Args:
        cause: why the attempt before failed.
        dice: what decides where nothing else does.
        asked_for: whether the caller who started the pipeline wants this job to fail.
        lasts: tells whether the project is still in an incident of a cause.
    """
    share = _AGAIN.get(cause, 1.0)
    struck = dice.random() < share
    return cause if asked_for or cause.by_commit or lasts(cause) or struck else None
