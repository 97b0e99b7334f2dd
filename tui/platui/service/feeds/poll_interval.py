"""When to look again: a pure decision, so that its test is a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FIRST_RETRY: Final = 2.0
LONGEST_RETRY: Final = 30.0
REFUSED: Final = 60.0
"""Seconds until what the platform refused (403, 404) is asked for again."""
RECHECK: Final = 5.0
"""Seconds until a spent budget is looked at again; nothing is sent for that."""
UNFOCUSED: Final = 4.0
"""How much slower polling is while the terminal has not the user's eyes."""
TRANSFER: Final = 4.0
"""At most a fifth of the time goes into transfers on a slow line."""
EFFORT: Final = 50.0
"""At most a fiftieth of a processor goes into reading again what is known already."""
LONGEST_REST: Final = 60.0
"""Seconds that such reading may be put off at most: it takes a log of a hundred megabytes or more
to come near that."""
CALM: Final = 0.5
"""Share of the quota up to which nothing is stretched."""
RESERVE: Final = 0.9
"""Share of the quota from which polling stops: the rest is for what the user asks."""
STRETCH: Final = 6.0
"""How much slower polling is just below the reserve."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Seconds between two looks while nothing stands in the way."""

    running: float
    """While the thing may change any moment."""
    idle: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the decision depends on."""

    running: bool = False
    settled: bool = False
    focused: bool = True
    unauthorized: bool = False
    refused: bool = False
    """The last answer was a refusal that time alone does not heal."""
    failures: int = 0
    used: int = 0
    limit: int = 600
    transfer: float = 0.0
    effort: float = 0.0
    """Seconds of a processor that the last look took."""
    jitter: float = 0.0
    """A number from 0 to 1 that keeps equal clients apart."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What the decision says."""

    after: float | None
    """Seconds since the last try; None: never, until something wakes the feed."""
    poll: bool = True
    """Whether to ask the platform then, or only to decide again."""


NEVER: Final = Turn(None)


def decide(rhythm: Rhythm, scene: Scene) -> Turn:
    if scene.unauthorized or (scene.settled and not scene.failures):
        return NEVER
    wait = _wait(rhythm, scene)
    return Turn(wait, poll=scene.used < scene.limit * RESERVE)


def back_off(failures: int, jitter: float) -> float:
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(failures - 1, 8)) * (1 + jitter / 4)


def _wait(rhythm: Rhythm, scene: Scene) -> float:
    """Return the seconds between two looks, before the reserve has its say."""
    if scene.failures:
        return back_off(scene.failures, scene.jitter)
    if scene.refused:
        return max(REFUSED, rhythm.idle)
    wait = rhythm.running if scene.running else rhythm.idle
    if not scene.focused:
        wait *= UNFOCUSED
    rest = min(scene.effort * EFFORT, LONGEST_REST)
    return max(wait * stretch(scene.used, scene.limit), scene.transfer * TRANSFER, rest)


def stretch(used: int, limit: int) -> float:
    """Return 1 up to half of the quota, then ever more towards the reserve."""
    share = used / max(1, limit)
    over = (share - CALM) / (RESERVE - CALM)
    return 1.0 + (STRETCH - 1.0) * min(1.0, max(0.0, over))
