"""Every benchmark in one run: `python -m tests.bench`."""

from __future__ import annotations

from tests.bench import (
    emulator,
    idle,
    jump,
    report,
    report_questions,
    scroll,
    start,
    streams,
    table,
)

if __name__ == "__main__":
    for benchmark in (
        start, table, idle, streams, emulator, scroll, jump, report, report_questions,
    ):  # fmt: skip
        benchmark.main()
