"""Run a program that prints a credential: no shell, a time limit, nothing of it shown."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from platui.core.errors import CredentialError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TIME_LIMIT = 10.0
"""Seconds; enough to touch a hardware key."""

_KEPT = 64 * 1024
"""Bytes of output that are kept; the rest is read and forgotten."""

_SHOWN_NAME = 60


def first_line_of(
    command: Sequence[str], env: Mapping[str, str], *, limit: float = TIME_LIMIT
) -> bytes:
    """Return the first line that a program prints.

    It has no terminal: in the middle of a dashboard there is nobody it could ask.

    Raises:
        CredentialError: it cannot be started, fails, or takes longer than `limit` seconds;
            the sentence has its name and exit code, never a word of its output.
    """
    # Arguments may be private too (a vault's path): only the program is named.
    name = shorten(os.path.basename(command[0]), _SHOWN_NAME)  # noqa: PTH119  (a word)
    try:
        process = subprocess.Popen(  # noqa: S603  (the user's own configuration names it)
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            start_new_session=True,
        )
    except OSError as error:
        raise CredentialError(f"{name} cannot be started: {error.strerror}.") from error
    deadline = time.monotonic() + limit
    with process:
        try:
            output = _read(process, deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            _end(process)
            raise CredentialError(f"{name} gave nothing within {limit:g} seconds.") from error
        except BaseException:
            _end(process)
            raise
    if code != 0:
        raise CredentialError(f"{name} failed with exit code {code}.")
    return output.partition(b"\n")[0]


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """Read until the end of the output, keeping its beginning."""
    assert process.stdout is not None  # noqa: S101  (for the type: it is a pipe)
    kept = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise subprocess.TimeoutExpired(process.args, 0)
            chunk = os.read(process.stdout.fileno(), _KEPT)
            if not chunk:
                return kept
            kept += chunk[: _KEPT - len(kept)]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the program and whatever it started: they share a session of their own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
