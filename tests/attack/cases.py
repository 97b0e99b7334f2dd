"""Attacks as cases: each tells what was lost, or nothing; a table counts them."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True)
class Case:
    """One attack."""

    name: str
    run: Callable[[], str]
    """Returns what was lost; empty: it survived."""


def combined(run: Callable[..., str], *kinds: Iterable[object]) -> list[Case]:
    """Return a case for each combination of one value of each kind; its name has all of them."""
    return [Case(" × ".join(map(str, values)), partial(run, *values)) for values in product(*kinds)]


@dataclass
class Tally:
    """What came of the cases of a part."""

    part: str
    known: int = 0
    tried: int = 0
    lost: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    slowest: tuple[float, str] = (0.0, "")
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, name: str, lost: str, seconds: float) -> None:
        """Count a case; workers do at the same time."""
        with self._lock:
            self.tried += 1
            self.slowest = max(self.slowest, (seconds, name))
            if lost:
                self.lost.append((name, lost))
                print(f"  LOST {name}: {lost}", flush=True)

    def line(self) -> str:
        """Return its line of the table."""
        survived = self.tried - len(self.lost)
        return (
            f"{self.part:12} {self.tried:>7,} of {self.known:<7,} {survived:>9,} "
            f"{len(self.lost):>6,} {self.seconds:>7.0f} s"
        )


HEAD = f"{'part':12} {'tried':>7}    {'known':<7} {'survived':>9} {'lost':>6} {'time':>9}"


def attack(part: str, cases: Sequence[Case], seconds: float, seed: int, workers: int) -> Tally:
    """Run cases in random order until the time is up; all of them if it is long enough."""
    tally, began = Tally(part, known=len(cases)), time.monotonic()
    order = [*cases]
    random.Random(seed).shuffle(order)

    def run(case: Case) -> None:
        if time.monotonic() - began > seconds:
            return
        started = time.monotonic()
        try:
            lost = case.run()
        except Exception as error:  # noqa: BLE001  (one that breaks off is one that is lost)
            lost = f"{type(error).__name__}: {error}"
        tally.count(case.name, lost, time.monotonic() - started)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, order))
    tally.seconds = time.monotonic() - began
    return tally
