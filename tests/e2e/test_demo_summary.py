"""The plain summary, wherever its text goes."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.leaving import leave
from tests.support.session import PROGRAM, at_home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_signs_that_an_encoding_lacks_do_not_stop_it(tmp_path: Path, encoding: str) -> None:
    """A question mark stands for them."""
    done = subprocess.run(
        [*PROGRAM, "demo"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
        env={**at_home(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    assert b"\n  ? failed" in done.stdout
    assert b"ERROR: Job failed" in done.stdout


def test_a_reader_that_goes_away_is_no_crash(tmp_path: Path) -> None:
    """`platui demo | head -0`: no traceback, and the status a shell knows for it."""
    leave("demo", environ={**at_home(tmp_path), "PATH": "/usr/bin:/bin"})
