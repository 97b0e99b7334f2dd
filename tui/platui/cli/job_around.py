"""The pipeline job that a command runs in, where the job's own token is what signs in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.config.environment import JOB_PROJECT, JOB_TOKEN, TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)


def is_in_job(environ: Mapping[str, str]) -> bool:
    """Return whether there is a job around us, and no token of the user's own beside its."""
    return bool(environ.get(JOB_TOKEN)) and not environ.get(TOKEN)


def project_around(environ: Mapping[str, str]) -> str:
    """Return the path of the project whose job that is; empty: there is none, or nobody tells."""
    path = environ.get(JOB_PROJECT, "")
    return path if is_in_job(environ) and _PATH.fullmatch(path) else ""
