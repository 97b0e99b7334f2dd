"""Read a report in a worker process, which frees its memory by exiting."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.text import shorten
from platui.report.reading.draft import draft_path, remove_draft
from platui.report.saved_report import SavedReport, open_saved

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator

    from platui.report.read_request import ReadRequest

_WORKER: Final = ("-s", "-P", "-m", "platui.report.worker")
"""Without user packages and without the current folder in the path."""
_PASSED: Final = (
    "LC_ALL",  # encoding of file names
    "LC_CTYPE",
    "LANG",
    "PYTHONUTF8",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPYCACHEPREFIX",
    "TMPDIR",
)
_KEPT: Final = 2048  # Bytes of stderr to keep
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class ReadProgress:
    """Progress of reading."""

    share: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class FirstRows:
    """People and places can be shown."""

    report: SavedReport


@dataclass(frozen=True, slots=True)
class ReportSaved:
    """The report is complete and saved."""

    report: SavedReport


ReadingEvent = ReadProgress | FirstRows | ReportSaved


async def read_report(order: ReadRequest) -> AsyncGenerator[ReadingEvent]:
    """Yield progress, the first rows, and the saved report; close to stop. Raises ReportError."""
    try:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *_WORKER,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=_environment(),
            start_new_session=True,  # ctrl+c is handled by this process
        )
    except OSError as error:
        raise ReportError(
            f"Cannot start the import: {error.strerror}.", is_of_text=False
        ) from error
    stderr_tail = asyncio.create_task(_stderr_tail(process))
    try:
        await _send(process, order.line())
        while line := await _line(process):
            event = json.loads(line)
            if event["event"] == "share":
                yield ReadProgress(event["share"])
            elif event["event"] == "first rows":
                yield FirstRows(await asyncio.to_thread(open_saved, draft_path(order.folder), 1))
                await _send(process, b"\n")
            elif event["event"] == "fault":
                raise ReportError(
                    event["sentence"], hint=event["hint"], is_of_text=event["of_text"]
                )
            else:
                yield ReportSaved(await asyncio.to_thread(open_saved, order.folder))
                return
        raise _worker_failed(await process.wait(), await stderr_tail)
    finally:
        await _stop(process, stderr_tail)
        await asyncio.to_thread(remove_draft, order.folder)


async def _line(process: Process) -> bytes:
    assert process.stdout is not None  # noqa: S101  (it is a pipe)
    line = await process.stdout.readline()
    return line if line.endswith(b"\n") else b""


async def _send(process: Process, data: bytes) -> None:
    assert process.stdin is not None  # noqa: S101  (it is a pipe)
    with suppress(BrokenPipeError, ConnectionResetError):  # the worker exited
        process.stdin.write(data)
        await process.stdin.drain()


async def _stderr_tail(process: Process) -> str:
    assert process.stderr is not None  # noqa: S101  (it is a pipe)
    kept = b""
    while piece := await process.stderr.read(_KEPT):
        kept = (kept + piece)[-_KEPT:]
    lines = kept.decode(errors="replace").split("\n")
    return shorten(next((line for line in reversed(lines) if line.strip()), ""), _SHOWN)


async def _stop(process: Process, stderr_tail: asyncio.Task[str]) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    if process.stdin is not None:
        process.stdin.close()
    await process.wait()
    if process.stdout is not None:
        # Read to the end, else asyncio does not close the pipes.
        await process.stdout.read()
    await stderr_tail


def _worker_failed(code: int, stderr_tail: str) -> ReportError:
    if code == -signal.SIGKILL:
        return ReportError(
            "The import was killed by the system.",
            hint="Free some memory: an import needs about 1.5 times the size of the report.",
            is_of_text=False,
        )
    if code < 0:
        return ReportError(
            f"The import was stopped by {signal.Signals(-code).name}.", is_of_text=False
        )
    detail = f": {stderr_tail}" if stderr_tail else ""
    return ReportError(f"The import failed with exit code {code}{detail}.", is_of_text=False)


def _environment() -> dict[str, str]:
    found = {name: os.environ[name] for name in _PASSED if name in os.environ}
    # The same import path: a checkout, or a single-file package.
    return found | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
