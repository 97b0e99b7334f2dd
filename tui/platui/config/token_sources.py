"""Tokens from a program or the system's keyring. Both may block: call them in a thread."""

from __future__ import annotations

import contextlib
import importlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CredentialError
from platui.core.origins import origin_of
from platui.core.secrets import Secret
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.config.profile import Profile

TIME_LIMIT: Final = 10.0  # Seconds; enough to touch a hardware key

_KEPT: Final = 64 * 1024  # Bytes of output; the rest is discarded

_NO_SAFE: Final = (
    "keyring.backends.fail",
    "keyring.backends.null",
    "keyrings.alt",
)  # Backends without storage or encryption
_INSTALL: Final = "Run pip install 'platui[keyring]', or store the token in a file."
_SHOWN: Final = 80
_SHOWN_NAME: Final = 60


def first_line_of(
    command: Sequence[str], env: Mapping[str, str], *, limit: float = TIME_LIMIT
) -> bytes:
    """Run a program and return the first line of its output, never shown in an error."""
    # Arguments may be private (a vault's path): messages name only the program.
    name = shorten(os.path.basename(command[0]), _SHOWN_NAME)  # noqa: PTH119  (a word)
    try:
        process = subprocess.Popen(  # noqa: S603  (configured by the user)
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            start_new_session=True,
        )
    except OSError as error:
        raise CredentialError(f"Cannot start {name}: {error.strerror}.") from error
    deadline = time.monotonic() + limit
    with process:
        try:
            output = _read(process, deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except BaseException as error:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            if isinstance(error, subprocess.TimeoutExpired):
                what = f"{name} did not finish within {limit:g} seconds."
                raise CredentialError(what) from error
            raise
    if code != 0:
        raise CredentialError(f"{name} failed with exit code {code}.")
    return output.partition(b"\n")[0]


def _read(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    assert process.stdout is not None  # noqa: S101  (for the type: it is a pipe)
    kept = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise subprocess.TimeoutExpired(process.args, 0)
            chunk = os.read(process.stdout.fileno(), _KEPT)
            if not chunk:
                return kept
            kept += chunk[: _KEPT - len(kept)]


def from_keyring(profile: Profile) -> Secret:
    """Return the profile's token. Raises CredentialError: no keyring, locked, or no token."""
    service, user = keyring_entry(profile)
    with _keyring() as backend:
        text = backend.get_password(service, user)
    if not text:
        raise CredentialError(
            clean(f"The keyring has no token for {profile.name}."),
            hint=clean(
                f"Run platui init {profile.name} --keyring, or: keyring set {service} {user}"
            ),
        )
    return Secret(text.strip())


def into_keyring(profile: Profile, token: Secret) -> None:
    """Store the profile's token. Raises CredentialError."""
    with _keyring() as backend:
        backend.set_password(*keyring_entry(profile), token.reveal())


def drop_from_keyring(profile: Profile) -> None:
    """Remove the profile's token, if any. Raises CredentialError."""
    with _keyring() as backend:
        if backend.get_password(*keyring_entry(profile)) is not None:
            backend.delete_password(*keyring_entry(profile))


def keyring_problem() -> str:
    """Return why the keyring is not usable; empty if it is."""
    try:
        _backend()
    except CredentialError as error:
        return error.sentence
    return ""


def keyring_entry(profile: Profile) -> tuple[str, str]:
    """Return service (with the platform, so that no other gets the token) and user of the entry."""
    origin = origin_of(profile.url)
    return f"platui:{profile.url if origin is None else origin.root}", profile.name


def _backend() -> Any:
    """Return the first safe keyring. Raises CredentialError: none."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise CredentialError("The package keyring is not installed.", hint=_INSTALL) from None
    try:
        found = keyring.get_keyring()
    except Exception as error:  # noqa: BLE001  (it loads a plugin, and a file of its own)
        raise _cannot_open(error) from None
    for backend in (*getattr(found, "backends", ()), found):
        if not type(backend).__module__.startswith((*_NO_SAFE, "keyring.backends.chainer")):
            return backend
    raise CredentialError(
        "This machine has no secure keyring.",
        hint="On a server, use a file of mode 0600 or token_command.",
    )


@contextlib.contextmanager
def _keyring() -> Iterator[Any]:
    """Yield the keyring; convert its errors to CredentialError."""
    backend = _backend()
    errors = importlib.import_module("keyring.errors")
    try:
        yield backend
    except (errors.KeyringError, OSError, RuntimeError) as error:
        raise _cannot_open(error) from None


def _cannot_open(error: Exception) -> CredentialError:
    reason = shorten(str(error), _SHOWN) or type(error).__name__
    return CredentialError(
        f"Cannot open the keyring: {reason}.", hint="Unlock it, or use a file of mode 0600."
    )
