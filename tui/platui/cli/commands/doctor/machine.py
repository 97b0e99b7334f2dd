"""Checks of this machine: versions, configuration, permissions, stores."""

from __future__ import annotations

import os
import platform
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui import __version__
from platui.cli.commands.doctor.finding import Finding, failed, failure, init_command, works
from platui.config.credentials import IN_PLAIN_TEXT, Credentials
from platui.config.load import config_file, load_settings
from platui.config.problems import InvalidConfigError
from platui.config.profile_choice import ambiguous_profiles, choose_profile
from platui.config.settings import CacheSettings, Options, Settings
from platui.core.errors import ConfigError
from platui.core.paths import (
    cache_dir,
    config_dir,
    data_dir,
    path_exists,
    state_dir,
    tilde_path,
)
from platui.present.counts import counted, human_bytes
from platui.store.audit import AuditFile, audit_path
from platui.store.inventory import StoredFiles, damaged_files, stored_files

if TYPE_CHECKING:
    from types import ModuleType

    from platui.config.profile import Profile

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_MB: Final = 1_000_000
_STORE_CHECKS: Final = {
    "answers": "cache", "logs": "cache", "quota": "cache", "state": "state", "reports": "reports",
}  # fmt: skip
_INIT: Final = "Create one with: platui init"


