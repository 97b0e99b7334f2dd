"""Delete local data while other processes may use it."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import TYPE_CHECKING, Final

from platui.core.errors import FileWriteError
from platui.core.locks import lock_beside
from platui.core.paths import data_dir, tilde_path
from platui.core.text import shorten
from platui.store.json_shape import file_stem
from platui.store.pages import PageStore
from platui.store.storage_usage import (
    AUDIT,
    CHOICES,
    LOGS,
    PAGES,
    REPORTS,
    SENT,
    TRIAGE,
    files_of,
    pages_path,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui.core.clock import Clock
    from platui.store.storage_usage import Store

_PATIENCE: Final = 5.0
_LOCKED: Final = frozenset({AUDIT.name, CHOICES.name, SENT.name, TRIAGE.name})
"""Stores whose files are changed under a lock."""
_GONE: Final = ".draft"  # suffix of folders that are deleted whenever reports are read


def clear(store: Store, clock: Clock, profile: str | None, origin: str | None) -> None:
    """Delete what can be deleted of a profile (None: all)."""
    if store in {PAGES, LOGS}:
        if profile is None or origin is not None:
            _clear_database(store, clock, origin)
        return
    stem = None if profile is None else file_stem(profile)
    paths = [path for of, path in files_of(store) if stem in {None, of}]
    if store == REPORTS:
        root = data_dir() / "reports"
        for folder in sorted({path.relative_to(root).parts[0] for path in paths}):
            # Open reports stay readable.
            aside = root / f".{folder}.{os.urandom(6).hex()}{_GONE}"
            with _file_write_errors(root / folder):
                (root / folder).rename(aside)
                shutil.rmtree(aside, ignore_errors=True)
        return
    for path in paths:
        locks = store.name in _LOCKED
        with (
            _file_write_errors(path),
            lock_beside(path, _PATIENCE) if locks else contextlib.nullcontext(),
        ):
            path.unlink(missing_ok=True)


def _clear_database(store: Store, clock: Clock, origin: str | None) -> None:
    if not pages_path().parent.is_dir():
        return
    pages = PageStore(pages_path(), 1, clock)
    try:
        if store == PAGES:
            pages.forget_answers(origin)
        else:
            pages.forget_logs(origin)
        if pages.problem:
            raise FileWriteError(pages.problem)
    finally:
        pages.close()


@contextlib.contextmanager
def _file_write_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        raise FileWriteError(
            f"{shorten(tilde_path(path), 200)} cannot be deleted ({why})."
        ) from None
