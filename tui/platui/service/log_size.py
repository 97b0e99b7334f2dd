"""How long a log is, asked for without its bytes: whether a running job still says something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import PlatuiError

if TYPE_CHECKING:
    from platui.api.caller import Caller
    from platui.models.values.connection import Urgency
    from platui.models.values.queries import ProjectRef
    from platui.service.line_watch import LineWatch

_BEYOND: Final = 10**14
"""A byte that no log has: what is refused tells how long the log is."""


async def log_size(
    caller: Caller, line: LineWatch, project: ProjectRef, job: int, urgency: Urgency
) -> int | None:
    """Return how many bytes a log has; None where the platform does not say.

    GitLab begins to send all of a running job's log, whatever part is asked for: that says how
    long it is before its first byte, and the rest is not waited for.

    Raises:
        PlatuiError: no usable answer.
    """
    number = line.begin()
    try:
        async with caller.stream_log(project, job, urgency, start=_BEYOND) as stream:
            line.answered(number)
            return stream.total
    except PlatuiError as error:
        line.failed(error, number)
        raise
