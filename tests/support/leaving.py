"""A reader of the installed program's output who goes away before its end, as `head` does."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.support.session import PROGRAM

from platui.cli.exit_codes import Exit

if TYPE_CHECKING:
    from collections.abc import Mapping


def leave(*words: str, environ: Mapping[str, str], after: str = "") -> None:
    """Run a command whose reader leaves; it ends as a shell knows it, and says nothing of it.

    Args:
        words: the command.
        environ: its environment.
        after: how the line begins that is read before; nothing is read where it is left out.
    """
    with subprocess.Popen(
        [*PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        if after:
            assert process.stdout.readline().startswith(after.encode())
        process.stdout.close()
        told = process.stderr.read().decode()
        process.wait(60)
    assert process.returncode == Exit.NO_READER
    for crash in ("Traceback", "BrokenPipeError", "ignored"):
        assert crash not in told
