"""Benchmarks: `python -m tests.bench [NAME …]`; all of them where none is named."""

from __future__ import annotations

import argparse
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.figures import Options
from tests.bench.runs import Run, report

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BENCHMARKS: Final = (
    "start", "idle", "day", "table", "scroll", "jump", "wire", "requests", "logs", "tail",
    "commands", "emulator", "streams", "report", "report_questions", "causes", "triage",
)  # fmt: skip
"""Modules of this folder with a function `tables`, in the order in which they run."""


def run(names: Iterable[str], options: Options) -> tuple[Run, list[str]]:
    """Run benchmarks and print their tables; returns the figures, and what was broken off."""
    found, broken = Run(), []
    for name in names:
        try:
            for table in import_module(f"tests.bench.{name}").tables(options):
                print(*table.lines(), sep="\n", flush=True)
                found.add(name, table)
        except Exception:  # noqa: BLE001  (the others are still worth their time)
            traceback.print_exc()
            broken.append(name)
    return found, broken


def main(arguments: Sequence[str] | None = None) -> int:
    """Run benchmarks, print their figures, save and compare them."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="fewer turns, smaller data")
    parser.add_argument("--long", action="store_true", help="also what takes whole minutes")
    parser.add_argument("--turns", type=int, help="turns of each benchmark")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save the figures")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="compare with saved figures")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - {*BENCHMARKS}:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    before = Run.load(given.compare) if given.compare else None
    options = Options(quick=given.quick, long=given.long, given_turns=given.turns)
    found, broken = run(given.names or BENCHMARKS, options)
    if given.json:
        found.save(given.json)
    if before is not None:
        print(*report(before, found), sep="\n")
    if broken:
        print(f"broken off: {', '.join(broken)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
