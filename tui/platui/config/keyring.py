"""Tokens in the system's keyring: an extra, used by profiles that ask for it.

One entry a profile: its service names platui and the platform, its user the profile, so that a
token never goes along to another platform. Whoever has the `keyring` command fills it as well:
`keyring set platui:https://platform.example.com prod`.

A keyring may ask its owner to unlock it, and take its time: callers use a thread.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CredentialError
from platui.core.origins import origin_of
from platui.core.secrets import Secret
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.config.profile import Profile

_NO_SAFE: Final = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")
"""Modules of backends that keep nothing, or in plain text: the latter without a word."""
_INSTALL: Final = "Install it: pip install 'platui[keyring]', or keep the token in a file."
_SHOWN: Final = 80


def from_keyring(profile: Profile) -> Secret:
    """Return the token of a profile.

    Raises:
        CredentialError: there is no keyring, it does not open, or it holds no token for this
            profile.
    """
    backend, (service, user) = _backend(), entry_of(profile)
    try:
        text = backend.get_password(service, user)
    except _errors() as error:
        raise _failed(error) from None
    if not text:
        raise CredentialError(
            clean(f"The keyring has no token for {profile.name}."),
            hint=clean(f"platui init {profile.name} --keyring, or: keyring set {service} {user}"),
        )
    return Secret(text.strip())


def into_keyring(profile: Profile, token: Secret) -> None:
    """Keep the token of a profile, replacing the one of before.

    Raises:
        CredentialError: there is no keyring, or it does not take it.
    """
    backend, (service, user) = _backend(), entry_of(profile)
    try:
        backend.set_password(service, user, token.reveal())
    except _errors() as error:
        raise _failed(error) from None


def drop_from_keyring(profile: Profile) -> None:
    """Keep no token of a profile any more; that there was none is no fault.

    Raises:
        CredentialError: there is no keyring, or it does not let go.
    """
    backend, (service, user) = _backend(), entry_of(profile)
    try:
        if backend.get_password(service, user) is not None:
            backend.delete_password(service, user)
    except _errors() as error:
        raise _failed(error) from None


def why_no_keyring() -> str:
    """Return why no token can be kept in a keyring, one sentence; empty where one can."""
    try:
        _backend()
    except CredentialError as error:
        return error.sentence
    return ""


def entry_of(profile: Profile) -> tuple[str, str]:
    """Return service and user under which a profile's token lies."""
    origin = origin_of(profile.url)
    return f"platui:{profile.url if origin is None else origin.root}", profile.name


def _backend() -> Any:
    """Return the first keyring of this machine that keeps secrets as such.

    Raises:
        CredentialError: the extra is not installed, or there is none.
    """
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise CredentialError("The package keyring is not installed.", hint=_INSTALL) from None
    found = keyring.get_keyring()
    for backend in (*getattr(found, "backends", ()), found):
        if not type(backend).__module__.startswith((*_NO_SAFE, "keyring.backends.chainer")):
            return backend
    raise CredentialError(
        "This machine has no keyring that keeps a token safe.",
        hint="On a server, keep it in a file of mode 0600, or name a token_command.",
    )


def _errors() -> tuple[type[Exception], ...]:
    """Return what a keyring raises: its own errors, and those of what it speaks to."""
    errors = importlib.import_module("keyring.errors")
    return (errors.KeyringError, OSError, RuntimeError)


def _failed(error: Exception) -> CredentialError:
    said = shorten(str(error), _SHOWN)
    return CredentialError(
        f"The keyring does not open: {said or type(error).__name__}.",
        hint="Unlock it, or keep the token in a file of mode 0600.",
    )
