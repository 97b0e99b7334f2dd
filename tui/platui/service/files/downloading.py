"""A job's artifacts brought to a file: whole or not at all, going on where the line broke."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    InvalidResponseError,
    OfflineError,
    OfflineReason,
)
from platui.models.values.feeds import Progress
from platui.service.files.whole_file import not_written, open_new, part_of, take_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedWriter
    from pathlib import Path

    from platui.api.api_client import ApiClient
    from platui.api.downloads import Download
    from platui.api.storage import Storage
    from platui.core.clock import Clock
    from platui.models.values.queries import ProjectRef

_TRIES: Final = 4
_PAUSE: Final = 1.0
"""Seconds before the first further try; each later one waits twice as long."""
_LONGEST_PAUSE: Final = 30.0


class Downloads:
    """Saves artifacts."""

    def __init__(self, caller: ApiClient, storage: Storage, clock: Clock) -> None:
        self._caller = caller
        self._storage = storage
        self._clock = clock

    async def save_artifacts(
        self,
        project: ProjectRef,
        job: int,
        target: Path,
        tell: Callable[[Progress], None],
    ) -> int:
        """Save the archive of a job's artifacts under a name that is free; return its bytes.

        The bytes go to a hidden file beside it, which takes the name when all are there; when
        this is given up or cancelled, that file is gone.

        Raises NameTakenError: there is a file of that name. FileWriteError: the disk does not take
        the file. PlatuiError: the platform, or the storage it names, does not give the file.
        """
        try:
            part = await asyncio.to_thread(part_of, target)
            try:
                with await asyncio.to_thread(open_new, part) as file:
                    size = await self._fill(project, job, file, tell)
                await asyncio.to_thread(take_name, part, target)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            raise not_written(target, error) from None
        return size

    async def _fill(
        self, project: ProjectRef, job: int, file: BufferedWriter, tell: Callable[[Progress], None]
    ) -> int:
        tries, pause = 0, _PAUSE
        known: Download | None = None
        while True:
            before = file.tell()
            try:
                async with self._caller.stream_artifacts(
                    self._storage, project, job, start=before, mark=known.mark if known else ""
                ) as download:
                    first, known = known or download, download
                    await _take(download, first.total, file, tell)
                return file.tell()
            except OfflineError:
                tries = 0 if file.tell() > before else tries + 1
                if tries >= _TRIES:
                    raise
            await self._clock.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE) if tries else _PAUSE


async def _take(
    download: Download, total: int | None, file: BufferedWriter, tell: Callable[[Progress], None]
) -> None:
    """Write what comes to its place in the file, if that is still of so many bytes in `total`.

    Raises OfflineError: not all of it came. InvalidResponseError: it is not the part that was
    asked for.
    """
    if download.start not in {0, file.tell()}:
        raise InvalidResponseError("The download went on at another place than asked.")
    if download.start and download.total != total:
        file.seek(0)  # another file by now: it is asked for from its beginning
        raise OfflineError("The artifacts changed meanwhile.", reason=OfflineReason.DROPPED)
    # Where all of it comes again, the beginning is written anew.
    file.seek(download.start)
    file.truncate()
    tell(Progress(file.tell(), download.total))
    async for chunk in download.chunks():
        file.write(chunk)
        tell(Progress(file.tell(), download.total))
    if download.total is not None and file.tell() != download.total:
        raise OfflineError("The download broke off.", reason=OfflineReason.DROPPED)
