"""What this machine's time zone is called, as schedules name zones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER: Final = "/zoneinfo/"
"""What the path of every zone of the database has before its name."""
_UTC: Final = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "UCT", "Zulu", "Etc/Zulu", "Universal"})


def local_zone(environ: Mapping[str, str], link: Path = Path("/etc/localtime")) -> str:
    """Return the name that the zone database has for this machine's zone.

    Empty where nothing tells it: `TZ` may hold rules without a name, and the file of the zone may
    be a copy. Then nobody but the user knows in which zone a schedule is meant. `TZ` goes before
    the zone that `link` leads to.
    """
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
