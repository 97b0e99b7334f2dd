"""Write a profile into config.toml, leaving the rest of the file as its owner wrote it.

New text is put in as text, so that comments stay; what comes of it is read again and
compared with what is meant before it replaces the file. Secrets are never written here.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from platui.config.check import check
from platui.config.kinds import Surroundings
from platui.config.load import config_file, parse_toml, read_config_file
from platui.config.problems import InvalidConfigError, Weight
from platui.config.profile import Profile
from platui.config.table_edit import edited_table
from platui.core.errors import ConfigError
from platui.core.locks import lock
from platui.core.origins import same_origin
from platui.core.paths import write_private
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from platui.config.problems import Problem

_KEYS = (
    "url", "admin_url", "production", "writes", "insecure", "ca_bundle", "rate_limit", "timeout",
    "neighbours", "poll_running", "poll_idle", "theme", "accent", "token_command", "token_keyring",
    "token_file", "trigger_token_command", "admin_key_command", "admin_key_file",
)  # fmt: skip
"""What of a profile is written, in this order: everything but secrets."""

_PATIENCE = 3.0
"""Seconds that another process may take, which needs some milliseconds."""

_DEFAULT = re.compile(r"""^(default_profile\s*=\s*)("[^"\n]*"|'[^'\n]*')""", re.MULTILINE)


def save_profile(profile: Profile, *, file: Path | None = None, make_default: bool = False) -> Path:
    """Add the profile to config.toml, or replace the one of its name.

    Returns:
        The file that was written.

    Raises:
        ConfigError: the file is not usable as it is, cannot be written, or would lose a
            comment (then it says which table to edit by hand).
    """
    # A config.toml that is a link (into a repository of dotfiles) stays one.
    path = (file or config_file()).resolve()
    try:
        with _alone(path.parent):
            _save(profile, path, make_default=make_default)
    except OSError as error:
        raise ConfigError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    return path


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let no other process of ours change a folder meanwhile: one of two profiles would be lost.

    Raises:
        ConfigError: another one does, and does not come to an end: it was stopped in the middle,
            and would write over what is written now.
        OSError: the folder cannot be made, or not be opened.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with lock(descriptor, _PATIENCE) as got:
            if not got:
                raise ConfigError(
                    clean(f"Another platui has been writing in {folder} for {_PATIENCE:.0f} s."),
                    hint="Nothing was written. Let it come to its end, or end it, and try again.",
                )
            yield
    finally:
        os.close(descriptor)


def _save(profile: Profile, path: Path, *, make_default: bool) -> None:
    before = read_config_file(path)
    text = before.text if before is not None else ""
    document = parse_toml(text, path)
    found = _faults(document, path, private=before is None or before.private)
    # What a start leaves out of account stays as it is: it may be of a newer platui.
    _refuse([one for one in found if one.weight is Weight.REFUSED], path)
    tables = document.get("profiles", {})
    table = profile_table(profile) | _kept_of(tables.get(profile.name, {}), profile)
    meant = document | {"profiles": tables | {profile.name: table}}
    if make_default:
        meant["default_profile"] = profile.name
    _refuse([one for one in _faults(meant, path, private=True) if one not in found], path)
    write_private(path, _edited(text, profile.name, meant, path).encode())


def profile_table(profile: Profile) -> dict[str, Any]:
    """Return the profile as its table in config.toml: what differs from the defaults."""
    plain = Profile(profile.name, "")
    table: dict[str, Any] = {}
    for key in _KEYS:
        value = getattr(profile, key)
        if value == getattr(plain, key):
            continue
        table[key] = list(value) if isinstance(value, tuple) else value
        if key in {"ca_bundle", "token_file", "admin_key_file"}:
            table[key] = str(value)
    return table


def _kept_of(table: Any, profile: Profile) -> dict[str, Any]:
    """Return what is not ours to write: a secret in clear, and what we do not understand.

    Losing the one would help nobody, unless it belongs to another address than the profile
    has now: no secret goes along to that. The other is of a newer platui.
    """
    if not isinstance(table, dict):
        return {}
    kept = {key: value for key, value in table.items() if key not in _KEYS}
    for secret, address in (("token", "url"), ("admin_key", "admin_url")):
        before, now = table.get(address), getattr(profile, address)
        if not (isinstance(before, str) and now and same_origin(before, now)):
            kept.pop(secret, None)
    return kept


def _edited(text: str, name: str, meant: dict[str, Any], path: Path) -> str:
    """Return the text that means `meant` and keeps every comment of `text`."""
    table = meant["profiles"][name]
    # What has a header of its own stays where it is.
    plain = {key: value for key, value in table.items() if not _has_header(text, name, key)}
    for candidate in (
        _with_default(_with_table(text, name, plain), meant),
        # Anything may be written anew in a file that nobody commented.
        _render(meant) if "#" not in text else None,
    ):
        if candidate is not None and _means(candidate, meant, path):
            return candidate
    raise ConfigError(
        clean(f"{path} has comments that rewriting [profiles.{name}] would lose."),
        hint="Edit that table by hand.",
    )


def _has_header(text: str, name: str, key: str) -> bool:
    """Return whether a key of a profile is written as a table below a header."""
    path = r"\s*\.\s*".join(
        rf"(['\"]?){re.escape(one)}\{n}" for n, one in enumerate((name, key), 1)
    )
    header = re.compile(rf"^[ \t]*\[\[?\s*profiles\s*\.\s*{path}\s*[\].]", re.MULTILINE)
    return header.search(text) is not None


def _with_table(text: str, name: str, table: dict[str, Any]) -> str | None:
    """Change the profile's table line by line, or append it; None where that cannot be done."""
    header = re.compile(
        rf"^[ \t]*\[\s*profiles\s*\.\s*(['\"]?){re.escape(name)}\1\s*\]"
        r"(?=[ \t\r]*(?:#[^\n]*)?$)",
        re.MULTILINE,
    )
    found = header.search(text)
    if found is not None:
        return edited_table(text, found, table)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{_render({'profiles': {name: table}})}"


def _with_default(text: str | None, meant: dict[str, Any]) -> str | None:
    default = meant.get("default_profile")
    if text is None or default is None:
        return text
    line = _render({"default_profile": default}).rstrip("\n")
    if _DEFAULT.search(text):
        value = line.partition("=")[2].strip()
        return _DEFAULT.sub(lambda found: found[1] + value, text, count=1)
    return f"{line}\n\n{text}"


def _means(text: str, meant: dict[str, Any], path: Path) -> bool:
    try:
        return parse_toml(text, path) == meant
    except ConfigError:
        return False


def _render(document: dict[str, Any]) -> str:
    import tomli_w  # noqa: PLC0415  (writing is rare; starting is not)

    return tomli_w.dumps(document)


def _faults(document: dict[str, Any], path: Path, *, private: bool) -> list[Problem]:
    return check(document, Surroundings(path.parent, private=private)).problems


def _refuse(problems: list[Problem], path: Path) -> None:
    if problems:
        raise InvalidConfigError(path, problems)
