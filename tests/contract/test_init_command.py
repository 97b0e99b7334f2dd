"""`platui init` as a script types it: a profile that works, or nothing at all."""

from __future__ import annotations

import io
import os
import sys
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.commands import Shell
from tests.support.login_page import login_page, own_certificate
from tests.support.platform import credentials
from tests.texts.init import NEXT

from platui.cli.exit_codes import Exit
from platui.config.credentials import resolve
from platui.config.load import load_settings
from platui.config.settings import Options
from platui.core.errors import ConfigError
from platui.core.paths import config_dir
from platui.core.secrets import Secret
from platui.service.triage.state import TriageState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui.config.profile import Profile
    from platui_emulator.server import RunningEmulator

DEFAULT = pytest.mark.variants(
    "default", reason="tokens tell what they are, projects what they are called"
)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who types commands, and has nothing yet."""
    return Shell(monkeypatch, capfd)


@pytest.fixture
def tokens(platform: RunningEmulator) -> dict[str, Any]:
    """Return a token of every kind."""
    return credentials(platform)


@contextmanager
def on_stdin(text: str) -> Iterator[None]:
    """Let a text come from stdin."""
    before, sys.stdin = sys.stdin, io.StringIO(text)
    try:
        yield
    finally:
        sys.stdin = before


def config() -> Path:
    """Return where the profile is written."""
    return config_dir() / "config.toml"


def token_path(name: str) -> Path:
    """Return where a profile's token lies."""
    return config_dir() / "credentials" / f"{name}.token"


def saved(name: str) -> Profile:
    """Return a profile as it is read again."""
    return load_settings(None, dict(os.environ), Options()).profiles[name]


def nothing_is_written() -> bool:
    """Return whether the user's folders are as empty as before."""
    return not [path for path in Path.home().rglob("*") if path.is_file()]


def test_a_pasted_address_and_a_token_make_a_profile(
    shell: Shell, platform: RunningEmulator
) -> None:
    """The root is found, the token lies in a 0600 file, and stdout stays empty."""
    page = f"{platform.base_url}/{platform.project}/-/jobs/412?x=1#L3"
    with on_stdin(f"{platform.token}\nsecond line\n"):
        said = shell(
            "init",
            "prod",
            "--url",
            page,
            "--token-stdin",
            "--admin-url",
            "https://a.example/api/v1",
        )
    assert (said.code, said.out) == (Exit.DONE, "")
    assert platform.token not in said.err
    assert "Saved profile prod (production) in" in said.err
    assert NEXT in said.err
    assert tomllib.loads(config().read_text()) == {
        "profiles": {
            "prod": {
                "url": platform.base_url,
                "admin_url": "https://a.example",
                "production": True,
            }
        }
    }
    for path in (config(), token_path("prod")):
        assert path.stat().st_mode & 0o777 == 0o600
    assert resolve(saved("prod"), {}).token == Secret(platform.token)


@DEFAULT
def test_it_says_who_one_is_and_how_long_the_token_is_good(
    shell: Shell, platform: RunningEmulator, tokens: dict[str, Any]
) -> None:
    """Name, scopes, days; and that a token which only reads starts nothing."""
    with on_stdin(tokens["personal_read_only"]):
        said = shell("init", "--url", f"{platform.base_url}/api/v4", "--token-stdin")
    assert said.code == Exit.DONE
    assert f"({tokens['user']})" in said.err
    assert "read_api, expires in 180 days" in said.err
    assert "Read-only" in said.err
    assert saved("local").production is False


