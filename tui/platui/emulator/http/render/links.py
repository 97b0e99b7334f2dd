"""Addresses of web pages, on the host that the request came to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from platui.emulator.records import Group, Person, Project


@dataclass(frozen=True, slots=True)
class Links:
    """Builds addresses below one root such as `http://127.0.0.1:8080`."""

    root: str

    def person(self, person: Person) -> str:
        """Return the page of a person."""
        return f"{self.root}/{person.username}"

    def avatar(self, person: Person) -> str:
        """Return the picture of a person."""
        return f"{self.root}/uploads/-/system/user/avatar/{person.id}/avatar.png"

    def group(self, group: Group) -> str:
        """Return the page of a group."""
        return f"{self.root}/groups/{group.full_path}"

    def project(self, project: Project) -> str:
        """Return the page of a project."""
        return f"{self.root}/{project.full_path}"

    def pipeline(self, project: Project, pipeline_id: int) -> str:
        """Return the page of a pipeline."""
        return f"{self.project(project)}/-/pipelines/{pipeline_id}"

    def job(self, project: Project, job_id: int) -> str:
        """Return the page of a job."""
        return f"{self.project(project)}/-/jobs/{job_id}"

    def commit(self, project: Project, sha: str) -> str:
        """Return the page of a commit."""
        return f"{self.project(project)}/-/commit/{sha}"

    def branch(self, project: Project, name: str) -> str:
        """Return the page of a branch."""
        return f"{self.project(project)}/-/tree/{quote(name)}"
