"""`platui config path`: which config.toml is read, and where everything else lies."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from platui.cli.patience import narrate
from platui.cli.told import say
from platui.config.load import config_file
from platui.core.paths import cache_dir, config_dir, data_dir, is_there, state_dir, whole_path
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui.config.settings import Options


def tell_paths(options: Options, *, as_json: bool) -> int:
    """Print the path; on stderr why that one, and the folders. Returns the exit code."""
    file = whole_path(options.config or config_file())
    why, exists = _why(options), is_there(file)
    folders = list(_folders())
    if as_json:
        found = {
            "file": os.fspath(file),
            "exists": exists,
            "why": why,
            "folders": {name: os.fspath(path) for name, _, path in folders},
        }
        say(json.dumps(found))
        return 0
    say(clean(os.fspath(file)))
    narrate(f"{why}{'' if exists else '; there is no such file yet'}.")
    for _, what, path in folders:
        narrate(f"{what}: {clean(os.fspath(path))}{'' if is_there(path) else ' (not there yet)'}")
    return 0


def _why(options: Options) -> str:
    if options.config is not None:
        return "--config names it"
    if os.environ.get("XDG_CONFIG_HOME"):
        return "It is the usual place, below XDG_CONFIG_HOME"
    return "It is the usual place of this system"


def _folders() -> Iterator[tuple[str, str, Path]]:
    yield "config", "config.toml", config_dir()
    yield "themes", "your own themes", config_dir() / "themes"
    yield "credentials", "tokens in files", config_dir() / "credentials"
    yield "state", "what is remembered: places, watch list, notes, the audit log", state_dir()
    yield "data", "access reports", data_dir()
    yield "cache", "what can be fetched again", cache_dir()
