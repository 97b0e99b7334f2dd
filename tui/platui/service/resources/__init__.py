"""What can be read of the platform, and how it is read over time: polling, activity, finality.

Resources are light values: they can be made before the first frame.
"""

from __future__ import annotations

from platui.service.resources import files, jobs, logs, pipelines, projects, schedules, triage

__all__ = ["files", "jobs", "logs", "pipelines", "projects", "schedules", "triage"]
