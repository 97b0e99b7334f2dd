"""The global options, before commands and addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from platui.cli.main import dispatch
from platui.cli.options import GLOBAL_OPTIONS, is_path, parse_opening
from platui.config.settings import Options


@pytest.mark.parametrize(
    ("arguments", "opening"),
    [
        ([], (Options(), None)),
        (["--profile", "prod"], (Options(profile="prod"), None)),
        (["--profile=prod", "--utc"], (Options(profile="prod", utc=True), None)),
        (["--ascii", "--read-only"], (Options(ascii=True, read_only=True), None)),
        (["--config", "/x.toml"], (Options(config=Path("/x.toml")), None)),
        (["--debug=/d"], (Options(debug=Path("/d")), None)),
        (["https://p/x"], (Options(), "https://p/x")),
        (["https://p/x", "--utc"], (Options(utc=True), "https://p/x")),
        (["acme/etl/x", "--utc"], (Options(utc=True), "acme/etl/x")),
        (["--", ":jobs"], (Options(), ":jobs")),
        (["--version"], None),
        (["-h"], None),
        (["demo", "--ascii"], None),
        (["--utc", "emulator", "--port", "0"], None),
        (["acme/etl/x", "more"], None),
        (["--profile"], None),
        (["--url="], None),
        (["--utc=no"], None),
    ],
)
def test_the_dashboard_is_opened_without_the_parser_of_commands(
    arguments: list[str], opening: tuple[Options, str | None] | None
) -> None:
    """With global options, and at most one word that says where; all else is for click."""
    assert parse_opening(arguments) == opening


def test_every_option_has_a_declaration() -> None:
    """A global option is a field of the options."""
    assert [one.name for one in GLOBAL_OPTIONS] == list(Options._fields)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--profil", "x"], "Did you mean --profile?"),
        (["--xyzzy"], "platui --help"),
        (["--profile"], "Option '--profile' requires an argument."),
        (["--url="], "Option '--url' needs a value."),
        (["jobs", "--profile", ""], "Option '--profile' needs a value."),
        (["schedule", "list", "etl", "--url="], "Option '--url' needs a value."),
        (["--config", "~nobody.at.all/x"], "Invalid path"),
        (["--debug=~nobody.at.all/x", "jobs"], "Invalid path"),
        (["acme/etl/x", "more"], "Unexpected argument: more"),
        (["jobs", "--stat", "x"], "Did you mean --status?"),
        (["jobs", "etl", "--limit", "abc"], "--limit must be a whole number from 1."),
        (["jobs", "etl", "--limit", "0"], "--limit must be a whole number from 1."),
        (["triage", "history", "--limit", "x"], "must be a whole number from 1 to 500."),
        (["390287360"], "Give it as PROJECT#390287360, or type :390287360 in the dashboard."),
        (["#4711"], "The number 4711 has no project."),
    ],
)
def test_a_wrong_option_is_named_with_what_helps(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typo gets the nearest option, a missing word is said."""
    assert dispatch(arguments) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


def test_help_is_also_given_behind_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    """That of platui."""
    assert dispatch(["acme/etl/x", "--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: platui [OPTIONS] [URL")


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("acme/etl", True),
        ("acme/marketing/email-engagement", True),
        ("acme", False),
        ("acme/etl/", False),
        ("/var/log/etl", False),
        ("./etl/x", False),
        ("~/etl", False),
        ("ftp://host/etl", False),
        (__file__.removeprefix("/"), False),
    ],
    ids=lambda value: str(value)[-32:],
)
def test_the_path_of_a_project_opens_the_dashboard(
    word: str, *, is_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has a slash is one, unless it is a file here, or no name can be so."""
    monkeypatch.chdir("/")
    assert is_path(word) is is_one
