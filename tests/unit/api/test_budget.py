"""The quota of a minute: own count, other processes, and what the platform says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.clock import FakeClock

from platui.api.budget import UNSTATED_PAUSE, Budget
from platui.api.quota import Quota
from platui.models.values.connection import BudgetState


class SharedLedger:
    """A ledger in memory that several budgets write to."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def add(self, at: float) -> None:
        """Note a request."""
        self.times.append(at)

    def count(self, since: float, now: float) -> int:
        """Count requests after a moment."""
        return sum(since < at <= now for at in self.times)


@pytest.fixture
def clock() -> FakeClock:
    """Stand still."""
    return FakeClock()


def budget_of(clock: FakeClock, limit: int = 10, ledger: SharedLedger | None = None) -> Budget:
    """Return a budget without jitter."""
    return Budget(limit, clock, ledger, jitter=lambda: 0.0)


def test_requests_leave_the_count_after_a_minute(clock: FakeClock) -> None:
    """A sliding window of 60 s."""
    budget = budget_of(clock)
    budget.spend()
    clock.jump(30)
    budget.spend()
    assert budget.state().used == 2
    clock.jump(29.9)
    assert budget.state().used == 2
    clock.jump(0.2)
    assert budget.state().used == 1
    clock.jump(30)
    assert budget.state() == BudgetState(used=0, limit=10)


def test_the_wait_is_until_enough_has_left_the_window(clock: FakeClock) -> None:
    """Not until the first of them has."""
    budget = budget_of(clock)
    for _ in range(4):
        budget.spend()
        clock.jump(10)
    assert budget.wait_for(5) == 0
    assert budget.wait_for(4) == pytest.approx(20)
    assert budget.wait_for(2) == pytest.approx(40)
    clock.jump(40)
    assert budget.wait_for(2) == 0


def test_other_processes_count(clock: FakeClock) -> None:
    """All of one user's processes share the quota."""
    ledger = SharedLedger()
    mine, other = budget_of(clock, ledger=ledger), budget_of(clock, ledger=ledger)
    for _ in range(6):
        other.spend()
    mine.spend()
    clock.jump(2)
    assert mine.state().used == 7
    assert mine.wait_for(7) > 0
    clock.jump(60)
    assert mine.state().used == 0


def test_the_ledger_is_asked_at_most_once_a_second(clock: FakeClock) -> None:
    """Painting the gauge must not read a file each time."""
    asked = []

    class Counting(SharedLedger):
        def count(self, since: float, now: float) -> int:
            asked.append(since)
            return super().count(since, now)

    budget = budget_of(clock, ledger=Counting())
    for _ in range(100):
        budget.state()
    assert len(asked) == 1
    clock.jump(1.5)
    budget.state()
    assert len(asked) == 2


def test_the_platform_knows_of_other_tools(clock: FakeClock) -> None:
    """Its count corrects ours upwards, and ours goes on from there."""
    budget = budget_of(clock, limit=600)
    budget.spend()
    budget.observe(Quota(limit=300, observed=120, resets_in=25))
    assert budget.state() == BudgetState(used=120, limit=300, from_server=True)
    budget.spend()
    assert budget.state().used == 121
    assert budget.wait_for(100) == pytest.approx(25)


def test_at_the_platforms_reset_the_whole_quota_is_back(clock: FakeClock) -> None:
    """Its window is fixed: what was sent before counts no longer, ours included."""
    budget = budget_of(clock)
    for _ in range(10):
        budget.spend()
    budget.observe(Quota(limit=10, observed=10, resets_in=15))
    assert budget.wait_for(10) == pytest.approx(15)
    clock.jump(15)
    assert budget.state() == BudgetState(used=0, limit=10)
    assert budget.wait_for(10) == 0


def test_an_overtaken_answer_does_not_lower_the_count(clock: FakeClock) -> None:
    """Answers of concurrent requests arrive in any order."""
    budget = budget_of(clock, limit=600)
    budget.observe(Quota(600, 50, 30))
    budget.observe(Quota(600, 49, 30))
    assert budget.state().used == 50
    clock.jump(30)
    budget.observe(Quota(600, 1, 60))
    assert budget.state().used == 1


@pytest.mark.parametrize(
    ("late", "used"),
    [
        pytest.param(Quota(600, 49, 30, 1000.0), 50, id="same-window"),
        pytest.param(Quota(600, 300, 5, 940.0), 50, id="window-before"),
        pytest.param(Quota(600, 1, 60, 1060.0), 1, id="next-window"),
    ],
)
def test_an_answer_that_was_long_on_its_way_changes_nothing(
    clock: FakeClock, late: Quota, used: int
) -> None:
    """Its window is known by the platform's clock; only one that begins later counts anew."""
    budget = budget_of(clock, limit=600)
    budget.observe(Quota(600, 50, 30, 1000.0))
    clock.jump(10)
    budget.observe(late)
    assert budget.state() == BudgetState(used=used, limit=600, from_server=True)


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param((Quota(600, 50, 30, 1.8e9), Quota(600, 51)), id="silent-later"),
        pytest.param((Quota(600, 50), Quota(600, 51, 30, 1.8e9)), id="stated-later"),
        pytest.param((Quota(600, 50), Quota(600, 51, 30, 1.0)), id="platform-clock-behind"),
        pytest.param((Quota(600, 50), Quota(600, 51)), id="both-silent"),
    ],
)
def test_an_answer_without_a_reset_counts_too(
    clock: FakeClock, answers: tuple[Quota, Quota]
) -> None:
    """Its window is told apart by our clock, never by that against the platform's."""
    budget = budget_of(clock, limit=600)
    budget.observe(answers[0])
    clock.jump(10)
    budget.observe(answers[1])
    assert budget.state() == BudgetState(used=51, limit=600, from_server=True)


