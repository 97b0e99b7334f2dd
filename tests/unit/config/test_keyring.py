"""Tokens in the system's keyring, on a keyring that lives in memory."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from platui.config.credentials import resolve
from platui.config.profile import Profile
from platui.config.token_sources import (
    drop_from_keyring,
    from_keyring,
    into_keyring,
    keyring_entry,
    keyring_problem,
)
from platui.core.errors import CredentialError
from platui.core.secrets import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

PROD = Profile("prod", "https://platform.example.com/data", token_keyring=True)


class KeyringError(Exception):
    """As the package names it."""


class Memory:
    """A backend."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def _open(self) -> None:
        if self.is_locked:
            raise KeyringError("Failed to unlock\x1b[2J the collection!")

    def get_password(self, service: str, user: str) -> str | None:
        """Return what is kept."""
        self._open()
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, password: str) -> None:
        """Keep."""
        self._open()
        self.kept[service, user] = password

    def delete_password(self, service: str, user: str) -> None:
        """Forget."""
        del self.kept[service, user]


def of_module(name: str) -> object:
    """Return a backend of another module."""
    return type("Keyring", (Memory,), {"__module__": name})()


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """Return what puts a backend where the package has the chosen one."""

    def install(backend: object) -> None:
        package, errors = ModuleType("keyring"), ModuleType("keyring.errors")
        vars(package)["get_keyring"] = lambda: backend
        vars(errors)["KeyringError"] = KeyringError
        monkeypatch.setitem(sys.modules, "keyring", package)
        monkeypatch.setitem(sys.modules, "keyring.errors", errors)

    return install


@pytest.fixture
def memory(install: Callable[[object], None]) -> Memory:
    """Return the keyring of this machine."""
    backend = Memory()
    install(backend)
    return backend


def test_a_token_is_kept_by_platform_and_profile(memory: Memory) -> None:
    """And found again; the same profile of another platform does not get it."""
    into_keyring(PROD, Secret("hush"))
    assert memory.kept == {("platui:https://platform.example.com", "prod"): "hush"}
    assert from_keyring(PROD) == Secret("hush")
    with pytest.raises(CredentialError, match="no token for prod"):
        from_keyring(replace(PROD, url="https://elsewhere.example"))
    drop_from_keyring(PROD)
    drop_from_keyring(PROD)
    assert memory.kept == {}


def test_it_comes_after_environment_and_command_and_before_a_file(memory: Memory) -> None:
    """And only where the profile says so."""
    memory.kept[keyring_entry(PROD)] = "of-the-keyring"
    found = resolve(PROD, {})
    assert (found.token, found.token_source) == (Secret("of-the-keyring"), "keyring")
    assert resolve(PROD, {"PLATUI_TOKEN": "given"}).token == Secret("given")
    command = replace(PROD, token_command=("echo", "printed"))
    assert resolve(command, {"PATH": "/usr/bin:/bin"}).token == Secret("printed")
    assert resolve(replace(PROD, token_keyring=False), {}).token is None


def test_a_keyring_that_stays_shut_is_said_in_clean_words(memory: Memory) -> None:
    """What it says reaches no terminal as it is."""
    memory.is_locked = True
    with pytest.raises(
        CredentialError, match="Cannot open the keyring: Failed to unlock"
    ) as raised:
        from_keyring(PROD)
    assert "\x1b" not in raised.value.sentence
    with pytest.raises(CredentialError, match="Cannot open the keyring"):
        into_keyring(PROD, Secret("hush"))


@pytest.mark.parametrize(
    "module", ["keyring.backends.fail", "keyring.backends.null", "keyrings.alt.file"]
)
def test_a_backend_that_keeps_nothing_or_in_clear_is_refused(
    install: Callable[[object], None], module: str
) -> None:
    """A token would be lost, or lie in a plain file without a word about it."""
    install(of_module(module))
    assert "no secure keyring" in keyring_problem()
    with pytest.raises(CredentialError, match="no secure keyring"):
        into_keyring(PROD, Secret("hush"))


def test_of_several_the_first_safe_one_is_taken(install: Callable[[object], None]) -> None:
    """A chain would put it into the first, whatever that is."""
    chain, safe = of_module("keyring.backends.chainer"), Memory()
    vars(chain)["backends"] = [of_module("keyrings.alt.file"), safe]
    install(chain)
    into_keyring(PROD, Secret("hush"))
    assert list(safe.kept.values()) == ["hush"]


def test_a_backend_that_cannot_be_loaded_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package loads it when it is asked for it, e.g. one that needs a desktop."""

    def fail() -> None:
        raise RuntimeError("No recommended backend")

    package = ModuleType("keyring")
    vars(package)["get_keyring"] = fail
    monkeypatch.setitem(sys.modules, "keyring", package)
    assert keyring_problem() == "Cannot open the keyring: No recommended backend."
    with pytest.raises(CredentialError, match="Cannot open the keyring"):
        resolve(PROD, {})


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not needed by anybody else."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert keyring_problem() == "The package keyring is not installed."
    with pytest.raises(CredentialError) as raised:
        resolve(PROD, {})
    assert "platui[keyring]" in raised.value.hint
