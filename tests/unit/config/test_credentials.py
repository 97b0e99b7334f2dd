"""Where secrets come from, what is refused, and that nothing of them is told."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from platui.config.credentials import Credentials, resolve, save_token, token_file
from platui.config.profile import Profile
from platui.config.token_sources import first_line_of
from platui.core.errors import CredentialError
from platui.core.secrets import Secret

PROFILE = Profile("prod", "https://prod.example", admin_url="https://admin.example")
HUSH = "hush-12345"


def says(code: str) -> tuple[str, ...]:
    """Return a command that runs this Python code."""
    return (sys.executable, "-c", code)


def private(path: Path, text: str = f"{HUSH}\n", mode: int = 0o600) -> Path:
    """Write a credential file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def usual_file() -> Path:
    """Return where the token of PROFILE lies when nothing else is said."""
    return Path(os.environ["XDG_CONFIG_HOME"], "platui", "credentials", "prod.token")


def test_nothing_set_is_no_error() -> None:
    """The first-run screen needs to know why there is no token."""
    assert resolve(PROFILE, {}) == Credentials()


def test_the_order_is_environment_command_file_clear() -> None:
    """Taking the first source away uncovers the next one."""
    private(usual_file(), "from-file\n")
    profile = replace(
        PROFILE, token_command=says("print('from-command')"), token=Secret("in-clear")
    )
    found = resolve(profile, {"PLATUI_TOKEN": " from-env "})
    assert (found.token, found.token_source) == (Secret("from-env"), "environment")
    found = resolve(profile, {"PLATUI_TOKEN": ""})
    assert (found.token, found.token_source) == (Secret("from-command"), "command")
    profile = replace(profile, token_command=())
    found = resolve(profile, {})
    assert (found.token, found.token_source) == (Secret("from-file"), f"file {usual_file()}")
    usual_file().unlink()
    found = resolve(profile, {})
    assert (found.token, found.token_source) == (Secret("in-clear"), "config.toml, plain text")


def test_the_organizations_key_has_the_same_order(tmp_path: Path) -> None:
    """Environment, command, named file, config.toml."""
    file = private(tmp_path / "key", "from-file")
    profile = replace(
        PROFILE,
        admin_key_command=says("print('from-command')"),
        admin_key_file=file,
        admin_key=Secret("in-clear"),
    )
    seen = [resolve(profile, {"PLATUI_ADMIN_KEY": "from-env"}).admin_key]
    seen.append(resolve(profile, {}).admin_key)
    profile = replace(profile, admin_key_command=())
    seen.append(resolve(profile, {}).admin_key)
    profile = replace(profile, admin_key_file=None)
    seen.append(resolve(profile, {}).admin_key)
    assert seen == [
        Secret("from-env"), Secret("from-command"), Secret("from-file"), Secret("in-clear"),
    ]  # fmt: skip


def test_a_failing_key_does_not_take_the_token_away() -> None:
    """Its source says why; the rest goes on."""
    profile = replace(PROFILE, admin_key_command=says("raise SystemExit(3)"))
    found = resolve(profile, {"PLATUI_TOKEN": HUSH})
    assert found.token == Secret(HUSH)
    assert found.admin_key is None
    assert found.admin_key_source.endswith("failed with exit code 3.")


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        ("", True),
        ("https://prod.example/api/v4", True),
        ("https://test.example", False),
        ("?", False),
    ],
)
def test_the_environments_token_stays_with_its_platform(url: str, taken: bool) -> None:  # noqa: FBT001  (a column)
    """PLATUI_TOKEN beside a PLATUI_URL is for that platform only."""
    env = {
        "PLATUI_URL": url,
        "PLATUI_TOKEN": HUSH,
        "PLATUI_TRIGGER_TOKEN": "t",
        "PLATUI_ADMIN_KEY": "k",
    }
    found = resolve(PROFILE, env)
    assert (found.token is not None) == taken
    assert (found.trigger_token is not None) == taken
    assert (found.admin_key is not None) == taken
    if not taken:
        assert "PLATUI_TOKEN is for another platform, that of PLATUI_URL" in found.token_source


def test_the_environments_admin_key_stays_with_its_address() -> None:
    """PLATUI_ADMIN_KEY beside a PLATUI_ADMIN_URL is for that address only."""
    env = {"PLATUI_ADMIN_URL": "https://else.example", "PLATUI_ADMIN_KEY": HUSH}
    assert resolve(PROFILE, env).admin_key is None
    assert resolve(replace(PROFILE, admin_url="https://else.example"), env).admin_key is not None
    assert resolve(replace(PROFILE, admin_url=None), env).admin_key_source == "no admin_url"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o620, 0o610])
