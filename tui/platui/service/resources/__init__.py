"""Resources of the platform with their polling, activity and finality."""

from __future__ import annotations

from platui.service.resources import files, jobs, logs, pipelines, projects, schedules, triage

__all__ = ["files", "jobs", "logs", "pipelines", "projects", "schedules", "triage"]
