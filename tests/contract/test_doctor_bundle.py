"""`platui doctor --bundle`: an archive for a bug report in which no secret is, however it lies."""

from __future__ import annotations

import base64
import json
import sys
import tarfile
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.support.commands import Shell

from platui.cli.exit_codes import Exit
from platui.cli.redaction import Redactor, masked_config, secrets_among
from platui.core.paths import config_dir

if TYPE_CHECKING:
    from pathlib import Path

    from platui_emulator.server import RunningEmulator

SECRETS = {
    "config": "planted/in+config.toml=1",
    "environment": "planted-in-the-environment-2",
    "file": "planted_in_a_file_of_credentials_3",
    "address": "planted!in:an%address-4",
    "command": "planted.by.a.command.5",
}
"""One in each place; they have signs that other spellings have in another way."""

COMMENTED = "planted-in-a-comment-6"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who types commands."""
    return Shell(monkeypatch, capfd)


def spellings(secret: str) -> set[bytes]:
    """Return a secret as it may stand somewhere."""
    data = secret.encode()
    return {
        data, quote(secret, safe="").encode(), base64.b64encode(data).rstrip(b"="),
        data.hex().encode(), json.dumps(secret)[1:-1].encode(),
    }  # fmt: skip


def unpacked(path: Path) -> dict[str, bytes]:
    """Return the files of an archive by their names."""
    with tarfile.open(path) as archive:
        members = {one.name: archive.extractfile(one) for one in archive.getmembers()}
        return {name.partition("/")[2]: file.read() for name, file in members.items() if file}


def plant(platform: RunningEmulator, debug: Path) -> None:
    """Put the secrets where they lie, and speak of all of them in a log."""
    folder = config_dir()
    (folder / "credentials" / "other.triggers").mkdir(parents=True)
    printed = [sys.executable, "-c", f"print({SECRETS['command']!r})"]
    (folder / "config.toml").write_text(
        f"debug_file = {json.dumps(str(debug))}\ndefault_profile = 'here'\n"
        f"# the old one was {COMMENTED}\n"
        f"[profiles.here]\nurl = '{platform.base_url}'\ntoken_command = {json.dumps(printed)}\n"
        f"[profiles.other]\nurl = 'https://h.example'\ntoken = '{SECRETS['config']}'\n"
    )
    for name in ("other.token", "other.triggers/acme%2Fetl.token"):
        (folder / "credentials" / name).write_text(f"{SECRETS['file']}\n")
    for path in (folder / "config.toml", *folder.rglob("*.token")):
        path.chmod(0o600)
    lines = []
    for secret in SECRETS.values():
        packed = base64.b64encode(secret.encode()).decode()
        lines += [
            f"GET projects?private_token={quote(secret, safe='')}&page=2 200 12 ms",
            f"PRIVATE-TOKEN: {secret}", f"Authorization: Basic {packed}", f"body {packed}",
            f"https://me:{secret}@h.example/x", f'{{"said": {json.dumps(secret)}}}',
            f"hex {secret.encode().hex()}",
        ]  # fmt: skip
    debug.write_text("\n".join(["an early line", *lines, "the last line of the log"]))


@pytest.mark.parametrize("words", [(), ("--offline",)])
def test_no_planted_secret_is_in_the_archive(
    platform: RunningEmulator, shell: Shell, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """Neither as it is nor encoded; what helps is there, and nobody else can read it."""
    plant(platform, tmp_path / "debug.log")
    bundle = tmp_path / "report.tar.gz"
    said = shell(
        "doctor", "--bundle", str(bundle), *words,
        PLATUI_ADMIN_KEY=SECRETS["environment"], MY_DB_PASSWORD=SECRETS["environment"],
        https_proxy=f"http://me:{SECRETS['address']}@proxy.example:1",
        PLATUI_ADMIN_URL=platform.base_url,
    )  # fmt: skip
    assert "report.tar.gz (" in said.err
    assert bundle.stat().st_mode & 0o777 == 0o600
    files = unpacked(bundle)
    assert files.keys() == {
        "README.txt", "doctor.json", "versions.json", "config.toml", "requests.json",
        "stores.json", "debug.log",
    }  # fmt: skip
    for name, content in files.items():
        for place, secret in (*SECRETS.items(), ("comment", COMMENTED)):
            for spelling in spellings(secret):
                assert spelling not in content, f"{place} in {name}: {spelling!r}"
    for secret in SECRETS.values():
        assert secret not in said.out + said.err
    found: dict[str, Any] = json.loads(files["doctor.json"])
    assert found["schema"] == "platui.doctor/1"
    assert b"the last line of the log" in files["debug.log"]
    assert b"page=2 200 12 ms" in files["debug.log"]
    assert b"[profiles.here]" in files["config.toml"]
    assert b"default_profile" in files["config.toml"]
    asked = json.loads(files["requests.json"])
    assert bool(asked) is (not words)
    assert all(one["path"].startswith(("projects", "user", "personal", "version")) for one in asked)


def test_an_archive_that_is_there_is_not_overwritten(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be the evidence of another day; of a name that is none nothing comes."""
    there = tmp_path / "report.tar.gz"
    there.write_text("kept")
    said = shell("doctor", "--offline", "--bundle", str(there))
    assert said.code == Exit.USAGE
    assert "already" in said.err
    assert there.read_text() == "kept"
    other = shell("doctor", "--offline", "--bundle", str(tmp_path / "b.zip"))
    assert (other.code, other.out) == (Exit.USAGE, ""), "said before anything is looked at"
    assert "--bundle b.tar.gz" in other.err
    monkeypatch.chdir(tmp_path)
    assert ".tar.gz (" in shell("doctor", "--bundle", "--offline").err
    assert len(list(tmp_path.glob("platui-report-*.tar.gz"))) == 1
    nowhere = shell("doctor", "--offline", "--bundle", "/proc/nowhere/report.tar.gz")
    assert "cannot be written" in nowhere.err