@pytest.mark.parametrize(
    ("words", "token", "keys"),
    [
        (("--token-command", "printf '%s' {token}"), "personal", {"token_command"}),
        (("--token-file", "{file}"), "personal", {"token_file"}),
        (("--writes", "confirm", "--production"), "personal", {"writes", "production"}),
        ((), "project", set()),
    ],
)
def test_a_token_comes_from_where_one_says(
    shell: Shell,
    platform: RunningEmulator,
    tokens: dict[str, Any],
    tmp_path: Path,
    words: tuple[str, ...],
    token: str,
    keys: set[str],
) -> None:
    """From a command or a file, which go on to give it; else from the environment."""
    file = tmp_path / "token"
    file.write_text(tokens[token])
    file.chmod(0o600)
    given = [word.format(token=tokens[token], file=file) for word in words]
    environ = {} if "--token" in "".join(words) else {"PLATUI_TOKEN": tokens[token]}
    said = shell("init", "one", "--url", platform.base_url, *given, **environ)
    assert said.code == Exit.DONE, said.err
    assert set(tomllib.loads(config().read_text())["profiles"]["one"]) == {"url", *keys}
    assert resolve(saved("one"), dict(os.environ)).token == Secret(tokens[token])
    is_elsewhere = bool({"token_command", "token_file"} & keys)
    assert token_path("one").exists() is not is_elsewhere


@pytest.mark.parametrize(
    ("token", "code", "words"),
    [
        ("personal_expired", Exit.REFUSED, "xpired|does not accept"),
        ("personal_without_scope", Exit.REFUSED, "lacks the scope"),
        ("blocked_personal", Exit.REFUSED, "blocked"),
    ],
)
def test_a_token_that_opens_nothing_is_told_and_not_kept(
    shell: Shell,
    platform: RunningEmulator,
    tokens: dict[str, Any],
    token: str,
    code: Exit,
    words: str,
) -> None:
    """One sentence, a remedy, the code for a refusal; and no file."""
    with on_stdin(tokens[token]):
        said = shell("init", "prod", "--url", platform.base_url, "--token-stdin")
    assert said.code == code
    assert any(word in said.err for word in words.split("|"))
    assert tokens[token] not in said.err
    assert nothing_is_written()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--url", "http://127.0.0.1:1"), Exit.TRY_AGAIN, "refused the connection"),
        (("--url", "http://platform.example.com"), Exit.USAGE, "unencrypted"),
        (("--url", "https://u:hush@h.example"), Exit.USAGE, "user or password"),
        (("--url", "{platform}", "--token-file", "/nonexistent"), Exit.USAGE, "File not found"),
        (("--url", "{platform}"), Exit.USAGE, "--token-stdin"),
        ((), Exit.USAGE, "--url URL"),
        (("--url", "{platform}", "--token-command", "false"), Exit.USAGE, "exit code 1"),
        (("--url", "{platform}", "--token-command", "'"), Exit.USAGE, "Unclosed quote"),
        (("--token-stdin", "--token-file", "x"), Exit.USAGE, "only one source"),
        (("--url", "{platform}", "a b"), Exit.USAGE, "not a valid profile name"),
        (("--url", "{platform}", "--admin-url", "x"), Exit.USAGE, "--admin-url"),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_written(
    shell: Shell, platform: RunningEmulator, words: tuple[str, ...], code: Exit, told: str
) -> None:
    """By address, token, name."""
    said = shell("init", *(word.format(platform=platform.base_url) for word in words))
    assert said.code == code
    assert told in said.err
    assert "hush" not in said.err
    assert nothing_is_written()


def test_a_web_page_is_not_taken_for_a_platform(shell: Shell) -> None:
    """Whoever answers with one is a proxy, a login, or another program; no token goes there."""
    with login_page() as port:
        said = shell("init", "x", "--url", f"http://127.0.0.1:{port}", PLATUI_TOKEN="planted")
    assert said.code == Exit.USAGE
    assert "web page" in said.err
    assert "proxy or login page" in said.err
    assert nothing_is_written()


def test_a_certificate_that_nobody_knows_leads_to_the_option_for_it(
    shell: Shell, tmp_path: Path
) -> None:
    """There is no profile yet in which a bundle could be named."""
    with login_page(own_certificate(tmp_path)) as port:
        said = shell("init", "x", "--url", f"https://127.0.0.1:{port}", PLATUI_TOKEN="planted")
    assert said.code == Exit.TRY_AGAIN
    assert "--ca-bundle FILE" in said.err


