"""Content and problems of a run form."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.core.text import clean
from platui.models.values.drafts import RunForm, RunHistory, variable_in
from platui.present.writes.run_form import Origins
from platui.service import resources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.drafts import RunDraft
    from platui.present.chrome import Piece
    from platui.service import PlatformService


@dataclass(slots=True)
class RunFormState:
    """State of a run form; it survives leaving the view."""

    form: RunForm
    is_ready: bool = False  # Whether loading has ended
    draft: RunDraft | None = None
    history: RunHistory = field(default_factory=RunHistory)
    default_ref: str = ""
    origins: Origins = field(default_factory=Origins)
    has_tried: bool = False  # Whether to show all problems
    refused: dict[str, str] = field(default_factory=dict)  # Field -> error of the platform
    error: PlatuiError | None = None  # Why loading failed

    message: Piece = ("", "text")  # About the last paste or restored input
    is_changed: bool = False  # Whether the user has changed it

    def change(self, form: RunForm) -> None:
        """Replace the content, and drop errors about the previous one."""
        if form.ref != self.form.ref:
            self.origins = self.origins._replace(ref="")
        if form.pipeline_file != self.form.pipeline_file:
            self.origins = self.origins._replace(file="")
        self.is_changed = self.is_changed or form != self.form
        self.form = form
        self.refused = {}

    def _suggest_ref(self, ref: str, origin: str) -> None:
        if ref and not self.form.ref:
            self.form = replace(self.form, ref=ref)
            self.origins = self.origins._replace(ref=origin)

    async def fetch(self, service: PlatformService, pipeline: int | None) -> None:
        writes, project = service.write_service, self.form.project
        try:
            if pipeline is not None and self.draft is None:
                self.draft = await writes.rerun(project, pipeline)
                self.form = RunForm.of_draft(self.draft)
            self.history = await writes.run_history(project)
        except PlatuiError as error:
            self.error = error
        self.is_ready = True

    async def fetch_ref(self, service: PlatformService) -> None:
        """Fill in the default branch, else the last used ref."""
        async for snapshot in service.watch(resources.projects.project(self.form.project)):
            if snapshot.value is not None:
                self.default_ref = snapshot.value.default_branch
                if not self.form.pipeline_file and snapshot.value.ci_config_path:
                    file = f"now {clean(snapshot.value.ci_config_path)}"
                    self.origins = self.origins._replace(file=file)
            if snapshot.value is not None or snapshot.error is not None:
                break
        self._suggest_ref(self.default_ref, "default branch")
        self._suggest_ref(next(iter(self.history.refs), ""), "used last")

    @property
    def problems(self) -> Mapping[str, str]:
        """Return field -> problem to show now."""
        return {**self._wrong(), **self.refused}

    def _wrong(self) -> Mapping[str, str]:
        found = self.form.problems()
        return found if self.has_tried else {at: found[at] for at in found if self._is_typed(at)}

    def _is_typed(self, at: str) -> bool:
        number = variable_in(at)
        if number is None:
            return False
        value = self.form.variables[number].value
        return bool(value) or not isinstance(value, Secret)
