"""Checks of this machine: versions, configuration, permissions, stores."""

from __future__ import annotations

import os
import platform
import stat
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from platui import __version__
from platui.cli.commands.doctor.finding import failed, failure, init_of, works
from platui.cli.exit_codes import Exit
from platui.config.load import config_file, load_settings
from platui.config.problems import InvalidConfigError
from platui.config.profile_choice import ambiguous_profiles, choose_profile
from platui.config.settings import CacheSettings
from platui.core.errors import ConfigError, CredentialError
from platui.core.paths import cache_dir, config_dir, data_dir, state_dir, tilde_path
from platui.present.counts import counted, human_bytes
from platui.store.inventory import holdings, set_aside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from platui.cli.commands.doctor.finding import Finding
    from platui.config.credentials import Credentials
    from platui.config.profile import Profile
    from platui.config.settings import Options, Settings
    from platui.store.inventory import Holding

PACKAGES: Final = ("textual", "httpx", "pydantic", "click", "starlette", "uvicorn")
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_MB: Final = 1_000_000
_PLACES: Final = {
    "answers": "cache", "logs": "cache", "quota": "cache", "state": "state", "reports": "reports",
}  # fmt: skip
_INIT: Final = "platui init makes one."


def versions() -> dict[str, str]:
    found = {"platui": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # not installed as a package, as in one file
            continue
    return {**found, "system": platform.platform(terse=True), "executable": sys.executable}


def look_at_versions() -> Finding:
    found = versions()
    shown = [f"{name} {found[name]}" for name in ("platui", "textual", "httpx") if name in found]
    return works("versions", f"{', '.join(shown)}, Python {found['python']}, "
                 f"{platform.system()} {platform.machine()}", **found)  # fmt: skip


def look_at_config(
    options: Options, environ: Mapping[str, str]
) -> tuple[Settings | None, list[Finding]]:
    file = options.config or config_file()
    try:
        settings = load_settings(options.config, environ, options)
    except InvalidConfigError as error:
        return None, [
            failed("config", f"{tilde_path(file)}: {one}", "Correct it in the file.", key=one.key)
            for one in error.problems
        ]
    except ConfigError as error:
        return None, [failure("config", error)]
    what, read = f"There is no {tilde_path(file)}: all is as by default.", settings.file
    if read is not None:
        what = f"{tilde_path(read)}: {counted(len(settings.profiles), 'profile')}"
    return settings, [
        works("config", what, file=read and str(read), profiles=sorted(settings.profiles))
    ]


def look_at_permissions(profile: Profile | None, file: Path | None) -> Iterator[Finding]:
    is_well = True
    for path in _private_files(profile):
        if not _is_ours_alone(path):
            is_well = False
            told = f"Others may read {tilde_path(path)}, so that it is not used."
            yield failed("permissions", told, f"chmod 600 {path}", file=str(path))
    for folder in (state_dir(), cache_dir(), data_dir()):
        if (open_file := _readable_by_others(folder)) is not None:
            is_well = False
            told = f"Others may read files in {tilde_path(folder)}, as {open_file.name}."
            yield works("permissions", told, f"chmod -R go= {folder}", file=str(open_file))
    for path in (file or config_file(), config_dir()):
        if path.exists() and _mode(path) & (stat.S_IWGRP | stat.S_IWOTH):
            is_well = False
            told = f"Others may write {tilde_path(path)}, and what it names is run."
            yield failed("permissions", told, f"chmod go-w {path}", Exit.USAGE, file=str(path))
    if is_well:
        yield works("permissions", "Nobody else can read credentials, state or cache.")


def look_at_profile(
    settings: Settings, environ: Mapping[str, str], options: Options
) -> tuple[Profile | None, Finding]:
    try:
        profile = choose_profile(settings, environ, options)
        rivals = ambiguous_profiles(settings, environ, options)
    except ConfigError as error:
        return None, failure("profile", error)
    if profile is None:
        return None, failed("profile", "There is no profile, and no PLATUI_URL.", _INIT)
    told = [profile.name, profile.url, "production" if profile.production else ""]
    words = " · ".join(filter(None, [*told, f"writes {profile.writes}"]))
    facts: dict[str, Any] = {
        "profile": profile.name,
        "url": profile.url,
        "production": profile.production,
        "writes": profile.writes,
        "admin_url": profile.admin_url,
    }
    remedy = ""
    if rivals:
        words += ". It is taken because it stands first; writes ask which."
        remedy = "Name one for good: default_profile in config.toml, or --profile."
    return profile, works("profile", words, remedy, **facts)


def look_at_token(found: Credentials | CredentialError, profile: Profile) -> Iterator[Finding]:
    """Say where the token comes from, never what it is."""
    if isinstance(found, CredentialError):
        yield failure("token", found, found.hint or f"{init_of(profile)} asks for another.")
        return
    source = found.token_source
    if found.token is None:
        yield failed("token", f"There is no token ({source}).",
                     f"{init_of(profile)}, or set PLATUI_TOKEN.", source=None)  # fmt: skip
    elif source.startswith("config.toml"):
        yield works("token", "It stands in config.toml, in clear.",
                    f"{init_of(profile)} keeps it in a file of its own; then take it "
                    "out of config.toml.", source=source)  # fmt: skip
    else:
        yield works("token", f"from {_called(source)}", source=source)


def look_at_stores(settings: Settings | None) -> Iterator[Finding]:
    cache = CacheSettings() if settings is None else settings.cache
    held = {one.name: one for one in holdings()}
    for one in held.values():
        if one.problem:
            yield works(
                _PLACES[one.name],
                one.problem,
                f"It is put aside and made anew when it is used: {tilde_path(one.path)}",
                **_facts(one),
            )
    kept, cap = ("answers", "logs", "quota"), cache.max_mb * _MB
    size = sum(held[name].size for name in kept)
    facts = {"cap": cap, "disk": cache.disk, "stores": [_facts(held[name]) for name in kept]}
    where = tilde_path(cache_dir())
    told, remedy = f"{human_bytes(size)} of {human_bytes(cap)} at most, in {where}", ""
    if not cache.disk:
        told = "Nothing is kept on disk: cache.disk is false."
    elif size > cap * 1.1:
        told = f"{human_bytes(size)}, more than the {human_bytes(cap)} it may be, in {where}"
        remedy = "It shrinks when platui runs; platui cache clear empties it."
    yield works("cache", told, remedy, **facts)
    for name in ("state", "reports"):
        one = held[name]
        told = f"{human_bytes(one.size)} in {counted(one.files, 'file')}, in {tilde_path(one.path)}"
        yield works(name, told if one.files else "nothing yet", **_facts(one))
    if aside := set_aside():
        shown = ", ".join(path.name for path in aside[:3])
        yield works("damaged", f"Put aside as damaged: {shown}.",
                    f"Look into them, in {tilde_path(aside[0].parent)}; platui cache clear --what "
                    "damaged removes them.",
                    files=[str(path) for path in aside])  # fmt: skip


def _facts(one: Holding) -> dict[str, Any]:
    return {"store": one.name, "path": str(one.path), "bytes": one.size, "files": one.files}


def _private_files(profile: Profile | None) -> list[Path]:
    folder = config_dir() / "credentials"
    found = sorted(one for one in folder.rglob("*.token")) if folder.is_dir() else []
    named = () if profile is None else (profile.token_file, profile.admin_key_file)
    return [*found, *(one for one in named if one is not None and one.exists())]


def _is_ours_alone(path: Path) -> bool:
    try:
        status = path.stat()
    except OSError:
        return True  # gone, or not ours to look at: whoever uses it says so
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS


def _readable_by_others(folder: Path) -> Path | None:
    for root, folders, names in os.walk(folder):
        here = Path(root)
        if not _mode(here) & stat.S_IXOTH and not _mode(here) & stat.S_IXGRP:
            folders.clear()  # nobody gets in
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


def _called(source: str) -> str:
    named = {"environment": "PLATUI_TOKEN", "command": "token_command"}
    kind, blank, path = source.partition(" ")
    return (
        f"the {kind} {tilde_path(Path(path))}"
        if blank and kind == "file"
        else named.get(source, source)
    )
