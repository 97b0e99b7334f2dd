"""The environment variables that platui reads, and how their secrets are kept in the process."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

PROFILE = "PLATUI_PROFILE"
URL = "PLATUI_URL"
TOKEN = "PLATUI_TOKEN"  # noqa: S105  (a variable's name)
TRIGGER_TOKEN = "PLATUI_TRIGGER_TOKEN"  # noqa: S105  (the same)
ADMIN_URL = "PLATUI_ADMIN_URL"
ADMIN_KEY = "PLATUI_ADMIN_KEY"
JOB_TOKEN = "CI_JOB_TOKEN"  # noqa: S105  (the same)
"""Set by the platform in a running pipeline job (spec §5.2), together with `CI_SERVER_URL`."""

JOB_SERVER = "CI_SERVER_URL"
JOB_PROJECT = "CI_PROJECT_PATH"
"""The full path of the job's project."""

SECRETS = (TOKEN, TRIGGER_TOKEN, ADMIN_KEY, JOB_TOKEN)
"""Variables that are not passed to programs started by platui."""

_KEY_LOGGER = "TEXTUAL_LOG"
"""Textual writes every key typed there, those of a password too. It reads it at import."""


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in environ.items() if name not in SECRETS}


def harden() -> dict[str, str]:
    """Return the environment, and remove its secrets from the process.

    Call it first, before Textual is imported: programs that platui starts then see no
    secret, no typed key is logged, and a crash leaves no core file with memory in it.
    """
    environment = dict(os.environ)
    for name in (*SECRETS, _KEY_LOGGER):
        os.environ.pop(name, None)
    # The soft limit is enough, and leaves the choice to programs started by platui.
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))
    return environment


# `NO_COLOR` counts where it is set and not empty (https://no-color.org), `CLICOLOR` where it is 0,
# and `CLICOLOR_FORCE` over both where it is neither empty nor 0 (https://bixense.com/clicolors):
# as `gh` reads them. `FORCE_COLOR` is not among them.
_WITHOUT: Final = ("dumb", "vt")
"""DEC's terminals have none (a few late ones had), and no emulator uses these names."""
_WITHOUT_IN_A_VARIANT: Final = ("-m", "-mono")
"""Suffixes of terminfo entries without colours."""


def is_colourless(terminal: str) -> bool:
    return terminal.startswith(_WITHOUT) or terminal.endswith(_WITHOUT_IN_A_VARIANT)


def wants_colours(environ: Mapping[str, str]) -> bool | None:
    """Return whether the environment wants colours, even without a terminal; None if not stated."""
    if environ.get("CLICOLOR_FORCE", "") not in {"", "0"}:
        return True
    if environ.get("NO_COLOR") or environ.get("CLICOLOR") == "0":
        return False
    return None
