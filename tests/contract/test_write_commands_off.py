"""Commands with writes off: each that can write is found in the program, and sends nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
import pytest
from tests.support.platform import credentials
from tests.support.service import requests_of

from platui.cli.group import platui, walk
from platui.cli.main import dispatch

if TYPE_CHECKING:
    from pathlib import Path

    from platui_emulator.server import RunningEmulator

READING: Final = frozenset(
    {"demo", "log", "help", "emulator", "wait", "schedule list", "audit", "schedules"}
    | {"namespaces", "projects"}
    | {"pipelines", "pipeline", "jobs", "job", "file", "changes", "tests", "artifacts"}
    | {"init", "doctor", "keys", "docs", "themes check", "themes new", "completion"}
    | {"cache info", "cache clear"}
    | {f"config {one}" for one in ("check", "example", "path", "schema", "show")}
    | {f"report {one}" for one in
       ("diff", "docs", "export", "fetch", "forget", "import", "list", "show", "terms")}
    | {f"triage {one}" for one in
       ("ack", "history", "note", "own", "snooze", "unwatch", "watch", "watched")}
)  # fmt: skip
"""What writes nothing to a platform, and so asks nothing."""


def _commands() -> dict[str, click.Command]:
    root = platui.make_context("platui", [], resilient_parsing=True)
    return {
        one.command_path.removeprefix("platui "): one.command
        for one in walk(root)
        if not isinstance(one.command, click.Group)
    }


def _asks(command: click.Command) -> bool:
    """Return whether a command asks before it changes something of the platform."""
    names = {one.name for one in command.params}
    return "yes" in names and "unlock" in names


WRITING: Final = sorted(name for name, command in _commands().items() if _asks(command))


def test_a_command_writes_or_is_known_not_to() -> None:
    """One that is new belongs to either side; those that write ask, and can be tried without."""
    commands = _commands()
    assert set(commands) - READING == set(WRITING)
    for name in WRITING:
        options = {one.name for one in commands[name].params}
        assert {"yes", "unlock", "dry_run"} <= options, name


def _words(name: str, platform: RunningEmulator) -> list[str]:
    """Return what a command needs to be carried out, if it could."""
    project, numbers = platform.project, [platform.project, "1"]
    form = ["--description", "off", "--ref", "main", "--cron", "0 1 * * *"]
    return {
        "run": [project, "--ref", "main", "--var", "A=1"],
        "trigger": [project, "--ref", "main"],
        "project create": ["off", "--form", "--access", "private"],
        "schedule create": [project, *form],
        "schedule edit": [*numbers, "--cron", "0 2 * * *"],
        "schedule delete": [*numbers, "--confirm", "off"],
    }.get(name, numbers)


@pytest.mark.parametrize("name", WRITING)
@pytest.mark.parametrize("how", ["profile", "option"])
def test_with_writes_off_no_command_sends_anything(
    name: str,
    how: str,
    platform: RunningEmulator,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """Answered, unlocked, for a pipeline or a job: it says why not, and ends with 4."""
    config, mode = tmp_path / "config.toml", "off" if how == "profile" else "confirm"
    config.write_text(f'[profiles.here]\nurl = "{platform.base_url}"\nwrites = "{mode}"\n')
    monkeypatch.setenv("PLATUI_TOKEN", platform.token)
    monkeypatch.setenv("PLATUI_TRIGGER_TOKEN", credentials(platform)["trigger"])
    seen = max((one["number"] for one in requests_of(platform)), default=0)
    around = ["--config", str(config), "--profile", "here"]
    around += [] if how == "profile" else ["--read-only"]
    words = [*around, *name.split(), *_words(name, platform), "--yes", "--unlock", "here"]
    assert dispatch(words) == 4
    out, err = capfd.readouterr()
    assert out == ""
    assert "Writes are off" in err
    assert {one["method"] for one in requests_of(platform, seen)} <= {"GET"}
