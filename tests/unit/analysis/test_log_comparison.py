"""Two logs held against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from platui.analysis import log_comparison as comparing
from platui.analysis.log_comparison import compare
from platui.logs import Log
from platui.models.values.comparison import BlockKind, Comparison

if TYPE_CHECKING:
    from collections.abc import Sequence

GREEN = """\
Running with gitlab-runner 17.5.3 (12030cf4)
02:47:03  Running with dbt=1.8.7
02:47:13  1 of 4 START sql view model staging.stg_leads ........... [RUN]
02:47:13  2 of 4 START sql view model staging.stg_spend ........... [RUN]
02:47:14  1 of 4 OK created sql view model staging.stg_leads ...... [CREATE VIEW in 7.17s]
02:47:15  2 of 4 OK created sql view model staging.stg_spend ...... [CREATE VIEW in 1.17s]
02:47:13  3 of 4 START sql table model marts.fct_leads ............ [RUN]
02:47:15  3 of 4 OK created sql table model marts.fct_leads ....... [SUCCESS 21134 in 1.17s]
02:50:06  Completed successfully
02:50:06  Done. PASS=4 WARN=0 ERROR=0 SKIP=0 TOTAL=4
Job succeeded"""

RED = """\
Running with gitlab-runner 17.5.3 (12030cf4)
04:01:09  Running with dbt=1.8.7
04:01:13  1 of 4 START sql view model staging.stg_leads ........... [RUN]
04:01:14  2 of 4 START sql view model staging.stg_spend ........... [RUN]
04:01:15  2 of 4 OK created sql view model staging.stg_spend ...... [CREATE VIEW in 3.00s]
04:01:15  1 of 4 OK created sql view model staging.stg_leads ...... [CREATE VIEW in 0.17s]
04:01:13  3 of 4 START sql table model marts.fct_leads ............ [RUN]
04:01:15  3 of 4 ERROR creating sql table model marts.fct_leads ... [ERROR in 1.17s]
04:01:16    Database Error in model fct_leads (models/marts/fct_leads.sql)
  relation "stg_orders" does not exist
