"""The output of a command, shown like a log while it runs."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError
from platui.core.open_file import OpenFile
from platui.core.text import shorten
from platui.models.values.log import LogState, LogUpdate
from platui.service.logs.errors import error_rules
from platui.service.logs.pipe import PipeFeed

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from platui.core.clock import Clock

MOST: Final = 20_000_000  # Bytes of output after which the command is stopped

_GRACE: Final = 2.0  # Seconds between SIGTERM and SIGKILL


class CommandFeed:
    """The output and errors of a command without input, and its exit code."""

    def __init__(self, process: Process, pipe: PipeFeed) -> None:
        self.exit_code: int | None = None
        self.is_stopped = False
        self.is_over = False  # Whether all output came
        self.is_cut = False  # Whether it was stopped because of too much output
        self._process = process
        self._pipe = pipe

    @classmethod
    async def start(
        cls, argv: Sequence[str], environ: Mapping[str, str], clock: Clock
    ) -> CommandFeed:
        """Start a command in a new session. Raises CommandError."""
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        file = OpenFile(reading)
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                env=environ,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                start_new_session=True,
            )
        except OSError as error:
            name, why = shorten(argv[0], 60), error.strerror or type(error).__name__
            raise CommandError(f"{name} could not start ({why}).") from None
        finally:
            os.close(writing)
        return cls(process, PipeFeed(file, clock, error_rules(())))

    async def __aiter__(self) -> AsyncIterator[LogUpdate]:
        async for update in self._pipe:
            if update.document.size > MOST and not self.is_cut:
                self.is_cut = True
                if not self.is_stopped and not self.stop():
                    yield replace(update, state=LogState.ENDED)  # the rest is not read
                    return
            if update.state is LogState.ENDED:
                self.is_over = True
                self.exit_code = await self._process.wait()
            yield update

    def stop(self) -> bool:
        """End the command and its children; return whether it was running, and may be ended."""
        if self.is_over or self.is_stopped:
            return False
        self.is_stopped = self._signal(signal.SIGTERM)
        if self.is_stopped:
            asyncio.get_running_loop().call_later(_GRACE, self._signal, signal.SIGKILL)
        return self.is_stopped

    def _signal(self, number: signal.Signals) -> bool:
        """Return False if the command belongs to another user, as with sudo."""
        # The command may have ended before its children, which are in its group.
        if not self.is_over:
            try:
                os.killpg(self._process.pid, number)
            except PermissionError:
                return False
            except ProcessLookupError:
                return True  # all have ended
        return True

    def refresh(self) -> None:
        """Do nothing: output is read continuously."""

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing: pausing would block the command."""
