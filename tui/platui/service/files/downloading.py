"""Download artifacts to a file, resuming after a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from platui.core.errors import (
    InvalidResponseError,
    OfflineError,
    OfflineReason,
)
from platui.models.values.feeds import Progress
from platui.service.files.whole_file import not_written, open_new, part_of, take_name

if TYPE_CHECKING:
    from platui.api.api_client import ApiClient, Download
    from platui.core.clock import Clock
    from platui.models.values.queries import ProjectRef

_TRIES: Final = 4
_PAUSE: Final = 1.0  # seconds before the first retry; doubles each time
_LONGEST_PAUSE: Final = 30.0


class Downloads:
    def __init__(self, caller: ApiClient, clock: Clock) -> None:
        self._caller = caller
        self._clock = clock

    async def save_artifacts(
        self,
        project: ProjectRef,
        job: int,
        target: Path,
        on_progress: Callable[[Progress], None],
    ) -> int:
        """Save the artifacts of a job to a new file, complete or not at all; return its bytes."""
        try:
            part = await asyncio.to_thread(part_of, target)
            try:
                with await asyncio.to_thread(open_new, part) as file:
                    size = await self.fill(project, job, file, on_progress)
                await asyncio.to_thread(take_name, part, target)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise not_written(target, error) from None
        return size

    async def fill(
        self,
        project: ProjectRef,
        job: int,
        file: IO[bytes],
        on_progress: Callable[[Progress], None],
    ) -> int:
        """Write the artifacts of a job to an empty file; return their bytes."""
        tries, restarts, pause = 0, 0, _PAUSE
        total: int | None = None  # the first known one of this version
        mark = ""
        while True:
            before = file.tell()
            try:
                async with self._caller.stream_artifacts(
                    project, job, start=before, mark=mark
                ) as download:
                    mark = download.mark
                    if not download.start or total is None:
                        total = download.total
                    await _take(download, total, file, on_progress)
                return file.tell()
            except OfflineError:
                has_grown = file.tell() > before
                restarts += file.tell() < before
                # A restart counts as a try, also after progress.
                tries = restarts if has_grown else tries + 1
                if tries >= _TRIES:
                    raise
            await self._clock.sleep(pause)
            pause = _PAUSE if has_grown else min(pause * 2, _LONGEST_PAUSE)


async def _take(
    download: Download,
    total: int | None,
    file: IO[bytes],
    on_progress: Callable[[Progress], None],
) -> None:
    """Write a response at its position, if the file still has `total` bytes."""
    if download.start not in {0, file.tell()}:
        raise InvalidResponseError("The download resumed at a wrong position.")
    if download.start and download.total not in {None, total}:
        file.seek(0)  # another file by now: start again
        raise OfflineError(
            "The artifacts changed during the download.", reason=OfflineReason.DROPPED
        )
    # A full response overwrites what is there.
    file.seek(download.start)
    file.truncate()
    on_progress(Progress(file.tell(), total))
    async for chunk in download.chunks():
        file.write(chunk)
        on_progress(Progress(file.tell(), total))
    if total is not None and file.tell() != total:
        raise OfflineError("The download was interrupted.", reason=OfflineReason.DROPPED)
