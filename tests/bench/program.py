"""The real program under a benchmark: an emulator of its own, a home of its own, a pty."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PLATUI: Final = str(Path(sys.executable).with_name("platui"))
_WATCH_LIST: Final = "esc not now"


@contextmanager
def emulator(*options: str) -> Iterator[Mapping[str, str]]:
    """Run `platui emulator` for the length of a block; yields what it announces, and its `pid`."""
    process = subprocess.Popen(
        [PLATUI, "emulator", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield {**json.loads(process.stdout.readline()), "pid": str(process.pid)}
    finally:
        process.terminate()
        process.wait(timeout=10)


def dashboard(
    platform: Mapping[str, str],
    home: Path,
    *arguments: str,
    rate: int = 0,
    round_trip: float = 0.0,
) -> Terminal:
    """Start the dashboard on an emulated platform, with all its files in one folder."""
    folders = {
        f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "STATE", "CACHE")
    }
    return Terminal(
        [PLATUI, *arguments],
        environment={
            **folders,
            "XDG_DATA_HOME": str(home / "data"),
            "HOME": str(home),
            "PLATUI_URL": platform["base_url"],
            "PLATUI_TOKEN": platform["token"],
            "PLATUI_ADMIN_URL": platform["admin_url"],
            "PLATUI_ADMIN_KEY": platform["admin_key"],
        },
        rate=rate,
        round_trip=round_trip,
    )


def watch(platform: Mapping[str, str], home: Path) -> None:
    """Start once, watch the proposed projects, and quit: later starts have cached rows."""
    with dashboard(platform, home) as terminal:
        accept_watch_list(terminal)
        terminal.wait_quiet(2.0, limit=60)
        terminal.write(b":q\r")
        terminal.wait_end()


def accept_watch_list(terminal: Terminal) -> None:
    """Watch the projects that the dialog of the first start proposes."""
    terminal.wait_for(_WATCH_LIST, limit=30)
    terminal.wait_quiet(1.0, limit=30)
    terminal.write(b"\r")
    terminal.wait_for("projects watched", limit=60)


def skip_watch_list(terminal: Terminal) -> None:
    """Leave the dialog of the first start, which asks for the projects to watch."""
    terminal.wait_for(_WATCH_LIST, limit=30)
    terminal.write(b"\x1b")
    terminal.wait_until(lambda lines: not any(_WATCH_LIST in line for line in lines), limit=30)
    terminal.wait_quiet(1.0, limit=30)
