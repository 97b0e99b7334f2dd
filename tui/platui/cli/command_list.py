"""The commands by name, available without importing click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click


class Entry(NamedTuple):
    target: str | click.Command
    """`module:attribute` in `platui.cli.commands`, or the command itself."""
    help: str


COMMANDS: Final[dict[str, Entry]] = {
    "demo": Entry("demo.command:demo_command", "Open the dashboard on an emulated platform."),
    "emulator": Entry("emulator:emulator_command", "Serve an emulated platform over HTTP."),
    "init": Entry("init.command:init_command", "Create a profile: the platform's URL and token."),
    "doctor": Entry(
        "doctor.command:doctor_command", "Check token, clock, terminal, disk and connection."
    ),
    "namespaces": Entry("namespaces:namespaces_command", "List namespaces: groups and users."),
    "projects": Entry("projects:projects_command", "List projects and their last pipelines."),
    "pipelines": Entry("pipelines:pipelines_command", "List the pipelines of a project."),
    "pipeline": Entry("pipeline:pipeline_command", "Show a pipeline and its jobs."),
    "changes": Entry(
        "changes:changes_command", "List commits and files between the last success and a failure."
    ),
    "jobs": Entry("jobs:jobs_command", "List the jobs of a project or of a pipeline."),
    "job": Entry("job:job_command", "Show a job."),
    "schedules": Entry("schedules:schedules_command", "List the schedules of a project."),
    "file": Entry("file:file_command", "Print a file of a repository or of a pipeline."),
    "log": Entry("log.command:log_command", "Show or print the log of a job, or a saved log."),
    "run": Entry("run.command:run_command", "Start a pipeline."),
    "trigger": Entry("trigger:trigger_command", "Start a pipeline with a trigger token."),
    "wait": Entry("wait:wait_command", "Wait for a pipeline or job to end."),
    "cancel": Entry("cancel:cancel_command", "Cancel a pipeline or job."),
    "retry": Entry("retry:retry_command", "Retry a job or the failed jobs of a pipeline."),
    "play": Entry("play:play_command", "Start a manual job."),
    "project": Entry("project:project_command", "Create a project."),
    "schedule": Entry("schedule:schedule_command", "List, create, edit and run schedules."),
    "triage": Entry(
        "triage.command:triage_command", "Show incidents with start and cause; write a handoff."
    ),
    "report": Entry(
        "report.command:report_command",
        "Fetch, search and compare access reports.",
    ),
    "audit": Entry("audit:audit_command", "Show the writes sent from this machine."),
    "cache": Entry("cache.command:cache_command", "Show or clear data stored on this machine."),
    "config": Entry("config.command:config_command", "Show and check the configuration."),
    "keys": Entry("keys:keys_command", "List the keys of the dashboard."),
    "docs": Entry("docs:docs_command", "Show the documentation of a view, topic or command."),
    "themes": Entry("themes.command:themes_command", "List, check and create themes."),
    "help": Entry("help:help_command", "Show the help of a command."),
    "completion": Entry("completion:completion_command", "Print a shell completion script."),
}


def commands_starting_with(begin: str) -> Iterator[tuple[str, str]]:
    return ((name, entry.help) for name, entry in COMMANDS.items() if name.startswith(begin))


def completion_line(value: str, help_: str | None, kind: str = "word") -> str:
    """Return a line for the scripts of `platui.cli.commands.completion`."""
    return f"{kind}\t{value}\t{help_ or ''}"
