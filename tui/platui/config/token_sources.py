"""Where a token may come from besides files: a program that prints it, the system's keyring.

Both may take their time, as their owner may have to unlock something: callers use a thread.

The keyring is an extra, used by profiles that ask for it. One entry a profile: its service
names platui and the platform, its user the profile, so that a token never goes along to
another platform. `keyring set platui:https://platform.example.com prod` fills it as well.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import selectors
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any, Final

from platui.core.errors import CredentialError
from platui.core.origins import origin_of
from platui.core.secrets import Secret
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from platui.config.profile import Profile

TIME_LIMIT: Final = 10.0  # Seconds; enough to touch a hardware key

_KEPT: Final = 64 * 1024
"""Bytes of output that are kept; the rest is read and dropped."""

_NO_SAFE: Final = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")
"""Modules of backends that keep nothing, or plain text without a warning."""
_INSTALL: Final = "Install it: pip install 'platui[keyring]', or keep the token in a file."
_SHOWN: Final = 80
_SHOWN_NAME: Final = 60


def first_line_of(
    command: Sequence[str], env: Mapping[str, str], *, limit: float = TIME_LIMIT
) -> bytes:
    """Return the first line that a program prints.

    It has no terminal, as it may run while the dashboard uses it. Raises CredentialError: it cannot
    be started, fails, or takes longer than `limit` seconds; the sentence has its name and exit
    code, never a word of its output.
    """
    # Arguments may be private too (a vault's path): only the program is named.
    name = shorten(os.path.basename(command[0]), _SHOWN_NAME)  # noqa: PTH119  (a word)
    try:
        process = subprocess.Popen(  # noqa: S603  (the user's own configuration names it)
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            start_new_session=True,
        )
    except OSError as error:
        raise CredentialError(f"{name} cannot be started: {error.strerror}.") from error
    deadline = time.monotonic() + limit
    with process:
        try:
            output = _read(process, deadline)
            code = process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            _end(process)
            raise CredentialError(f"{name} gave nothing within {limit:g} seconds.") from error
        except BaseException:
            _end(process)
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


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def from_keyring(profile: Profile) -> Secret:
    """Return the profile's token. Raises CredentialError: no keyring, locked, or no token."""
    service, user = keyring_entry(profile)
    with _keyring() as backend:
        text = backend.get_password(service, user)
    if not text:
        raise CredentialError(
            clean(f"The keyring has no token for {profile.name}."),
            hint=clean(f"platui init {profile.name} --keyring, or: keyring set {service} {user}"),
        )
    return Secret(text.strip())


def into_keyring(profile: Profile, token: Secret) -> None:
    """Store the profile's token. Raises CredentialError: no keyring, or it refuses the token."""
    with _keyring() as backend:
        backend.set_password(*keyring_entry(profile), token.reveal())


def drop_from_keyring(profile: Profile) -> None:
    """Remove the profile's token, if any. Raises CredentialError: no keyring, or locked."""
    with _keyring() as backend:
        if backend.get_password(*keyring_entry(profile)) is not None:
            backend.delete_password(*keyring_entry(profile))


def keyring_problem() -> str:
    """Return why no token can be kept in a keyring, one sentence; empty where one can."""
    try:
        _backend()
    except CredentialError as error:
        return error.sentence
    return ""


def keyring_entry(profile: Profile) -> tuple[str, str]:
    """Return service and user under which a profile's token lies."""
    origin = origin_of(profile.url)
    return f"platui:{profile.url if origin is None else origin.root}", profile.name


def _backend() -> Any:
    """Return the first safe keyring. Raises CredentialError: not installed, or there is none."""
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


@contextlib.contextmanager
def _keyring() -> Iterator[Any]:
    """Yield the keyring; what it raises, and what it talks to, becomes a CredentialError."""
    backend = _backend()
    errors = importlib.import_module("keyring.errors")
    try:
        yield backend
    except (errors.KeyringError, OSError, RuntimeError) as error:
        reason = shorten(str(error), _SHOWN) or type(error).__name__
        raise CredentialError(
            f"The keyring does not open: {reason}.",
            hint="Unlock it, or keep the token in a file of mode 0600.",
        ) from None