def test_a_file_that_others_may_touch_is_refused(mode: int) -> None:
    """The sentence says which, the hint what to type; its content is not told."""
    path = private(usual_file(), mode=mode)
    with pytest.raises(CredentialError) as caught:
        resolve(PROFILE, {})
    assert caught.value.sentence == f"Other users may read {path}."
    assert caught.value.hint == f"Run: chmod 600 {path}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_refused() -> None:
    """Who owns the file can change what is in it."""
    path = private(usual_file())
    os.chown(path, 12345, 12345)
    with pytest.raises(CredentialError, match="belongs to another user"):
        resolve(PROFILE, {})


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "first line is empty"),
        (b"\nsecond", "first line is empty"),
        (b"\xff\xff", "is not text"),
        ("tok\u00e9n".encode(), "invalid character"),
        (b"two words", "invalid character"),
        (b"a\x1bb", "invalid character"),
        (b"x\0", "invalid character"),
    ],
)
def test_a_file_without_a_credential_is_refused(content: bytes, expected: str) -> None:
    """What could not be sent as a header is not tried, nor repeated."""
    path = private(usual_file())
    path.write_bytes(content)
    with pytest.raises(CredentialError, match=expected) as caught:
        resolve(PROFILE, {})
    assert "two words" not in str(caught.value)


def test_a_folder_or_pipe_instead_of_a_file_does_not_hang() -> None:
    """Reading a credential never blocks on what is not a file."""
    usual_file().parent.mkdir(parents=True)
    os.mkfifo(usual_file(), 0o600)
    with pytest.raises(CredentialError, match="cannot be read: not a file"):
        resolve(PROFILE, {})


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    """A token_file that is missing is a mistake, not the first run."""
    with pytest.raises(CredentialError, match="Token file not found"):
        resolve(replace(PROFILE, token_file=tmp_path / "none"), {})


def test_an_ephemeral_profile_reads_and_writes_no_file() -> None:
    """A host that merely shares a profile's name doesn't get its token."""
    private(usual_file())
    ephemeral = replace(PROFILE, ephemeral=True)
    assert token_file(ephemeral) is None
    assert resolve(ephemeral, {}).token is None
    with pytest.raises(CredentialError, match="Cannot store a token for prod"):
        save_token(ephemeral, Secret(HUSH))


def test_a_saved_token_is_found_again_and_private() -> None:
    """The file has mode 0600 and replaces the one of before."""
    save_token(PROFILE, Secret("old"))
    path = save_token(PROFILE, Secret(HUSH))
    assert path == usual_file()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["prod.token"]
    assert resolve(PROFILE, {}).token == Secret(HUSH)


def test_a_saved_token_is_for_the_platform_of_its_profile_only() -> None:
    """A profile of the same name in another file has another platform, and no token."""
    save_token(PROFILE, Secret(HUSH))
    other = replace(PROFILE, url="https://other.example")
    found = resolve(other, {})
    assert found.token is None
    assert found.token_source.endswith("prod.token is for another platform, https://prod.example")
    assert resolve(replace(other, token=Secret("in-clear")), {}).token == Secret("in-clear")
    assert resolve(replace(PROFILE, url="https://prod.example/gitlab"), {}).token == Secret(HUSH)


def test_a_token_file_of_the_user_may_have_any_second_line(tmp_path: Path) -> None:
    """Only files that platui writes name their platform; an older one has no second line."""
    file = private(tmp_path / "mine", f"{HUSH}\nhttps://other.example\n")
    assert resolve(replace(PROFILE, token_file=file), {}).token == Secret(HUSH)
    private(usual_file(), f"{HUSH}\na note\n")
    assert resolve(PROFILE, {}).token == Secret(HUSH)


