"""When a feed looks again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from platui.service.feeds.poll_interval import (
    REFUSED,
    PollInputs,
    PollInterval,
    back_off,
    decide,
    may_poll,
    slowdown,
)

JOBS = PollInterval(running=3.0, idle=30.0)


@pytest.mark.parametrize(
    ("scene", "after"),
    [
        (PollInputs(), 30.0),
        (PollInputs(running=True), 3.0),
        (PollInputs(running=True, focused=False), 12.0),
        (PollInputs(running=True, used=300), 3.0),
        (PollInputs(running=True, used=420), 10.5),
        (PollInputs(running=True, transfer=2.5), 10.0),
        (PollInputs(running=True, cpu_seconds=0.2), 10.0),
        (PollInputs(running=True, cpu_seconds=0.6), 30.0),
        (PollInputs(running=True, cpu_seconds=9.0), 60.0),
        (PollInputs(running=True, failures=1), 2.0),
        (PollInputs(running=True, failures=2), 4.0),
        (PollInputs(running=True, failures=3), 8.0),
        (PollInputs(running=True, failures=9), 30.0),
        (PollInputs(running=True, failures=1, jitter=1.0), 2.5),
        (PollInputs(running=True, refused=True), REFUSED),
        (PollInputs(settled=True, failures=1), 2.0),
    ],
)
def test_seconds_between_two_looks(scene: PollInputs, after: float) -> None:
    """Faster while running, slower unfocused, on a slow line, or when the quota runs short."""
    assert decide(JOBS, scene) == pytest.approx(after)


@pytest.mark.parametrize(
    "scene", [PollInputs(settled=True), PollInputs(unauthorized=True, running=True)]
)
def test_some_things_are_never_polled(scene: PollInputs) -> None:
    """What cannot change, and what the platform would refuse anyway."""
    assert decide(JOBS, scene) is None


def test_polling_stops_at_the_reserve() -> None:
    """What is left of the quota is for what the user asks."""
    assert may_poll(539, 600)
    assert not may_poll(540, 600)
    assert not may_poll(27, 30)


def test_stretching_grows_without_a_jump() -> None:
    """From half of the quota on, each request more makes polling a little slower."""
    values = [slowdown(used, 600) for used in range(601)]
    assert values[:301] == [1.0] * 301
    assert all(b - a < 0.05 for a, b in pairwise(values))
    assert values == sorted(values)


def test_back_off_is_bounded() -> None:
    """However long the platform is away, it is tried at least every 37.5 s."""
    assert max(back_off(failures, 1.0) for failures in range(1, 2000)) == pytest.approx(37.5)
