"""The pipeline job that a command runs in, where the user gives no token of his own.

What its environment says is true of the platform that runs it, and of no other one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.config.address import is_same_platform
from platui.config.environment import JOB_PROJECT, JOB_SERVER, JOB_TOKEN, TOKEN

if TYPE_CHECKING:
    from collections.abc import Mapping

_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)


def is_in_job(environ: Mapping[str, str], root: str) -> bool:
    """Return whether a job of a platform is around us, and no token of the user's own beside its.

    Args:
        environ: the environment as it was.
        root: the platform's address. Where the job does not name its own, this one is taken for it.
    """
    server = environ.get(JOB_SERVER, "").strip()
    is_its = not server or is_same_platform(server, root)
    return is_its and bool(environ.get(JOB_TOKEN)) and not environ.get(TOKEN)


def project_around(environ: Mapping[str, str], root: str) -> str:
    """Return the path of the project whose job that is; empty: there is none, or nobody tells.

    Args:
        environ: as of `is_in_job`.
        root: as of `is_in_job`.
    """
    path = environ.get(JOB_PROJECT, "")
    return path if is_in_job(environ, root) and _PATH.fullmatch(path) else ""
