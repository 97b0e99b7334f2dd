"""`platui keys` prints what the dashboard does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.commands import Shell

from platui.ui.screen_keys import all_view_bindings

if TYPE_CHECKING:
    from pathlib import Path

_OWN = """\
keymap = "vim"
[keys]
"jobs.log" = "m, ctrl+j"
"list.raw" = ""
"list.failed" = "d"
"""


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who has not configured anything."""
    return Shell(monkeypatch, capfd)


@pytest.fixture
def config(tmp_path: Path) -> tuple[str, str]:
    """Return the option that names a file with keys of one's own."""
    file = tmp_path / "config.toml"
    file.write_text(_OWN)
    file.chmod(0o600)
    return "--config", str(file)


def test_the_sheet_has_every_view_and_fits_80_columns(shell: Shell) -> None:
    """What views have in common stands above, once."""
    said = shell("keys")
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.lines)) <= 80
    own = {view.title for view in all_view_bindings() if view.name not in {"raw", "many"}}
    assert own <= set(said.lines) | {"A saved log"}
    # Lists, people and changes: the order is chosen in three ways.
    assert sum(line.split()[:1] == ["S"] for line in said.lines) == 3
    assert "* your own" not in said.out


def test_the_keys_of_the_details_have_a_heading(shell: Shell) -> None:
    """They do not work in the list; the other keys do not follow them."""
    said = shell("keys", "--screen", "schedules", "--ids")
    at = said.lines.index("Schedules: details")
    assert said.lines[0] == "Schedules"
    assert said.lines[at - 1] == ""
    ids = [line for line in said.lines if " detail." in line]
    assert ids
    assert [line for line in said.lines[at + 1 :] if " detail." in line] == ids
    assert not [line for line in said.lines[at + 1 :] if " list." in line or " app." in line]


def test_keys_of_ones_own_are_marked_and_faults_are_said(
    shell: Shell, config: tuple[str, str]
) -> None:
    """Over the preset of the file."""
    said = shell(*config, "keys", "--screen", "jobs", "--ids")
    assert said.code == 0
    assert "* m, ctrl+j         jobs.log                 Log" in said.lines
    assert "* (none)            list.raw                 Raw JSON" in said.lines
    assert "  right, l          list.focus_details       To the details" in said.lines
    assert said.lines[-1] == "* your own key (config.toml)"
    assert said.err.startswith("platui: config.toml, [keys]: d of list.failed (Failed only)")


def test_another_preset_can_be_looked_at(shell: Shell) -> None:
    """Without writing it to the file first."""
    (told,) = shell("keys", "--preset", "lazygit", "--json").objects
    assert told["preset"] == "lazygit"
    assert [view["name"] for view in told["screens"]] == [view.name for view in all_view_bindings()]
    (jobs,) = (view for view in told["screens"] if view["name"] == "jobs")
    (log,) = (action for action in jobs["actions"] if action["id"] == "jobs.log")
    assert log == {
        "id": "jobs.log",
        "keys": ["m"],
        "label": "Log",
        "meaning": "Open the log of this job",
        "own": False,
    }


def test_markdown_says_keys_in_code(shell: Shell) -> None:
    """A bar in a cell of a table ends no cell."""
    said = shell("keys", "--markdown", "--preset", "lazygit", "--ids")
    assert "| `v` `space` | Select lines: Start or end a selection of lines | `log.select` |" in (
        said.lines
    )
    assert r"| `\|` | Pager: Open the log in \$PAGER, at this line | `log.pager` |" in said.lines


def test_no_such_view_is_answered_with_the_nearest(shell: Shell) -> None:
    """And with all there are."""
    said = shell("keys", "--screen", "job")
    assert (said.code, said.out) == (2, "")
    assert 'Unknown view "job".' in said.err
    assert "Did you mean jobs? Views: triage, projects" in said.err


def test_own_actions_are_listed_and_checked(shell: Shell, tmp_path: Path) -> None:
    """With their commands, in their views; a key that they take is named, and so is its line."""
    file = tmp_path / "own.toml"
    file.write_text(
        '[actions.ticket]\nkey = "t"\ntitle = "Ticket"\ncommand = ["no-such", "{url}"]\n'
        'views = ["jobs"]\n'
    )
    said = shell("--config", str(file), "keys", "--screen", "jobs")
    assert any(line.split() == ["*", "t", "Ticket", "no-such", "{url}"] for line in said.lines)
    assert "t of own.ticket (Ticket) is also bound to write.run (Run) in Jobs" in said.err
    assert "Ticket" not in shell("--config", str(file), "keys", "--screen", "log").out
    checked = shell("--config", str(file), "config", "check")
    assert (
        f"{file}:1: note: actions.ticket takes the key of another command: t of own.ticket"
        in checked.out
    )
    assert f"{file}:4: warning: actions.ticket.command names a program that is not" in checked.out
