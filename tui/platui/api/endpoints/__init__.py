"""Operations of the project API (spec §4.3); the only modules with its URLs."""

from __future__ import annotations

from platui.api.endpoints import actions as acts
from platui.api.endpoints import files, jobs, pipelines, projects, schedules, session

__all__ = ["acts", "files", "jobs", "pipelines", "projects", "schedules", "session"]
