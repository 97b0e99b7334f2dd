"""Serve an emulated platform until it is stopped."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from platui.cli.exit_codes import Exit, exit_code_table
from platui_emulator.faults.fault import KINDS
from platui_emulator.scenarios import LIMITS, SCENARIOS, Sizes
from platui_emulator.server import (
    DEFAULT_RATE_LIMIT,
    DEFAULT_SEED,
    EmulatorStartError,
    is_loopback,
    start_emulator,
)

F = TypeVar("F", bound="Callable[..., object]")

_STOP_SIGNALS: Final = frozenset({signal.SIGTERM, signal.SIGINT})
_NON_HTTP_WARNING: Final = (
    "A client sent no HTTP request, perhaps TLS: the URLs begin with http://. "
    "This warning is shown once."
)
_FAULTS: Final = "\n".join(f"  {name:<13} {kind.about}" for name, kind in KINDS.items())
_SCENARIOS: Final = "\n".join(f"  {one.name:<13} {one.summary}" for one in SCENARIOS.values())
_EPILOG: Final = f"""\b
Scenarios:
{_SCENARIOS}

\b
Faults (they affect only requests to faults_url):
{_FAULTS}

\b
The JSON line on stdout has base_url, admin_url, faults_url, a token, a
trigger token, an API key for reports, and a project with a failed pipeline.

\b
  curl BASE_URL/-/emulator/
    shows how to set faults, revoke tokens, change limits and read the journal
  curl BASE_URL/-/emulator/credentials
    lists valid and invalid credentials of every kind

\b
Examples:
  platui emulator --port 8480
  platui emulator --scenario storm --faults-port 8481 --fault quota

\b
Exit codes:
{exit_code_table(Exit.DONE, Exit.USAGE)}"""


class _NonHttpFilter(logging.Filter):
    """Replaces uvicorn's warning of a non-HTTP request and logs it once: TLS clients retry."""

    def __init__(self) -> None:
        super().__init__()
        self._is_reported = False

    def filter(self, record: logging.LogRecord) -> bool:
        if record.getMessage() != "Invalid HTTP request received.":
            return True
        is_first, self._is_reported = not self._is_reported, True
        record.msg, record.args = _NON_HTTP_WARNING, ()
        return is_first


def _size(name: str, text: str) -> Callable[[F], F]:
    return click.option(
        f"--{name.replace('_', '-')}",
        type=click.IntRange(*LIMITS[name]),
        default=getattr(Sizes(), name),
        help=text,
    )


@click.command("emulator", epilog=_EPILOG, context_settings={"show_default": True})
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port; 0 picks a free one.")
@click.option(
    "--scenario",
    type=click.Choice(list(SCENARIOS)),
    default="default",
    help="Scenario to serve; see below.",
)
@click.option("--seed", type=int, default=DEFAULT_SEED, help="Seed of the generated data.")
@click.option(
    "--rate-limit",
    type=click.IntRange(min=1),
    default=DEFAULT_RATE_LIMIT,
    help="Requests per minute and user.",
)
@click.option(
    "--speed",
    type=float,
    default=1.0,
    help="Speed of the simulation and the platform's clock, relative to real time.",
)
@_size("log_bytes", "huge-log: bytes of the finished log.")
@_size("lines_per_second", "huge-log: lines per second of the running log.")
@_size("report_users", "huge-report: people in the access report.")
@click.option(
    "--spec-only",
    is_flag=True,
    help="Serve only the routes, fields, filters and headers of the specification.",
)
@click.option(
    "--faults-port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of faults_url, which injects faults; 0 picks a free one.",
)
@click.option(
    "--fault",
    "faults",
    metavar="KIND[:PATH]",
    multiple=True,
    help="Initial fault, for requests whose path and query match PATH; repeatable.",
)
@click.option("--until-stdin-closes", is_flag=True, help="Stop when stdin is closed.")
def emulator_command(
    *, host: str, port: int, faults: tuple[str, ...], until_stdin_closes: bool, **asked: Any
) -> None:
    """Serve an emulated platform over HTTP, with a simulated organization.

    Prints one line of JSON on stdout when ready, and runs until SIGTERM or Ctrl+C.
    """
    # Block the signals before any thread starts and wait for them: a handler could interrupt
    # the wait that it is meant to end, and deadlock.
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")
    logging.getLogger("uvicorn.error").addFilter(_NonHttpFilter())
    try:
        emulator = start_emulator(
            host,
            port,
            sizes=Sizes(**{size: asked.pop(size) for size in LIMITS}),
            faults=[_fault(words) for words in faults],
            **asked,
        )
    except EmulatorStartError as error:
        click.echo(f"platui emulator: {error}", err=True)
        sys.exit(2)
    if not is_loopback(host):
        click.echo(f"Warning: {host} can be reached from other machines.", err=True)
    click.echo(json.dumps(emulator.announcement()))
    click.echo(f"Serving an emulated platform at {emulator.base_url}; Ctrl+C stops it.", err=True)
    if until_stdin_closes:
        threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    signal.sigwait(_STOP_SIGNALS)
    emulator.stop()


def _fault(words: str) -> dict[str, str]:
    kind, _, path = words.partition(":")
    return {"kind": kind} | ({"path": path} if path else {})


def _stop_at_end_of_input() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    emulator_command()
