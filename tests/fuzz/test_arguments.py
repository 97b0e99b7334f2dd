"""Arguments of any text: each command ends with a documented code and clean output."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import click
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.support.commands import Shell

from platui.cli.exit_codes import Exit
from platui.cli.group import platui, walk

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from platui_emulator.server import RunningEmulator

_NEVER_END: Final = frozenset({"demo", "emulator", "init", "completion"})
_WAITING: Final = frozenset({"--watch", "--follow", "--wait", "--yes", "--help", "--help-all"})

odd = st.sampled_from(
    [
        "", "-", "--", " ", "0", "-1", "9" * 18, "9" * 30, "1e9", "nan", "\x1b[31m", "a\nb",
        "é", "日本",
        "../..", "/", "a/b", "#1", "x#y", "@main", "failed", "{}", "[", "(a|aa)+$",
        "((a*|b){999}){999}",
        "*", "%s", "%00", "a=b", "=", "A=", "0 3 * * *", "99 99 * * *", "Europe/Berlin",
        "../etc/passwd",
        "2026-03-01", "2026-13-45", "10m", "-5m", "/dev/null", "/nonexistent/x", "https://x",
        "\udcff",
        "a" * 3_000, "name", "status,ref", ",,", "-status", "x:y", "\u202e",
    ]
)  # fmt: skip
words_typed = odd | st.text(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8
)


@lru_cache(maxsize=1)
def commands() -> tuple[tuple[tuple[str, ...], click.Command], ...]:
    """Return the words and declaration of every command that ends by itself."""
    root = click.Context(platui, info_name="platui")
    found = ((tuple(one.command_path.split()[1:]), one.command) for one in walk(root))
    return tuple(
        (words, command)
        for words, command in found
        if words and words[0] not in _NEVER_END and not isinstance(command, click.Group)
    )


@st.composite
def command_lines(draw: st.DrawFn, project: str) -> list[str]:
    """Return a command with arguments and options, most of which are odd."""
    words, command = draw(st.sampled_from(commands()))
    value = words_typed | st.just(project)
    line = [*words]
    for one in command.params:
        if isinstance(one, click.Argument):
            line += draw(st.lists(st.just(project) | value, max_size=2))
        elif not _WAITING & {*one.opts} and draw(st.integers(0, 3)) == 0:
            line += _option(draw, one, value)
    return line


def _option(draw: st.DrawFn, option: click.Parameter, value: st.SearchStrategy[str]) -> list[str]:
    name = draw(st.sampled_from(option.opts))
    if getattr(option, "is_flag", False):
        return [name]
    choices: Any = getattr(option.type, "choices", None)
    return [name, draw((st.sampled_from([*map(str, choices)]) | value) if choices else value)]


@settings(tries(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_arguments_end_with_a_documented_code(
    still_platform: RunningEmulator,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    data: st.DataObject,
) -> None:
    """What is printed commands no terminal, and is JSON where that was asked for."""
    monkeypatch.chdir(tmp_path)
    environ = {"PLATUI_URL": still_platform.base_url, "PLATUI_TOKEN": still_platform.token}
    line = data.draw(command_lines(still_platform.project))
    with in_time(5):
        said = Shell(monkeypatch, capfd, environ)(*line)
    assert said.code in {*Exit}
    for text in (said.out, said.err):
        assert not any(sign != "\n" and ord(sign) < 32 for sign in text.replace("\t", " "))
        assert not any("\x7f" <= sign <= "\x9f" or sign == "\u202e" for sign in text)
    assert said.code not in {Exit.USAGE, Exit.REFUSED} or said.err or said.out
    if "--json" in line and said.code == Exit.DONE and said.out:
        assert said.lines
        for one in said.lines:
            json.loads(one)
