"""How the triage board deals out its requests, told from the moments at which they are sent."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from tests.support.clock import FakeClock

from platui.service.triage.scheduling import FREE_PER_MINUTE, MAX_PER_MINUTE, TriageBudget

MINUTE = 60.0


def send(budget: TriageBudget, count: int) -> None:
    """Send requests that somebody waits for, all at this moment."""
    for _ in range(count):
        assert budget.wait() == 0.0
        budget.count()


def spread(clock: FakeClock, budget: TriageBudget, seconds: float, *kinds: str) -> list[float]:
    """Send what nobody waits for as soon as it may be; return the moments."""
    sent, end = [], clock.monotonic() + seconds
    while clock.monotonic() < end:
        waits = {kind: budget.rest(kind) for kind in kinds}
        kind = min(waits, key=waits.__getitem__)
        if waits[kind] <= 0.0:
            budget.begin(kind)
            budget.count()
            sent.append(clock.monotonic())
        else:
            clock.jump(min(waits[kind], end - clock.monotonic()) + 1e-6)
    return sent


def test_nothing_is_put_off_while_little_is_spent() -> None:
    """A few projects are asked for as if there were no ration."""
    budget = TriageBudget(FakeClock())
    send(budget, FREE_PER_MINUTE - 1)
    assert budget.rest("list") == 0.0
    assert budget.spent == FREE_PER_MINUTE - 1


def test_what_nobody_waits_for_is_spread_over_what_is_left_of_the_minute() -> None:
    """And no minute has more than its ration."""
    clock = FakeClock()
    budget = TriageBudget(clock)
    send(budget, 200)
    sent = spread(clock, budget, MINUTE - 0.1, "list", "cause")
    assert 30 <= len(sent) <= MAX_PER_MINUTE - 200
    assert max(later - at for at, later in pairwise(sent)) < 4
    assert budget.spent <= MAX_PER_MINUTE
    later = spread(clock, budget, 5 * MINUTE, "list", "cause")
    every = sorted([*sent, *later])
    assert all(sum(at <= one < at + MINUTE for one in every) <= MAX_PER_MINUTE for at in every)


def test_kinds_take_turns_while_it_is_tight() -> None:
    """Neither stands still because the other always has something to ask."""
    clock = FakeClock()
    budget = TriageBudget(clock)
    send(budget, 200)
    begun: Counter[str] = Counter()
    while clock.monotonic() < 1000 + 50:
        for kind in ("list", "cause"):
            if budget.rest(kind) <= 0.0:
                budget.begin(kind)
                budget.count()
                begun[kind] += 1
        clock.jump(0.05)
    assert abs(begun["list"] - begun["cause"]) <= 1


def test_what_is_waited_for_stops_where_the_ration_ends() -> None:
    """And goes on when what was sent is a minute ago."""
    clock = FakeClock()
    budget = TriageBudget(clock)
    send(budget, MAX_PER_MINUTE)
    assert budget.wait() == budget.rest("cause") == MINUTE
    budget.count()
    clock.jump(MINUTE)
    assert budget.wait() == 0.0
    assert budget.spent == 0


def test_what_is_spared_puts_off_nothing_else() -> None:
    """A hundred causes are read at once on a quiet quota, and the round goes on meanwhile."""
    clock = FakeClock()
    budget = TriageBudget(clock)
    for _ in range(MAX_PER_MINUTE):
        budget.count(spared=True)
    assert (budget.spent, budget.wait(), budget.rest("list")) == (MAX_PER_MINUTE, 0.0, 0.0)
    send(budget, MAX_PER_MINUTE)
    assert budget.spent == 2 * MAX_PER_MINUTE
    assert budget.wait() > 0.0
    clock.jump(MINUTE)
    assert budget.spent == 0
