"""The commands by name, available without importing click."""

from __future__ import annotations

TYPE_CHECKING = False  # of typing, which a completion does without
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

COMMANDS: Final = {
    "demo": "Open the dashboard on an emulated platform.",
    "emulator": "Serve an emulated platform over HTTP.",
    "init": "Create a profile: the platform's URL and token.",
    "doctor": "Check token, clock, terminal, disk and connection.",
    "namespaces": "List namespaces: groups and users.",
    "projects": "List projects and their last pipelines.",
    "pipelines": "List the pipelines of a project.",
    "pipeline": "Show a pipeline and its jobs.",
    "changes": "List commits and files between the last success and a failure.",
    "tests": "List the failed tests of a pipeline.",
    "jobs": "List the jobs of a project or of a pipeline.",
    "job": "Show a job.",
    "artifacts": "List, print and save the files in the artifacts of a job.",
    "schedules": "List the schedules of a project.",
    "file": "Print a file of a repository or of a pipeline.",
    "log": "Show or print the log of a job, or a saved log.",
    "run": "Start a pipeline.",
    "trigger": "Start a pipeline with a trigger token.",
    "wait": "Wait for a pipeline or job to end.",
    "cancel": "Cancel a pipeline or job.",
    "retry": "Retry a job or the failed jobs of a pipeline.",
    "play": "Start a manual job.",
    "project": "Create a project.",
    "schedule": "List, create, edit and run schedules.",
    "triage": "Show incidents with start and cause; write a handoff.",
    "report": "Fetch, search and compare access reports.",
    "audit": "Show the writes sent from this machine.",
    "cache": "Show or clear data stored on this machine.",
    "config": "Show and check the configuration.",
    "keys": "List the keys of the dashboard.",
    "docs": "Show the documentation of a view, topic or command.",
    "themes": "List, check and create themes.",
    "help": "Show the help of a command.",
    "completion": "Print a shell completion script.",
}
"""Help by name. `NAME_command` is in the module of that name in `platui.cli.commands`."""


def commands_starting_with(begin: str) -> Iterator[tuple[str, str]]:
    return (one for one in COMMANDS.items() if one[0].startswith(begin))


def completion_line(value: str, help_: str | None, kind: str = "word") -> str:
    """Return a line for the scripts of `platui.cli.commands.completion`."""
    return f"{kind}\t{value}\t{help_ or ''}"
