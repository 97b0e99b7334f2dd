"""Find secrets: environment, command, keyring, private file. May block: call it in a thread."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from platui.config.address import is_same_platform
from platui.config.environment import (
    ADMIN_KEY,
    ADMIN_URL,
    JOB_SERVER,
    JOB_TOKEN,
    PROFILE,
    TOKEN,
    TRIGGER_TOKEN,
    URL,
    without_secrets,
)
from platui.config.token_sources import first_line_of, from_keyring
from platui.core.dataclass import dataclass
from platui.core.errors import CredentialError
from platui.core.origins import origin_of
from platui.core.paths import config_dir, read_file, write_private
from platui.core.secrets import Secret
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.config.profile import Profile

NOT_SET: Final = "not set"
IN_PLAIN_TEXT: Final = "config.toml, plain text"
_OF_JOB: Final = f"{JOB_TOKEN} of the running job"

_LONGEST: Final = 64 * 1024  # Bytes
_PROJECT: Final = "{project}"  # Placeholder in `trigger_token_command`
_LONGEST_NAME: Final = 200  # Characters of a file name


@dataclass(frozen=True, slots=True)
class Credentials:
    """The secrets of a profile, with the source of each or the reason of its absence."""

    token: Secret | None = None
    admin_key: Secret | None = None
    trigger_token: Secret | None = None
    token_source: str = NOT_SET
    admin_key_source: str = NOT_SET
    trigger_token_source: str = NOT_SET
    from_job: bool = False  # Token of the running job: few permissions, expires with the job


def resolve(
    profile: Profile, env: Mapping[str, str], *, with_admin_key: bool = True
) -> Credentials:
    """Find the secrets of a profile; `admin_key_source` may hold a reason instead.

    `with_admin_key`: whether to find it, too; its command may take seconds, or ask the user.
    """
    token, token_source = _token(profile, env)
    admin_key: Secret | None = None
    admin_key_source = NOT_SET
    if with_admin_key:
        try:
            admin_key, admin_key_source = find_admin_key(profile, env)
        except CredentialError as error:
            admin_key_source = error.sentence
    trigger_token, trigger_source = from_environment(TRIGGER_TOKEN, env, URL, profile.url)
    found = Credentials(
        token, admin_key, trigger_token, token_source, admin_key_source, trigger_source
    )
    if token is not None:
        return found
    job_token, _ = from_environment(JOB_TOKEN, env, JOB_SERVER, profile.url)
    if job_token is None:
        return found
    found = replace(found, token=job_token, token_source=_OF_JOB, from_job=True)
    if trigger_token is None:
        found = replace(found, trigger_token=job_token, trigger_token_source=_OF_JOB)
    return found


def token_file(profile: Profile) -> Path | None:
    if profile.token_file is not None:
        return profile.token_file
    return None if profile.ephemeral else config_dir() / "credentials" / f"{profile.name}.token"


def save_token(profile: Profile, token: Secret) -> Path:
    """Write the profile's token file (mode 0600). Raises CredentialError."""
    return _save(profile, token_file(profile), token)


def read_private(path: Path) -> Secret | None:
    """Return the first line of a private file, None without it, or raise CredentialError."""
    content = _private_content(path)
    return None if content is None else _secret_in(content, path)


def check_token_file(profile: Profile, before: Profile | None = None) -> None:
    """Raise CredentialError if the token file is that of another profile of this name.

    Profiles of several files (`--config`) may have one name, and so one token file.
    """
    path, content = token_file(profile), b""
    with suppress(CredentialError):  # an unusable file
        if path is not None:
            content = _private_content(path) or b""
    if before is not None and not _other_platform(content, before):
        return
    if other := _other_platform(content, profile):
        raise CredentialError(
            clean(f"{path} has the token of a profile for {other}."),
            hint="Choose another name for the profile, or remove the file.",
        )


def _other_platform(content: bytes, profile: Profile) -> str:
    lines = content.decode(errors="replace").splitlines()
    platform = origin_of("".join(lines[1:2]).strip())
    return "" if platform is None or platform == origin_of(profile.url) else platform.root


def _read_saved(path: Path | None, profile: Profile) -> tuple[Secret | None, str]:
    """Return a saved token unless it is for another platform. Raises CredentialError."""
    content = None if path is None else _private_content(path)
    if path is None or content is None:
        return None, NOT_SET
    if other := _other_platform(content, profile):
        return None, clean(f"{path} is for another platform, {other}")
    return _secret_in(content, path), clean(f"file {path}")


