"""Every command explains itself, with an example that can be typed."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import click
import pytest
from tests.support.commands import Shell

from platui.cli.command_list import COMMANDS
from platui.cli.group import every_help, platui, walk
from platui.config.settings import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

_EXAMPLE = re.compile(r"^ +platui ([a-z].*)$", re.MULTILINE)
_ENDS = re.compile(r"\s(?:#|&&|\|\|?|>|<|2>).*$")
"""Where what is typed to platui ends, and what is the shell's begins."""


ROOT = platui.make_context("platui", [], resilient_parsing=True)


def leaves() -> Iterator[tuple[str, click.Command, str]]:
    """Yield each command that does something, with its help."""
    for context in walk(ROOT):
        if not isinstance(context.command, click.Group):
            name = context.command_path.removeprefix("platui ")
            yield name, context.command, context.get_help()


_LEAVES = list(leaves())


@pytest.mark.parametrize("name", [name for name, _, _ in _LEAVES])
def test_the_help_of_every_command_has_an_example_of_it(name: str) -> None:
    """Of that very command, in 80 columns, with the exit codes."""
    (text,) = (text for one, _, text in _LEAVES if one == name)
    assert any(one == name or one.startswith(f"{name} ") for one in _EXAMPLE.findall(text))
    assert "Exit codes:" in text
    summary = text.split("\n\n")[1].strip()
    assert re.match(r"[A-Z][a-z]+ .*\w", summary), "the first paragraph says what it does"
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", [name for name, _, _ in _LEAVES])
def test_every_example_can_be_typed(name: str) -> None:
    """Its options are there, and its words are what the command takes."""
    (text,) = (text for one, _, text in _LEAVES if one == name)
    commands = {one: command for one, command, _ in _LEAVES}
    for example in _EXAMPLE.findall(text):
        typed = _ENDS.sub("", example)
        called = max((one for one in commands if f"{typed} ".startswith(f"{one} ")), key=len)
        words = shlex.split(typed.removeprefix(called))
        commands[called].make_context(called, words, obj=Options())


def test_the_help_lists_every_command_and_all_of_it_prints_each() -> None:
    """In one document, the commands below others too."""
    listed = re.findall(r"^  ([a-z]+) {2,}", ROOT.get_help(), re.MULTILINE)
    assert listed == list(COMMANDS)
    whole = "\n".join(every_help(ROOT))
    titles = re.findall(r"^-+\nplatui (.*)\n-+$", whole, re.MULTILINE)
    assert set(titles) >= {*COMMANDS, *(name for name, _, _ in _LEAVES)}
    assert max(map(len, whole.splitlines())) <= 80
    assert "\\b" not in whole


def test_docs_tell_of_views_topics_and_commands(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """By one name each; `help` tells of the command where there is one of that name."""
    shell = Shell(monkeypatch, capfd)
    named = [line.split()[0] for line in shell("docs").lines if line.startswith("  ")]
    assert {"log", "triage", "config", "safety", "exit-codes", "json", "signs"} <= set(named)
    for name in named:
        said = shell("docs", name)
        assert (said.code, said.err) == (0, "")
        assert len(said.lines) > 3
        assert max(map(len, said.lines)) <= 80
    assert "Next: e goes to the next error, / searches" in shell("docs", "log").out.replace(
        "\n", " "
    )
    for name in ("retry", "jobs"):
        assert shell("help", name).out == shell(name, "--help").out
    for asked in ("help", "docs"):
        below = shell(asked, "schedule", "run").out
        assert below == shell("schedule", "run", "--help").out
        assert shell(asked, "schedule", "nothing").code == 2
    assert shell("help", "safety").out == shell("docs", "safety").out
    assert shell("help").out == shell("--help").out
    assert shell("--help-all").out.startswith(shell("--help").out)
    wrong = shell("docs", "confg")
    assert (wrong.code, wrong.out) == (2, "")
    assert "Did you mean config?" in wrong.err


def test_docs_on_a_terminal_have_code_in_bold(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also over the end of a line; plain where there are no styles, and in a pipe as written."""
    shell = Shell(monkeypatch, capfd)
    written = shell("docs", "json").out
    assert "`platui job`" in written
    for module in ("commands.docs", "output.stdout"):
        monkeypatch.setattr(f"platui.cli.{module}.is_terminal", lambda: True)
    plain = shell("docs", "json", NO_COLOR="1").out
    assert plain == written.replace("`", "")
    monkeypatch.delenv("NO_COLOR")
    styled = shell("docs", "json", TERM="xterm").out
    assert "\x1b[1mplatui job\x1b[22m shows" in styled
    assert re.sub(r"\x1b\[\d+m", "", styled) == plain
    for line in styled.splitlines():
        assert line.count("\x1b[1m") == line.count("\x1b[22m")
