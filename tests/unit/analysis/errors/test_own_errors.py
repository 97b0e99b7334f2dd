"""Errors of the user's own: they go first, and none of them may hold a log up."""

from __future__ import annotations

from platui.analysis.errors.matcher import ErrorMatcher
from platui.analysis.errors.rule import CustomRule
from platui.config.settings import ErrorPattern
from platui.logs import Log


def test_they_are_found_before_all_others() -> None:
    """Also in a line that would not count as an error, or under another name."""
    own = [
        ErrorPattern("pump", r"pump \d+ stalled", rank=95),
        ErrorPattern("orders", "ERROR: no orders", "dry run"),
    ]
    data = (
        b"INFO: Pump 3 stalled\nINFO: pump 3 stalled, 0 errors\nERROR: no orders\n"
        b"ERROR: no orders (dry run)\n"
    )
    log = Log(data, errors=ErrorMatcher(own=own))
    log.finish()
    assert [(mark.first, mark.rule, mark.rank) for mark in log.errors] == [
        (1, "pump", 95), (2, "orders", 85), (3, "log", 40),
    ]  # fmt: skip


def test_one_that_never_ends_is_given_up() -> None:
    """After its time is over, and for good."""
    own = CustomRule(ErrorPattern("slow", r"stalled (a|a)+$"))
    assert own.knows("stalled aaa")
    assert not own.knows("stalled " + "a" * 40 + "!")
    assert own.gave_up
    assert not own.knows("stalled aaa")


def test_the_log_names_those_that_were_given_up() -> None:
    """Only them, and only once a line was too much."""
    own = [ErrorPattern("slow", r"stalled (a|a)+$"), ErrorPattern("quick", "stalled b")]
    log = Log(b"stalled aaa\n", errors=ErrorMatcher(own=own))
    assert not log.disabled_rules
    log.append(b"stalled " + b"a" * 60 + b"!\n")
    log.finish()
    assert list(log.disabled_rules) == ["slow"]
