"""Decide when to poll next. Pure."""

from __future__ import annotations

from typing import Final

from platui.core.dataclass import dataclass

FIRST_RETRY: Final = 2.0
LONGEST_RETRY: Final = 30.0
REFUSED: Final = 60.0  # seconds until a retry after 403 or 404
RECHECK: Final = 5.0  # seconds until a used-up budget is checked again; nothing is sent
UNFOCUSED_FACTOR: Final = 4.0  # slowdown while the terminal has no focus
TRANSFER_FACTOR: Final = 4.0  # at most a fifth of the time goes into transfers on a slow connection
CPU_FACTOR: Final = 50.0  # at most 2 % of a CPU goes into reading known data again
MAX_CPU_PAUSE: Final = 60.0  # seconds; only logs of 100 MB and more come near it
SLOWDOWN_SHARE: Final = 0.5  # share of the quota at which polling begins to slow down
MAX_SHARE: Final = 0.9  # share of the quota at which polling stops; the rest is left to the user
MAX_SLOWDOWN: Final = 6.0  # slowdown just below `MAX_SHARE`


@dataclass(frozen=True, slots=True)
class PollInterval:
    """Seconds between two polls."""

    running: float  # while the resource may change any moment
    idle: float


@dataclass(frozen=True, slots=True)
class PollInputs:
    """The inputs of the decision."""

    running: bool = False
    settled: bool = False
    focused: bool = True
    unauthorized: bool = False
    refused: bool = False  # the last response was a lasting rejection (403, 404)
    failures: int = 0
    used: int = 0
    limit: int = 600
    transfer: float = 0.0
    cpu_seconds: float = 0.0  # CPU time of the last poll
    jitter: float = 0.0  # 0 to 1; keeps equal clients apart


def decide(interval: PollInterval, scene: PollInputs) -> float | None:
    """Return the seconds from the last poll to the next; None: not until an event."""
    if scene.unauthorized or (scene.settled and not scene.failures):
        return None
    if scene.failures:
        return back_off(scene.failures, scene.jitter)
    if scene.refused:
        return max(REFUSED, interval.idle)
    wait = interval.running if scene.running else interval.idle
    wait *= slowdown(scene.used, scene.limit) * (1.0 if scene.focused else UNFOCUSED_FACTOR)
    rest = min(scene.cpu_seconds * CPU_FACTOR, MAX_CPU_PAUSE)
    return max(wait, scene.transfer * TRANSFER_FACTOR, rest)


def may_poll(used: int, limit: int) -> bool:
    """Return whether the quota has room for polls; the rest is left to the user."""
    return used < limit * MAX_SHARE


def back_off(failures: int, jitter: float) -> float:
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(failures - 1, 8)) * (1 + jitter / 4)


def slowdown(used: int, limit: int) -> float:
    """Return 1 up to `SLOWDOWN_SHARE` of the quota, rising to `MAX_SLOWDOWN`."""
    share = used / max(1, limit)
    over = (share - SLOWDOWN_SHARE) / (MAX_SHARE - SLOWDOWN_SHARE)
    return 1.0 + (MAX_SLOWDOWN - 1.0) * min(1.0, max(0.0, over))
