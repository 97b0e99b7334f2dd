"""The command line: bare `platui` opens the dashboard, everything else is a command.

The way to the dashboard is parsed by hand and imports nothing that its first frame does
not need; the collector is off until that frame is painted.
"""

from __future__ import annotations

import gc
import os
import sys

INTERRUPTED = 130
_UNREAD = 141
"""What a shell says of a program whose reader went away (128 + SIGPIPE)."""


def main() -> int:
    """Run platui; returns the exit code.

    0 done, 1 the pipeline failed, 2 usage or configuration, 3 try again, 4 refused,
    5 a write whose outcome is unknown, 130 interrupted.
    """
    gc.disable()
    from platui.cli.dispatch import dispatch  # noqa: PLC0415  (after the collector is off)

    try:
        code = dispatch(sys.argv[1:])
        if sys.stdout is not None:  # it is None where the caller closed it
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # `platui demo | head`: what is left unwritten must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _UNREAD
    return code
