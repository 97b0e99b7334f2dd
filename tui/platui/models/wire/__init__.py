"""API responses as frozen pydantic records."""

from platui.models.wire.files import Branch, Commit, RepositoryFile, Tag, TreeEntry
from platui.models.wire.jobs import Artifact, ArtifactsFile, Bridge, Job, Runner
from platui.models.wire.people import AccessToken, User, Version
from platui.models.wire.pipelines import DetailedStatus, Pipeline
from platui.models.wire.projects import Access, Namespace, Permissions, Project
from platui.models.wire.record import Record
from platui.models.wire.schedules import Schedule, Variable

__all__ = [
    "Access",
    "AccessToken",
    "Artifact",
    "ArtifactsFile",
    "Branch",
    "Bridge",
    "Commit",
    "DetailedStatus",
    "Job",
    "Namespace",
    "Permissions",
    "Pipeline",
    "Project",
    "Record",
    "RepositoryFile",
    "Runner",
    "Schedule",
    "Tag",
    "TreeEntry",
    "User",
    "Variable",
    "Version",
]
