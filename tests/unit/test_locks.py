"""Locks between processes, also where the file system has none."""

from __future__ import annotations

import errno
import fcntl
import os
from typing import TYPE_CHECKING

from platui.core.locks import lock_beside

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_file_system_without_locks_hinders_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither taking the lock nor giving it back."""

    def missing(descriptor: int, kind: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(fcntl, "flock", missing)
    with lock_beside(tmp_path / "file", 1) as is_held:
        assert is_held
