"""What may happen to commands that save: kills, disks that take no more, damaged files."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Strike = Callable[[random.Random], AbstractContextManager[dict[str, Any]]]
"""Harms one command; gives how `run_at_home` runs it."""

_LONGEST_LIFE: Final = 1.2
"""Seconds after which a command that is killed is killed at the latest."""
_LARGEST_FILE: Final = 60_000
"""Bytes that a file may have, or all files together, where the disk is full."""
_DISK: Final = "24m"
_AS_A_USER: Final = ("unshare", "--user", "--map-user=1000", "--map-group=1000")
"""Runs a command without the rights of the administrator, for whom nothing is read-only."""
_GARBAGE: Final = bytes(range(240, 256))


@dataclass(frozen=True)
class Harm:
    """What happens to the commands of a series."""

    strike: Strike
    home: Path
    """Where we see the home of the user."""
    inside: tuple[str, ...] = ()
    """What each command is run by."""
    damages: bool = False
    fills: bool = False


@contextmanager
def _kills(home: Path) -> Iterator[Harm]:
    yield Harm(lambda chance: nullcontext({"life": chance.random() * _LONGEST_LIFE}), home)


@contextmanager
def _full_disk(home: Path) -> Iterator[Harm]:
    def strike(chance: random.Random) -> AbstractContextManager[dict[str, Any]]:
        return nullcontext({"largest": chance.randrange(_LARGEST_FILE)})

    yield Harm(strike, home, fills=True)


@contextmanager
def _others_at_once(home: Path) -> Iterator[Harm]:
    yield Harm(lambda _: nullcontext({}), home)


@contextmanager
def _no_space(home: Path) -> Iterator[Harm]:
    with _own_disk(home) as (inside, seen):

        @contextmanager
        def strike(chance: random.Random) -> Iterator[dict[str, Any]]:
            ballast = seen / "ballast"
            _fill(ballast, chance.randrange(_LARGEST_FILE))
            yield {}
            ballast.unlink()

        yield Harm(strike, seen, inside, fills=True)


def _fill(ballast: Path, left: int) -> None:
    """Fill a disk, but for so many bytes."""
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:  # it is full
            os.truncate(ballast, max(0, ballast.stat().st_size - left))


@contextmanager
def _read_only_disk(home: Path) -> Iterator[Harm]:
    with _own_disk(home) as (inside, seen):

        @contextmanager
        def strike(_: random.Random) -> Iterator[dict[str, Any]]:
            for mode in ("ro", "rw"):
                subprocess.run([*inside, "mount", "-o", f"remount,{mode}", str(home)], check=True)
                if mode == "ro":
                    yield {}

        yield Harm(strike, seen, inside)


@contextmanager
def _own_disk(home: Path) -> Iterator[tuple[tuple[str, ...], Path]]:
    """Mount a small disk over a home that only we and commands run in this way see."""
    script = f"mount -t tmpfs -o size={_DISK} tmpfs '{home}' && echo ready && exec sleep infinity"
    with subprocess.Popen(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script], stdout=subprocess.PIPE
    ) as holder:
        try:
            assert holder.stdout is not None
            if holder.stdout.readline() != b"ready\n":
                raise OSError("no disk of our own")
            target = ("nsenter", "--target", str(holder.pid), "--user", "--mount")
            yield (*target, "--preserve-credentials"), Path(f"/proc/{holder.pid}/root{home}")
        finally:
            holder.kill()


@contextmanager
def _read_only_folders(home: Path) -> Iterator[Harm]:
    @contextmanager
    def strike(chance: random.Random) -> Iterator[dict[str, Any]]:
        folders = [one for one in home.rglob("*") if one.is_dir()]
        chosen = chance.sample(folders, chance.randint(1, len(folders)))
        modes = {folder: folder.stat().st_mode for folder in chosen}
        for folder in chosen:
            folder.chmod(0o500)
        yield {}
        for folder, mode in modes.items():
            folder.chmod(mode)

    yield Harm(strike, home, _AS_A_USER)


@contextmanager
def _damaged_files(home: Path) -> Iterator[Harm]:
    @contextmanager
    def strike(chance: random.Random) -> Iterator[dict[str, Any]]:
        # Of lines that were only appended, nothing tells that the last ones are missing.
        files = [
            one
            for one in home.rglob("*")
            if one.is_file() and one.stat().st_size and "audit" not in one.name
        ]
        if files:
            _damage(chance.choice(sorted(files)), chance)
        yield {}

    yield Harm(strike, home, damages=True)


def _damage(file: Path, chance: random.Random) -> None:
    at = chance.randrange(file.stat().st_size)
    if chance.random() < 0.5:
        os.truncate(file, at)
    else:
        with file.open("r+b") as opened:
            opened.seek(at)
            opened.write(_GARBAGE)


HARMS: Final[dict[str, Callable[[Path], AbstractContextManager[Harm]]]] = {
    "kills": _kills,
    "full disk": _full_disk,
    "no space": _no_space,
    "read-only disk": _read_only_disk,
    "read-only folders": _read_only_folders,
    "others at once": _others_at_once,
    "damaged files": _damaged_files,
}
_NEEDED: Final = {
    "no space": ("unshare", "--map-root-user", "--mount", "true"),
    "read-only disk": ("unshare", "--map-root-user", "--mount", "true"),
    "read-only folders": (*_AS_A_USER, "true"),
}


def possible_harms() -> list[str]:
    """Return the harms that this machine can do; print which ones it cannot."""
    return [name for name in HARMS if name not in _NEEDED or _runs(name, _NEEDED[name])]


def _runs(name: str, command: tuple[str, ...]) -> bool:
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"  skipped {name}: {error}")
        return False
    return True