04:01:20  Done. PASS=3 WARN=0 ERROR=1 SKIP=0 TOTAL=4
ERROR: Job failed: exit code 1"""


def log(text: str) -> Log:
    """Return a log that has ended."""
    document = Log(text.encode())
    document.finish()
    return document


def section(name: str, lines: str) -> str:
    """Return lines with the markers of a section around them."""
    return f"section_start:1:{name}\r\x1b[0K{name} begins\n{lines}\nsection_end:2:{name}\r\x1b[0K\n"


def tiled(comparison: Comparison) -> bool:
    """Return whether the blocks cover every compared line of both logs once, in order."""
    a, b = comparison.left.first, comparison.right.first
    for block in comparison.blocks:
        assert (block.left, block.right) == (a, b)
        assert block.left_end - a + block.right_end - b > 0
        if block.kind in {BlockKind.EQUAL, BlockKind.CHANGED}:
            assert block.left_end - a == block.right_end - b
        a, b = block.left_end, block.right_end
    return (a, b) == (comparison.left.end, comparison.right.end)


def news(left: Log, right: Log, comparison: Comparison) -> list[str]:
    """Return what differs: `-` of the left log, `+` of the right, `~` for a pair."""
    found: list[str] = []
    for block in comparison.blocks:
        if not block.is_difference:
            continue
        if block.kind is BlockKind.CHANGED:
            found += [f"~{right.text(y)}" for y in range(block.right, block.right_end)]
            continue
        found += [f"-{left.text(y)}" for y in range(block.left, block.left_end)]
        found += [f"+{right.text(y)}" for y in range(block.right, block.right_end)]
    return found


def compared(left: str, right: str, *, masks: bool = True) -> tuple[Comparison, list[str]]:
    """Return a comparison and its news."""
    one, other = log(left), log(right)
    comparison = compare(one, other, masks=masks)
    assert tiled(comparison)
    return comparison, news(one, other, comparison)


def test_the_cause_is_what_is_left() -> None:
    """Two models that ended in another order are no news."""
    comparison, found = compared(GREEN, RED)
    assert found == [
        "~" + RED.splitlines()[7],
        "-02:50:06  Completed successfully",
        "+04:01:16    Database Error in model fct_leads (models/marts/fct_leads.sql)",
        '+  relation "stg_orders" does not exist',
        "~04:01:20  Done. PASS=3 WARN=0 ERROR=1 SKIP=0 TOTAL=4",
        "-Job succeeded",
        "+ERROR: Job failed: exit code 1",
    ]
    assert any(block.is_routine for block in comparison.blocks)
    assert comparison.is_whole


def test_without_masks_every_time_differs() -> None:
    """And nothing is routine."""
    comparison, found = compared(GREEN, RED, masks=False)
    assert len(found) > 10
    assert not any(block.is_routine for block in comparison.blocks)


def test_one_log_is_equal_to_itself() -> None:
    """In one block."""
    comparison, found = compared(RED, RED)
    assert found == []
    assert [block.kind for block in comparison.blocks] == [BlockKind.EQUAL]


@pytest.mark.parametrize(("left", "right"), [("", ""), ("", RED), (RED, "")])
def test_an_empty_log(left: str, right: str) -> None:
    """Everything of the other is news, if there is anything."""
    _, found = compared(left, right)
    assert len(found) == len((left or right).splitlines())


def test_lines_are_matched_within_sections_of_one_name() -> None:
    """What moved to another section is news in both."""
    left = section("a", "one\nsame") + section("b", "two")
    right = section("a", "one") + section("b", "two\nsame")
    _, found = compared(left, right)
    assert found == ["-same", "+same"]


def test_missing_and_repeated_sections_are_said() -> None:
    """By their names, once for each time."""
    left = section("get_sources", "x") + section("restore_cache", "y") + section("step", "z")
    right = section("get_sources", "x") * 2 + section("step", "z") + section("cleanup", "w")
    comparison, _ = compared(left, right)
    assert comparison.left_sections == ("restore_cache",)
    assert comparison.right_sections == ("get_sources", "cleanup")


def test_more_of_the_same_is_routine() -> None:
    """As long as the other log has several such lines; a first one is news."""
    left = "\n".join(f"GET /orders?page={n} ok" for n in range(5))
    right = "\n".join([*(f"GET /orders?page={n} ok" for n in range(40)), "GET /orders refused"])
    comparison, found = compared(left, right)
    assert found == ["+GET /orders refused"]
    assert sum(block.height for block in comparison.blocks if block.is_routine) == 35


def test_of_long_logs_the_ends_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """And which lines those were is said."""
    monkeypatch.setattr(comparing, "MOST_LINES", 10)
    lines = [f"line {chr(97 + n)}" for n in range(26)]
    comparison, found = compared("\n".join(lines), "\n".join([*lines, "new"]))
    assert found == ["-line q", "+new"]
    assert (comparison.left.first, comparison.right.first) == (16, 17)
    assert not comparison.is_whole


def test_it_can_be_ended() -> None:
    """What the tick raises comes out; before that it tells how far it is."""
    told: list[float] = []

    def tick(done: float) -> None:
        told.append(done)
        if len(told) > 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        compare(log(GREEN), log(RED), tick=tick)
    assert told == sorted(told)
    assert 0 < told[-1] <= 1


def test_it_tells_how_far_it_is_to_the_end() -> None:
    """Also within one long section: while lines are matched, and while news is told apart."""
    told: list[float] = []
    # So long that it is matched stretch by stretch.
    names = [f"row {number} is there" for number in range(300)]
    left = "\n".join(names)
    right = "\n".join(f"{name}\nnew" if at % 30 else name for at, name in enumerate(names))
    compare(log(left), log(right), tick=told.append)
    assert told == sorted(told)
    late = {part for part in told if 0.5 < part < 1}
    assert len(late) > 10
    assert min(late) < 0.6
    assert max(late) > 0.9


lines = st.sampled_from(
    ["", "a", "b 1", "b 2", "b 0", "x_y done", "x_z done", "error: no", "02:47:03 t", "dbt 1.8.0"]
)


@given(st.lists(lines, max_size=40), st.lists(lines, max_size=40), st.booleans())
@settings(max_examples=150)
def test_blocks_rebuild_both_logs(left: list[str], right: list[str], masks: bool) -> None:  # noqa: FBT001
    """Each line stands in one block; equal ones are equal, and routine is only what it may be."""
    one, other = log("\n".join(left)), log("\n".join(right))
    comparison = compare(one, other, masks=masks)
    assert tiled(comparison)
    if not masks:
        for block in comparison.blocks:
            if block.kind is BlockKind.EQUAL:
                texts = [one.text(y) for y in range(block.left, block.left_end)]
                assert texts == [other.text(y) for y in range(block.right, block.right_end)]


def test_a_big_pair_with_a_planted_cause() -> None:
    """Thousands of lines that differ in every run leave one."""

    def run(offset: int) -> list[str]:
        return [
            f"2026-03-14 0{offset}:{n // 60 % 60:02}:{n % 60:02},{n % 997:03} INFO client: "
            f"GET /orders?page={n} 200 in {(n * offset) % 900} ms"
            for n in range(20_000)
        ]

    red: Sequence[str] = run(3)
    red = [*red[:12_345], "401 Unauthorized: token expired", *red[12_345:]]
    _, found = compared("\n".join(run(2)), "\n".join(red))
    assert found == ["+401 Unauthorized: token expired"]


def test_a_line_that_says_nothing_is_no_difference() -> None:
    """A blank one, or one that is nothing but a time."""
    green = log("one\ntwo\nthree")
    red = log("one\n\ntwo\n2026-03-04T05:06:07.123456Z\nthree\n02:47:03\n[02:47:03]")
    for found in (compare(green, red), compare(red, green)):
        assert not any(block.is_difference for block in found.blocks)
    assert any(block.is_difference for block in compare(green, red, masks=False).blocks)
