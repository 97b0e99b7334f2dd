"""Pipeline trigger tokens (spec §5.2): each belongs to one project, and is kept for that one.

From the environment, a command, a 0600 file of the project's, or the running job, in that
order. What runs a command may block: callers use a thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from platui.config.credentials import (
    from_command,
    from_environment,
    read_private,
    resolve,
)
from platui.config.environment import JOB_TOKEN, TOKEN, TRIGGER_TOKEN, URL
from platui.core.errors import CredentialError
from platui.core.paths import config_dir, write_private
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.config.profile import Profile
    from platui.core.secrets import Secret

PLACE = "{project}"
"""What stands for the project in the words of a `trigger_token_command`."""

_LONGEST_NAME = 200


def find_trigger_token(
    profile: Profile, project: int | str, env: Mapping[str, str]
) -> tuple[Secret | None, str]:
    """Return the trigger token of a project, and where it came from.

    Raises:
        CredentialError: its source is there and does not give it.
    """
    token, _ = from_environment(TRIGGER_TOKEN, env, URL, profile.url)
    if token is not None:
        return token, "environment"
    if profile.trigger_token_command:
        words = (word.replace(PLACE, str(project)) for word in profile.trigger_token_command)
        return from_command(tuple(words), env)
    path = trigger_token_file(profile, project)
    token = None if path is None else read_private(path)
    if token is not None:
        return token, clean(f"file {path}")
    if _only_the_job(env):
        found = resolve(profile, env)
        return found.trigger_token, found.trigger_token_source
    return None, "not set"


def trigger_source(profile: Profile, project: int | str, env: Mapping[str, str]) -> str:
    """Return where the token would come from; nothing is run or read. Empty: from nowhere."""
    if env.get(TRIGGER_TOKEN, "").strip():
        return "environment"
    if profile.trigger_token_command:
        return "command"
    path = trigger_token_file(profile, project)
    if path is not None and path.exists():
        return clean(f"file {path}")
    return f"{JOB_TOKEN} of the running job" if _only_the_job(env) else ""


def trigger_token_file(profile: Profile, project: int | str) -> Path | None:
    """Return the file that holds a project's token; None where none is kept.

    The project goes by its name in the file's: by its id or its path, as it was named.
    """
    name = quote(str(project), safe="")
    if profile.ephemeral or profile.keeps_nothing or len(name) > _LONGEST_NAME:
        return None
    folder = config_dir() / "credentials" / f"{profile.name}.triggers"
    return folder / f"{name}.token"


def save_trigger_token(profile: Profile, project: int | str, token: Secret) -> Path:
    """Keep the token of a project in its 0600 file, replacing the one of before.

    Raises:
        CredentialError: none is kept for this profile, or the file cannot be written.
    """
    path = trigger_token_file(profile, project)
    if path is None:
        raise CredentialError(f"Nothing is kept for {clean(profile.name)}: it has no profile.")
    try:
        write_private(path, token.reveal().encode() + b"\n")
    except OSError as error:
        raise CredentialError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    return path


def _only_the_job(env: Mapping[str, str]) -> bool:
    """Return whether the running job's token is all there is."""
    return not env.get(TOKEN, "").strip() and bool(env.get(JOB_TOKEN, "").strip())
