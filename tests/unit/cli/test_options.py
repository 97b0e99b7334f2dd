"""The global options."""

from __future__ import annotations

from pathlib import Path

import pytest

from platui.cli.options import split
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