def test_a_broken_config_goes_along_without_its_values(shell: Shell, tmp_path: Path) -> None:
    """Which keys there are says enough; it cannot be told which values are secret."""
    config_dir().mkdir(parents=True)
    (config_dir() / "config.toml").write_text(
        f"[profiles.a]\nurl = 'https://h.example'\ntoken = '{SECRETS['config']}\n# {COMMENTED}\n"
    )
    bundle = tmp_path / "report.tar.gz"
    shell("doctor", "--offline", "--bundle", str(bundle))
    kept = unpacked(bundle)["config.toml"].decode()
    assert "url = •••" in kept
    assert "token = •••" in kept
    assert "not TOML" in kept
    assert not any(word in kept for word in (SECRETS["config"], COMMENTED, "h.example"))


@pytest.mark.parametrize(
    "lines",
    [
        'token_command =\n  ["login", "-password", "hunter2pass"]',
        'token_command =\n  ["hunter2pass"]',
        'token_command = [\n"read", "-p=hunter2pass" "x"\n]',
        "url = 'https://h.example'\nhunter2pass",
    ],
)
def test_no_argument_of_a_broken_config_goes_along(
    shell: Shell, tmp_path: Path, lines: str
) -> None:
    """Neither as the header of a table, nor where the error quotes its line."""
    config_dir().mkdir(parents=True)
    (config_dir() / "config.toml").write_text(f'[profiles."a b"] # hunter2pass\n{lines}\n')
    bundle = tmp_path / "report.tar.gz"
    shell("doctor", "--offline", "--bundle", str(bundle))
    kept = unpacked(bundle)
    assert '[profiles."a b"]\n' in kept["config.toml"].decode()
    assert not [name for name, content in kept.items() if b"hunter2pass" in content]


def test_of_a_config_secrets_arguments_and_strangers_are_masked(tmp_path: Path) -> None:
    """Programs, paths and choices stay."""
    text = """
theme = "ansi"
tokn = "x"
[profiles.prod]
url = "https://me:hush@h.example/data"
token = "hush"
token_command = ["pass", "show", "private/path"]
token_fil = "mistyped"
production = true
ca_bundle = "/etc/ca.pem"
[[errors]]
name = "own"
pattern = "glpat-abcdefghijklmnop"
[strange]
a = 1
"""
    masked = masked_config(text, tmp_path / "config.toml", Redactor([]))
    for kept in ('theme = "ansi"', "production = true", "/etc/ca.pem", '"pass"', "h.example/data"):
        assert kept in masked
    for gone in ("hush", "private/path", "mistyped", '"x"', "glpat", "a = 1"):
        assert gone not in masked


def test_what_looks_like_a_secret_is_masked_though_nobody_knows_it() -> None:
    """By what stands around it; short or common words of the environment hide nothing else."""
    redact = Redactor(secrets_among({"X_TOKEN": "true", "A_SECRET": "12345678", "HOME": "/root"}))
    assert Redactor(secrets_among({"P": "http://me:p@ss/w@proxy"}))("p@ss/w") == "•••"
    assert redact("true /root 12345678") == "true /root •••"
    assert redact("x?page=1&access_token=abc#y") == "x?page=1&access_token=•••#y"
    assert redact("private-token: abc def") == "private-token: •••"
    assert redact('{"Authorization": "Bearer abc"}') == '{"Authorization": "•••"}'
    assert redact("git clone https://me:pw@h.example/x") == "git clone https://•••@h.example/x"
    assert redact("at https://me:p@ss/w?@h.example/x") == "at https://•••@h.example/x"
    assert redact('"https://h.example", "a@b"') == '"https://h.example", "a@b"'
    assert redact("of glpat-AbCdEfGhIjKlMn0p it") == "of ••• it"
    assert redact.value({"a": ["12345678", 3, None]}) == {"a": ["•••", 3, None]}
