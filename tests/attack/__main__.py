"""Attack the program from outside: `python -m tests.attack [PART …] [--seconds N]`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tests.attack.cases import HEAD, attack

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS: Final = ("commands", "screens", "logs", "terminals", "hosts", "disk", "soak", "fuzz")
"""Modules of this folder with a function `cases`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack for a time, and print what was tried, survived and lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=main.__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--seconds", type=float, default=120.0, help="for each part (120)")
    parser.add_argument("--seed", type=int, default=1, help="decides which cases come first (1)")
    parser.add_argument("--case", default="", help="only cases whose name contains this")
    parser.add_argument(
        "--workers", type=int, help="most cases wait", default=8 * (os.cpu_count() or 1)
    )
    given = parser.parse_args(arguments)
    if unknown := set(given.parts) - {*PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    tallies = []
    for part in given.parts or PARTS:
        module = import_module(f"tests.attack.{part}")
        workers = min(given.workers, getattr(module, "MOST_WORKERS", given.workers))
        with closing(module.cases(workers, given.seconds)) as made:
            cases = [one for one in next(made) if given.case in one.name]
            tallies.append(attack(part, cases, given.seconds, given.seed, workers))
    print(HEAD, *(one.line() for one in tallies), sep="\n")
    for one in tallies:
        if one.tried:
            print(f"slowest of {one.part}: {one.slowest[0]:.0f} s, {one.slowest[1]}")
        else:
            print(f"no case of {one.part} was tried")
    return 1 if any(one.lost or not one.tried for one in tallies) else 0


if __name__ == "__main__":
    # In the background, or under nohup, they are ignored, and so they would be by what we start:
    # unlike an ignored signal, a handler is not inherited.
    for ignored in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(ignored) is signal.SIG_IGN:
            signal.signal(ignored, lambda *_: None)
    sys.exit(main())