def test_a_token_that_cannot_be_saved_is_said(tmp_path: Path) -> None:
    """A file where a folder is needed."""
    (tmp_path / "file").write_text("")
    with pytest.raises(CredentialError, match="cannot be written"):
        save_token(replace(PROFILE, token_file=tmp_path / "file" / "token"), Secret(HUSH))


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("no-such-program-anywhere", HUSH), "Cannot start no-such-program-anywhere"),
        (says(f"import sys; print('{HUSH}'); sys.exit('{HUSH}')"), "failed with exit code 1"),
        (says("import os; os.kill(os.getpid(), 9)"), "failed with exit code -9"),
        (says("print()"), "first line is empty"),
        (says("import sys; sys.stdout.buffer.write(b'\\xff')"), "is not text"),
    ],
    ids=["missing", "failing", "killed", "silent", "binary"],
)
def test_a_failing_command_is_named_and_nothing_else(
    command: tuple[str, ...], expected: str
) -> None:
    """Program and exit code; no argument, no output."""
    with pytest.raises(CredentialError, match=expected) as caught:
        resolve(replace(PROFILE, token_command=command), dict(os.environ))
    assert HUSH not in f"{caught.value.sentence}{caught.value.hint}"


def test_a_command_sees_no_secret_and_no_terminal() -> None:
    """Programs that platui starts get the environment without its secrets, and no input."""
    code = (
        "import os, sys; print('|'.join([os.environ.get('PLATUI_ADMIN_KEY', 'none'),"
        "os.environ['HOME'], sys.stdin.read() or 'empty', str(os.getsid(0) == os.getpid())]))"
    )
    env = {"PLATUI_ADMIN_KEY": HUSH, "HOME": "/h", "PATH": os.environ["PATH"]}
    found = resolve(replace(PROFILE, token_command=says(code)), env)
    assert found.token == Secret("none|/h|empty|True")


def test_only_the_first_line_counts_however_long_the_rest() -> None:
    """A store that prints notes after the secret is not cut off, which would fail it."""
    code = "print('first'); print('x' * 1_000_000)"
    assert first_line_of(says(code), {}) == b"first"


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",
        "import os, time; os.close(1); time.sleep(60)",
        "import subprocess; subprocess.run(['sleep', '60'])",
        "while True: print('x' * 10_000)",
    ],
    ids=["asleep", "closed", "grandchild", "endless"],
)
def test_a_command_that_takes_too_long_is_ended(code: str) -> None:
    """It is killed with all that it started."""
    began = time.monotonic()
    with pytest.raises(CredentialError, match=r"did not finish within 0\.3 seconds"):
        first_line_of(says(code), {"PATH": os.environ["PATH"]}, limit=0.3)
    assert time.monotonic() - began < 10


def test_credentials_do_not_show_themselves() -> None:
    """A repr in a log line or traceback is harmless."""
    found = resolve(PROFILE, {"PLATUI_TOKEN": HUSH, "PLATUI_TRIGGER_TOKEN": HUSH})
    assert HUSH not in repr(found)


def test_inside_a_pipeline_job_the_jobs_token_comes_last() -> None:
    """Spec §5.2: `CI_JOB_TOKEN` where nothing else is set; it triggers pipelines as well."""
    env = {"CI_JOB_TOKEN": "of-the-job", "CI_SERVER_URL": f"{PROFILE.url}/"}
    found = resolve(PROFILE, env)
    assert (found.token, found.from_job) == (Secret("of-the-job"), True)
    assert found.token_source == found.trigger_token_source == "CI_JOB_TOKEN of the running job"
    assert found.trigger_token == found.token
    found = resolve(PROFILE, {**env, "PLATUI_TRIGGER_TOKEN": "own"})
    assert (found.trigger_token, found.trigger_token_source) == (Secret("own"), "environment")
    for others, profile in (
        ({"PLATUI_TOKEN": "own"}, PROFILE),
        ({}, replace(PROFILE, token=Secret("own"))),
    ):
        found = resolve(profile, {**env, **others})
        assert (found.token, found.from_job) == (Secret("own"), False)
        assert found.trigger_token is None


def test_the_token_of_a_job_on_another_platform_stays_at_home() -> None:
    """A job of somewhere else has that variable, too: its secret is not sent to the profile's."""
    env = {"CI_JOB_TOKEN": HUSH, "CI_SERVER_URL": "https://elsewhere.example"}
    assert resolve(PROFILE, env) == Credentials()


def test_programs_do_not_get_to_see_the_jobs_token() -> None:
    """Nor any other of the variables that hold a secret."""
    show = "import os; print(os.environ.get('CI_JOB_TOKEN', 'nothing'))"
    profile = replace(PROFILE, token_command=says(show))
    found = resolve(profile, {**os.environ, "CI_JOB_TOKEN": HUSH})
    assert found.token == Secret("nothing")
