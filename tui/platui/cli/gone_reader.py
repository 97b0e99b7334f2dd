"""The end of a command whose output nobody reads any more, such as one piped into `head`."""

from __future__ import annotations

import asyncio
import select
import stat
import sys
from contextlib import contextmanager
from os import fstat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def noticing_its_reader() -> Iterator[None]:
    """End the task of the block with BrokenPipeError as soon as nobody reads any more.

    Writing would tell, too, but a log that is followed may be silent for hours.
    """
    descriptor = sys.stdout.fileno()
    task = asyncio.current_task()
    if task is None or not _is_pipe(descriptor):
        yield
        return
    loop, gone = asyncio.get_running_loop(), False

    def look() -> None:
        nonlocal gone
        poll = select.poll()
        poll.register(descriptor, 0)
        if any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0)):
            gone = True
            loop.remove_reader(descriptor)
            task.cancel()

    loop.add_reader(descriptor, look)
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        raise BrokenPipeError from None
    finally:
        loop.remove_reader(descriptor)


def _is_pipe(descriptor: int) -> bool:
    mode = fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
