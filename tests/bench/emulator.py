"""A page of every list in the scenario `big` against the same page in `default`, and its memory.

`python -m tests.bench emulator`: both emulators run at once and are asked in turns, so that what
slows the machine slows both. Every page is of another project, which neither has shown before.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import httpx
import psutil
from tests.bench.figures import Comparison, Figure, Table
from tests.bench.program import emulator

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tests.bench.figures import Options

_AIM: Final = 3.0
_MEGABYTE: Final = 1 << 20
_STEPS: Final = 10
"""Readings of the memory while pages are read."""

_OF_COMPANY: Final = {
    "projects": "projects?per_page=20&page={page}",
    "by activity": "projects?per_page=20&page={page}&order_by=last_activity_at",
    "by name": "projects?per_page=20&page={page}&order_by=name&sort=asc&simple=true",
    "membership": "projects?per_page=20&page={page}&membership=true",
    "search": "projects?per_page=20&search=ing&search_namespaces=true&page={page}",
    "namespaces": "namespaces?per_page=20&page={page}",
}
_OF_PROJECT: Final = {
    "pipelines": "pipelines?per_page=20",
    "page 2": "pipelines?per_page=20&page=2",
    "failed": "pipelines?per_page=20&status=failed",
    "of a ref": "pipelines?per_page=20&ref=main",
    "finished": "pipelines?per_page=20&scope=finished",
    "of branches": "pipelines?per_page=20&scope=branches",
    "jobs": "jobs?per_page=20",
    "failed jobs": "jobs?per_page=20&scope[]=failed",
    "schedules": "pipeline_schedules",
    "branches": "repository/branches",
    "tags": "repository/tags",
    "tree": "repository/tree?path=models",
    "its jobs": "pipelines/{pipeline}/jobs",
    "its bridges": "pipelines/{pipeline}/bridges",
}


class EmulatorClient:
    """One emulator, and the time its answers take."""

    def __init__(self, announced: Mapping[str, str]) -> None:
        self._client = httpx.Client(
            base_url=f"{announced['base_url']}/api/v4/",
            headers={"PRIVATE-TOKEN": announced["token"]},
            trust_env=False,
            timeout=60,
        )
        self._process = psutil.Process(int(announced["pid"]))
        self.projects = [one["id"] for page in (1, 2) for one in self._spread(page)]

    def get(self, path: str) -> Any:
        """Return an answer."""
        answer = self._client.get(path)
        answer.raise_for_status()
        return answer.json()

    def milliseconds(self, path: str) -> float:
        """Return how long an answer takes."""
        began = time.perf_counter()
        self._client.get(path).raise_for_status()
        return (time.perf_counter() - began) * 1000

    def newest(self, project: int) -> int:
        """Return the newest pipeline of a project."""
        return int(self.get(f"projects/{project}/pipelines?per_page=1")[0]["id"])

    @property
    def memory(self) -> float:
        """Return the memory that the process holds, in megabytes."""
        return float(self._process.memory_info().rss / _MEGABYTE)

    def _spread(self, page: int) -> list[dict[str, Any]]:
        path = f"projects?per_page=30&page={page}&order_by=created_at&simple=true"
        found: list[dict[str, Any]] = self.get(path)
        return found


def compare(big: EmulatorClient, small: EmulatorClient, turns: int) -> list[Comparison]:
    """Return the time of a page of every list in both."""
    found = []
    for name, path in _OF_COMPANY.items():
        comparison = Comparison(name, "ms", _AIM)
        for turn in range(-1, turns):  # the first turn makes what is kept
            ours = big.milliseconds(path.format(page=1 + turn % 3))
            reference = small.milliseconds(path.format(page=1 + turn % 3))
            if turn >= 0:
                comparison.add(ours, reference)
        found.append(comparison)
    for name, path in _OF_PROJECT.items():
        comparison = Comparison(name, "ms", _AIM)
        for turn in range(turns):
            comparison.add(_page(big, path, turn), _page(small, path, turn))
        found.append(comparison)
    return found


def _page(client: EmulatorClient, path: str, turn: int) -> float:
    project = client.projects[turn % len(client.projects)]
    if "{pipeline}" in path:
        path = path.format(pipeline=client.newest(project))
    return client.milliseconds(f"projects/{project}/{path}")


def read_on(big: EmulatorClient, pages: int) -> Sequence[float]:
    """Return the memory at the start and after each tenth of so many pages of many projects."""
    found = [big.memory]
    for number in range(pages):
        if number % 2:
            big.get(f"projects?per_page=100&page={1 + number // 2 % 50}")
        else:
            project = 101 + number * 37 % 5000
            big.get(f"projects/{project}/pipelines?per_page=20")
        if (number + 1) % (pages // _STEPS) == 0:
            found.append(big.memory)
    return found


def tables(options: Options) -> Iterator[Table]:
    """Ask both in turns."""
    pages = options.size(1000, 100)
    generous = ("--rate-limit", "1000000")
    with emulator("--scenario", "big", *generous) as large, emulator(*generous) as little:
        big, small = EmulatorClient(large), EmulatorClient(little)
        yield Table("A page of", compare(big, small, options.turns(40, 5)), "big", "default")
        memory = read_on(big, pages)
    yield Table(
        f"Memory of the emulator while {pages:,} pages are read",
        [Figure("at last", "MB", None, [memory[-1]])],
        notes=["  ".join(f"{value:.1f}" for value in memory)],
    )
