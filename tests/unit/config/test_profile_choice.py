"""Which profile is opened: options, then environment, then file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from platui.config.credentials import resolve
from platui.config.profile import Profile
from platui.config.profile_choice import choose_profile, environ_of_secrets, settings_for_profile
from platui.config.settings import Options, PollSettings, Settings
from platui.core.errors import ConfigError

PROD = Profile(
    "prod", "https://prod.example", production=True, writes="off", token_command=("pass", "prod"),
    admin_url="https://admin.prod.example", admin_key_command=("pass", "admin"),
)  # fmt: skip
TEST = Profile("test", "https://test.example/root", writes="confirm")
SETTINGS = Settings(profiles={"prod": PROD, "test": TEST}, default_profile="test")


@pytest.mark.parametrize(
    ("options", "env", "expected"),
    [
        (Options(), {}, "test"),
        (Options(profile="prod"), {}, "prod"),
        (Options(), {"PLATUI_PROFILE": "prod"}, "prod"),
        (Options(profile="test"), {"PLATUI_PROFILE": "prod"}, "test"),
        (Options(profile="test"), {"PLATUI_URL": "https://else.example"}, "test"),
        (Options(url="https://prod.example"), {"PLATUI_PROFILE": "test"}, "prod"),
        (Options(url="https://prod.example"), {"PLATUI_URL": "https://test.example/root"}, "prod"),
        (Options(), {"PLATUI_URL": "https://PROD.example:443/api/v4/"}, "prod"),
        (Options(), {"PLATUI_URL": "https://new.example/"}, "https://new.example"),
        (Options(), {"PLATUI_URL": "https://new.example:8443"}, "https://new.example:8443"),
        (Options(), {"PLATUI_URL": "", "PLATUI_PROFILE": ""}, "test"),
    ],
)
def test_precedence(options: Options, env: dict[str, str], expected: str) -> None:
    """Option over environment over file; a known address opens its own profile."""
    chosen = choose_profile(SETTINGS, env, options)
    if expected.startswith("https"):
        host = expected.removeprefix("https://")
        assert chosen == Profile(host, expected, ephemeral=True)
    else:
        assert chosen == SETTINGS.profiles[expected]


def test_inside_a_job_its_platform_comes_last() -> None:
    """Where neither options nor environment nor file say which, and its token is what signs in."""
    env = {"CI_JOB_TOKEN": "of-the-job", "CI_SERVER_URL": "https://of-the-job.example/"}
    of_job = Profile("of-the-job.example", "https://of-the-job.example", ephemeral=True)
    assert choose_profile(Settings(), env, Options()) == of_job
    assert choose_profile(SETTINGS, env, Options()) == TEST
    assert choose_profile(Settings(), env | {"PLATUI_TOKEN": "own"}, Options()) is None
    elsewhere = env | {"PLATUI_URL": "https://new.example"}
    chosen = choose_profile(Settings(), elsewhere, Options())
    assert chosen is not None
    assert chosen.url == "https://new.example"


def test_the_first_profile_opens_when_none_is_the_default() -> None:
    """The order of the file counts."""
    settings = replace(SETTINGS, default_profile="")
    assert choose_profile(settings, {}, Options()) == PROD


def test_nothing_configured_is_the_first_run() -> None:
    """Without profile and address there is nothing to open, and no error either."""
    assert choose_profile(Settings(), {}, Options()) is None


def test_the_environment_alone_can_name_its_platform() -> None:
    """PLATUI_PROFILE names an address that the file does not know."""
    env = {"PLATUI_URL": "https://new.example", "PLATUI_PROFILE": "ci"}
    assert choose_profile(SETTINGS, env, Options()) == Profile(
        "ci", "https://new.example", ephemeral=True
    )


def test_read_only_turns_writes_off() -> None:
    """`--read-only` beats a profile that would let writes through."""
    chosen = choose_profile(replace(SETTINGS, read_only=True), {}, Options())
    assert chosen is not None
    assert chosen.writes == "off"


@pytest.mark.parametrize("way", ["option", "environment"])
def test_no_secret_follows_to_another_origin(way: str) -> None:
    """A profile with another address keeps its care, and loses name and secrets."""
    url = "https://evil.example"
    if way == "option":
        chosen = choose_profile(SETTINGS, {}, Options(profile="prod", url=url))
    else:
        chosen = choose_profile(SETTINGS, {"PLATUI_PROFILE": "prod", "PLATUI_URL": url}, Options())
    assert chosen == Profile("evil.example", url, production=True, writes="off", ephemeral=True)


def test_another_path_of_the_same_origin_keeps_the_profile() -> None:
    """The credential is for the origin."""
    chosen = choose_profile(SETTINGS, {}, Options(profile="test", url="https://test.example"))
    assert chosen == replace(TEST, url="https://test.example")


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, PROD),
        (
            {"PLATUI_ADMIN_URL": "https://admin.prod.example/api/v1/"},
            PROD,
        ),
        (
            {"PLATUI_ADMIN_URL": "https://other.example"},
            replace(
                PROD,
                admin_url="https://other.example",
                admin_key_command=(),
                other_reports="other.example",
            ),
        ),
        (
            {"PLATUI_ADMIN_URL": "https://other.example", "PLATUI_URL": "https://else.example"},
            PROD,
        ),
        ({"PLATUI_ADMIN_URL": "https://other.example", "PLATUI_PROFILE": "test"}, PROD),
    ],
    ids=["none", "the same", "another", "meant for another platform", "for another profile"],
)
def test_the_admin_address_of_the_environment(env: dict[str, str], expected: Profile) -> None:
    """It replaces the file's, without its key; but only for the platform it is meant for."""
    assert choose_profile(SETTINGS, env, Options(profile="prod")) == expected


