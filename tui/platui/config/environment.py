"""The environment variables that platui reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

PROFILE = "PLATUI_PROFILE"
URL = "PLATUI_URL"
TOKEN = "PLATUI_TOKEN"  # noqa: S105  (a variable's name)
TRIGGER_TOKEN = "PLATUI_TRIGGER_TOKEN"  # noqa: S105  (the same)
ADMIN_URL = "PLATUI_ADMIN_URL"
ADMIN_KEY = "PLATUI_ADMIN_KEY"
JOB_TOKEN = "CI_JOB_TOKEN"  # noqa: S105  (the same)
"""The platform sets it in a running pipeline job (spec §5.2), and with it `CI_SERVER_URL`."""

JOB_SERVER = "CI_SERVER_URL"
JOB_PROJECT = "CI_PROJECT_PATH"
"""The full path of the project whose job that is."""

SECRETS = (TOKEN, TRIGGER_TOKEN, ADMIN_KEY, JOB_TOKEN)
"""Those that programs started by platui don't get to see."""


def without_secrets(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an environment for other programs: no secret of ours goes there."""
    return {name: text for name, text in environ.items() if name not in SECRETS}
