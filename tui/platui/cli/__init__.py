"""The command line: bare `platui` opens the dashboard, everything else is a command.

The way to the dashboard is parsed by hand and imports nothing that its first frame does
not need; the collector is off until that frame is painted.
"""

from __future__ import annotations

import gc
import os
import sys


def main() -> int:
    """Run platui; returns the exit code: one of `platui.cli.exits`."""
    gc.disable()
    from platui.cli.dispatch import dispatch  # noqa: PLC0415  (after the collector is off)
    from platui.cli.exits import Exit  # noqa: PLC0415  (the same)

    try:
        code = dispatch(sys.argv[1:])
        if sys.stdout is not None:  # it is None where the caller closed it
            sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # `platui demo | head`: what is left unwritten must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.NO_READER
    return code
