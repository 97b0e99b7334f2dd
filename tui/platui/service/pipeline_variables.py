"""The variables that a pipeline ran with: a neighbour that not everybody may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    ForbiddenError,
    NotFoundError,
    RejectedError,
    UnreadableAnswerError,
)
from platui.models.values.connection import Urgency

if TYPE_CHECKING:
    from platui.api.caller import Caller
    from platui.api.project_api import ProjectApi
    from platui.models import Variable
    from platui.models.values.queries import ProjectRef

NOT_TO_BE_HAD: Final = (NotFoundError, ForbiddenError, RejectedError, UnreadableAnswerError)
"""What says that the platform does not tell, now or later."""


async def variables_of(
    caller: Caller, api: ProjectApi, project: ProjectRef, pipeline: int
) -> tuple[Variable, ...] | None:
    """Return the variables of a pipeline; None where they are not to be had.

    Asked past the cache, which is kept on disk: values may be secrets.

    Raises:
        PlatuiError: no usable answer; it may come later.
    """
    try:
        page = await caller.get(api.variables(project, pipeline), Urgency.USER)
    except NOT_TO_BE_HAD:
        return None
    return page.items
