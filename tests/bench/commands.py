"""The processor time of one command: lists against python-gitlab's, help against nothing at all.

`python -m tests.bench commands`: both run in turns on one emulator. User and system time are
counted, not the time until the answer: commands run in scripts and pipelines, many at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
from tests.bench.figures import Comparison, Table
from tests.bench.program import PLATUI, emulator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.bench.figures import Options

_GITLAB: Final = str(Path(sys.executable).with_name("gitlab"))
_LIST_AIM: Final = 0.58
_ROWS: Final = 20  # one page of both
_QUICK: Final = {
    "--version": (("--version",), 2.0),
    "--help": (("--help",), 2.5),
    "completion": (("completion", "words", "pi"), 2.0),
    "an option's": (("completion", "words", "pipelines", "--s"), None),
}
"""What needs no platform, with the ratio that is good enough."""


def milliseconds(command: Sequence[str], environ: Mapping[str, str]) -> float:
    """Return the processor time of a program from start to end, user and system."""
    process = subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return (used.ru_utime + used.ru_stime) * 1000


def lists(platform: Mapping[str, str]) -> dict[str, tuple[Sequence[str], Sequence[str]]]:
    """Return the words of each list, ours and those of python-gitlab."""
    project = platform["project"]
    answer = httpx.get(
        f"{platform['base_url']}/api/v4/projects/{project.replace('/', '%2F')}/pipelines",
        headers={"PRIVATE-TOKEN": platform["token"]},
    )
    pipeline = str(answer.raise_for_status().json()[0]["id"])
    size = ("--per-page", str(_ROWS), "--page", "1")
    limit = ("--limit", str(_ROWS))
    return {
        "projects": (("projects", *limit), ("project", "list", *size)),
        "pipelines": (
            ("pipelines", project, *limit),
            ("project-pipeline", "list", "--project-id", project, *size),
        ),
        "jobs": (
            ("jobs", f"{project}#{pipeline}", *limit),
            ("project-pipeline-job", "list", "--project-id", project, "--pipeline-id", pipeline,
             *size),
        ),
    }  # fmt: skip


def compare_lists(platform: Mapping[str, str], home: str, turns: int) -> list[Comparison]:
    """Return the time of each list of both programs."""
    url, token = platform["base_url"], platform["token"]
    environ = {**os.environ, "HOME": home, "PLATUI_URL": url, "PLATUI_TOKEN": token}
    found = []
    for name, (ours, theirs) in lists(platform).items():
        comparison = Comparison(name, "CPU ms", _LIST_AIM)
        gitlab = (_GITLAB, "--server-url", url, "--private-token", token, *theirs)
        for turn in range(-1, turns):  # the first turn compiles modules, and cleans up
            mine = milliseconds((PLATUI, *ours), environ)
            other = milliseconds(gitlab, environ)
            if turn >= 0:
                comparison.add(mine, other)
        found.append(comparison)
    return found


def compare_quick(home: str, turns: int) -> list[Comparison]:
    """Return the time of what only prints, against an interpreter that does nothing."""
    environ = {**os.environ, "HOME": home}
    found = []
    for name, (words, aim) in _QUICK.items():
        comparison = Comparison(name, "CPU ms", aim)
        for turn in range(-1, turns):
            mine = milliseconds((PLATUI, *words), environ)
            other = milliseconds((sys.executable, "-c", "pass"), environ)
            if turn >= 0:
                comparison.add(mine, other)
        found.append(comparison)
    return found


def tables(options: Options) -> Iterator[Table]:
    """Run both in turns."""
    turns = options.turns(11, 3)
    with emulator("--rate-limit", "100000") as platform, tempfile.TemporaryDirectory() as home:
        found = compare_lists(platform, home, turns)
        yield Table("One list", found, "platui", "python-gitlab")
        found = compare_quick(home, turns)
        yield Table("Without a platform", found, "platui", "python -c pass")
