"""The global options."""

from __future__ import annotations

from pathlib import Path

import pytest

from platui.cli.options import is_path, split
from platui.config.settings import Options
from platui.core.errors import PlatuiError


@pytest.mark.parametrize(
    ("arguments", "options", "asked", "rest"),
    [
        ([], Options(), "", []),
        (["--version"], Options(), "--version", []),
        (["-h"], Options(), "-h", []),
        (["--profile", "prod"], Options(profile="prod"), "", []),
        (["--profile=prod", "--utc"], Options(profile="prod", utc=True), "", []),
        (["--ascii", "--read-only"], Options(ascii=True, read_only=True), "", []),
        (["--config", "/x.toml"], Options(config=Path("/x.toml")), "", []),
        (["--debug=/d"], Options(debug=Path("/d")), "", []),
        (["https://p/x"], Options(), "", ["https://p/x"]),
        (["https://p/x", "--utc"], Options(utc=True), "", ["https://p/x"]),
        (["acme/etl/x", "--utc"], Options(utc=True), "", ["acme/etl/x"]),
        (["demo", "--ascii"], Options(ascii=True), "", ["demo"]),
        (["--utc", "emulator", "--port", "0"], Options(utc=True), "", ["emulator", "--port", "0"]),
        (["emulator", "--help"], Options(), "", ["emulator", "--help"]),
        (["--", "demo"], Options(), "", ["demo"]),
    ],
)
def test_global_options_are_told_from_commands(
    arguments: list[str], options: Options, asked: str, rest: list[str]
) -> None:
    """Options may stand before a command, or behind an address or `demo`."""
    assert split(arguments) == (options, asked, rest)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--profil", "x"], "Did you mean --profile?"),
        (["--xyzzy"], "platui --help"),
        (["--profile"], "needs a word"),
        (["--url="], "needs a word"),
        (["--config", "~nobody.at.all/x"], "is no path"),
        (["--debug=~nobody.at.all/x"], "is no path"),
    ],
)
def test_a_wrong_option_is_named_with_what_helps(arguments: list[str], words: str) -> None:
    """A typo gets the nearest option, a missing word is said."""
    with pytest.raises(PlatuiError) as raised:
        split(arguments)
    assert words in f"{raised.value.sentence} {raised.value.hint}"


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
