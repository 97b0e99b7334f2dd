"""Every path below the API's base; ids and paths are encoded here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef

PROJECTS = "projects"
NAMESPACES = "namespaces"
USER = "user"
TOKEN = "personal_access_tokens/self"  # noqa: S105  (a path)
VERSION = "version"
OWN_JOB = "job"


def segment(value: int | str) -> str:
    """Return one path segment: slashes encoded (spec §4.1), and no `.` or `..` of its own."""
    text = quote(str(value), safe="", errors="replace")
    return text.replace(".", "%2E") if text in {".", ".."} else text


def project(ref: ProjectRef) -> str:
    """Return the path of a project, by id or by full path."""
    return f"{PROJECTS}/{segment(ref)}"


def namespace(ref: int | str) -> str:
    """Return the path of a namespace, by id or by full path."""
    return f"{NAMESPACES}/{segment(ref)}"


def pipelines(ref: ProjectRef) -> str:
    """Return the path of a project's pipelines."""
    return f"{project(ref)}/pipelines"


def pipeline(ref: ProjectRef, pipeline_id: int) -> str:
    """Return the path of a pipeline."""
    return f"{pipelines(ref)}/{segment(pipeline_id)}"


def pipeline_jobs(ref: ProjectRef, pipeline_id: int) -> str:
    """Return the path of a pipeline's jobs."""
    return f"{pipeline(ref, pipeline_id)}/jobs"


def variables(ref: ProjectRef, pipeline_id: int) -> str:
    """Return the path of the variables that a pipeline was started with."""
    return f"{pipeline(ref, pipeline_id)}/variables"


def bridges(ref: ProjectRef, pipeline_id: int) -> str:
    """Return the path of a pipeline's bridges to child pipelines."""
    return f"{pipeline(ref, pipeline_id)}/bridges"


def jobs(ref: ProjectRef) -> str:
    """Return the path of a project's jobs."""
    return f"{project(ref)}/jobs"


def job(ref: ProjectRef, job_id: int) -> str:
    """Return the path of a job."""
    return f"{jobs(ref)}/{segment(job_id)}"


def log(ref: ProjectRef, job_id: int) -> str:
    """Return the path of a job's log."""
    return f"{job(ref, job_id)}/trace"


def artifacts(ref: ProjectRef, job_id: int) -> str:
    """Return the path of the archive of a job's artifacts."""
    return f"{job(ref, job_id)}/artifacts"


def file(ref: ProjectRef, path: str) -> str:
    """Return the path of a repository file."""
    return f"{project(ref)}/repository/files/{segment(path)}"


def tree(ref: ProjectRef) -> str:
    """Return the path of a repository's folders."""
    return f"{project(ref)}/repository/tree"


def branches(ref: ProjectRef) -> str:
    """Return the path of a repository's branches."""
    return f"{project(ref)}/repository/branches"


def tags(ref: ProjectRef) -> str:
    """Return the path of a repository's tags."""
    return f"{project(ref)}/repository/tags"


def schedules(ref: ProjectRef) -> str:
    """Return the path of a project's pipeline schedules."""
    return f"{project(ref)}/pipeline_schedules"


def schedule(ref: ProjectRef, schedule_id: int) -> str:
    """Return the path of a pipeline schedule."""
    return f"{schedules(ref)}/{segment(schedule_id)}"


def start_pipeline(ref: ProjectRef) -> str:
    """Return the path that starts a pipeline."""
    return f"{project(ref)}/pipeline"


def trigger_pipeline(ref: ProjectRef) -> str:
    """Return the path that triggers a pipeline by a trigger token."""
    return f"{project(ref)}/trigger/pipeline"
