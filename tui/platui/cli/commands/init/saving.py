"""Save the answers of `platui init`: all of them or none."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from platui.cli.commands.init.dialog import Answers, SignedIn, TokenStorage
from platui.config.credentials import check_token_file, save_token, token_file
from platui.config.profile_writer import save_profile
from platui.config.token_sources import drop_from_keyring, from_keyring, into_keyring
from platui.core.errors import CredentialError
from platui.core.paths import write_private

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.core.secrets import Secret


def save(answers: Answers, file: Path | None) -> Path:
    """Save token and profile, both or none, in `file` or the default config.toml."""
    profile = answers.profile
    with _signals_blocked(), ExitStack() as undo:
        # The token first: a profile without one is useless.
        if answers.signed.storage is TokenStorage.KEYRING:
            undo.callback(_keyring_restorer(profile))
            into_keyring(profile, answers.signed.token)
        elif answers.signed.storage is TokenStorage.FILE:
            undo.callback(_file_restorer(profile))
            save_token(profile, answers.signed.token)
        written = save_profile(profile, file=file, make_default=answers.is_default)
        undo.pop_all()
    return written


def save_new(file: Path | None, profile: Profile, token: Secret) -> None:
    check_token_file(profile)
    save(Answers(profile, SignedIn(token, TokenStorage.FILE)), file)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    blocked = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGTSTP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _file_restorer(profile: Profile) -> Callable[[], None]:
    path = token_file(profile)
    try:
        content = None if path is None else path.read_bytes()
    except OSError:
        content = None

    def restore() -> None:
        with suppress(OSError):
            if path is not None and content is None:
                path.unlink(missing_ok=True)
            elif path is not None and content is not None:
                write_private(path, content)

    return restore


def _keyring_restorer(profile: Profile) -> Callable[[], None]:
    try:
        token = from_keyring(profile)
    except CredentialError:
        token = None

    def restore() -> None:
        with suppress(CredentialError):
            if token is None:
                drop_from_keyring(profile)
            else:
                into_keyring(profile, token)

    return restore
