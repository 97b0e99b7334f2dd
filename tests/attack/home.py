"""The home of a user, and commands that are run in it."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.support.session import PROGRAM, at_home

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

LONGEST: Final = 90.0
"""Seconds after which a command is interrupted."""
_GRACE: Final = 5.0
_TICK: Final = 0.02


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it wrote; a byte that is no UTF-8 is a surrogate."""

    code: int | None
    """Negative where a signal ended it; None: not even an interrupt did."""
    out: str
    errors: str
    memory: int
    """The most that it held, in KB."""


def environ_of(home: Path, more: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a command that finds all folders of its user in a home."""
    outside = {name: os.environ.get(name, "") for name in ("PATH", "PYTHONPATH")}
    return {**at_home(home), **outside, **more}


def run_at_home(
    home: Path,
    *arguments: str,
    environ: Mapping[str, str],
    inside: Sequence[str] = (),
    life: float | None = None,
    largest: int | None = None,
) -> Ended:
    """Run `platui …` until it ends.

    Args:
        home: the home folder.
        arguments: what stands behind `platui`.
        environ: what is set besides the folders of the user.
        inside: a program that runs the command, and its arguments.
        life: seconds after which it is killed; None: never.
        largest: bytes that its files may have; None: any number.
    """
    # Pipes, as what is written to a file would be limited, too.
    process = subprocess.Popen(
        [*inside, *PROGRAM, *arguments],
        env=environ_of(home, environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr, ThreadPoolExecutor(2) as readers:
        out, errors = (readers.submit(pipe.read) for pipe in (process.stdout, process.stderr))
        if largest is not None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, largest))
        code, memory = _ended(process, LONGEST if life is None else life)
        if code is None and life is None:
            # One that says that it waits, and how to stop it, has survived.
            process.send_signal(signal.SIGINT)
            code, memory = _ended(process, _GRACE)
        if code is None:
            process.kill()
            process.wait()
            code = None if life is None else process.returncode
        return Ended(code, _text(out.result()), _text(errors.result()), memory)


def _text(written: bytes) -> str:
    return written.decode(errors="surrogateescape")


def _ended(process: subprocess.Popen[bytes], seconds: float) -> tuple[int | None, int]:
    """Return exit code and memory of a process; None: it runs on after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss
        if time.monotonic() > deadline:
            return None, 0
        time.sleep(_TICK)
