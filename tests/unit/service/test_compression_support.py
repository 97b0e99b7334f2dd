"""Whether logs are asked for packed: a decision over what was seen of earlier ones."""

from __future__ import annotations

from platui.service.logs.source import MIN_MEASURED_BYTES, SLOWER, TRIAL, CompressionSupport

MEGA = 1_000_000


def test_logs_come_packed_as_long_as_the_line_takes_the_time() -> None:
    """A processor that mostly waits has time to unpack, and short logs tell nothing."""
    habit = CompressionSupport()
    assert habit.is_requested
    habit.learn(packed=True, size=100 * MEGA, seconds=10, cpu_seconds=1)
    assert habit.is_requested
    habit.learn(packed=True, size=MIN_MEASURED_BYTES - 1, seconds=0.1, cpu_seconds=0.1)
    assert habit.is_requested


def test_over_a_fast_line_they_come_as_they_are() -> None:
    """Where unpacking takes most of the time, and less time is spent without it."""
    habit = CompressionSupport()
    habit.learn(packed=True, size=100 * MEGA, seconds=1.0, cpu_seconds=0.8)
    assert not habit.is_requested
    habit.learn(packed=False, size=100 * MEGA, seconds=1.5, cpu_seconds=0.3)
    assert not habit.is_requested


def test_a_line_that_turns_out_slow_gets_them_packed_again() -> None:
    """One that is not fast enough is tried once; one that becomes slow is noticed."""
    habit = CompressionSupport()
    habit.learn(packed=True, size=100 * MEGA, seconds=1.0, cpu_seconds=0.8)
    habit.learn(packed=False, size=100 * MEGA, seconds=5.0, cpu_seconds=0.3)
    assert habit.is_requested
    habit.learn(packed=True, size=100 * MEGA, seconds=1.0, cpu_seconds=0.8)
    assert habit.is_requested


def test_what_came_unpacked_by_itself_proves_nothing_alone() -> None:
    """A platform that ignores the wish for a part sends the whole log, never packed."""
    habit = CompressionSupport()
    habit.learn(packed=False, size=100 * MEGA, seconds=60.0, cpu_seconds=0.5)
    assert habit.is_requested


def test_a_platform_that_packs_slowly_is_asked_for_logs_as_they_are() -> None:
    """Part of the time nobody works on our side: it is not the line that is waited for."""
    habit = CompressionSupport()
    habit.learn(packed=True, size=100 * MEGA, seconds=4.0, cpu_seconds=1.2)
    assert not habit.is_requested


def test_a_slow_line_is_known_before_all_of_a_log_came() -> None:
    """After some seconds; then it is asked for packed, and not tried again."""
    habit = CompressionSupport()
    assert not habit.is_too_slow(1, 100.0)  # nothing is known of how it came packed
    habit.learn(packed=True, size=100 * MEGA, seconds=4.0, cpu_seconds=1.2)
    enough = int(TRIAL * 25 * MEGA / SLOWER)
    assert not habit.is_too_slow(1, TRIAL - 0.1)
    assert not habit.is_too_slow(enough, TRIAL)
    assert not habit.is_requested
    assert habit.is_too_slow(enough - MEGA, TRIAL)
    assert habit.is_requested
