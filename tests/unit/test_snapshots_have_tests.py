"""Orphan snapshots: pictures of tests that are gone. Seen under xdist too."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def _belongs_to_a_test(picture: Path) -> bool:
    """Return whether the test file beside the folder has a test of that name."""
    source = picture.parents[2] / f"{picture.parent.name}.py"
    if not source.is_file():
        return False
    name = picture.stem.partition("[")[0]
    return re.search(rf"\bdef {re.escape(name)}\b", source.read_text("utf-8")) is not None


def test_every_stored_snapshot_belongs_to_a_test_that_exists() -> None:
    """A snapshot whose test is gone or renamed would never be compared again."""
    pictures = sorted(TESTS.glob("**/__snapshots__/*/*.*"))
    orphans = [str(path.relative_to(TESTS)) for path in pictures if not _belongs_to_a_test(path)]
    assert orphans == []
