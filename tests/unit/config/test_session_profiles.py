"""Which profiles a run can go over to, and what of its environment goes along."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from platui.config.load import load_settings
from platui.config.profile_choice import SessionProfiles, choose_profile
from platui.config.settings import Options
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
[profiles.prod]
url = "https://prod.example"
production = true

[profiles.staging]
url = "https://staging.example"
writes = "confirm"
"""
ENVIRON = {
    "PLATUI_TOKEN": "of-prod",
    "PLATUI_ADMIN_KEY": "of-prod-too",
    "PLATUI_PROFILE": "prod",
    "CI_JOB_TOKEN": "of-a-job",
    "PATH": "/usr/bin",
}


def board(
    folder: Path, options: Options | None = None, environ: dict[str, str] | None = None
) -> SessionProfiles:
    """Return the profiles of a run, as the dashboard does."""
    file = folder / "config.toml"
    if not file.exists():
        file.write_text(TEXT)
    environ, options = environ or ENVIRON, options or Options(config=file)
    settings = load_settings(file, environ, options)
    opened = choose_profile(settings, environ, options)
    assert opened is not None
    return SessionProfiles(settings, environ, options, opened)


def test_all_profiles_are_there_in_the_order_of_the_file(tmp_path: Path) -> None:
    """The names stand as they were written."""
    assert [one.name for one in board(tmp_path).profiles] == ["prod", "staging"]


def test_a_token_of_the_environment_stays_with_the_profile_it_was_meant_for(tmp_path: Path) -> None:
    """Going over does not carry it to another platform; coming back finds it again."""
    profiles = board(tmp_path)
    assert profiles.environ_of(profiles.named("prod")) == ENVIRON
    assert profiles.environ_of(profiles.named("staging")) == {"PATH": "/usr/bin"}


def test_an_address_without_a_profile_can_be_come_back_to(tmp_path: Path) -> None:
    """It was opened by PLATUI_URL alone, and has the name of its host."""
    profiles = board(tmp_path, environ={"PLATUI_URL": "https://adhoc.example"})
    assert [one.name for one in profiles.profiles] == ["prod", "staging", "adhoc.example"]
    assert profiles.named("adhoc.example").ephemeral


def test_read_only_holds_for_every_profile(tmp_path: Path) -> None:
    """Whatever was asked for on the command line goes along."""
    profiles = board(tmp_path, Options(config=tmp_path / "config.toml", read_only=True))
    assert {one.writes for one in profiles.profiles} == {"off"}
    assert profiles.named("staging").writes == "off"


def test_a_profile_that_is_not_there_is_named_with_the_nearest(tmp_path: Path) -> None:
    """Typed in the dashboard, so it is said by what was typed."""
    with pytest.raises(ConfigError) as raised:
        board(tmp_path).named("stagin")
    assert ":profile stagin" in raised.value.sentence
    assert "staging" in raised.value.sentence


def test_reload_of_the_file(tmp_path: Path) -> None:
    """What it says now counts, and the profile of the start stays that of the start."""
    profiles = board(tmp_path)
    text = TEXT.replace("prod.example", "new.example") + 'token_file = "x"\n[profiles.more]\n'
    (tmp_path / "config.toml").write_text(text + 'url = "https://more.example"\n')
    again = profiles.reload()
    assert again.named("prod").url == "https://new.example"
    assert [one.name for one in again.profiles] == ["prod", "staging", "more"]
    assert again.environ_of(again.named("prod")) == ENVIRON
    below = {**ENVIRON, "PLATUI_URL": "https://prod.example/data"}
    (tmp_path / "config.toml").write_text(TEXT)
    assert board(tmp_path, environ=below).reload().named("prod").url == below["PLATUI_URL"]
    (tmp_path / "config.toml").write_text('[profiles.more]\nurl = "https://more.example"\n')
    with pytest.raises(ConfigError, match="prod"):
        again.reload()
