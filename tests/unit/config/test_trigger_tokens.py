"""Each trigger token belongs to one project, and is as secret as the others."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from platui.config.credentials import (
    find_trigger_token,
    save_trigger_token,
    trigger_source,
    trigger_token_file,
)
from platui.config.profile import Profile
from platui.core.errors import CredentialError
from platui.core.secrets import Secret

PROFILE = Profile("prod", "https://prod.example")
HUSH = "hush-12345"


def test_a_project_has_its_own() -> None:
    """A token of one is none of another."""
    path = save_trigger_token(PROFILE, "acme/etl", Secret(HUSH))
    assert path.stat().st_mode & 0o777 == 0o600
    assert find_trigger_token(PROFILE, "acme/etl", {}) == (Secret(HUSH), f"file {path}")
    assert trigger_source(PROFILE, "acme/etl", {}) == f"file {path}"
    assert find_trigger_token(PROFILE, "acme/ml", {}) == (None, "not set")
    assert trigger_source(PROFILE, "acme/ml", {}) == ""
    assert find_trigger_token(replace(PROFILE, name="dev"), "acme/etl", {})[0] is None


def test_a_profile_of_the_same_name_for_another_platform_has_none() -> None:
    """Its projects have the same numbers."""
    save_trigger_token(PROFILE, 7, Secret(HUSH))
    other = replace(PROFILE, url="https://other.example")
    assert find_trigger_token(other, 7, {}) == (None, "not set")
    assert trigger_source(other, 7, {}) == ""
    environ = {"PLATUI_URL": PROFILE.url, "PLATUI_TRIGGER_TOKEN": HUSH}
    assert trigger_source(other, 7, environ) == ""
    assert trigger_source(PROFILE, 7, environ) == "environment"


@pytest.mark.parametrize("project", ["../../etc/passwd", "a/../b", ".", "..", "a\0b", "ü/ö", "~"])
def test_no_name_leads_out_of_the_folder(project: str) -> None:
    """Whatever a project is called."""
    path = trigger_token_file(PROFILE, project)
    assert path is not None
    assert path.parent.name == "prod.triggers"
    assert path.name.endswith(".token")


def test_a_name_too_long_for_a_file_has_none() -> None:
    """It is then typed, or printed by a command."""
    assert trigger_token_file(PROFILE, "x" * 300) is None


def test_the_environment_goes_first_then_the_command() -> None:
    """The command is told for which project."""
    save_trigger_token(PROFILE, 7, Secret("from-file"))
    code = "import sys; print('of-' + sys.argv[1])"
    profile = replace(PROFILE, trigger_token_command=(sys.executable, "-c", code, "{project}"))
    assert find_trigger_token(profile, 7, {})[0] == Secret("of-7")
    assert trigger_source(profile, 7, {}) == "command"
    env = {"PLATUI_TRIGGER_TOKEN": HUSH}
    assert find_trigger_token(profile, 7, env) == (Secret(HUSH), "environment")
    assert trigger_source(profile, 7, env) == "environment"


def test_a_running_job_triggers_with_its_own() -> None:
    """Spec §5.2; where nothing else is set."""
    env = {"CI_JOB_TOKEN": HUSH, "CI_SERVER_URL": PROFILE.url}
    assert find_trigger_token(PROFILE, 7, env)[0] == Secret(HUSH)
    assert trigger_source(PROFILE, 7, env) == "CI_JOB_TOKEN of the running job"


def test_a_file_that_others_may_read_is_refused() -> None:
    """And nothing of it told."""
    save_trigger_token(PROFILE, 7, Secret(HUSH)).chmod(0o644)
    with pytest.raises(CredentialError) as raised:
        find_trigger_token(PROFILE, 7, {})
    assert HUSH not in f"{raised.value!r} {raised.value.hint}"


def test_a_profile_that_keeps_nothing_keeps_none() -> None:
    """Neither does one that is an address alone."""
    for profile in (replace(PROFILE, is_in_memory=True), replace(PROFILE, ephemeral=True)):
        assert trigger_token_file(profile, 7) is None
        with pytest.raises(CredentialError):
            save_trigger_token(profile, 7, Secret(HUSH))
