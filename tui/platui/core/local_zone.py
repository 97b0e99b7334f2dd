"""The name of this machine's time zone in the zone database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

_FOLDER: Final = "/zoneinfo/"  # Precedes the zone's name in its path
_UTC: Final = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal"})


def local_zone(environ: Mapping[str, str], link: Path = Path("/etc/localtime")) -> str:
    """Return the name of this machine's time zone, by `TZ`, else `link`; empty if unknown."""
    if "TZ" in environ:
        name = _name(environ["TZ"].removeprefix(":")) if environ["TZ"] else "UTC"
    else:
        try:
            name = _name(os.path.realpath(link) if link.is_symlink() else "")
        except OSError:
            name = ""
    return "UTC" if name in _UTC else name


def _name(text: str) -> str:
    name = text.rpartition(_FOLDER)[2].removeprefix("posix/").removeprefix("right/")
    try:
        return ZoneInfo(name).key if name else ""
    except (KeyError, ValueError, OSError):  # rules without a name, a path to somewhere else
        return ""
