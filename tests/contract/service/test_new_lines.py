"""Where no rule knows the cause, a failed log is compared with that of the last success."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.support.service import service_at, started
from tests.support.wire import Heard, answer, wire_server

from platui.models.values.log import CauseSource
from platui.models.values.triage import PipelineRun

if TYPE_CHECKING:
    import asyncio

    from platui.models.values.triage import Signature

RED: Final = PipelineRun(5, "failed")
GREEN: Final = PipelineRun(4, "success")
GOOD: Final = b"$ ./run\n12 rows in 3 s\ntidy\nJob succeeded\n"
BAD: Final = b"$ ./run\n9 rows in 2 s\nno flux in the core\ntidy\nERROR: Job failed: exit code 1\n"


class Platform:
    """Two pipelines of one job: the older one succeeded."""

    def __init__(self, failed: bytes = BAD, successful: bytes | None = GOOD) -> None:
        self.logs = {50: failed, 40: successful}
        self.statuses = {50: "failed", 40: "success"}
        self.asked: list[str] = []
        self.is_down = False
        """Whether the log of the success cannot be read for now."""

    async def __call__(self, request: Heard, writer: asyncio.StreamWriter) -> None:
        """Answer with jobs or a log."""
        path = request.target.partition("?")[0].removeprefix("/api/v4/")
        match path.split("/"):
            case [_, _, "pipelines", pipeline, "jobs"]:
                self.asked.append(f"jobs {pipeline}")
                writer.write(answer([self._job(int(pipeline))]))
            case [_, _, "jobs", job, "trace"]:
                self.asked.append(f"log {job}")
                log = self.logs[int(job)]
                if self.is_down and job == "40":
                    writer.write(answer({"message": "no"}, "503 Service Unavailable"))
                elif log is None:
                    writer.write(answer({"message": "404 Not Found"}, "404 Not Found"))
                else:
                    writer.write(answer(log, content_type="text/plain"))
            case _:
                writer.write(answer({"id": 1, "username": "u", "version": "17.0.0"}))

    def _job(self, pipeline: int) -> dict[str, Any]:
        status = self.statuses[pipeline * 10]
        return {
            "id": pipeline * 10, "name": "load", "stage": "run", "status": status,
            "started_at": "2026-03-14T03:00:00Z", "finished_at": "2026-03-14T03:01:00Z",
            "pipeline": {"id": pipeline, "status": status}, "failure_reason": "script_failure",
        }  # fmt: skip


async def cause_on(platform: Platform, green: PipelineRun | None = GREEN) -> Signature:
    """Return the signature of the failed pipeline's cause."""
    async with wire_server(platform) as server, started(service_at(server.url)) as service:
        details = await service.incident_details()
        found = await details.cause(7, RED, green)
    assert found.signature is not None
    return found.signature


async def test_the_line_that_the_last_success_did_not_have_is_named() -> None:
    """With one more list of jobs and one more log; the line's number is told."""
    platform = Platform()
    found = await cause_on(platform)
    assert (found.line, found.source) == ("no flux in the core", CauseSource.NOVELTY)
    assert (found.line_number, found.compared_line) == (2, 2)
    assert platform.asked == ["jobs 5", "log 50", "jobs 4", "log 40"]


async def test_a_rule_that_is_certain_asks_for_nothing_more() -> None:
    """The cause is known by then."""
    platform = Platform(
        b"$ ./run\nORA-00942: table does not exist\nERROR: Job failed: exit code 1\n"
    )
    found = await cause_on(platform)
    assert (found.source, found.compared_line) == (CauseSource.RULE, None)
    assert platform.asked == ["jobs 5", "log 50"]


async def test_without_a_success_the_last_line_is_named() -> None:
    """Also where its log is deleted."""
    found = await cause_on(Platform(), None)
    assert (found.line, found.source) == ("tidy", CauseSource.LAST_LINE)
    found = await cause_on(Platform(successful=None))
    assert (found.line, found.source) == ("tidy", CauseSource.LAST_LINE)


async def test_a_success_that_becomes_known_later_is_compared_too() -> None:
    """What the log alone says is shown until then."""
    platform = Platform()
    async with wire_server(platform) as server, started(service_at(server.url)) as service:
        details = await service.incident_details()
        first = (await details.cause(7, RED, None)).signature
        second = (await details.cause(7, RED, GREEN)).signature
        third = (await details.cause(7, RED, GREEN)).signature
    assert first is not None
    assert second is not None
    assert (first.line, second.line) == ("tidy", "no flux in the core")
    assert third == second
    assert platform.asked.count("log 40") == 1


async def test_jobs_that_were_read_while_it_ran_are_read_again() -> None:
    """Else the job that succeeded meanwhile would never be found."""
    platform = Platform()
    platform.statuses[40] = "running"
    async with wire_server(platform) as server, started(service_at(server.url)) as service:
        details = await service.incident_details()
        await details.cause(7, RED, GREEN)
        platform.statuses[40] = "success"
        later = GREEN._replace(id=4, sha="later")
        found = (await (await service.incident_details()).cause(7, RED, later)).signature
    assert found is not None
    assert platform.asked.count("jobs 4") >= 1


async def test_a_cause_stays_while_the_successful_log_cannot_be_read() -> None:
    """It is compared once that works."""
    platform = Platform()
    platform.is_down = True
    async with wire_server(platform) as server, started(service_at(server.url)) as service:
        details = await service.incident_details()
        found = (await details.cause(7, RED, GREEN)).signature
        assert found is not None
        assert (found.line, found.source) == ("tidy", CauseSource.LAST_LINE)
        platform.is_down = False
        found = (await details.cause(7, RED, GREEN)).signature
    assert found is not None
    assert found.line == "no flux in the core"
