"""Write a profile into config.toml without changing the rest of the file.

The text is edited, so that comments stay, then parsed and compared with the intended document.
Secrets are never written. tomlkit 0.15.2 drops the comment of a removed key, puts a new key below
the comment of the next table, and writes LF in a CRLF file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platui.config.load import config_file, parse_toml, read_config_file
from platui.config.problems import InvalidConfigError, Severity, lines_of
from platui.config.schema import PROFILE, as_toml
from platui.config.validation import Checked
from platui.config.value_kinds import ClearSecret, ReadContext
from platui.core.errors import ConfigError
from platui.core.locks import lock
from platui.core.named_tuple import NamedTuple
from platui.core.origins import same_origin
from platui.core.paths import write_private
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.config.profile import Profile

_KEYS = [name for name, key in PROFILE.items() if not isinstance(key.kind, ClearSecret)]
_LOCK_TIMEOUT = 3.0  # Seconds
_LONGEST = 200  # Lines of one statement

Document = dict[str, Any]


def save_profile(profile: Profile, *, file: Path | None = None, make_default: bool = False) -> Path:
    """Add or replace the profile in config.toml, or raise ConfigError."""
    named = file or config_file()
    # Keep a symbolic link (into a repository of dotfiles).
    path = named.resolve()
    try:
        with _exclusive(path.parent):
            _save(profile, path, named.absolute().parent, make_default=make_default)
    except OSError as error:
        raise ConfigError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    return path


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """Lock a folder against other platui processes, or raise ConfigError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with lock(descriptor, _LOCK_TIMEOUT) as acquired:
            if not acquired:
                raise ConfigError(
                    clean(f"Another platui has locked {folder} for {_LOCK_TIMEOUT:.0f} s."),
                    hint="Nothing was written. Wait for it or stop it, then retry.",
                )
            yield
    finally:
        os.close(descriptor)


def _save(profile: Profile, path: Path, folder: Path, *, make_default: bool) -> None:
    """Write the profile; `folder` is that from which the paths of the file are read."""
    before = read_config_file(path)
    text = before.text if before is not None else ""
    document = parse_toml(text, path)
    is_private = before is None or before.private
    checked = Checked(document, ReadContext(folder, private=is_private))
    found = checked.problems
    # Keep ignored keys: they may belong to a newer platui.
    if refused := [one for one in found if one.severity is Severity.REFUSED]:
        raise InvalidConfigError(path, refused)
    tables = document.get("profiles", {})
    written, read = tables.get(profile.name, {}), checked.profiles.get(profile.name, {})
    given = {key: getattr(profile, key) for key in _KEYS}
    # Without default values, and as it is written (`~/ca.pem`) where nothing changes.
    table = {
        key: written[key] if read.get(key) == value else as_toml(value)
        for key, value in given.items()
        if value != PROFILE[key].default
    }
    table |= _preserved_keys(written, profile)
    intended = document | {"profiles": tables | {profile.name: table}}
    if make_default:
        intended["default_profile"] = profile.name
    after = Checked(intended, ReadContext(folder, private=True)).problems
    if new := [one for one in after if one not in found]:
        raise InvalidConfigError(path, new)
    write_private(path, _new_text(text, profile.name, intended, path).encode())


def _preserved_keys(table: Any, profile: Profile) -> Document:
    """Return the keys to preserve: unknown ones, and plain-text secrets of the same origin."""
    if not isinstance(table, dict):
        return {}
    kept = {key: value for key, value in table.items() if key not in _KEYS}
    for secret, address in (("token", "url"), ("admin_key", "admin_url")):
        before, now = table.get(address), getattr(profile, address)
        if not (isinstance(before, str) and now and same_origin(before, now)):
            kept.pop(secret, None)
    return kept


def _new_text(text: str, name: str, intended: Document, path: Path) -> str:
    candidates = [_changed(text, name, intended)]
    if "#" not in text:  # without comments, the file can be rewritten
        candidates.append("\n".join([*_toml_lines(intended), ""]))
    for candidate in candidates:
        with suppress(ConfigError):
            if candidate is not None and parse_toml(candidate, path) == intended:
                return candidate
    raise ConfigError(
        clean(f"Rewriting [profiles.{name}] in {path} would lose comments."),
        hint="Edit the table by hand.",
    )


