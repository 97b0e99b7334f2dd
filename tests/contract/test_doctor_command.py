"""`platui doctor`: what it finds, what it says to do, and with which code it ends."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.commands import Shell
from tests.support.faults import fault
from tests.support.login_page import login_page, own_certificate
from tests.support.platform import credentials
from tests.support.service import requests_of

from platui.cli.exit_codes import Exit
from platui.core.paths import cache_dir, config_dir, data_dir, state_dir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.command_user import User

    from platui_emulator.server import RunningEmulator

NAMES = {
    "versions", "config", "profile", "permissions", "token", "proxy", "platform", "tls", "clock",
    "user", "scopes", "budget", "neighbours", "admin", "terminal", "cache", "state", "reports",
}  # fmt: skip
"""What is looked at without a terminal; of other things there is a line where they are amiss."""

LOST = ("user", "scopes", "budget", "neighbours")
"""What has a line also where no platform answers."""

DEFAULT = pytest.mark.variants("default", reason="tokens tell what they are; neighbours are there")


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Return somebody who types commands, and has nothing yet."""
    return Shell(monkeypatch, capfd)


def looked(shell: Shell, *words: str, **environ: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return exit code and checks by name; of several of a name the worst."""
    said = shell("doctor", "--json", *words, **environ)
    assert len(said.lines) == 1, said.out
    found = json.loads(said.out)
    check_shape(found)
    assert found["exit_code"] == said.code
    order = ["skipped", "ok", "warning", "failed"]
    checks = sorted(found["checks"], key=lambda one: order.index(one["status"]))
    return said.code, {one["name"]: one for one in checks}


def check_shape(found: dict[str, Any]) -> None:
    """Hold the object against its schema, platui.doctor/1."""
    assert found.keys() == {"schema", "at", "is_ok", "exit_code", "checks"}
    assert found["schema"] == "platui.doctor/1"
    assert found["at"].endswith("+00:00")
    assert found["is_ok"] is (found["exit_code"] == 0)
    for one in found["checks"]:
        assert one.keys() == {"name", "status", "what", "remedy", "facts"}
        assert one["status"] in {"ok", "warning", "failed", "skipped"}
        assert one["what"].isprintable()
        assert one["what"]
        assert isinstance(one["facts"], dict)
        needs_remedy = one["status"] in {"warning", "failed"}
        assert needs_remedy is bool(one["remedy"]), one


def write_config(text: str) -> Path:
    """Write config.toml."""
    file = config_dir() / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


@DEFAULT
def test_a_setup_that_works_is_well_line_by_line(user_of: Callable[..., User]) -> None:
    """Everything has its line; the token is in none of them, and nothing was written."""
    user = user_of()  # where nobody has made a project in which there is nothing yet
    seen = user.seen
    said = user("doctor")
    assert said.code == Exit.DONE, said.out
    assert said.lines[-1] == "No problems found."
    assert all(line.startswith(("✔ ok ", "» skipped ", "   ")) for line in said.lines[:-1])
    assert {line.split()[2] for line in said.lines[:-1] if line[0] in "✔»"} == NAMES
    assert user.environ["PLATUI_TOKEN"] not in said.out + said.err
    assert user.writes_since(seen) == []
    code, checks = looked(user)
    assert code == Exit.DONE
    assert checks["token"]["facts"] == {"source": "environment"}
    assert checks["user"]["facts"]["username"] == credentials(user.platform)["user"]
    assert checks["scopes"]["facts"]["scopes"] == ["api"]
    # None: not to be told, of a project without a pipeline that another test has made.
    assert False not in checks["neighbours"]["facts"]["neighbours"].values()
    assert len(checks["platform"]["facts"]["round_trips_ms"]) == 3
    assert checks["budget"]["facts"]["by_doctor"] in {14, 15}
    assert checks["budget"]["facts"]["others_here"] >= 14, "those of the run before"
    assert abs(checks["clock"]["facts"]["ahead_seconds"]) < 2


@pytest.mark.variants("spec-only", "default", reason="texts are what they seem")
def test_a_platform_without_neighbours_is_well_too(
    narrow_platform: RunningEmulator, shell: Shell
) -> None:
    """What goes without is said; it is no fault."""
    code, checks = looked(
        shell, "--url", narrow_platform.base_url, PLATUI_TOKEN=narrow_platform.token
    )
    assert code == Exit.DONE
    assert "no user" in checks["neighbours"]["what"]
    assert not any(checks["neighbours"]["facts"]["neighbours"].values())
    assert checks["user"]["facts"]["username"] is None
    assert "unknown" in checks["scopes"]["what"]


@DEFAULT
def test_a_neighbour_that_is_not_implemented_is_missing(user: User) -> None:
    """As one is to whose address the platform does not listen."""
    with fault(user.platform, "server_error", status=501, path=r"/repository/tags"):
        _, checks = looked(user, PLATUI_URL=user.platform.faults_url)
    assert checks["neighbours"]["facts"]["neighbours"]["tags"] is False
    assert checks["neighbours"]["facts"]["neighbours"]["branches"] is not False


@DEFAULT
def test_a_profile_without_neighbours_asks_for_none(user: User) -> None:
    """Nor does it tell what the platform has of them: platui uses none."""
    write_config(f'[profiles.narrow]\nurl = "{user.platform.base_url}"\nneighbours = "off"\n')
    seen = user.seen
    code, checks = looked(user, "--profile", "narrow", PLATUI_URL="")
    assert code == Exit.DONE
    assert checks["scopes"]["status"] == checks["neighbours"]["status"] == "skipped"
    assert 'neighbours = "off"' in checks["neighbours"]["what"]
    assert checks["user"]["facts"]["username"] is None
    asked = {one["path"].partition("?")[0] for one in requests_of(user.platform, seen)}
    assert asked == {"/api/v4/projects"}


def test_without_a_profile_it_says_how_to_make_one(shell: Shell) -> None:
    """The network is left alone; what can be looked at is."""
    code, checks = looked(shell)
    assert code == Exit.USAGE
    assert "platui init" in checks["profile"]["remedy"]
    assert checks["platform"]["status"] == "skipped"
    assert {"permissions", "cache", "terminal"} <= checks.keys()


def test_every_fault_of_the_file_has_a_line(shell: Shell) -> None:
    """With file and key, and what to do."""
    write_config("them = 'x'\n[profiles.a]\nurl = 'https://h.example'\nwrites = 'maybe'\n")
    said = shell("doctor", "--offline")
    assert said.code == Exit.USAGE
    faults = [line for line in said.lines if line.startswith("✖ failed  config")]
    assert len(faults) == 2
    assert "them is not a known key" in said.out
    assert "profiles.a.writes must be" in said.out
    assert said.out.count("→ Fix it in the file.") == 2
    assert said.lines[-1] == "2 failed."


def test_files_that_others_can_read_or_write_are_told(user: User) -> None:
    """With the command that closes them; a token in such a file is not used."""
    write_config(f"[profiles.here]\nurl = '{user.platform.base_url}'\n").chmod(0o666)
    token = config_dir() / "credentials" / "here.token"
    token.parent.mkdir()
    token.write_text("planted-token")
    token.chmod(0o644)
    (state_dir() / "triage").mkdir(parents=True)
    said = user("doctor", "--offline")
    assert said.code == Exit.USAGE
    assert f"→ chmod 600 {token}" in said.out
    assert f"→ chmod go-w {config_dir() / 'config.toml'}" in said.out
    assert "planted-token" not in said.out
    token.chmod(0o600)
    (state_dir() / "audit.jsonl").touch(mode=0o644)
    _, checks = looked(user, "--offline")
    assert checks["permissions"]["status"] == "failed"
    (config_dir() / "config.toml").chmod(0o644)
    _, checks = looked(user, "--offline")
    assert checks["permissions"]["remedy"] == f"chmod -R go= {state_dir()}"


@DEFAULT
@pytest.mark.parametrize(
    ("token", "code", "check", "words"),
    [
        ("personal_expired", Exit.REFUSED, "user", "expired"),
        ("personal_without_scope", Exit.REFUSED, "user", "lacks the scope"),
        ("personal_expiring_soon", Exit.DONE, "scopes", "expires in 3 days"),
        ("personal_read_only", Exit.DONE, "scopes", "writes are not allowed"),
    ],
)
def test_what_a_token_cannot_do_is_told_with_its_remedy(
    user: User, token: str, code: Exit, check: str, words: str
) -> None:
    """Refused, or soon no longer good, or too weak for what the profile is meant for."""
    write_config(f"[profiles.here]\nurl = '{user.platform.base_url}'\nwrites = 'confirm'\n")
    given = credentials(user.platform)[token]
    found, checks = looked(user, PLATUI_TOKEN=given)
    assert found == code
    assert words in checks[check]["what"]
    assert checks[check]["remedy"]
    assert ("platui init here" in checks[check]["remedy"]) is (token == "personal_expired")
    lost = {checks[name]["status"] == "skipped" for name in LOST[1:]}
    assert lost == {code == Exit.REFUSED}
    assert given not in json.dumps(checks)


def test_a_token_of_another_profile_is_not_sent(shell: Shell) -> None:
    """PLATUI_PROFILE says what the environment is for, `--profile` what to look at."""
    write_config(
        "[profiles.prod]\nurl = 'https://prod.example'\n[profiles.test]\nurl = 'https://t.example'\n"
    )
    words = "doctor", "--offline", "--json", "--profile", "prod"
    said = shell(*words, PLATUI_PROFILE="test", PLATUI_TOKEN="of-test")
    [document] = said.objects
    [token] = [one for one in document["checks"] if one["name"] == "token"]
    assert token["status"] == "failed"
    assert "that of PLATUI_URL or PLATUI_PROFILE" in token["what"]


def test_there_is_no_token(user: User) -> None:
    """It says where one could come from, and asks the platform all the same."""
    user.environ.pop("PLATUI_TOKEN")
    code, checks = looked(user)
    assert code == Exit.USAGE
    assert checks["token"]["status"] == "failed"
    assert checks["platform"]["status"] == "ok"
    assert "requires a token" in checks["user"]["what"]


@DEFAULT
def test_a_job_finds_all_it_needs_in_its_environment(user: User) -> None:
    """Its token, the platform's address, its project; what its token does not open is no fault."""
    running = credentials(user.platform)["jobs"]["running"]
    user.environ = {
        "CI_JOB_TOKEN": running["token"], "CI_SERVER_URL": user.platform.base_url,
        "CI_PROJECT_PATH": running["project"],
    }  # fmt: skip
    for name in ("PLATUI_TOKEN", "PLATUI_URL", "PLATUI_PROFILE", "PLATUI_TRIGGER_TOKEN"):
        user.environ[name] = ""
    code, checks = looked(user)
    assert code == Exit.DONE
    assert checks["user"]["facts"]["job"] == running["job_id"]
    assert {checks[name]["status"] for name in LOST[1:]} == {"skipped"}
    seen = user.seen
    locked = user("trigger", "--ref", "main")
    assert locked.code == Exit.REFUSED
    opening = re.search(r"(--unlock) (\S+) (--yes)", locked.err)
    assert opening is not None
    assert user.writes_since(seen) == []
    # Its project is one of the platform that runs it, and of no other one.
    another = {"PLATUI_URL": user.platform.base_url, "CI_SERVER_URL": "https://another.example"}
    elsewhere = user("trigger", "--ref", "main", *opening.groups(), **another)
    assert elsewhere.code == Exit.USAGE, elsewhere
    assert user.writes_since(seen) == []
    said = user("trigger", "--ref", "main", *opening.groups())
    assert said.code == Exit.DONE, said.err
    assert f"/{running['project']}/" in said.out


def test_an_address_that_goes_on_too_far_is_told_with_the_right_one(user: User) -> None:
    """That of a group is no platform's; config check notes it, and starts nothing anew."""
    address = f"{user.platform.base_url}/acme/etl"
    write_config(f"[profiles.here]\nurl = '{address}'\n")
    user.at(address)
    code, checks = looked(user)
    assert code == Exit.USAGE
    assert checks["platform"]["status"] == "failed"
    assert f"The platform is at {user.platform.base_url}: set" in checks["platform"]["remedy"]
    assert {checks[name]["status"] for name in LOST} == {"skipped"}
    said = user("config", "check")
    assert said.code == Exit.DONE
    assert "note: profiles.here.url has a path after the host: /acme/etl" in said.out


@pytest.mark.parametrize(
    ("url", "check", "words"),
    [
        ("http://127.0.0.1:1", "platform", "refused the connection"),
        ("https://no-such-host.invalid", "platform", "not found"),
    ],
)
def test_a_platform_that_is_away_is_another_try(
    shell: Shell, url: str, check: str, words: str
) -> None:
    """What was not looked at therefore is skipped, not failed."""
    code, checks = looked(shell, "--url", url, PLATUI_TOKEN="planted")
    assert code == Exit.TRY_AGAIN
    assert words in checks[check]["what"]
    assert checks["scopes"]["status"] == "skipped"


def test_a_proxy_in_between_is_named_without_its_password(shell: Shell) -> None:
    """And it is the one that does not answer."""
    code, checks = looked(
        shell, "--url", "https://platform.example.com",
        PLATUI_TOKEN="planted", https_proxy="http://me:hush@127.0.0.1:1",
    )  # fmt: skip
    assert code == Exit.TRY_AGAIN
    assert checks["proxy"]["facts"]["proxy"] == "127.0.0.1:1"
    assert "proxy" in checks["platform"]["what"]
    assert "hush" not in json.dumps(checks)


def test_certificates_are_told(shell: Shell, tmp_path: Path) -> None:
    """Whom nobody knows fails; with one's own bundle it is verified, and ends soon."""
    certificate = own_certificate(tmp_path)
    with login_page(certificate) as port:
        text = f"[profiles.own]\nurl = 'https://127.0.0.1:{port}'\n"
        write_config(text)
        code, checks = looked(shell, PLATUI_TOKEN="planted")
        assert code == Exit.TRY_AGAIN
        assert "self-signed" in checks["tls"]["what"]
        assert "ca_bundle" in checks["tls"]["remedy"]
        write_config(f"{text}ca_bundle = '{certificate}'\n")
        code, checks = looked(shell, PLATUI_TOKEN="planted")
    assert checks["tls"]["status"] == "warning"
    assert checks["tls"]["facts"]["host"] == "127.0.0.1"
    assert str(certificate) in checks["tls"]["what"]
    assert code == Exit.USAGE, "a web page is no platform"
    assert checks["platform"]["status"] == "failed"
    assert "web page" in checks["platform"]["what"]
    assert {checks[name]["status"] for name in LOST} == {"skipped"}


@DEFAULT
def test_a_clock_that_is_wrong_is_told(user_of: Callable[..., User]) -> None:
    """By how much, and in which direction; ages would be as wrong."""
    user = user_of()
    user.at(user.platform.faults_url)
    with fault(user.platform, "clock_skew", seconds=240):
        code, checks = looked(user)
    assert code == Exit.DONE
    assert checks["clock"]["status"] == "warning"
    assert "behind the platform" in checks["clock"]["what"]
    assert 235 < checks["clock"]["facts"]["ahead_seconds"] < 245


@DEFAULT
def test_a_spent_quota_is_no_slow_line(user_of: Callable[..., User]) -> None:
    """One refusal says so; nothing waits behind it, and nobody is blamed for that."""
    user = user_of()
    user.at(user.platform.faults_url)
    with fault(user.platform, "limiter"):
        code, checks = looked(user)
    assert code == Exit.TRY_AGAIN
    assert checks["platform"]["status"] == "ok"
    assert len(checks["platform"]["facts"]["round_trips_ms"]) == 1
    assert "Too many requests" in checks["user"]["what"]


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("admin_key", Exit.DONE, "accepts the key"),
        ("admin_key_without_scope", Exit.REFUSED, "scope"),
        ("", Exit.USAGE, "No organization API key"),
    ],
)
def test_the_administration_api_is_asked_where_it_is_configured(
    user: User, key: str, code: Exit, words: str
) -> None:
    """Of the report no more than its head."""
    given = credentials(user.platform)[key] if key else ""
    environ = {"PLATUI_ADMIN_URL": user.platform.admin_url, "PLATUI_ADMIN_KEY": given}
    found, checks = looked(user, **environ)
    assert (found, words in checks["admin"]["what"]) == (code, True), checks["admin"]


