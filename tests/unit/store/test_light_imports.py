"""What stands on the way to the first frame brings nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import platui

_ROOT = Path(platui.__file__).parents[1]

FIRST_FRAME = (
    "platui.config.load", "platui.config.profile_choice", "platui.config.environment",
    "platui.store.saved_views", "platui.store.choices",
)  # fmt: skip

NOT_YET = (
    "asyncio", "click", "difflib", "hashlib", "hmac", "httpx", "pydantic", "selectors", "sqlite3",
    "ssl", "subprocess", "textual", "tomli_w", "typing_extensions",
)  # fmt: skip


def loaded_by(*modules: str) -> set[str]:
    """Return what a fresh interpreter has loaded for these modules."""
    # The tree that is tested, even where another one is installed.
    begin = f"import sys; sys.path.insert(0, {str(_ROOT)!r})"
    code = f"{begin}; import {', '.join(modules)}; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    return set(ran.stdout.split())


def test_the_way_to_the_first_frame_is_light() -> None:
    """Settings, profile, last place and memory: no database, no network, no subprocess."""
    assert loaded_by(*FIRST_FRAME).isdisjoint(NOT_YET)


@pytest.mark.parametrize(
    "module", ["audit", "choices", "json_shape", "request_counter", "saved_views"]
)
def test_only_the_cache_brings_a_database(module: str) -> None:
    """Plain files need no SQLite."""
    assert "sqlite3" not in loaded_by(f"platui.store.{module}")
