"""The grid of layers and features: no folder is so full that its files cannot be guessed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import platui
import platui_emulator

MOST = 40
"""Files of Python in one folder."""


def test_no_folder_has_more_files_than_can_be_guessed() -> None:
    """What grows beyond that is divided by feature."""
    counts = Counter(
        str(module.parent)
        for package in (platui, platui_emulator)
        for module in Path(package.__path__[0]).rglob("*.py")
    )
    assert {folder: count for folder, count in counts.items() if count > MOST} == {}
