"""API responses as frozen pydantic records."""

from platui.models.wire.files import (
    Branch,
    Commit,
    Comparison,
    FileDiff,
    MergeRequest,
    RepositoryFile,
    Tag,
    TreeEntry,
)
from platui.models.wire.jobs import Bridge, Job, Runner
from platui.models.wire.people import AccessToken, User, Version
from platui.models.wire.pipelines import Pipeline, Schedule, Variable
from platui.models.wire.projects import Namespace, Project
from platui.models.wire.record import Record
from platui.models.wire.tests import PipelineTests

__all__ = [
    "AccessToken",
    "Branch",
    "Bridge",
    "Commit",
    "Comparison",
    "FileDiff",
    "Job",
    "MergeRequest",
    "Namespace",
    "Pipeline",
    "PipelineTests",
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
