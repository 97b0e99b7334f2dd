"""The worker process: `python -m platui.report.worker`; a request on stdin, events on stdout."""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from typing import Any, Final

from platui.core.errors import ReportError
from platui.report.reading.draft import Draft, ReadRequest
from platui.report.reading.reader import ReportReader

_EVERY: Final = 0.05  # Seconds between two progress events


def main() -> int:
    gc.disable()  # no reference cycles here
    events = _EventWriter()
    try:
        request = ReadRequest.of(sys.stdin.buffer.readline())
        draft = Draft(request.folder)
        try:
            ReportReader(request, draft, events.share).read(events.opened)
        finally:
            draft.discard()
    except BrokenPipeError:
        # Python would flush stdout again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except ReportError as error:
        events.fault(error.sentence, error.hint, of_text=error.is_of_text)
    except OSError as error:
        events.fault(f"The report cannot be read or saved: {error.strerror or error}.")
    except MemoryError:
        events.fault("Not enough memory to read the report.")
    else:
        events.write(event="saved")
    return 0


class _EventWriter:
    def __init__(self) -> None:
        self._next = 0.0

    def write(self, **event: Any) -> None:
        sys.stdout.write(f"{json.dumps(event)}\n")
        sys.stdout.flush()

    def fault(self, sentence: str, hint: str = "", *, of_text: bool = False) -> None:
        self.write(event="fault", sentence=sentence, hint=hint, of_text=of_text)

    def share(self, share: float) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _EVERY
            self.write(event="share", share=round(share, 4))

    def opened(self) -> None:
        """Report that people and places are available, and wait until they are opened."""
        self.write(event="first rows")
        if not sys.stdin.buffer.readline():
            raise BrokenPipeError


if __name__ == "__main__":
    sys.exit(main())