def test_a_damaged_cache_is_told(user: User) -> None:
    """It heals by itself; whoever wonders where it went is told."""
    cache_dir().mkdir(parents=True)
    (cache_dir() / "pages.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    (cache_dir() / "pages.sqlite3.damaged").write_bytes(b"x")
    (cache_dir() / "pages.sqlite3").chmod(0o600)
    (cache_dir() / "pages.sqlite3.damaged").chmod(0o600)
    _, checks = looked(user, "--offline")
    assert checks["cache"]["status"] == "warning"
    assert checks["damaged"]["facts"]["files"] == [str(cache_dir() / "pages.sqlite3.damaged")]


def test_folders_that_cannot_be_written_are_told(user: User) -> None:
    """Without state there is no audit log, so no write; the rest is a warning."""
    for folder in (cache_dir(), state_dir(), data_dir()):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.write_text("no folder")
        folder.chmod(0o600)
    code, checks = looked(user, "--offline")
    assert code == Exit.USAGE
    levels = [checks[name]["status"] for name in ("cache", "state", "reports")]
    assert levels == ["warning", "failed", "warning"]
    assert "cannot be written: Not a directory." in checks["state"]["what"]
    state_dir().unlink()
    code, checks = looked(user, "--offline")
    assert (code, checks["state"]["status"]) == (Exit.DONE, "ok")
    assert not state_dir().exists()


def test_damaged_lines_of_the_audit_log_are_told(user: User) -> None:
    """How many there are, and where."""
    state_dir().mkdir(parents=True)
    (state_dir() / "audit.jsonl").write_text('{"at": "2026\nnull\n')
    (state_dir() / "audit.jsonl").chmod(0o600)
    code, checks = looked(user, "--offline")
    assert (code, checks["audit"]["status"]) == (Exit.DONE, "warning")
    assert checks["audit"]["facts"]["damaged"] == 2


@pytest.mark.variants("hostile", "default", reason="every text is an attack")
def test_nothing_that_a_platform_says_commands_the_terminal(
    hostile_platform: RunningEmulator, shell: Shell
) -> None:
    """Names, releases and scopes are shown, and steer nothing."""
    words = ("doctor", "--url", hostile_platform.base_url)
    said = shell(*words, PLATUI_TOKEN=hostile_platform.token)
    assert said.code == Exit.DONE
    for line in said.lines:
        assert line.isprintable(), line
    assert os.environ.get("PLATUI_TOKEN") is None
