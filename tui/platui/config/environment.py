"""The environment variables that platui reads, and removal of their secrets."""

from __future__ import annotations

import os
import resource
from collections.abc import Mapping
from typing import Final

PROFILE = "PLATUI_PROFILE"
URL = "PLATUI_URL"
TOKEN = "PLATUI_TOKEN"  # noqa: S105  (a variable's name)
TRIGGER_TOKEN = "PLATUI_TRIGGER_TOKEN"  # noqa: S105  (the same)
ADMIN_URL = "PLATUI_ADMIN_URL"
ADMIN_KEY = "PLATUI_ADMIN_KEY"
WHOLE_FRAMES = "PLATUI_WHOLE_FRAMES"
JOB_TOKEN = "CI_JOB_TOKEN"  # noqa: S105  (the same)
"""Set by the platform in a running pipeline job (spec §5.2), like the next two."""
JOB_SERVER = "CI_SERVER_URL"
JOB_PROJECT = "CI_PROJECT_PATH"

SECRETS = (TOKEN, TRIGGER_TOKEN, ADMIN_KEY, JOB_TOKEN)
"""Variables that are not passed to child processes."""

_TEXTUAL_LOG = "TEXTUAL_LOG"
"""Textual logs every key to this file, including passwords; it reads the variable at import."""


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in environ.items() if name not in SECRETS}


def harden() -> dict[str, str]:
    """Move secrets out of the process, disable core dumps; call before importing Textual."""
    environment = dict(os.environ)
    for name in (*SECRETS, _TEXTUAL_LOG):
        os.environ.pop(name, None)
    # Only the soft limit: child processes may raise it.
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    return environment


# https://no-color.org and https://bixense.com/clicolors, read like `gh`; `FORCE_COLOR` is ignored.
_COLOURLESS: Final = ("dumb", "vt")
_COLOURLESS_SUFFIXES: Final = ("-m", "-mono")  # Suffixes of terminfo entries


def is_colourless(terminal: str) -> bool:
    return terminal.startswith(_COLOURLESS) or terminal.endswith(_COLOURLESS_SUFFIXES)


def wants_colours(environ: Mapping[str, str]) -> bool | None:
    """Return whether the environment requests or disables colours; None: neither."""
    if environ.get("CLICOLOR_FORCE", "") not in {"", "0"}:
        return True
    if environ.get("NO_COLOR") or environ.get("CLICOLOR") == "0":
        return False
    return None
