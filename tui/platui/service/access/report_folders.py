"""Folders of saved access reports, in the user's data folder."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from platui.core.paths import cache_dir, data_dir
from platui.report.reading.draft import draft_path
from platui.store.json_shape import file_stem

_REPORTS: Final = "reports"


def report_folder(name: str) -> Path:
    return data_dir() / _REPORTS / file_stem(name)


def has_saved_reports(name: str) -> bool:
    move_from_cache()
    return report_folder(name).is_dir()


def move_from_cache() -> None:
    """Move the reports of all profiles from the cache folder of earlier versions."""
    old, new = cache_dir() / _REPORTS, data_dir() / _REPORTS
    if old == new:
        return
    with suppress(OSError):  # usually nothing is there
        for store in sorted(old.iterdir()):
            with suppress(OSError):
                _move_folder(store, new / store.name)
        old.rmdir()


def _move_folder(old: Path, new: Path) -> None:
    # In this order the record of a download follows its text.
    entries = sorted(one for one in old.iterdir() if not one.name.startswith("."))
    if entries:
        new.mkdir(mode=0o700, parents=True, exist_ok=True)
    for entry in entries:
        with suppress(OSError):
            _move(entry, new / entry.name)
    old.rmdir()


def _move(old: Path, new: Path) -> None:
    if new.exists():
        return
    try:
        old.rename(new)
    except FileNotFoundError:  # moved by another process
        return
    except OSError:  # the folders are on different disks
        # A name that the cleanup removes after a crash, unique to this process.
        copy = draft_path(new.with_name(f"{new.name}.{os.getpid()}"))
        try:
            if old.is_dir():
                shutil.copytree(old, copy)
            else:
                shutil.copy2(old, copy)
            copy.rename(new)
        except OSError:
            shutil.rmtree(copy, ignore_errors=True)
            copy.unlink(missing_ok=True)
            raise
        if old.is_dir():
            shutil.rmtree(old)
        else:
            old.unlink()
