"""Read a report in a worker process, which frees its memory by exiting."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.core.errors import ReportError
from platui.core.text import shorten
from platui.report.open_report import OpenedReport
from platui.report.reading.draft import ReadRequest, draft_path, remove_unused
from platui.report.saved_report import WHOLE, open_saved

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter


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


async def read_report(order: ReadRequest) -> AsyncGenerator[float | OpenedReport]:
    """Yield the progress (0 to 1), then the report twice: opened and saved. Raises ReportError."""
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
    stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
    assert stdin and stdout and stderr  # noqa: S101, PT018  (they are pipes)
    stderr_tail = asyncio.create_task(_stderr_tail(stderr))
    try:
        await _send(stdin, order.line())
        while (line := await stdout.readline()).endswith(b"\n"):
            event = json.loads(line)
            if event["event"] == "share":
                yield event["share"]
            elif event["event"] == "first rows":
                yield await asyncio.to_thread(_opened, draft_path(order.folder), 1)
                await _send(stdin, b"\n")
            elif event["event"] == "fault":
                raise ReportError(
                    event["sentence"], hint=event["hint"], is_of_text=event["of_text"]
                )
            else:
                yield await asyncio.to_thread(_opened, order.folder, WHOLE)
                return
        raise _worker_failed(await process.wait(), await stderr_tail)
    finally:
        # `process.kill` polls first, and may so reap the worker before asyncio does, which warns.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        stdin.close()
        await process.wait()
        # Read to the end, else asyncio does not close the pipes.
        await stdout.read()
        await stderr_tail
        await asyncio.to_thread(remove_unused, draft_path(order.folder))


def _opened(folder: Path, stage: int) -> OpenedReport:
    return OpenedReport(open_saved(folder, stage))


async def _send(stdin: StreamWriter, data: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # the worker exited
        stdin.write(data)
        await stdin.drain()


async def _stderr_tail(stderr: StreamReader) -> str:
    kept = b""
    while piece := await stderr.read(_KEPT):
        kept = (kept + piece)[-_KEPT:]
    lines = kept.decode(errors="replace").split("\n")
    return shorten(next((line for line in reversed(lines) if line.strip()), ""), _SHOWN)


def _worker_failed(code: int, stderr_tail: str) -> ReportError:
    hint = None
    if code == -signal.SIGKILL:
        sentence = "The import was killed by the system."
        hint = "Free some memory: an import needs about 1.5 times the size of the report."
    elif code < 0:
        sentence = f"The import was stopped by {signal.Signals(-code).name}."
    else:
        detail = f": {stderr_tail}" if stderr_tail else ""
        sentence = f"The import failed with exit code {code}{detail}."
    return ReportError(sentence, hint=hint, is_of_text=False)


def _environment() -> dict[str, str]:
    found = {name: os.environ[name] for name in _PASSED if name in os.environ}
    # The same import path: a checkout, or a single-file package.
    return found | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
