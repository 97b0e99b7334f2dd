"""Own actions of config.toml: what is read, and the command that runs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from platui.config.load import parse_toml
from platui.config.problems import Severity
from platui.config.settings import OwnAction, Settings
from platui.config.validation import Checked, settings_of
from platui.config.value_kinds import ReadContext
from platui.core.secrets import Secret
from platui.ui.own_actions import actions_by_id, command_of, missing_value, safe_values
from platui.ui.screen_keys import key_problems

if TYPE_CHECKING:
    from collections.abc import Mapping

SHELL = {"shell": True}
FILE = Path("config.toml")
VALUES = {
    "project": "acme/etl", "pipeline": "41", "job": "412", "url": "https://x.example/412",
    "error": "one\ntwo", "ref": "main",
}  # fmt: skip


def checked(text: str) -> Checked:
    """Read a config.toml."""
    return Checked(parse_toml(text, FILE), ReadContext(Path("/etc")))


def action(*command: str, **others: bool) -> OwnAction:
    """Return an action."""
    return OwnAction("x", "Do it", command, **others)  # type: ignore[arg-type]


def run(one: OwnAction, values: Mapping[str, str] = VALUES) -> str:
    """Run its command; return the output."""
    command = command_of(one, values, None)
    return subprocess.run(
        command.argv, env=command.environ, capture_output=True, text=True, check=True
    ).stdout


def test_an_action_is_read() -> None:
    """With the defaults of what it leaves out."""
    one = '[actions.ticket]\nkey = "ctrl+t"\ntitle = "Ticket"\ncommand = ["ticket", "{url}"]'
    found = checked(one)
    assert not found.problems
    assert settings_of(found, FILE).actions == {
        "ticket": OwnAction("ctrl+t", "Ticket", ("ticket", "{url}"))
    }


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('command = ["{project}"]', "has a placeholder in its first word"),
        ('command = "ticket {url}"', "must be a list of words"),
        ('command = ["x"]\nwrite = true', "is not a known key"),
        ('command = ["x"]\nwrites = "yes"', "must be true or false"),
        ('command = ["x"]\noutput = "nowhere"', "must be pane or terminal"),
        ('command = ["x"]\nviews = "log"', "must be a list of names of views"),
        ("", "is missing"),
    ],
)
def test_an_invalid_action_is_ignored_as_a_whole(line: str, words: str) -> None:
    """So that one whose `writes` is misspelled does not run unasked; the rest works."""
    found = checked(f'utc = true\n[actions.a]\nkey = "x"\ntitle = "A"\n{line}')
    assert [one.severity for one in found.problems] == [Severity.IGNORED]
    assert words in str(found.problems[0])
    settings = settings_of(found, FILE)
    assert (settings.utc, settings.actions) == (True, {})


def test_values_are_arguments_and_never_parsed() -> None:
    """Whatever a branch is called; braces that are no placeholder stay."""
    values = {**VALUES, "ref": "$(touch /tmp/owned); `id` 'x\" {project}"}
    one = action("printf", "%s|", "{project}#{pipeline}", "--ref={ref}", "{error}", "{other} {}")
    assert run(one, values) == (
        "acme/etl#41|--ref=$(touch /tmp/owned); `id` 'x\" {project}|one\ntwo|{other} {}|"
    )


def test_a_script_has_the_values_as_parameters_and_variables() -> None:
    """They are not pasted into it."""
    one = action('echo "$1" "$PLATUI_ACTION_JOB" "$PLATUI_ACTION_ERROR"', "{ref}", **SHELL)
    assert run(one, {**VALUES, "ref": "; exit 1"}) == "; exit 1 412 one\ntwo\n"


def test_a_value_that_would_be_an_option_is_refused() -> None:
    """Unless it follows `--` or is part of a word."""
    values = {**VALUES, "ref": "--output=/etc/passwd"}
    assert missing_value(action("x", "{ref}"), values).endswith(
        "the value of {ref} begins with -; write --option={ref}."
    )
    for words in (("x", "--ref={ref}"), ("x", "--", "{ref}"), ("x", "{project}")):
        assert missing_value(action(*words), values) == ""
    assert missing_value(action("x", "{ref}", **SHELL), values) == ""


def test_a_missing_value_is_named() -> None:
    """Of an argument, and of a variable in a script."""
    none = dict.fromkeys(VALUES, "")
    assert missing_value(action("x", "{job}"), none) == "Do it needs a job; there is none here."
    script = action("echo $PLATUI_ACTION_REF", **SHELL)
    assert missing_value(script, none) == "Do it needs a branch or tag; there is none here."
    assert missing_value(action("x"), none) == ""


def test_the_token_is_passed_only_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secrets of the environment never."""
    monkeypatch.setenv("PLATUI_TOKEN", "from-outside")
    assert "PLATUI_TOKEN" not in command_of(action("x"), VALUES, None).environ
    assert command_of(action("x"), VALUES, Secret("abc")).environ["PLATUI_TOKEN"] == "abc"


def test_values_have_no_control_characters() -> None:
    """Only an error has lines, and none is endless."""
    found = safe_values({"ref": "a\nb\x1b[2J", "error": "a\nb\x1b[2J\0", "url": "x" * 100_000})
    assert found["ref"] == "a b\N{REPLACEMENT CHARACTER}[2J"
    assert found["error"].startswith("a\nb\N{REPLACEMENT CHARACTER}[2J")
    assert "\0" not in found["error"]
    assert len(found["url"]) == 30_000


def test_keys_that_clash_and_unknown_views_are_reported() -> None:
    """As those of `[keys]`; the id of an action that writes begins with `write.`."""
    settings = Settings(
        actions={
            "a": OwnAction("t", "Mine", ("x",), views=("pipelines", "job")),
            "b": OwnAction("nokey", "Other", ("x",), writes=True),
            "c": OwnAction("q", "Fixed", ("x",)),
        }
    )
    assert list(actions_by_id(settings)) == ["own.a", "write.own.b", "own.c"]
    said = {str(one.sentence): one.hint for one in key_problems(settings)}
    assert said["config.toml, [actions] own.a: unknown view job."] == "Did you mean jobs?"
    assert any("own.b: unknown key nokey" in one for one in said)
    assert "config.toml, [actions] own.c: q cannot be reassigned." in said
    clash = next(one for one in said if "own.a (Mine) is also bound to write.run (Run)" in one)
    assert clash.endswith("in Pipelines; Mine applies.")