def _private_content(path: Path) -> bytes | None:
    try:
        read = read_file(path, _LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CredentialError(clean(f"{path} cannot be read: {error.strerror}.")) from error
    if not read.ours:
        hint = "Store the credential in a file that you own."
        raise CredentialError(clean(f"{path} belongs to another user."), hint=hint)
    if not read.private:
        hint = f"Run: chmod 600 {path}"
        raise CredentialError(clean(f"Other users may read {path}."), hint=clean(hint))
    return read.content


def _secret_in(content: bytes, path: Path) -> Secret:
    return _secret(content.partition(b"\n")[0], clean(str(path)))


def _token(profile: Profile, env: Mapping[str, str]) -> tuple[Secret | None, str]:
    secret, source = from_environment(TOKEN, env, URL, profile.url)
    if secret is not None:
        return secret, source
    if profile.token_command:
        return from_command(profile.token_command, env)
    if profile.token_keyring:
        return _checked(from_keyring(profile), "the keyring"), "keyring"
    if profile.token_file is not None:
        secret = read_private(profile.token_file)
        if secret is None:
            raise CredentialError(clean(f"Token file not found: {profile.token_file}"))
        return secret, clean(f"file {profile.token_file}")
    secret, source_of_file = _read_saved(token_file(profile), profile)
    if secret is not None:
        return secret, source_of_file
    if profile.token is not None:
        return _checked(profile.token, "config.toml"), IN_PLAIN_TEXT
    return None, source if source_of_file == NOT_SET else source_of_file


def find_admin_key(profile: Profile, env: Mapping[str, str]) -> tuple[Secret | None, str]:
    """Return the key and its source, or None and the reason. Raises CredentialError."""
    if profile.admin_url is None:
        return None, "no admin_url"
    named, address = (ADMIN_URL, profile.admin_url) if env.get(ADMIN_URL) else (URL, profile.url)
    secret, source = from_environment(ADMIN_KEY, env, named, address)
    if secret is not None:
        return secret, source
    if profile.admin_key_command:
        return from_command(profile.admin_key_command, env)
    if profile.admin_key_file is not None:
        secret = read_private(profile.admin_key_file)
        if secret is None:
            raise CredentialError(clean(f"File not found: {profile.admin_key_file}"))
        return secret, clean(f"file {profile.admin_key_file}")
    if profile.admin_key is not None:
        return _checked(profile.admin_key, "config.toml"), IN_PLAIN_TEXT
    return None, source


def from_environment(
    name: str, env: Mapping[str, str], address_name: str, address: str
) -> tuple[Secret | None, str]:
    """Return a variable's secret unless it is for another platform. Raises CredentialError."""
    text = env.get(name, "").strip()
    if not text:
        return None, NOT_SET
    meant_for = env.get(address_name, "").strip()
    if meant_for and not is_same_platform(meant_for, address):
        is_named = address_name == URL and PROFILE in env
        named = f"{URL} or {PROFILE}" if is_named else address_name
        return None, f"{name} is for another platform, that of {named}"
    return _checked(Secret(text), name), "environment"


def from_command(command: tuple[str, ...], env: Mapping[str, str]) -> tuple[Secret, str]:
    """Run a program that prints the secret. Raises CredentialError."""
    program = clean(os.path.basename(command[0]))  # noqa: PTH119  (a word, no path needed)
    return _secret(first_line_of(command, without_secrets(env)), program), "command"


def _secret(line: bytes, source: str) -> Secret:
    try:
        text = line.decode().strip()
    except UnicodeDecodeError as error:
        raise CredentialError(f"The output of {source} is not text.") from error
    if not text:
        raise CredentialError(f"{source}: the first line is empty.")
    return _checked(Secret(text), source)


def _checked(secret: Secret, source: str) -> Secret:
    text = secret.reveal()
    if not text.isascii() or not text.isprintable() or " " in text:
        raise CredentialError(f"The credential of {source} contains an invalid character.")
    return secret


def find_trigger_token(
    profile: Profile, project: int | str, env: Mapping[str, str]
) -> tuple[Secret | None, str]:
    """Return a project's trigger token and its source. Raises CredentialError."""
    token, _ = from_environment(TRIGGER_TOKEN, env, URL, profile.url)
    if token is not None:
        return token, "environment"
    if profile.trigger_token_command:
        words = (word.replace(_PROJECT, str(project)) for word in profile.trigger_token_command)
        return from_command(tuple(words), env)
    token, source = _read_saved(trigger_token_file(profile, project), profile)
    if token is not None:
        return token, source
    if _has_only_job_token(env):
        found = resolve(profile, env, with_admin_key=False)
        return found.trigger_token, found.trigger_token_source
    return None, NOT_SET


def trigger_source(profile: Profile, project: int | str, env: Mapping[str, str]) -> str:
    """Return the source of the trigger token without running a command; empty: none."""
    token, source = from_environment(TRIGGER_TOKEN, env, URL, profile.url)
    if token is not None:
        return source
    if profile.trigger_token_command:
        return "command"
    path = trigger_token_file(profile, project)
    try:
        token, source = _read_saved(path, profile)
    except CredentialError:  # for the one who uses the token
        return clean(f"file {path}")
    if token is not None:
        return source
    return _OF_JOB if _has_only_job_token(env) else ""


def trigger_token_file(profile: Profile, project: int | str) -> Path | None:
    """Return the file of a project's trigger token; None: not stored."""
    name = quote(str(project), safe="", errors="replace")
    if profile.ephemeral or profile.is_in_memory or len(name) > _LONGEST_NAME:
        return None
    folder = config_dir() / "credentials" / f"{profile.name}.triggers"
    return folder / f"{name}.token"


def save_trigger_token(profile: Profile, project: int | str, token: Secret) -> Path:
    """Write the file of a project's trigger token (mode 0600). Raises CredentialError."""
    return _save(profile, trigger_token_file(profile, project), token)


def remove_trigger_token(profile: Profile, project: int | str) -> None:
    """Remove the file of a project's trigger token. Raises CredentialError."""
    path = trigger_token_file(profile, project)
    if path is None:
        return
    try:
        content = path.read_bytes()
        for other in path.parent.glob("*.token"):  # it is saved by id and by path
            if other.read_bytes() == content:
                other.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise CredentialError(clean(f"{path} cannot be removed: {error.strerror}.")) from error


def _save(profile: Profile, path: Path | None, token: Secret) -> Path:
    if path is None:
        raise CredentialError(f"Cannot store a token for {clean(profile.name)}: it has no profile.")
    try:
        write_private(path, f"{token.reveal()}\n{profile.url}\n".encode())
    except OSError as error:
        raise CredentialError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    return path


def _has_only_job_token(env: Mapping[str, str]) -> bool:
    return not env.get(TOKEN, "").strip() and bool(env.get(JOB_TOKEN, "").strip())
