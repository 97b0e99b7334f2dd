"""`platui log --cause`: print the line that failed a job, and how it was found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_lines, print_object
from platui.core.errors import CommandError
from platui.models.values.comparison import CompareStep, CompareUpdate
from platui.models.values.log import CauseSource, LogDocument, LogFeed, LogState, LogUpdate
from platui.models.values.statuses import ACTIVE
from platui.models.values.triage import FailedStep
from platui.present.status import standing
from platui.present.triage.reasons import FOUND_BY
from platui.service import PlatformService, resources
from platui.service.logs.cause import LogCause, cause_in, known_lines

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Job


async def print_cause_of_file(feed: LogFeed, against: LogFeed | None, *, as_json: bool) -> None:
    """Print the cause in a saved log; raises `CommandError` if it reports no failure."""
    known = None
    if against is not None:
        known = await asyncio.to_thread(known_lines, await _ended(against))
        if not known:
            raise CommandError("The log of --against is empty.", hint="Name a successful log.")
    found = await asyncio.to_thread(cause_in, await _ended(feed), None, known)
    _print(found, as_json=as_json)


async def print_cause_of_job(
    service: PlatformService, project: ProjectRef, job: Job, *, as_json: bool
) -> None:
    """Print the cause of a job; raises `CommandError` if it did not fail."""
    if job.status in ACTIVE or job.status == "success":
        yet = " yet" if job.status in ACTIVE else ""
        raise CommandError(f"The job {standing(job.status)}: there is no failure{yet}.")
    step = FailedStep(job.id, job.name, job.stage, job.failure_reason)
    document = await _ended(service.watch(resources.logs.job_log(project, job.id)))
    found = await asyncio.to_thread(cause_in, document, step)
    if found is not None and not found.is_certain:
        successful = await _successful_log(service, project, job.id)
        if successful is not None:
            known = await asyncio.to_thread(known_lines, successful)
            found = await asyncio.to_thread(cause_in, document, step, known)
    _print(found, as_json=as_json)


async def _ended(feed: LogFeed) -> LogDocument:
    """Return a log once it is complete; of a job in an unknown status, once it is read."""
    updates = cast("AsyncGenerator[LogUpdate]", aiter(feed))
    async with aclosing(updates):
        async for update in updates:
            if update.error is not None:
                raise update.error
            is_read = update.is_current and bool(update.job_status) and not update.is_tail
            if update.state is LogState.ENDED or is_read:
                return update.document
    raise CommandError("The log ended before it was read.")


async def _successful_log(
    service: PlatformService, project: ProjectRef, job: int
) -> LogDocument | None:
    compared = service.watch(resources.logs.compared(project, job))
    updates = cast("AsyncGenerator[CompareUpdate]", aiter(compared))
    async with aclosing(updates):
        async for update in updates:
            if update.error is not None:
                print_notice(f"The last successful run was not read: {update.error.sentence}")
                return None
            if update.step is CompareStep.NOTHING:
                return None
            if update.left is not None:
                return update.left
    return None


def _print(found: LogCause | None, *, as_json: bool) -> None:
    if found is None:
        raise CommandError("No failure found in this log.")
    if as_json:
        print_object(_object(found))
        return
    signature = found.signature
    rule = f" ({found.rule})" if signature.source is CauseSource.RULE else ""
    print_lines(
        [
            signature.line,
            "",
            *([f"kind        {signature.kind}"] if signature.kind else []),
            f"found by    {FOUND_BY[signature.source]}{rule}, {signature.confidence} confidence",
            f"signature   {signature.key}",
            "",
            *(
                f"{number}{':' if number == found.line + 1 else '-'}{line}"
                for number, line in enumerate(found.excerpt, found.first + 1)
            ),
        ]
    )


def _object(found: LogCause) -> dict[str, Any]:
    signature = found.signature
    return {
        "line": found.line + 1,
        "text": found.text,
        "title": signature.line,
        "kind": signature.kind or None,
        "signature": signature.key,
        "from": signature.source.value,
        "rule": found.rule if signature.source is CauseSource.RULE else None,
        "confidence": signature.confidence.value,
        "excerpt": list(found.excerpt),
    }
