"""Write an archive for a bug report, without secrets."""

from __future__ import annotations

import io
import json
import os
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui.cli.commands.doctor.machine import versions
from platui.cli.redaction import Redactor, masked_config, secrets_among
from platui.config.load import UnreadableConfigError, config_file, parse_toml
from platui.core.errors import FileWriteError, NameTakenError
from platui.core.paths import config_dir, write_private
from platui.core.text import clean
from platui.store.inventory import damaged_files, stored_files

if TYPE_CHECKING:
    from platui.cli.commands.doctor.checks import Doctor

_TAIL_BYTES: Final = 256 * 1024
_MAX_BYTES: Final = 1_000_000
_FOLDER: Final = "platui-report"
_README: Final = """\
Contents of this bug report of platui:

  doctor.json    results of `platui doctor`
  versions.json  software versions on this machine
  config.toml    the configuration, without secrets, comments and arguments of commands
  requests.json  requests of this run: paths, statuses, milliseconds
  stores.json    sizes of the local data
  debug.log      the end of the debug log, if any

Known tokens, keys and passwords, and strings that look like one, are masked.
Names of your platform, projects and people are not. Review it before you send it.
"""


def write_bundle(path: Path, doctor: Doctor, report: Mapping[str, Any], now: datetime) -> int:
    """Write the archive with mode 0600; returns its size in bytes."""
    if os.path.lexists(path):
        raise NameTakenError(clean(f"{path} already exists."), hint="Choose another name.")
    redact = Redactor(_secrets(doctor))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in _files(doctor, report, redact):
            text = content
            if not isinstance(content, str):
                text = json.dumps(redact.value(content), indent=2, ensure_ascii=False) + "\n"
            # Redact all files again, whatever their source.
            data = redact(text.replace(f"{Path.home()}/", "~/")).encode("utf-8", "replace")
            entry = tarfile.TarInfo(f"{_FOLDER}/{name}")
            entry.size, entry.mode, entry.mtime = len(data), 0o600, int(now.timestamp())
            archive.addfile(entry, io.BytesIO(data))
    try:
        write_private(path, packed.getvalue())
    except OSError as error:
        raise FileWriteError(clean(f"{path} cannot be written: {error.strerror}.")) from error
    return len(packed.getvalue())


def _files(
    doctor: Doctor, report: Mapping[str, Any], redact: Redactor
) -> Iterator[tuple[str, Any]]:
    yield "README.txt", _README
    yield "doctor.json", report
    yield "versions.json", versions()
    file = doctor.options.config or config_file()
    text = _head(file)
    yield "config.toml", "# Not found.\n" if text is None else masked_config(text, file, redact)
    requests = [
        {**asdict(one), "at": one.at.isoformat(), "urgency": str(one.urgency)}
        for one in doctor.requests
    ]
    yield "requests.json", requests
    sizes = [{**one._asdict(), "path": str(one.path)} for one in stored_files()]
    stores = {"stores": sizes, "set_aside": [str(path) for path in damaged_files()]}
    yield "stores.json", stores
    debug = None if doctor.settings is None else doctor.settings.debug_file
    if debug is not None and (tail := _tail(debug)) is not None:
        yield "debug.log", tail


def _secrets(doctor: Doctor) -> list[str]:
    found = [*secrets_among(doctor.environ), *_quoted(doctor.options.config or config_file())]
    credentials = doctor.credentials
    if credentials is not None:
        given = (credentials.token, credentials.admin_key, credentials.trigger_token)
        found += [one.reveal() for one in given if one is not None]
    profiles = () if doctor.settings is None else tuple(doctor.settings.profiles.values())
    for profile in profiles:
        found += [one.reveal() for one in (profile.token, profile.admin_key) if one is not None]
        for path in (profile.token_file, profile.admin_key_file):
            found += [] if path is None else _first_line(path)
    folder = config_dir() / "credentials"
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        found += _first_line(path)
    return found


def _quoted(file: Path) -> list[str]:
    """Return what the error of an unreadable configuration quotes: it may be an argument."""
    try:
        parse_toml(_head(file) or "", file)
    except UnreadableConfigError as error:
        return [error.source]
    return []


def _first_line(path: Path) -> list[str]:
    text = _head(path) if path.is_file() else None
    return [] if not text else text.splitlines()[:1]


def _head(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def _tail(path: Path) -> str | None:
    with suppress(OSError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _TAIL_BYTES))
        text = file.read().decode("utf-8", "replace")
        return text if size <= _TAIL_BYTES else text.partition("\n")[2]
    return None