@pytest.mark.parametrize(
    ("name", "is_taken"), [("prod", True), ("test", False), ("unknown", True), ("", True)]
)
def test_secrets_of_the_environment_are_for_its_profile(name: str, *, is_taken: bool) -> None:
    """`--profile`, or an address, may open another one: that gets its own token only."""
    env = {"PLATUI_PROFILE": name, "PLATUI_TOKEN": "secret", "PLATUI_TRIGGER_TOKEN": "secret"}
    plain = replace(PROD, admin_url=None, token_command=())
    found = resolve(plain, environ_of_secrets(SETTINGS, env))
    assert (found.token is not None) == (found.trigger_token is not None) == is_taken
    assert ("that of PLATUI_URL or PLATUI_PROFILE" in found.token_source) != is_taken


def test_an_invalid_admin_address_of_the_environment_replaces_that_of_the_file() -> None:
    """The error is for those who need the administration API."""
    chosen = choose_profile(SETTINGS, {"PLATUI_ADMIN_URL": "x"}, Options(profile="prod"))
    assert chosen is not None
    assert chosen.admin_url is None
    assert chosen.admin_url_problem.startswith("PLATUI_ADMIN_URL does not begin with")


@pytest.mark.parametrize(
    ("options", "env", "expected"),
    [
        (Options(profile="prd"), {}, '--profile: unknown profile "prd"; did you mean prod?'),
        (Options(), {"PLATUI_PROFILE": "x"}, 'PLATUI_PROFILE: unknown profile "x".'),
        (Options(url="prod.example"), {}, "--url does not begin with https:// or http://."),
        (Options(), {"PLATUI_URL": "https://a b"}, "PLATUI_URL contains a space or an invisible"),
        (Options(), {"PLATUI_URL": "https://u:hush@h"}, "PLATUI_URL contains a user or password"),
        (
            Options(),
            {"PLATUI_URL": "https://n.example", "PLATUI_PROFILE": "../x"},
            'PLATUI_PROFILE: "../x" is not a valid profile name',
        ),
    ],
)
def test_what_cannot_be_chosen_is_said(
    options: Options, env: dict[str, str], expected: str
) -> None:
    """Each error names the option or variable, and never repeats a password."""
    with pytest.raises(ConfigError) as caught:
        choose_profile(SETTINGS, env, options)
    assert expected in caught.value.sentence
    assert "hush" not in f"{caught.value.sentence}{caught.value.hint}"


def test_a_profile_has_a_word_over_the_settings() -> None:
    """Theme and polling, each alone; what it does not say stays."""
    settings = Settings(theme="ansi", poll=PollSettings(2.0, 60.0))
    assert settings_for_profile(settings, TEST) is settings
    themed = settings_for_profile(settings, replace(TEST, theme="platui-light", poll_idle=300.0))
    assert (themed.theme, themed.poll) == ("platui-light", PollSettings(2.0, 300.0))
    assert settings_for_profile(settings, replace(TEST, poll_running=9.0)).poll == PollSettings(
        9.0, 60.0
    )