def test_a_slow_answer_does_not_put_off_the_reset(clock: FakeClock) -> None:
    """It says the same of its window, only later."""
    budget = budget_of(clock)
    budget.observe(Quota(10, 9, 30, 1000.0))
    clock.jump(10)
    budget.observe(Quota(10, 10, 30, 1000.0))
    assert budget.wait_for(10) == pytest.approx(20)


@pytest.mark.parametrize("limit", [0, -5, 10**9, None])
def test_an_absurd_limit_is_not_believed(clock: FakeClock, limit: int | None) -> None:
    """A quota of nothing would stop everything for good."""
    budget = budget_of(clock, limit=600)
    budget.observe(Quota(limit=limit))
    assert budget.limit == 600


def test_a_pause_stops_everything_until_it_ends(clock: FakeClock) -> None:
    """And says until when."""
    budget = budget_of(clock)
    budget.pause(30)
    assert budget.state().paused_until == clock.monotonic() + 30
    assert budget.wait_for(10) == pytest.approx(30)
    budget.pause(5)  # another answer of before; the longer pause holds
    assert budget.wait_for(10) == pytest.approx(30)
    clock.jump(30)
    assert budget.wait_for(10) == 0
    assert budget.state().paused_until is None


def test_a_spent_count_says_when_it_goes_on(clock: FakeClock) -> None:
    """A 429 need not have come: who counts to the limit waits as well, and may know how long."""
    budget = Budget(2, clock)
    budget.spend()
    clock.jump(10)
    budget.spend()
    assert budget.state().paused_until == clock.monotonic() + 50
    budget.observe(Quota(limit=2, observed=2, resets_in=20))
    assert budget.state().paused_until == clock.monotonic() + 20
    clock.jump(20)
    assert budget.state().paused_until is None


def test_a_pause_without_a_time_is_short(clock: FakeClock) -> None:
    """The application limiter's 429 may not say how long."""
    budget = budget_of(clock)
    budget.pause(None)
    assert budget.wait_for(10) == pytest.approx(UNSTATED_PAUSE)


def test_pauses_end_at_different_moments(clock: FakeClock) -> None:
    """Everybody's quota comes back at once; not everybody should."""
    early, late = Budget(10, clock, jitter=lambda: 0.0), Budget(10, clock, jitter=lambda: 1.0)
    early.pause(30)
    late.pause(30)
    assert 0.5 < late.wait_for(10) - early.wait_for(10) <= 5


def test_observers_are_told_of_each_change(clock: FakeClock) -> None:
    """The gauge follows without asking."""
    budget = budget_of(clock)
    seen: list[int] = []
    budget.changes.observe(lambda state: seen.append(state.used))
    budget.spend()
    budget.spend()
    clock.jump(61)
    budget.refresh()
    budget.refresh()
    assert seen == [1, 2, 0]


def test_another_credential_begins_at_nothing(clock: FakeClock) -> None:
    """The quota is per user."""
    ledger = SharedLedger()
    budget = budget_of(clock, ledger=ledger)
    budget.spend()
    budget.observe(Quota(limit=2000, observed=1, resets_in=0))
    assert budget.state().limit == 2000
    budget.pause(30)
    other = SharedLedger()
    other.add(clock.now().timestamp() - 50)
    budget.reset_counts(other)
    assert budget.state() == BudgetState(used=1, limit=10)
    budget.spend()
    assert len(ledger.times) == 1


_STEPS = st.lists(
    st.one_of(
        st.just(("spend",)),
        st.tuples(st.just("jump"), st.floats(0, 100)),
        st.tuples(st.just("pause"), st.none() | st.floats(0, 1e6)),
        st.tuples(
            st.just("observe"),
            st.builds(
                Quota,
                st.none() | st.integers(-5, 10**7),
                st.none() | st.integers(0, 10**7),
                st.none() | st.floats(-1e6, 1e6),
            ),
        ),
    ),
    max_size=60,
)


@given(_STEPS, st.integers(1, 600))
def test_nothing_stops_the_budget_for_good(steps: list[tuple[object, ...]], ceiling: int) -> None:
    """Whatever was sent and said, waiting as told lets a request pass in the end."""
    clock = FakeClock()
    budget = budget_of(clock, limit=600)
    for step in steps:
        match step:
            case ("jump", float(seconds)):
                clock.jump(seconds)
            case ("pause", float() | None as seconds):
                budget.pause(seconds)
            case ("observe", Quota() as quota):
                budget.observe(quota)
            case _:
                budget.spend()
        assert budget.state().used >= 0
    for _ in range(100):
        wait = budget.wait_for(ceiling)
        if wait == 0:
            break
        assert 0 < wait <= 610
        clock.jump(wait)
    else:
        pytest.fail("a hundred waits, and still no way through")
