"""Addresses are normalised, checked and compared."""

from __future__ import annotations

import pytest

from platui.api.address import admin_address, project_address
from platui.core.errors import ConfigError, InsecureError
from platui.core.origins import is_loopback


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://platform.example.org", "https://platform.example.org"),
        ("https://platform.example.org/", "https://platform.example.org"),
        ("https://platform.example.org/api/v4", "https://platform.example.org"),
        ("https://platform.example.org/api/v4/", "https://platform.example.org"),
        (" HTTPS://Platform.Example.org:443/ ", "https://platform.example.org"),
        ("https://platform.example.org:8443/git/api/v4", "https://platform.example.org:8443/git"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://localhost", "http://localhost"),
        ("https://München.example/git", "https://xn--mnchen-3ya.example/git"),
    ],
)
def test_every_spelling_of_a_base_gives_one(url: str, base: str) -> None:
    """With or without slash, API path, default port or capitals."""
    address = project_address(url)
    assert address.base == base
    assert address.url("projects?page=1") == f"{base}/api/v4/projects?page=1"


def test_the_administration_has_a_path_of_its_own() -> None:
    """Spec §1: the prefix is /api/v1."""
    for url in ("https://admin.example.org", "https://admin.example.org/api/v1/"):
        assert admin_address(url).api == "https://admin.example.org/api/v1"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "platform.example.org",
        "ftp://platform.example.org",
        "https://",
        "https:///api/v4",
        "https://host:notaport/",
        "https://host:99999/",
        "https://ho st/",
        "https://[::1/",
        "https://host/?token=x",
        "https://host/#top",
        "https://host/a\nb",
        'https://host/"',
        "javascript:alert(1)",
        "https://ⅷ.org",
    ],
)
def test_rubbish_is_refused_with_a_sentence(url: str) -> None:
    """A configuration error, never a ValueError from below."""
    with pytest.raises(ConfigError) as refused:
        project_address(url)
    assert refused.value.sentence
    assert "\n" not in refused.value.sentence


def test_a_host_of_any_length_is_named_in_part() -> None:
    """An error is one line."""
    for url in (f"http://{'a' * 5_000}", f"https://u:p@{'a' * 5_000}"):
        with pytest.raises(ConfigError) as refused:
            project_address(url)
        assert len(refused.value.sentence) < 250


def test_an_address_longer_than_any_that_httpx_takes_is_refused() -> None:
    """With the message of a wrong address, not with an error of httpx at the first request."""
    with pytest.raises(ConfigError, match="is not an http"):
        project_address(f"https://platform.example.org/{'a' * 70_000}")


@pytest.mark.parametrize("host", ["xn--a", "xn--a.org", "999.1.1.1", "①.example"])
def test_a_host_that_has_no_such_name_is_refused_before_a_request(host: str) -> None:
    """The error that httpx has for it is expected nowhere."""
    with pytest.raises(ConfigError, match=f"{host} is not the name of a host"):
        project_address(f"https://{host}")


@pytest.mark.parametrize("url", ["https://me:planted-secret@host", "ftp://me:planted-secret@host"])
def test_a_password_in_the_address_is_refused_and_not_repeated(url: str) -> None:
    """It would end up in logs and screens."""
    with pytest.raises(ConfigError) as refused:
        project_address(url)
    assert "planted-secret" not in refused.value.sentence + refused.value.hint


def test_plain_http_is_for_loopback_and_the_insecure_only() -> None:
    """A token is not sent in clear unless the profile says so."""
    with pytest.raises(InsecureError, match=r"http://platform\.example\.org"):
        project_address("http://platform.example.org")
    allowed = project_address("http://platform.example.org", insecure=True)
    assert allowed.base == "http://platform.example.org"


@pytest.mark.parametrize(
    ("host", "is_it"),
    [
        ("localhost", True),
        ("api.localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.10", True),
        ("::1", True),
        ("0.0.0.0", False),  # noqa: S104  (an address to judge, not to bind)
        ("127.0.0.1.example.org", False),
        ("localhost.example.org", False),
        ("10.0.0.1", False),
    ],
)
def test_loopback_is_this_machine_only(host: str, *, is_it: bool) -> None:
    """Names that only look like it are not."""
    assert is_loopback(host) is is_it
