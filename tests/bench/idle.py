"""What the dashboard does while nothing happens: `python -m tests.bench idle`.

The emulated company's time stands still, so that every answer is like the one before, and the
dashboard polls on. Nothing may reach the terminal, except ages in minutes on the board, and the
processor hardly ever be woken. Measured at the same time, each in a pty of its own: the triage
board, the pipelines of a project, so old that their ages are in days, a finished log, and beside
them the least that Textual can show, mc and tig (where installed). A wake-up is a voluntary
context switch: of the event loop, which is the main thread, and in brackets of all threads. The
board polls each watched project twice a minute, the other views once, for notifications: requests
are told too, and wake the loop at least once each.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote

from tests.bench.figures import Figure, Options, Table
from tests.bench.program import dashboard, emulator
from tests.bench.start import minimal
from tests.bench.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_PAGE_DOWN: Final = b"\x1b[6~"
_PAGES: Final = 4
_COMMIT: Final = ("commit", "-q", "--allow-empty", "-m", "The only commit")
_WATCHED: Final = 5
"""Projects on the board."""
_CPU: Final = 0.1
"""Percent of one processor that is good enough."""
_WAKE_UPS: Final = 0.5
"""Wake-ups a second that are good enough."""


class Spent(NamedTuple):
    """What a program has used since its start."""

    size: int
    """Bytes it wrote."""
    seconds: float
    """Of the processor."""
    wake_ups: int
    """Of the main thread."""
    all_wake_ups: int

    @classmethod
    def by(cls, terminal: Terminal) -> Spent:
        """Look up what the program on a terminal has used; threads that ended count no more."""
        seconds, wake_ups = 0.0, dict[str, int]()
        for thread in Path(f"/proc/{terminal.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                seconds += int((thread / "schedstat").read_text().split()[0]) / 1e9
                fields = (line.partition(":") for line in (thread / "status").open())
                counts = {name: value for name, _, value in fields}
                wake_ups[thread.name] = int(counts["voluntary_ctxt_switches"])
        own = wake_ups.get(str(terminal.pid), 0)
        return cls(terminal.size, seconds, own, sum(wake_ups.values()))


@dataclass
class Idler:
    """A program that nobody uses."""

    name: str
    terminal: Terminal
    requests: Callable[[], int] | None = None
    """What counts the requests to its platform; None: it has none."""
    has_ages: bool = False
    """Whether it shows ages in minutes, which may move."""

    def measure(self) -> tuple[Spent, int]:
        """Return what it has used so far, and its requests."""
        return Spent.by(self.terminal), self.requests() if self.requests is not None else 0


def tables(options: Options) -> Iterator[Table]:
    """Let everything come to rest, then count."""
    count = options.size(60, 30)
    with contextlib.ExitStack() as stack:
        idlers = list(_programs(stack, _WATCHED))
        # The gauge shows the most requests of a minute: it is level after two.
        _listen(idlers, options.size(150, 130))
        before = [one.measure() for one in idlers]
        began = time.monotonic()
        _listen(idlers, count)
        after = [one.measure() for one in idlers]
        seconds = time.monotonic() - began
    for one, earlier, later in zip(idlers, before, after, strict=True):
        yield Table(f"Idle for {count} s, {one.name}", _figures(one, earlier, later, seconds))


def _programs(stack: contextlib.ExitStack, watched: int) -> Iterator[Idler]:
    """Start everything, each dashboard with a platform of its own, which counts its requests."""
    for name in ("board", "pipelines", "log"):
        platform = stack.enter_context(emulator("--speed", "0"))
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        projects = [
            one["path_with_namespace"] for one in _ask(platform, f"projects?per_page={watched}")
        ]
        with dashboard(platform, home, "triage", "watch", *projects) as watching:
            watching.wait_end()
        addresses = {"board": (), "pipelines": (_address(platform),), "log": (_log(platform),)}
        terminal = stack.enter_context(dashboard(platform, home, *addresses[name]))
        terminal.wait_quiet(2.0, limit=30)
        for _ in range(_PAGES if name == "pipelines" else 0):
            terminal.key(_PAGE_DOWN)
        yield Idler(name, terminal, partial(_requests, platform), has_ages=name == "board")
    yield Idler("Textual", stack.enter_context(minimal()))
    repository = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    if shutil.which("mc"):
        settings = {"HOME": str(repository)}
        yield Idler("mc", stack.enter_context(Terminal(["mc", "-x"], environment=settings)))
    if shutil.which("tig") and shutil.which("git"):
        _make_repository(repository / "history")
        argv = ["sh", "-c", 'cd "$0" && exec tig', str(repository / "history")]
        yield Idler("tig", stack.enter_context(Terminal(argv)))


def _make_repository(folder: Path) -> None:
    author = ("-c", "user.name=Bench", "-c", "user.email=bench@example.invalid")
    for arguments in (("init", "-q", str(folder)), ("-C", str(folder), *author, *_COMMIT)):
        subprocess.run(["git", *arguments], check=True, capture_output=True)


def _listen(idlers: Sequence[Idler], seconds: float) -> None:
    """Read from all terminals, so that none of them is blocked."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for one in idlers:
            one.terminal.listen(0.0)
            while one.terminal.read(0.0):
                pass
        time.sleep(0.2)


def _figures(
    one: Idler, earlier: tuple[Spent, int], later: tuple[Spent, int], seconds: float
) -> list[Figure]:
    (before, asked_before), (after, asked) = earlier, later
    is_ours = one.requests is not None
    rates = (
        Figure("processor", "%", _CPU if is_ours else None, [after.seconds - before.seconds]),
        Figure(
            "wake-ups", "1/s", _WAKE_UPS if is_ours else None, [after.wake_ups - before.wake_ups]
        ),
        Figure("all threads", "1/s", None, [after.all_wake_ups - before.all_wake_ups]),
    )
    for rate in rates:
        rate.ours = [value * (100 if rate.unit == "%" else 1) / seconds for value in rate.ours]
    size_aim = 0 if is_ours and not one.has_ages else None
    size = Figure("written", "bytes", size_aim, [after.size - before.size])
    requests = [Figure("sent", "requests", None, [asked - asked_before])] if is_ours else []
    return [size, *rates, *requests]


def _ask(platform: Mapping[str, str], path: str) -> Any:
    """Return the response of the project API to a GET."""
    address = f"{platform['base_url']}/api/v4/{path}"
    request = urllib.request.Request(address, headers={"PRIVATE-TOKEN": platform["token"]})  # noqa: S310  (our own emulator)
    with urllib.request.urlopen(request) as answer:  # noqa: S310  (the same)
        return json.load(answer)


def _requests(platform: Mapping[str, str]) -> int:
    """Return how many requests the emulator has had."""
    with urllib.request.urlopen(f"{platform['base_url']}/-/emulator/requests") as answer:  # noqa: S310  (the same)
        return max((entry["number"] for entry in json.load(answer)["requests"]), default=0)


def _address(platform: Mapping[str, str]) -> str:
    return f"{platform['base_url']}/{platform['project']}"


def _log(platform: Mapping[str, str]) -> str:
    """Return the address of a job that has ended."""
    jobs = _ask(platform, f"projects/{quote(platform['project'], safe='')}/jobs?scope[]=success")
    return str(jobs[0]["web_url"])
