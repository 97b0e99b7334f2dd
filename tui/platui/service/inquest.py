"""What is asked about one incident when somebody looks into it: causes, and what was set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.analysis.triage.what_changed import changed_variables
from platui.models.values.connection import Urgency
from platui.service.pipeline_variables import variables_of
from platui.service.triage_causes import Causes

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.api.caller import Caller
    from platui.api.project_api import ProjectApi
    from platui.models.values.queries import ProjectRef
    from platui.models.values.triage import Ran
    from platui.models.values.triage_causes import Cause
    from platui.models.values.triage_changes import ChangedVariable
    from platui.service.job_log import JobLog
    from platui.service.subjects import Subjects


class Inquest:
    """Asks what the lists of pipelines and jobs do not tell; what was found costs nothing."""

    def __init__(
        self,
        caller: Caller,
        api: ProjectApi,
        subjects: Subjects,
        open_log: Callable[[ProjectRef, int], JobLog],
    ) -> None:
        """Take what is needed.

        Args:
            caller: for what must not be kept.
            api: the operations.
            subjects: what is kept of jobs.
            open_log: returns the log of a job of a project.
        """
        self._caller = caller
        self._api = api
        # The requests of somebody who looks are counted where all are: in the journal.
        self._causes = Causes(subjects, open_log, lambda: Urgency.USER)

    async def cause(self, project: ProjectRef, red: Ran) -> Cause:
        """Return why a pipeline failed.

        Raises:
            PlatuiError: no usable answer; it may come later.
        """
        return self._causes.known(red) or await self._causes.find(project, red)

    async def changed_variables(
        self, project: ProjectRef, before: int, after: int
    ) -> tuple[ChangedVariable, ...] | None:
        """Return which variables of two pipelines differ; None where not both are told.

        Raises:
            PlatuiError: no usable answer; it may come later.
        """
        found = []
        for pipeline in (before, after):
            variables = await variables_of(self._caller, self._api, project, pipeline)
            if variables is None:
                return None
            found.append({one.key: one.value for one in variables if one.key})
        return changed_variables(*found)
