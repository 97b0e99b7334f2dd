"""Writing a profile keeps the file as its owner wrote it."""

from __future__ import annotations

import fcntl
import os
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from platui.config import profile_writer as write
from platui.config.load import load_settings, read_config_file
from platui.config.profile import Profile
from platui.config.profile_writer import save_profile
from platui.config.settings import Options
from platui.core.errors import ConfigError
from platui.core.secrets import Secret

NEW = Profile(
    "new.one", "https://new.example", production=True, writes="off", timeout=5.0,
    token_command=("pass", 'sh"ow\\'), ca_bundle=Path("/etc/ca.pem"),
)  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return where a config.toml goes."""
    return tmp_path / "deep" / "config.toml"


def written(config: Path, text: str) -> Path:
    """Write the file as it is before."""
    config.parent.mkdir(exist_ok=True)
    config.write_text(text)
    return config


def profiles(config: Path) -> dict[str, Profile]:
    """Return the profiles that the file has."""
    return dict(load_settings(config, {}, Options()).profiles)


def test_a_first_profile_makes_the_file(config: Path) -> None:
    """Folder and file are made, private; the profile reads back equal."""
    assert save_profile(NEW, file=config, make_default=True) == config
    assert profiles(config) == {"new.one": NEW}
    assert load_settings(config, {}, Options()).default_profile == "new.one"
    assert config.stat().st_mode & 0o777 == 0o600


def test_only_what_differs_is_written_and_never_a_secret(config: Path) -> None:
    """Defaults stay out, and so do tokens."""
    profile = Profile("x", "https://h.example", token=Secret("hush"), admin_key=Secret("hush"))
    save_profile(profile, file=config)
    assert tomllib.loads(config.read_text()) == {"profiles": {"x": {"url": "https://h.example"}}}


@pytest.mark.parametrize(
    "before",
    [
        "# mine\ntheme = 'ansi' # nice\n",
        "# mine\r\ntheme = 'ansi'\r\n",
        "# mine\n[profiles.a]  # first\nurl = 'https://a.example'",
        "# mine\nprofiles.a.url = 'https://a.example'\n[cache]\nmax_mb = 5\n",
    ],
    ids=["top", "carriage returns", "no line end", "dotted"],
)
def test_a_new_profile_keeps_every_comment(config: Path, before: str) -> None:
    """What was there is still there, to the letter."""
    written(config, before)
    known = profiles(config)
    save_profile(NEW, file=config)
    assert config.read_bytes().decode().startswith(before)
    assert profiles(config) == known | {"new.one": NEW}


def test_a_file_that_cannot_take_a_table_is_left_alone(config: Path) -> None:
    """TOML forbids [profiles.x] beside an inline table; rewriting would lose the comment."""
    before = "# mine\nprofiles = { a = { url = 'https://a.example' } }\n"
    written(config, before)
    with pytest.raises(ConfigError, match="would lose comments"):
        save_profile(NEW, file=config)
    assert config.read_text() == before


def test_a_profile_is_replaced_in_its_place(config: Path) -> None:
    """Other tables and all comments stay; a plain-text secret stays where its owner put it."""
    written(
        config,
        "# mine\n\n[profiles.a]\nurl = 'https://a.example/old'\ntoken = 'hush'\n\n"
        "# of b\n[profiles.b]\nurl = 'https://b.example' # b\n",
    ).chmod(0o600)
    save_profile(Profile("a", "https://a.example", rate_limit=60), file=config)
    a = Profile("a", "https://a.example", rate_limit=60, token=Secret("hush"))
    assert profiles(config) == {"a": a, "b": Profile("b", "https://b.example")}
    assert config.read_text() == (
        "# mine\n\n[profiles.a]\nurl = \"https://a.example\"\ntoken = 'hush'\nrate_limit = 60\n\n"
        "# of b\n[profiles.b]\nurl = 'https://b.example' # b\n"
    )


@pytest.mark.parametrize("turn", ["\n", "\r\n"])
def test_a_table_with_comments_is_changed_line_by_line(config: Path, turn: str) -> None:
    """A colour has the sign of a comment; what goes leaves its comment, what stays its spelling."""
    before = [
        "[profiles.'a'] # first",
        "# the blue one",
        'accent = "#7cc4ff" # sky',
        "url='https://a.example/old' # moved soon",
        "timeout = 0x7",
        "token_command = [",
        '  "pass", # of work',
        '  "show",',
        "] # asks twice",
        "future.shade = '#fff'",
        "",
        "# of b",
        "[profiles.b]",
        "url = 'https://b.example'",
    ]
    written(config, "").write_bytes(turn.join([*before, ""]).encode())
    known = profiles(config)["a"]
    a = replace(known, url="https://a.example", token_command=(), writes="off")
    save_profile(a, file=config)
    assert profiles(config)["a"] == a
    assert config.read_bytes().decode().split(turn) == [
        *before[:3],
        'url = "https://a.example" # moved soon',
        "timeout = 0x7",
        "# asks twice",
        "future.shade = '#fff'",
        'writes = "off"',
        *before[10:],
        "",
    ]


def test_a_value_that_stays_is_not_spelled_otherwise(config: Path, tmp_path: Path) -> None:
    """Paths can be those of every machine, also beside a link to the file."""
    before = (
        "[profiles.a]\nurl = 'https://A.example/api/v4'\nca_bundle = \"~/company.pem\"\n"
        "token_file = 'a.token'\n"
    )
    target = tmp_path / "dotfiles.toml"
    target.write_text(before)
    config.parent.mkdir()
    config.symlink_to(target)
    save_profile(replace(profiles(config)["a"], token_file=None), file=config)
    assert target.read_text() == before.replace("token_file = 'a.token'\n", "")
    target.write_text(before)
    save_profile(replace(profiles(config)["a"], writes="off"), file=config)
    assert target.read_text() == f'{before}writes = "off"\n'


def test_no_secret_in_clear_goes_along_to_another_address(config: Path) -> None:
    """The token belongs to the address that it stood beside, the key to its own."""
    text = (
        "[profiles.a]\nurl = 'https://a.example'\ntoken = 'hush'\n"
        "admin_url = 'https://admin.example'\nadmin_key = 'hush'\n"
    )
    written(config, text).chmod(0o600)
    save_profile(Profile("a", "https://b.example", admin_url="https://b.example"), file=config)
    assert "hush" not in config.read_text()
    written(config, text).chmod(0o600)
    save_profile(Profile("a", "https://a.example/x", admin_url="https://b.example"), file=config)
    assert profiles(config)["a"].token == Secret("hush")
    assert profiles(config)["a"].admin_key is None


@pytest.mark.parametrize(
    "before",
    [
        "[profiles]\na = { url = 'https://old.example' }\n",
        "[profiles.a]\nurl = 'https://old.example'",
        "[ profiles . 'a' ]\nurl = 'https://old.example'\n[cache]\nmax_mb = 3\n",
        "profiles.a.url = 'https://old.example'\n",
    ],
)
def test_any_spelling_is_replaced_where_no_comment_is_lost(config: Path, before: str) -> None:
    """A file without comments may be written anew."""
    written(config, before)
    cache = load_settings(config, {}, Options()).cache
    save_profile(Profile("a", "https://a.example"), file=config)
    assert profiles(config) == {"a": Profile("a", "https://a.example")}
    assert load_settings(config, {}, Options()).cache == cache


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("# mine\n", 'default_profile = "new.one"\n\n# mine\n'),
        (
            "#:schema ./schema.json\n# mine\n",
            '#:schema ./schema.json\ndefault_profile = "new.one"\n\n# mine\n',
        ),
        (
            "default_profile = 'a' # mine\n[profiles.a]\nurl = 'https://a.example'\n",
            'default_profile = "new.one" # mine\n',
        ),
    ],
)
def test_the_default_is_set_beside_its_comment(config: Path, before: str, line: str) -> None:
    """The one line that says so is changed, or put at the top."""
    written(config, before)
    save_profile(NEW, file=config, make_default=True)
    assert config.read_text().startswith(line)
    assert load_settings(config, {}, Options()).default_profile == "new.one"


@pytest.mark.parametrize("before", ["theme = [", "read_onyl = 1\n", "[profiles.a]\n"])
def test_a_broken_file_is_left_alone(config: Path, before: str) -> None:
    """Adding to what cannot be read would hide the fault."""
    written(config, before)
    with pytest.raises(ConfigError):
        save_profile(NEW, file=config)
    assert config.read_text() == before


@pytest.mark.parametrize("comment", ["", "  # of a newer one"])
def test_what_is_not_understood_is_not_lost(config: Path, comment: str) -> None:
    """Keys and tables of a newer platui: at the top, in the profile itself, and below it."""
    before = (
        f"future = [1, 2]{comment}\n[profiles.'new.one']\nurl = 'https://old.example'\n"
        "since = 2026-01-02\nshades = [{ a = 1 }]\n"
        f"[profiles.'new.one'.limits]{comment}\nlogs = 3\n[clouds]\nrain = true\n"
    )
    document = tomllib.loads(written(config, before).read_text())
    save_profile(NEW, file=config)
    after = tomllib.loads(config.read_text())
    for key in ("since", "shades", "limits"):
        assert after["profiles"]["new.one"][key] == document["profiles"]["new.one"][key]
    assert after["future"] == [1, 2]
    assert after["clouds"] == {"rain": True}
    assert config.read_text().count(comment) >= 2
    assert profiles(config) == {"new.one": NEW}


def test_a_profile_that_could_not_be_read_back_is_not_written(config: Path) -> None:
    """Values pass the same checks as typed ones."""
    for profile in (
        replace(NEW, name="../x"),
        replace(NEW, url="x"),
        replace(NEW, rate_limit=0),
        replace(NEW, timeout=0.0),
    ):
        with pytest.raises(ConfigError):
            save_profile(profile, file=config)
    assert not config.exists()


def test_who_writes_at_the_same_time_loses_nothing(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one reads what the first has written."""
    names = [f"p{number}" for number in range(8)]

    def slow(path: Path) -> Any:
        found = read_config_file(path)
        sleep(0.01)  # so long does a slow disk take; others come in between
        return found

    monkeypatch.setattr("platui.config.profile_writer.read_config_file", slow)
    with ThreadPoolExecutor(len(names)) as pool:
        list(
            pool.map(
                lambda name: save_profile(Profile(name, "https://h.example"), file=config), names
            )
        )
    assert sorted(profiles(config)) == names


def test_a_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    """A config.toml in a repository of dotfiles is written there."""
    target = tmp_path / "dotfiles.toml"
    target.write_text("# mine\n")
    config.parent.mkdir()
    config.symlink_to(target)
    save_profile(NEW, file=config)
    assert config.is_symlink()
    assert target.read_text().startswith("# mine\n")
    assert profiles(config) == {"new.one": NEW}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file where a folder is needed."""
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be"):
        save_profile(NEW, file=tmp_path / "file" / "config.toml")


def test_a_process_that_stands_still_takes_no_profile_away(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would write over what is written beside it: that is left alone, and said."""
    monkeypatch.setattr(write, "_LOCK_TIMEOUT", 0.02)
    save_profile(NEW, file=config)
    before = config.read_bytes()
    stopped = os.open(config.parent, os.O_RDONLY)
    try:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        with pytest.raises(ConfigError, match="Another platui has locked"):
            save_profile(Profile("x", "https://h.example"), file=config)
    finally:
        os.close(stopped)
    assert config.read_bytes() == before
    save_profile(Profile("x", "https://h.example"), file=config)
    assert profiles(config).keys() == {NEW.name, "x"}
