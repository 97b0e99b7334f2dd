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
UNFOCUSED_FACTOR: Final = 4.0
"""How much slower polling is while the terminal has not the user's eyes."""
TRANSFER_FACTOR: Final = 4.0
"""At most a fifth of the time goes into transfers on a slow line."""
CPU_FACTOR: Final = 50.0
"""At most a fiftieth of a processor goes into reading again what is known already."""
MAX_CPU_PAUSE: Final = 60.0
"""Seconds that such reading may be put off at most: it takes a log of a hundred megabytes or more
to come near that."""
SLOWDOWN_SHARE: Final = 0.5
"""Share of the quota up to which nothing is stretched."""
MAX_SHARE: Final = 0.9
"""Share of the quota from which polling stops: the rest is for what the user asks."""
MAX_SLOWDOWN: Final = 6.0
"""How much slower polling is just below the reserve."""


@dataclass(frozen=True, slots=True)
class PollInterval:
    """Seconds between two looks while nothing stands in the way."""

    running: float
    """While the thing may change any moment."""
    idle: float


@dataclass(frozen=True, slots=True)
class PollInputs:
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
    cpu_seconds: float = 0.0
    """Seconds of a processor that the last look took."""
    jitter: float = 0.0
    """A number from 0 to 1 that keeps equal clients apart."""


@dataclass(frozen=True, slots=True)
class PollDecision:
    """What the decision says."""

    after: float | None
    """Seconds since the last try; None: never, until something wakes the feed."""
    poll: bool = True
    """Whether to ask the platform then, or only to decide again."""


NEVER: Final = PollDecision(None)


def decide(interval: PollInterval, scene: PollInputs) -> PollDecision:
    if scene.unauthorized or (scene.settled and not scene.failures):
        return NEVER
    wait = _wait(interval, scene)
    return PollDecision(wait, poll=scene.used < scene.limit * MAX_SHARE)


def back_off(failures: int, jitter: float) -> float:
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(failures - 1, 8)) * (1 + jitter / 4)


def _wait(interval: PollInterval, scene: PollInputs) -> float:
    """Return the seconds between two looks, before the reserve has its say."""
    if scene.failures:
        return back_off(scene.failures, scene.jitter)
    if scene.refused:
        return max(REFUSED, interval.idle)
    wait = interval.running if scene.running else interval.idle
    if not scene.focused:
        wait *= UNFOCUSED_FACTOR
    rest = min(scene.cpu_seconds * CPU_FACTOR, MAX_CPU_PAUSE)
    return max(wait * slowdown(scene.used, scene.limit), scene.transfer * TRANSFER_FACTOR, rest)


def slowdown(used: int, limit: int) -> float:
    """Return 1 up to half of the quota, then ever more towards the reserve."""
    share = used / max(1, limit)
    over = (share - SLOWDOWN_SHARE) / (MAX_SHARE - SLOWDOWN_SHARE)
    return 1.0 + (MAX_SLOWDOWN - 1.0) * min(1.0, max(0.0, over))
