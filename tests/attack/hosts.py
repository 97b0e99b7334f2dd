"""The dashboard in a shell that runs in a plain terminal, in tmux, in screen, or over ssh."""

from __future__ import annotations

import getpass
import random
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil
from tests.attack.cases import combined
from tests.attack.dashboard import (
    INTERRUPTED,
    LANGUAGES,
    NO_PROGRAMS,
    TYPED,
    Size,
    look_for_stale_cells,
)
from tests.attack.home import environ_of
from tests.support.processes import emulator_process, running_below, wait_until
from tests.support.session import PROGRAM, Session

if TYPE_CHECKING:
    from tests.attack.cases import Case
    from tests.support.processes import Desk

MOST_WORKERS: Final = 2
_SIZES: Final = (Size(80, 24), Size(120, 40))
_SHELL: Final = ("sh", "-i")
_PROMPT: Final = "shell>"
_DROPPED: Final = "line dropped"
_DASHBOARD: Final = "? help"
_SHOWN: Final = 20.0
_TMUX: Final = "set -g status off\nset -g default-terminal tmux-256color\nset -sg escape-time 0\n"
_SCREEN: Final = "startup_message off\nterm screen-256color\naltscreen on\nmaptimeout 0\n"
_SSHD: Final = """
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
"""
_SSH: Final = (
    "-tt", "-q", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
    "-o", "IdentitiesOnly=yes",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where a shell is started: its home, and what its environment has."""

    home: Path
    environ: Mapping[str, str]

    @property
    def shell(self) -> tuple[str, ...]:
        """Return the command that starts it with this environment, whoever runs it."""
        return ("env", *(f"{name}={value}" for name, value in self.environ.items()), *_SHELL)


@dataclass(frozen=True)
class Ways:
    """Commands that open a shell in a host."""

    new: tuple[str, ...]
    again: tuple[str, ...] = ()
    """Comes back to it after the line was dropped; empty: what ran in it has ended."""


Host = Callable[[Place], Iterator[Ways]]


def _terminal(place: Place) -> Iterator[Ways]:
    yield Ways(place.shell)


def _tmux(place: Place) -> Iterator[Ways]:
    settings = place.home / "tmux.conf"
    settings.write_text(_TMUX)
    tmux = ("tmux", "-u", "-S", str(place.home / "tmux"), "-f", str(settings))
    try:
        yield Ways((*tmux, "new-session", shlex.join(place.shell)), (*tmux, "attach"))
    finally:
        subprocess.run([*tmux, "kill-server"], capture_output=True, check=False)


def _screen(place: Place) -> Iterator[Ways]:
    settings, folder = place.home / "screenrc", place.home / "screen"
    settings.write_text(_SCREEN)
    folder.mkdir(mode=0o700)
    screen = ("env", f"SCREENDIR={folder}", "screen", "-U", "-c", str(settings))
    try:
        yield Ways((*screen, *place.shell), (*screen, "-d", "-r"))
    finally:
        subprocess.run([*screen, "-X", "quit"], capture_output=True, check=False)


def _ssh(place: Place) -> Iterator[Ways]:
    for name in ("host", "key"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(place.home / name)],
            check=True,
        )
    settings = place.home / "sshd_config"
    settings.write_text(_SSHD.format(folder=place.home))
    Path("/run/sshd").mkdir(exist_ok=True)
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        port = str(plug.getsockname()[1])
    sshd = shutil.which("sshd") or "/usr/sbin/sshd"
    with subprocess.Popen(
        [sshd, "-D", "-f", str(settings), "-p", port], stderr=subprocess.DEVNULL
    ) as server:
        try:
            wait_until(lambda: _listens(int(port)))
            key = ("-i", str(place.home / "key"), "-p", port)
            login = f"{getpass.getuser()}@127.0.0.1"
            yield Ways(("ssh", *_SSH, *key, login, shlex.join(place.shell)))
        finally:
            server.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as plug:
        return plug.connect_ex(("127.0.0.1", port)) == 0


HOSTS: Final[dict[str, tuple[tuple[str, ...], Host]]] = {
    "terminal": ((), _terminal),
    "tmux": (("tmux",), _tmux),
    "screen": (("screen",), _screen),
    "ssh": (("ssh", "ssh-keygen", "/usr/sbin/sshd"), _ssh),
}
"""Name -> the programs that it needs, and how a shell is opened in it."""


def _leave(session: Session, _: random.Random) -> None:
    session.press("\x03")


def _stop_and_continue(session: Session, _: random.Random) -> None:
    for key in ("\x1a", "\x1a"):
        session.press(key)
        session.until(lambda text: _PROMPT in text and _DASHBOARD not in text, _SHOWN)
        _typed(session, "echo $((40 + 2))x", "42x")
        session.press("fg", "enter")
        session.until(_DASHBOARD, _SHOWN)
    session.press("\x03")


def _resize(session: Session, chance: random.Random) -> None:
    for _ in range(30):
        session.resize(chance.randint(20, 200), chance.randint(6, 60))
        session.listen(0.05)
    session.resize(100, 30)
    session.settle(0.5)
    session.press("\x03")


def _flood(session: Session, chance: random.Random) -> None:
    for _ in range(20):
        session.press("".join(chance.choices(TYPED, k=30)))
        session.listen(0.02)
    session.settle(0.5)
    session.press("\x03")


def _look(session: Session, chance: random.Random) -> None:
    look_for_stale_cells(session, chance)
    session.press("\x03")


ACTIONS: Final = {
    "Ctrl+C": _leave,
    "stopped and continued": _stop_and_continue,
    "resizes": _resize,
    "keys": _flood,
    "stale cells": _look,
    "SIGTERM": None,
    _DROPPED: None,
}


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the platform runs until the generator is closed."""
    with emulator_process("--speed", "0", "--rate-limit", "100000") as platform:
        survives = partial(_survives, platform)
        yield combined(survives, _possible_hosts(), ACTIONS, _SIZES, LANGUAGES)


def _possible_hosts() -> Iterator[str]:
    for name, (programs, _) in HOSTS.items():
        if missing := [one for one in programs if shutil.which(one) is None]:
            print(f"  skipped {name}: no {missing[0]}")
        else:
            yield name


def _survives(platform: Desk, host: str, action: str, size: Size, language: str) -> str:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        environ = {
            **environ_of(home, {**platform.environ(), **NO_PROGRAMS}),
            "LC_ALL": language, "LANG": language, "PS1": f"{_PROMPT} ", "ENV": "",
        }  # fmt: skip
        opened = contextmanager(HOSTS[host][1])
        with opened(Place(home, environ)) as ways:
            start = partial(Session, home=home, size=size, environ=environ)
            with start(program=ways.new) as session:
                session.until(_PROMPT, _SHOWN)
                dashboard = _started(session, platform, home)
                if action != _DROPPED:
                    return _used(session, dashboard, action, random.Random(f"{host}{action}"))
            if not ways.again:
                return "" if wait_until(lambda: not _dashboards(home), 10) else "it runs on"
            with start(program=ways.again) as session:
                session.until(_DASHBOARD, _SHOWN)
                return _used(session, dashboard, "Ctrl+C", random.Random(host))


def _started(session: Session, platform: Desk, home: Path) -> psutil.Process:
    command = shlex.join([*PROGRAM, f"{platform.base_url}/{platform.project}"])
    session.press(f"clear; {command}", "enter")
    session.until(_DASHBOARD, _SHOWN)
    (dashboard,) = _dashboards(home)
    return dashboard


def _used(session: Session, dashboard: psutil.Process, action: str, chance: random.Random) -> str:
    act = ACTIONS[action]
    if act is None:
        dashboard.send_signal(signal.SIGTERM)
    else:
        act(session, chance)
    began = time.monotonic()
    while dashboard.is_running() and time.monotonic() - began < _SHOWN:
        session.listen(0.1)
        if act is not None and time.monotonic() - began > _SHOWN / 4:
            session.press("\x03")  # one that a dialog or a prompt took
            session.listen(1.0)
    return _left(session, {128 + signal.SIGTERM} if act is None else INTERRUPTED)


def _left(session: Session, codes: Collection[int]) -> str:
    text = session.until(lambda text: _PROMPT in text.rstrip().rpartition("\n")[2], _SHOWN)
    faults = []
    if _DASHBOARD in text or "Traceback" in text:
        faults.append(f"the screen was not restored\n{text}")
    # The typed command shows that the shell echoes and reads lines again.
    shown = _typed(session, "echo left=$?", "left=", twice=True)
    code = int(shown.rpartition("left=")[2].split()[0])
    return "; ".join([*faults, *([] if code in codes else [f"exit code {code}\n{shown}"])])


def _typed(session: Session, command: str, answer: str, *, twice: bool = False) -> str:
    """Type a command into the shell, and wait for its answer."""
    session.press(command)
    session.until(command, _SHOWN)
    session.press("enter")
    return session.until(lambda text: text.count(answer) > twice, _SHOWN)


def _dashboards(home: Path) -> list[psutil.Process]:
    found = []
    for pid in running_below(home):
        try:
            process = psutil.Process(pid)
            if process.cmdline()[1:3] == list(PROGRAM[1:]):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found
