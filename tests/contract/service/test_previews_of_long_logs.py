"""Previews of logs of any length read a bounded part, where the platform supports ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.contract.service.test_odd_platforms import Script
from tests.support.service import service_at, started, viewing_any
from tests.support.wire import wire_server

from platui.models.values.previews import PreviewTarget, RowPreview
from platui.service import resources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.wire import Job

LINES = b"".join(b"line %d of the log\n" % number for number in range(400_000))
FAILED = LINES + b"Traceback (most recent call last):\nERROR: Job failed: exit code 1\n"


def no_job(_jobs: Sequence[Job]) -> Job | None:
    """Choose no job of a pipeline: these are previews of jobs."""
    return None


async def previewed(script: Script, status: str) -> RowPreview:
    """Return the whole preview of a job."""
    target = PreviewTarget(1, "load", status, job=9, size=len(script.log))
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        async for found in service.watch(resources.logs.preview(target, no_job)):
            if found.is_complete:
                return found
    raise AssertionError


@pytest.mark.parametrize("length", [100_000, 900_000, len(LINES)])
async def test_of_a_long_successful_log_the_last_lines_are_read(length: int) -> None:
    """At most 64 kB, with one request, from the start of a line."""
    script = Script()
    script.log = LINES[-length:]
    found = await previewed(script, "success")
    assert found.document is not None
    assert found.is_tail
    assert found.document.size <= 64_000
    assert found.document.text(found.document.line_count - 1) == "line 399999 of the log"
    assert found.document.text(0).startswith("line 39")
    assert script.ranges == [f"bytes={length - 48 * 1024}-"]


async def test_of_a_long_failed_log_the_error_is_found_in_the_last_lines() -> None:
    """A quarter of a megabyte is read, whatever the length."""
    script = Script()
    script.log = FAILED
    found = await previewed(script, "failed")
    assert found.document is not None
    assert found.is_tail
    assert found.document.size <= 256 * 1024
    assert found.line is not None
    assert found.line >= found.document.line_count - 3
    assert script.ranges == [f"bytes={len(FAILED) - 256 * 1024}-"]


@pytest.mark.parametrize(("length", "is_read"), [(900_000, True), (len(LINES), False)])
async def test_without_ranges_a_successful_log_is_read_whole_if_it_is_small(
    length: int, *, is_read: bool
) -> None:
    """A long one has no preview; the response to the first range is not read."""
    script = Script()
    script.log, script.honours_ranges = LINES[-length:], False
    found = await previewed(script, "success")
    assert not found.is_tail
    assert (found.document is not None) == is_read
    assert len(script.ranges) == 1 + is_read


async def test_the_end_of_a_long_log_is_requested_once() -> None:
    """A row that is previewed again shows it from memory."""
    script = Script()
    script.log = FAILED
    target = PreviewTarget(1, "load", "failed", job=9, size=len(script.log))
    async with wire_server(script) as server, started(service_at(server.url)) as service:
        for _ in range(2):
            async for found in service.watch(resources.logs.preview(target, no_job)):
                if found.is_complete:
                    assert found.line is not None
                    break
    assert len(script.ranges) == 1


async def test_a_failed_log_of_one_endless_line_is_not_read_whole() -> None:
    """Its end has no line to show."""
    script = Script()
    script.log = b"x" * 16_000_001
    found = await previewed(script, "failed")
    assert found.document is None
    assert found.is_too_long
    assert len(script.ranges) == 1


async def test_a_pipeline_that_ended_without_jobs_is_not_loading() -> None:
    """As one with an invalid file: there will be none, and nothing polls them."""
    script = Script()
    script.jobs = []
    target = PreviewTarget(1, "#5", "failed", pipeline=5)
    async with (
        wire_server(script) as server,
        started(service_at(server.url)) as service,
        viewing_any(service.watch(resources.logs.preview(target, no_job))) as viewer,
    ):
        found = await viewer.until(lambda preview: preview.is_complete)
        assert found.jobs == ()
        assert len(server.heard) == 1
