"""Lines of several logs in one stream, in the order of their times."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tests.support.clock import FakeClock

from platui.logs import Log
from platui.models.values.log import Span
from platui.models.wire import Job
from platui.service.logs.errors import error_rules
from platui.service.logs.follower import LogFollower
from platui.service.logs.many_logs import LogMerging

if TYPE_CHECKING:
    from platui.service.logs.job_logs import JobLog


class ReadLog:
    """A log that was read."""

    transfer = 0.0

    def __init__(self, *lines: tuple[int, str]) -> None:
        self.document = Log(errors=error_rules())
        self.document.append(
            "".join(
                f"2026-03-14T03:12:{second:02}.000000Z 00O {text}\n" for second, text in lines
            ).encode()
        )
        self.document.finish()

    def take_reset(self) -> bool:
        """Say that it goes on."""
        return False


def follower(number: int, *lines: tuple[int, str]) -> LogFollower:
    """Return a job that runs, all of its lines to be handed on."""
    job = Job(id=number, name=f"job {number}", status="running")
    log = cast("JobLog", ReadLog(*lines))
    return LogFollower(job, log, Span(f"{number} "), from_start=True)


async def merged(*followers: LogFollower) -> LogMerging:
    """Merge logs, without lines of our own."""
    merging = LogMerging(lambda _news, _now: (), FakeClock())
    await merging.take(followers, lambda: None)
    return merging


def texts(merging: LogMerging) -> list[str]:
    """Return the lines that are of a log."""
    document = merging.document
    return [document.text(y) for y in range(document.line_count) if document.text(y)]


async def test_lines_come_in_the_order_of_their_times() -> None:
    """Those of one log as they stand in it."""
    merging = await merged(follower(1, (1, "a"), (5, "b")), follower(2, (2, "c"), (9, "d")))
    assert texts(merging) == ["1 a", "2 c", "1 b", "2 d"]


async def test_an_error_stays_in_one_piece() -> None:
    """Whatever others write meanwhile: it is read as one, and is one mark."""
    failing = follower(
        1,
        (1, "begins"),
        (2, "Traceback (most recent call last):"),
        (3, '  File "load.py", line 3, in <module>'),
        (4, "    load()"),
        (5, "KeyError: 'orders'"),
        (8, "ends"),
    )
    merging = await merged(failing, follower(2, (3, "one"), (4, "two"), (6, "three")))
    assert texts(merging) == [
        "1 begins",
        "1 Traceback (most recent call last):",
        '1   File "load.py", line 3, in <module>',
        "1     load()",
        "1 KeyError: 'orders'",
        "2 one", "2 two", "2 three",
        "1 ends",
    ]  # fmt: skip
    [mark] = merging.document.errors
    assert merging.document.text(mark.message_line) == "1 KeyError: 'orders'"
    assert mark.end - mark.first == 4
