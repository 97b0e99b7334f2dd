"""`platui log`: a job's log, or a saved one, on the screen or into a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.log_options import HELP, read_log_options
from platui.config.hardening import harden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.settings import Options


def run_log(options: Options, words: Sequence[str]) -> int:
    """Show or print a log; returns the exit code.

    Raises:
        PlatuiError: the words are not usable, or the log does not come.
        BrokenPipeError: nobody reads any more.
    """
    wanted, options = read_log_options(words, options)
    if wanted.help:
        print(HELP, end="")
        return 0
    environ = harden()
    # What the one way needs, the other is not to wait for.
    if wanted.file:
        from platui.cli.log_file import run_file  # noqa: PLC0415

        return run_file(wanted, options, environ)
    from platui.cli.log_job import run_job  # noqa: PLC0415

    return run_job(wanted, options, environ)