def test_a_profile_that_is_there_is_changed_only_when_that_is_meant(
    shell: Shell, platform: RunningEmulator
) -> None:
    """Its comments, its other keys and its token stay."""
    config().parent.mkdir(parents=True)
    config().write_text(
        f"# mine\n[profiles.prod]\nurl = '{platform.base_url}'\ntimeout = 7\n\n"
        "[cache]\ndisk = false\n"
    )
    before = config().read_text()
    token_path("prod").parent.mkdir()
    token_path("prod").write_text(platform.token)
    token_path("prod").chmod(0o600)
    alone = shell("init", "prod")
    assert alone.code == Exit.USAGE
    assert "--yes" in alone.err
    assert config().read_text() == before
    said = shell("init", "prod", "--yes", "--writes", "off", "--default")
    assert said.code == Exit.DONE, said.err
    text = config().read_text()
    assert "# mine" in text
    assert "[cache]\ndisk = false" in text
    profile = saved("prod")
    assert (profile.timeout, profile.writes, profile.production) == (7.0, "off", False)
    assert 'default_profile = "prod"' in text
    assert token_path("prod").read_text() == platform.token


def test_a_profile_that_moves_keeps_its_look_and_no_secret(
    shell: Shell, platform: RunningEmulator
) -> None:
    """Token, key and where they are from belong to the address of before; the rest is a taste."""
    config().parent.mkdir(parents=True)
    config().write_text(
        "[profiles.prod]\nurl = 'https://old.example'\naccent = '#7cc4ff'\npoll_idle = 60.0\n"
        "token = 'planted'\nadmin_url = 'https://admin.example'\nadmin_key_command = ['planted']\n"
    )
    config().chmod(0o600)
    words = ("init", "prod", "--yes", "--url", platform.base_url)
    said = shell(*words, "--admin-url", "https://new.example", PLATUI_TOKEN=platform.token)
    assert said.code == Exit.DONE, said.err
    profile = saved("prod")
    assert (profile.url, profile.accent, profile.poll_idle) == (platform.base_url, "#7cc4ff", 60.0)
    assert profile.admin_url == "https://new.example"
    assert "planted" not in config().read_text()


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_plain_http_is_accepted_for_one_platform_only(shell: Shell, scheme: str) -> None:
    """A profile that moves to another platform does not take its `insecure` with it."""
    config().parent.mkdir(parents=True)
    config().write_text("[profiles.lab]\nurl = 'http://lab.example'\ninsecure = true\n")
    config().chmod(0o600)
    words = "init", "lab", "--yes", "--no-test", "--url"
    assert shell(*words, "http://lab.example", PLATUI_TOKEN="of-lab").code == Exit.DONE
    said = shell(*words, f"{scheme}://new.example", PLATUI_TOKEN="of-new")
    assert said.code == (Exit.USAGE if scheme == "http" else Exit.DONE), said.err
    assert ("unencrypted" in said.err) == (scheme == "http")
    assert saved("lab").insecure == (scheme == "http")


def test_a_profile_of_another_file_does_not_replace_a_token(shell: Shell, tmp_path: Path) -> None:
    """Profiles of one name share the token file; each platform gets its own token only."""
    words = ("init", "prod", "--yes", "--no-test", "--url")
    assert shell(*words, "https://a.example", PLATUI_TOKEN="of-a").code == Exit.DONE
    other = tmp_path / "platui.toml"
    said = shell("--config", str(other), *words, "https://b.example", PLATUI_TOKEN="of-b")
    assert said.code == Exit.USAGE
    assert "prod.token has the token of a profile for https://a.example." in said.err
    assert not other.exists()
    token_path("prod").chmod(0o644)  # which init mends
    assert shell(*words, "https://a.example", PLATUI_TOKEN="of-a").code == Exit.DONE
    (kept := tmp_path / "token").write_text("of-b\n")
    kept.chmod(0o600)
    other.write_text(f"[profiles.prod]\nurl = 'https://b.example'\ntoken_file = '{kept}'\n")
    moves = shell("--config", str(other), *words, "https://b.example", PLATUI_TOKEN="of-b")
    assert moves.code == Exit.USAGE, "the new token would not be saved in the old file"
    assert token_path("prod").read_text().startswith("of-a")
    other.write_text("[profiles.prod]\nurl = 'https://b.example'\n")
    found = load_settings(other, {}, Options()).profiles["prod"]
    assert resolve(found, {}).token is None
    assert resolve(saved("prod"), {}).token == Secret("of-a")
    assert shell(*words, "https://moved.example", PLATUI_TOKEN="new").code == Exit.DONE
    assert resolve(saved("prod"), {}).token == Secret("new")


