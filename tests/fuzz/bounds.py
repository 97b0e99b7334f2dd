"""How many examples a fuzz test tries, and how long one of them may take."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from hypothesis import HealthCheck, Verbosity, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ATTACK: Final = "attack"
"""The profile of `python -m tests.attack fuzz`; `pytest --hypothesis-profile attack`."""
TIMES: Final = 5
"""How many more examples an attack tries."""
LONGEST: Final = 2.0
"""Seconds of processor time for one example."""

settings.register_profile(
    ATTACK,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
    verbosity=Verbosity.normal,
)


def tries(number: int) -> settings:
    """Return settings: the same examples in each run of the tests, random ones in an attack."""
    if settings.get_current_profile_name() == ATTACK:
        return settings(max_examples=number * TIMES)
    return settings(max_examples=number, derandomize=True, database=None)


class FrozenError(AssertionError):
    """An example takes so long that a user would call it frozen."""


@contextmanager
def in_time(seconds: float = LONGEST) -> Iterator[None]:
    """Interrupt the block when it has used this much processor time."""

    def stop(*_: object) -> None:
        raise FrozenError(f"still running after {seconds} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
