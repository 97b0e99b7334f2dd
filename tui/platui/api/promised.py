"""What the specification promises (§4.3): a profile may ask for nothing else."""

from __future__ import annotations

import re
from typing import Final

from platui.core.errors import NotFoundError

_ONE: Final = "[^/]+"
_PIPELINES: Final = f"projects/{_ONE}/pipelines"
_JOBS: Final = f"projects/{_ONE}/jobs"

_PROMISED: Final = {
    "GET": re.compile(
        "|".join(
            (
                "projects",
                "namespaces",
                f"{_PIPELINES}(/{_ONE}(/jobs)?)?",
                f"{_JOBS}(/{_ONE}(/trace)?)?",
                f"projects/{_ONE}/repository/files/{_ONE}",
            )
        )
    ),
    "POST": re.compile(f"projects|projects/{_ONE}/(pipeline|trigger/pipeline|pipeline_schedules)"),
}


def check_promised(method: str, target: str) -> None:
    """Return for a request that the specification has.

    Args:
        method: as it is sent.
        target: path and query below the API's base.

    Raises:
        NotFoundError: it is beyond the specification; that is how a platform without it answers.
    """
    promised = _PROMISED.get(method)
    if promised is None or not promised.fullmatch(target.partition("?")[0]):
        raise NotFoundError(
            "The specification does not promise this, and the profile asks for nothing else.",
            status=404,
            hint='`neighbours = "auto"` in config.toml lets platui try.',
        )