def versions() -> dict[str, str]:
    found = {"platui": __version__, "python": platform.python_version()}
    for name in ("textual", "httpx", "pydantic", "click", "starlette", "uvicorn"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # not installed as a package, as in one file
            continue
    return {**found, "system": platform.platform(terse=True), "executable": sys.executable}


def check_versions() -> Finding:
    found = versions()
    shown = [f"{name} {found[name]}" for name in ("platui", "textual", "httpx") if name in found]
    return works("versions", f"{', '.join(shown)}, Python {found['python']}, "
                 f"{platform.system()} {platform.machine()}", **found)  # fmt: skip


def check_bytecode(modules: Iterable[ModuleType | None], folder: Path) -> list[Finding]:
    """Warn where an installation (no checkout) in `folder` compiles modules at each start."""
    is_checkout = not (folder / "themes").is_dir()
    loaded = (one for one in modules if one is not None)  # None: not to be imported
    paths = (one.__cached__ for one in loaded if one.__name__.partition(".")[0] == folder.name)
    missing = 0 if is_checkout else sum(bool(one) and not Path(one).exists() for one in paths)
    if not missing:
        return []
    text = f"{counted(missing, 'module')} of platui compiled at each start: no bytecode."
    remedy = "Reinstall with: pipx install --force, or uv tool install --force --compile-bytecode"
    return [works("bytecode", text, remedy, missing=missing, folder=str(folder))]


def check_config(
    options: Options, environ: Mapping[str, str]
) -> tuple[Settings | None, list[Finding]]:
    file = options.config or config_file()
    try:
        settings = load_settings(options.config, environ, options)
    except InvalidConfigError as error:
        return None, [
            failed("config", f"{tilde_path(file)}: {one}", "Fix it in the file.", key=one.key)
            for one in error.problems
        ]
    except ConfigError as error:
        return None, [failure("config", error)]
    what, read = f"{tilde_path(file)} not found: using defaults.", settings.file
    if read is not None:
        what = f"{tilde_path(read)}: {counted(len(settings.profiles), 'profile')}"
    return settings, [
        works("config", what, file=read and str(read), profiles=sorted(settings.profiles))
    ]


def check_permissions(profile: Profile | None, file: Path | None) -> list[Finding]:
    found = []
    folder = config_dir() / "credentials"
    tokens = sorted(folder.rglob("*.token")) if folder.is_dir() else []
    named = () if profile is None else (profile.token_file, profile.admin_key_file)
    for path in (*tokens, *(one for one in named if one is not None and one.exists())):
        if not _is_private(path):
            text = f"Others can read {tilde_path(path)}, so it is not used."
            found.append(failed("permissions", text, f"chmod 600 {path}", file=str(path)))
    for folder in (state_dir(), cache_dir(), data_dir()):
        if (open_file := _readable_by_others(folder)) is not None:
            text = f"Others can read files in {tilde_path(folder)}, e.g. {open_file.name}."
            found.append(works("permissions", text, f"chmod -R go= {folder}", file=str(open_file)))
    for path in (file or config_file(), config_dir()):
        if path.exists() and _mode(path) & (stat.S_IWGRP | stat.S_IWOTH):
            text = f"Others can write {tilde_path(path)}, which names commands to run."
            found.append(failed("permissions", text, f"chmod go-w {path}", file=str(path)))
    return found or [works("permissions", "Credentials, state and cache are private.")]


def check_profile(
    settings: Settings, environ: Mapping[str, str], options: Options
) -> tuple[Profile | None, Finding]:
    try:
        profile = choose_profile(settings, environ, options)
        rivals = ambiguous_profiles(settings, environ, options)
    except ConfigError as error:
        return None, failure("profile", error)
    if profile is None:
        return None, failed("profile", "No profile, and PLATUI_URL is not set.", _INIT)
    parts = [profile.name, profile.url, "production" if profile.production else ""]
    text = " · ".join(filter(None, [*parts, f"writes {profile.writes}"]))
    facts: dict[str, Any] = {
        "profile": profile.name,
        "url": profile.url,
        "production": profile.production,
        "writes": profile.writes,
        "admin_url": profile.admin_url,
    }
    remedy = ""
    if rivals:
        text += ". Used because it is the first; writes ask for a profile."
        remedy = "Set default_profile in config.toml, or use --profile."
    return profile, works("profile", text, remedy, **facts)


def check_token(found: Credentials, profile: Profile) -> Finding:
    source = found.token_source
    if found.token is None:
        remedy = f"Run {init_command(profile)}, or set PLATUI_TOKEN."
        return failed("token", f"No token ({source}).", remedy, source=None)
    if source == IN_PLAIN_TEXT:
        remedy = f"Move it to a private file with: {init_command(profile)}; "
        remedy += "then remove it from config.toml."
        return works("token", "Stored in config.toml in plain text.", remedy, source=source)
    kind, _, path = source.partition(" ")
    shown = {"environment": "PLATUI_TOKEN", "command": "token_command"}.get(source, source)
    if kind == "file" and path:
        shown = f"the file {tilde_path(Path(path))}"
    return works("token", f"from {shown}", source=source)


def check_stores(settings: Settings | None) -> Iterator[Finding]:
    cache = CacheSettings() if settings is None else settings.cache
    stores = {one.name: one for one in stored_files()}
    for one in stores.values():
        if one.problem:
            yield works(
                _STORE_CHECKS[one.name],
                one.problem,
                f"It is set aside and recreated on next use: {tilde_path(one.path)}",
                **_facts(one),
            )
    cached, cap = ("answers", "logs", "quota"), cache.max_mb * _MB
    size = sum(stores[name].size for name in cached)
    facts = {"cap": cap, "disk": cache.disk, "stores": [_facts(stores[name]) for name in cached]}
    where = tilde_path(cache_dir())
    text, remedy = f"{human_bytes(size)} of {human_bytes(cap)}, in {where}", ""
    if not cache.disk:
        text = "Disabled by cache.disk = false."
    elif size > cap * 1.1:
        text = f"{human_bytes(size)}, over the limit of {human_bytes(cap)}, in {where}"
        remedy = "platui shrinks it when it runs. Clear it with: platui cache clear"
    unwritable = {one.name: one for one in _check_folders(cache)}
    yield _with_facts(unwritable.get("cache") or works("cache", text, remedy), facts)
    for name in ("state", "reports"):
        one = stores[name]
        text = f"{human_bytes(one.size)} in {counted(one.files, 'file')}, in {tilde_path(one.path)}"
        found = unwritable.get(name) or works(name, text if one.files else "empty")
        yield _with_facts(found, _facts(one))
    yield from _check_audit_log()
    if aside := damaged_files():
        shown = ", ".join(path.name for path in aside[:3])
        yield works("damaged", f"Damaged files set aside: {shown}.",
                    f"Inspect them in {tilde_path(aside[0].parent)}, or remove them with: "
                    "platui cache clear --what damaged",
                    files=[str(path) for path in aside])  # fmt: skip


def _with_facts(found: Finding, facts: Mapping[str, Any]) -> Finding:
    return replace(found, facts={**found.facts, **facts})


def _check_folders(cache: CacheSettings) -> Iterator[Finding]:
    """Yield a finding for each folder that cannot be written."""
    if cache.disk and (what := _write_problem(cache_dir())):
        remedy = "Make it writable, or set cache.disk = false."
        yield works("cache", what, remedy, path=str(cache_dir()))
    if what := _write_problem(state_dir()):
        remedy = "Make it writable: writes are refused without an audit log."
        yield failed("state", what, remedy, path=str(state_dir()))
    if what := _write_problem(data_dir()):
        remedy = "Make it writable, to save reports."
        yield works("reports", what, remedy, path=str(data_dir()))


def _write_problem(folder: Path) -> str:
    """Return why no file can be created in `folder`, or in its nearest existing parent."""
    nearest = next(one for one in (folder, *folder.parents) if path_exists(one))
    try:
        with tempfile.TemporaryFile(dir=nearest):
            return ""
    except OSError as error:
        return f"{tilde_path(folder)} cannot be written: {error.strerror}."


def _check_audit_log() -> Iterator[Finding]:
    log = AuditFile(audit_path())
    try:
        log.entries(sys.maxsize)
    except OSError as error:
        what = f"{tilde_path(audit_path())} cannot be read: {error.strerror}."
        yield works("audit", what, "Make it readable.", path=str(audit_path()))
        return
    if log.damaged:
        what = f"{counted(log.damaged, 'damaged line')} in the audit log."
        remedy = f"platui audit skips them. Inspect {tilde_path(audit_path())}"
        yield works("audit", what, remedy, path=str(audit_path()), damaged=log.damaged)


def _facts(one: StoredFiles) -> dict[str, Any]:
    return {"store": one.name, "path": str(one.path), "bytes": one.size, "files": one.files}


def _is_private(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return True  # missing or not accessible; reported where it is used
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS


def _readable_by_others(folder: Path) -> Path | None:
    for root, folders, names in os.walk(folder):
        here = Path(root)
        if not _mode(here) & stat.S_IXOTH and not _mode(here) & stat.S_IXGRP:
            folders.clear()  # closed to others
            continue
        for name in names:
            if _mode(here / name) & (stat.S_IRGRP | stat.S_IROTH):
                return here / name
    return None


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError:
        return 0
