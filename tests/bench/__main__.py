"""Every benchmark in one run: `python -m tests.bench`."""

from __future__ import annotations

from tests.bench import emulator, idle, report, scroll, start, streams, table

if __name__ == "__main__":
    for benchmark in (start, table, idle, streams, emulator, scroll, report):
        benchmark.main()
