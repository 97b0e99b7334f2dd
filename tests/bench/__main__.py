"""Every benchmark in one run: `python -m tests.bench`."""

from __future__ import annotations

from tests.bench import emulator, idle, report, report_questions, scroll, start, streams, table

if __name__ == "__main__":
    for benchmark in (start, table, idle, streams, emulator, scroll, report, report_questions):
        benchmark.main()