def test_a_file_with_faults_is_said_before_anything_is_asked(shell: Shell) -> None:
    """It would not be written at the end."""
    config().parent.mkdir(parents=True)
    config().write_text("read_onyl = true\n")
    said = shell("init", "--url", "http://127.0.0.1:1")
    assert said.code == Exit.USAGE
    assert "line 1: read_onyl is not a known key. Did you mean read_only?" in said.err


def test_where_the_profile_cannot_be_written_the_token_is_as_before(
    shell: Shell, platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a new one without its profile, nor an old one that is lost."""

    def fail(*_: object, **__: object) -> Path:
        raise ConfigError("disk full")

    monkeypatch.setattr("platui.cli.commands.init.saving.save_profile", fail)
    said = shell("init", "new", "--url", platform.base_url, PLATUI_TOKEN=platform.token)
    assert (said.code, said.err.splitlines()[-1]) == (Exit.USAGE, "platui: disk full")
    assert nothing_is_written()
    token_path("new").write_text("old\n")
    shell("init", "new", "--url", platform.base_url, PLATUI_TOKEN=platform.token)
    assert token_path("new").read_text() == "old\n"


@DEFAULT
@pytest.mark.parametrize("wish", ["project", "active", "none", "later", "all"])
def test_what_is_watched_can_be_said_at_once(
    shell: Shell, platform: RunningEmulator, wish: str
) -> None:
    """By name, all, those lately active, none; or later, in the dashboard."""
    word = platform.project if wish == "project" else wish
    said = shell(
        "init", "w", "--url", platform.base_url, "--watch", word, PLATUI_TOKEN=platform.token
    )
    assert said.code == Exit.DONE, said.err
    watched = TriageState(saved("w")).memory.value.watched
    assert watched.is_chosen is (wish != "later")
    counts = {"project": 1, "none": 0, "later": 0}
    assert len(watched.projects) == counts.get(wish, len(watched.projects))
    assert bool(watched.projects) is (wish in {"project", "active", "all"})


@DEFAULT
def test_a_project_nobody_knows_is_said_and_nothing_written(
    shell: Shell, platform: RunningEmulator
) -> None:
    """A typing mistake must not leave half a setup behind."""
    words = ("init", "w", "--url", platform.base_url, "--watch", "acme/nowhere")
    said = shell(*words, PLATUI_TOKEN=platform.token)
    assert said.code == Exit.USAGE
    assert "a project acme/nowhere" in said.err
    assert nothing_is_written()


def test_without_the_platform_nothing_is_asked_of_it(shell: Shell) -> None:
    """For a machine that is set up before it is on the network; as careful as with it."""
    words = ("init", "later", "--no-test", "--token-command", "echo planted", "--url")
    said = shell(*words, "http://far.example.com")
    assert (said.code, "unencrypted" in said.err) == (Exit.USAGE, True)
    said = shell(*words, "https://h.example", "--watch", "all")
    assert (said.code, "--no-test" in said.err) == (Exit.USAGE, True)
    assert nothing_is_written()
    said = shell(*words, "https://no-such-host.invalid/a/-/b", "--watch", "none")
    assert said.code == Exit.DONE
    assert saved("later").url == "https://no-such-host.invalid"
    assert saved("later").token_command == ("echo", "planted")


def test_another_config_file_is_made_where_it_is_named(
    shell: Shell, platform: RunningEmulator, tmp_path: Path
) -> None:
    """And what to type next names it, quoted for a shell."""
    file = tmp_path / "my own.toml"
    words = ("--config", str(file), "init", "one", "--url", platform.base_url)
    said = shell(*words, PLATUI_TOKEN=platform.token)
    assert said.code == Exit.DONE
    assert f"platui --config '{file}'" in " ".join(said.err.split())
    assert "one" in tomllib.loads(file.read_text())["profiles"]
    assert not config().exists()
