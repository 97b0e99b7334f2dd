"""The command line: bare `platui` opens the dashboard, everything else is a command.

The way to the dashboard is parsed by hand and imports nothing that its first frame does
not need; the collector is off until that frame is painted.
"""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130


def main() -> int:
    """Run platui; returns the exit code.

    0 done, 1 the pipeline failed, 2 usage or configuration, 3 try again, 4 refused,
    130 interrupted.
    """
    gc.disable()
    from platui.cli.dispatch import dispatch  # noqa: PLC0415  (after the collector is off)

    try:
        return dispatch(sys.argv[1:])
    except KeyboardInterrupt:
        return INTERRUPTED
