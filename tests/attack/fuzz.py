"""Random examples for the fuzz tests: each case is one of these tests with its own seed."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.attack.cases import Case
from tests.fuzz.bounds import ATTACK

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORKERS: Final = os.cpu_count() or 1
"""They do nothing but compute."""
_ROOT: Final = Path(__file__).parents[2]
_SEEDS: Final = 1_000
_LONGEST: Final = 600.0
"""Seconds of a case: examples that fail are made smaller for minutes."""
_SHOWN: Final = 40
"""Lines of a failure."""
_WIDEST: Final = 2_000
"""Characters of a line: examples may be long."""


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases, more than any time is enough for. Raises RuntimeError without tests."""
    collected = _pytest("--collect-only")
    if collected.returncode != 0:
        output = "\n".join(_failure(collected.stdout + collected.stderr))
        raise RuntimeError(f"The fuzz tests could not be collected:\n{output}")
    names = [one for one in collected.stdout.split("\n") if "::" in one]
    yield [
        Case(f"{name.partition('tests/fuzz/')[2]} × seed {seed}", partial(_survives, name, seed))
        for seed in range(_SEEDS)
        for name in names
    ]


def _survives(name: str, seed: int) -> str:
    try:
        ran = _pytest(f"--hypothesis-seed={seed}", name)
    except subprocess.TimeoutExpired:
        return f"still running after {_LONGEST:.0f} s"
    return "" if ran.returncode == 0 else "\n" + "\n".join(_failure(ran.stdout + ran.stderr))


def _pytest(*arguments: str) -> subprocess.CompletedProcess[str]:
    options = ("-q", "-n", "0", "-p", "no:cacheprovider", "--tb", "short")
    where = () if any("::" in one for one in arguments) else ("tests/fuzz",)
    command = (sys.executable, "-m", "pytest", *options, "--hypothesis-profile", ATTACK)
    return subprocess.run(
        [*command, *arguments, *where],
        cwd=_ROOT, capture_output=True, text=True, timeout=_LONGEST, check=False,
    )  # fmt: skip


def _failure(output: str) -> list[str]:
    """Return the error and the failing example."""
    lines = [line.removeprefix("E").strip() for line in output.split("\n") if line[:2] == "E "]
    shown = (lines or output.strip().split("\n")[-3:])[:_SHOWN]
    return [line if len(line) <= _WIDEST else f"{line[:_WIDEST]} …" for line in shown]