def _changed(text: str, name: str, intended: Document) -> str | None:
    """Edit the profile's table line by line, or append it; None if impossible."""
    lines, line_numbers = text.split("\n"), lines_of(text)
    headers = {
        at: key for key, at in line_numbers.items() if lines[at - 1].lstrip().startswith("[")
    }
    table, key = intended["profiles"][name], f"profiles.{name}"
    if headers.get(at := line_numbers.get(key, 0)) == key:
        # Skip keys with their own header.
        own = {
            one: value
            for one, value in table.items()
            if not any(
                f"{header}.".startswith((f"{key}.{one}.", f"{key}.{one}["))
                for header in headers.values()
            )
        }
        end = min((line - 1 for line in headers if line > at), default=len(lines))
        inside = _with_values(lines[at:end], own)
        if inside is None:
            return None
        lines[at:end] = inside
    else:
        before = [] if not text else [*lines, ""] if lines[-1] else lines
        lines = [*before, *_toml_lines({"profiles": {name: table}}), ""]
    return "\n".join(_with_default(lines, line_numbers.get("default_profile"), intended))


def _with_default(lines: list[str], at: int | None, intended: Document) -> list[str]:
    wanted = {key: intended[key] for key in ("default_profile",) if key in intended}
    if at is None:
        top = sum(line.startswith("#:") for line in lines[:1])  # `#:schema` must be the first line
        return [*lines[:top], *_toml_lines(wanted), "", *lines[top:]] if wanted else lines
    values = _parse(lines[at - 1])
    if values is None or values == wanted:
        return lines
    new = _rewritten(_Statement([lines[at - 1]], values), intended)
    return [*lines[: at - 1], *new, *lines[at:]]


class _Statement(NamedTuple):
    lines: list[str]
    values: Document


def _with_values(lines: list[str], intended: Document) -> list[str] | None:
    statements = _statements(lines)
    if statements is None:
        return None
    present = {key for one in statements for key in one.values}
    last = max((at for at, one in enumerate(statements) if one.values), default=0)
    turn = "\r" if any(line.endswith("\r") for line in lines) else ""
    result: list[str] = []
    for at, one in enumerate(statements):
        # Keep parts of dotted keys: unchanged or unknown.
        stays = all(
            key in intended and (intended[key] == value or isinstance(value, dict))
            for key, value in one.values.items()
        )
        result += one.lines if stays else _rewritten(one, intended)
        if at == last:
            new = {key: value for key, value in intended.items() if key not in present}
            result += [line + turn for line in _toml_lines(new)]
    return result


def _statements(lines: list[str]) -> list[_Statement] | None:
    found: list[_Statement] = []
    at = 0
    while at < len(lines):
        for end in range(at + 1, min(len(lines), at + _LONGEST) + 1):
            values = _parse("\n".join(lines[at:end]))
            if values is not None:
                found.append(_Statement(lines[at:end], values))
                at = end
                break
        else:
            return None
    return found


def _rewritten(one: _Statement, intended: Document) -> list[str]:
    *before, last = one.lines
    comment = "\r" if last.endswith("\r") else ""
    for sign in re.finditer("#", last):
        if _parse("\n".join([*before, last[: sign.start()]])) == one.values:
            comment = last[sign.start() :]
            break
    [key] = one.values
    if key not in intended:
        return [comment] if comment.strip() else []
    *lines, last = _toml_lines({key: intended[key]})
    return [*lines, f"{last} {comment}" if comment.strip() else last + comment]


def _parse(text: str) -> Document | None:
    try:
        return tomllib.loads(text + "\n")
    except ValueError:
        return None


def _toml_lines(document: Document) -> list[str]:
    import tomli_w  # noqa: PLC0415  (not at start)

    return tomli_w.dumps(document).rstrip("\n").split("\n") if document else []
