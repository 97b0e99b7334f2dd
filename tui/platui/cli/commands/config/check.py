"""List all errors, warnings and notes about a config.toml and what it refers to."""

from __future__ import annotations

import os
import shutil
import ssl
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from platui.api.address import admin_address, project_address
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.config.credentials import read_private
from platui.config.environment import harden
from platui.config.error_patterns import takes_long
from platui.config.load import ReadConfig, UnreadableConfigError, config_file, read_config
from platui.config.problems import Problem, Severity, with_lines
from platui.config.profile_choice import profile_named
from platui.config.settings import Settings
from platui.config.validation import settings_of
from platui.core.errors import ConfigError, CredentialError, InsecureError
from platui.core.origins import is_loopback, origin_of
from platui.core.paths import absolute_path, config_dir, user_path
from platui.core.text import clean, shorten
from platui.present.counts import counted

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.settings import Options

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_WARNING: Final = Severity.IGNORED
_MAX_SHOWN: Final = 60
# Compiler-style labels; only an error stops platui from starting
_LABELS: Final = {Severity.REFUSED: "error", Severity.IGNORED: "warning", Severity.NOTED: "note"}


def check_config(options: Options, file: Path | None, *, as_json: bool) -> int:
    environ = harden()
    named = file or options.config
    path = absolute_path(user_path(str(named or config_file())))
    problems = _problems(path, environ, options)
    if problems is None and named is not None:
        raise ConfigError(clean(f"File not found: {path}"))
    wrong = [one for one in problems or () if one.severity is not Severity.NOTED]
    if as_json:
        listed = [
            {
                "key": clean(one.key),
                "line": one.line,
                "what": clean(one.what),
                "remedy": clean(one.remedy),
                "weight": one.severity.value,
            }
            for one in problems or ()
        ]
        exists = problems is not None
        facts = {"file": str(path), "exists": exists, "is_ok": not wrong, "problems": listed}
        print_object(facts)
    else:
        for one in problems or ():
            place = path if one.line is None else f"{path}:{one.line}"
            print_line(clean(f"{place}: {_LABELS[one.severity]}: {one}"))
        print_notice(_summary(path, problems, wrong))
    return Exit.USAGE if wrong else Exit.DONE


def _problems(path: Path, environ: Mapping[str, str], options: Options) -> list[Problem] | None:
    try:
        config = read_config(path, environ)
    except UnreadableConfigError as error:
        return [Problem("", error.what, error.hint, line=error.line)]
    settings = Settings() if config is None else settings_of(config.checked, path)
    if options.profile:
        profile_named(settings, options.profile, "--profile")  # raises if unknown
    if config is None:
        return None
    around = list(_reference_problems(path, config, settings, environ))
    found = [*config.problems, *with_lines(around, config.content.text)]
    return sorted(found, key=lambda one: (one.line or 0, one.key))


def _summary(path: Path, problems: Sequence[Problem] | None, wrong: Sequence[Problem]) -> str:
    if problems is None:
        return clean(f"{path} not found: using defaults. Create it with: platui init")
    refused = sum(one.severity is Severity.REFUSED for one in wrong)
    notes = len(problems) - len(wrong)
    parts = [counted(len(wrong), "problem")] * bool(wrong) + [counted(notes, "note")] * bool(notes)
    if not wrong:
        return f"No problems{f', {parts[0]}' if notes else ''}."
    ignored = sum(not one.is_used for one in wrong) - refused
    if not refused:
        which = "these keys" if ignored == len(wrong) else counted(ignored, "key")
        return f"{', '.join(parts)}. platui starts{f' and ignores {which}' * bool(ignored)}."
    rest = " Keys with warnings are ignored." if ignored else ""
    return f"{', '.join(parts)}. platui does not start: {counted(refused, 'error')}.{rest}"


def _reference_problems(
    file: Path, config: ReadConfig, settings: Settings, env: Mapping[str, str]
) -> Iterator[Problem]:
    yield from _themes(settings)
    yield from _keys(settings)
    for one in _used(file, config, settings, env):
        yield one._replace(is_used=True)


def _used(
    file: Path, config: ReadConfig, settings: Settings, env: Mapping[str, str]
) -> Iterator[Problem]:
    from platui.ui.own_actions import misspelled_placeholders  # noqa: PLC0415  (loads textual)

    yield from _patterns(config)
    for name, action in settings.actions.items():
        key = f"actions.{name}.command"
        if not action.shell:
            yield from _program(key, action.command[0], env)
        for word, meant in misspelled_placeholders(action).items():
            what = f"has an unknown placeholder: {shorten(word, _MAX_SHOWN)}"
            yield Problem(key, what, f"Did you mean {meant}?", _WARNING)
    for profile in settings.profiles.values():
        yield from _profile(profile, env)
    if not settings.profiles and not config.problems:
        yield Problem("", "has no profile", "Create one with: platui init", Severity.NOTED)
    yield from _permissions(file, settings)


def _themes(settings: Settings) -> Iterator[Problem]:
    from platui.ui.themes import find_theme, resolve_auto, theme_files  # noqa: PLC0415  (loads rich)

    named = {"theme": settings.theme} | {
        f"profiles.{one.name}.theme": one.theme for one in settings.profiles.values() if one.theme
    }
    for key, name in named.items():
        ground = resolve_auto(name, dark=True)
        try:
            find_theme(ground)
        except ConfigError as error:
            is_known = ground in theme_files()
            what = f"names an {'invalid' if is_known else 'unknown'} theme: "
            what += f'"{shorten(name, _MAX_SHOWN)}"'
            yield Problem(key, what, error.sentence if is_known else error.hint, _WARNING)


def _patterns(config: ReadConfig) -> Iterator[Problem]:
    wrong = {one.key for one in config.problems}
    tables = config.document.get("errors")
    for number, table in enumerate(tables if isinstance(tables, list) else (), 1):
        for name in ("pattern", "not"):
            key = f"errors[{number}].{name}"
            pattern = table.get(name) if isinstance(table, dict) and key not in wrong else None
            if isinstance(pattern, str) and takes_long(pattern):
                yield Problem(
                    key, "takes too long on some lines: it can match a text in many ways",
                    "Remove one of two nested or adjacent repetitions.",
                    _WARNING,
                )  # fmt: skip


def _keys(settings: Settings) -> Iterator[Problem]:
    if not settings.keys and not settings.actions:
        return
    from platui.ui.key_guard import is_own  # noqa: PLC0415  (with own keys)
    from platui.ui.renamed_actions import renamed_keys  # noqa: PLC0415  (with own keys)
    from platui.ui.screen_keys import key_problems  # noqa: PLC0415  (imports every view)

    for former, what in renamed_keys(settings.keys).items():
        yield Problem(f"keys.{former}", what, "", Severity.NOTED)

    for problem in key_problems(settings):
        action, effect, severity = problem.action, "is ignored", _WARNING
        if problem.loser is not None and (is_own(problem.loser) or problem.loser in settings.keys):
            action = problem.loser
        elif problem.loser is not None:
            effect, severity = "takes the key of another command", Severity.NOTED
        table = "actions" if is_own(action) else "keys"
        name = action.rpartition("own.")[2] if table == "actions" else action
        yield Problem(f"{table}.{name}", f"{effect}: {problem.what}", problem.hint, severity)


def _profile(profile: Profile, env: Mapping[str, str]) -> Iterator[Problem]:
    at = f"profiles.{profile.name}"
    yield from _addresses(at, profile)
    if profile.ca_bundle is not None:
        yield from _certificates(f"{at}.ca_bundle", profile.ca_bundle)
    for key in ("token_command", "trigger_token_command", "admin_key_command"):
        if command := getattr(profile, key):
            yield from _program(f"{at}.{key}", command[0], env)
    for key in ("token_file", "admin_key_file"):
        if (path := getattr(profile, key)) is not None:
            yield from _secret_file(f"{at}.{key}", path)
    for key in ("token", "admin_key"):
        if getattr(profile, key) is not None:
            yield Problem(
                f"{at}.{key}", "is a plain-text secret in this file",
                f"Use {key}_command or a file of mode 0600: this file may be backed up or shared.",
                Severity.NOTED,
            )  # fmt: skip


def _addresses(at: str, profile: Profile) -> Iterator[Problem]:
    for key, url, address_of in (
        ("url", profile.url, project_address),
        ("admin_url", profile.admin_url, admin_address),
    ):
        if url is None:
            continue
        try:
            address_of(url, insecure=profile.insecure)
        except InsecureError:
            what = "is plain http: the token would be sent unencrypted"
            remedy = "Use https://, or set `insecure = true` to accept this."
            yield Problem(f"{at}.{key}", what, remedy, _WARNING)
        except ConfigError as error:
            yield Problem(f"{at}.{key}", f"is not a valid URL: {error.sentence}", "", _WARNING)
    origin = origin_of(profile.url)
    if origin is not None and profile.url != origin.root:
        path = shorten(profile.url.removeprefix(origin.root), _MAX_SHOWN)
        what = f"has a path after the host: {path}"
        remedy = f"Few platforms use one; without it, the URL is {origin.root}."
        yield Problem(f"{at}.url", what, remedy, Severity.NOTED)
    is_plain = origin is not None and origin[0] == "http" and not is_loopback(origin[1])
    if profile.insecure and is_plain:
        what = "allows sending the token unencrypted"
        yield Problem(f"{at}.insecure", what, "Use https:// in url instead.", Severity.NOTED)


def _certificates(key: str, path: Path) -> Iterator[Problem]:
    try:
        ssl.create_default_context().load_verify_locations(path)
    except FileNotFoundError:
        yield Problem(
            key, f"names a file that does not exist: {_shown(path)}",
            "A relative path starts at the folder of config.toml.", _WARNING,
        )  # fmt: skip
    except ssl.SSLError:
        yield Problem(
            key, f"names a file without a certificate: {_shown(path)}",
            "It must be PEM: text with -----BEGIN CERTIFICATE-----.", _WARNING,
        )  # fmt: skip
    except OSError as error:
        what = f"names an unreadable file: {_shown(path)} ({error.strerror})"
        yield Problem(key, what, "Make it readable, or set another file.", _WARNING)


def _program(key: str, program: str, env: Mapping[str, str]) -> Iterator[Problem]:
    path = env.get("PATH", os.defpath)
    shown = shorten(program, _MAX_SHOWN)
    if shutil.which(program, path=path):
        return
    if shutil.which(program, mode=os.F_OK, path=path):
        what, remedy = f"names a program that is not executable: {shown}", f"chmod +x {shown}"
    elif os.sep in program:
        what = f"names a program that does not exist: {shown}"
        remedy = "No shell is used: ~ and variables are not expanded."
    else:
        what = f"names a program that is not on the PATH: {shown}"
        remedy = "Install it, or give its full path."
    yield Problem(key, what, remedy, _WARNING)


def _secret_file(key: str, path: Path) -> Iterator[Problem]:
    try:
        found = read_private(path)
    except CredentialError as error:
        yield Problem(key, f"is unusable: {error.sentence}", error.hint, _WARNING)
        return
    if found is None:
        what = f"names a file that does not exist: {_shown(path)}"
        yield Problem(key, what, "Create one of mode 0600 with: platui init", _WARNING)


def _permissions(file: Path, settings: Settings) -> Iterator[Problem]:
    status = file.stat()
    if status.st_uid not in {os.geteuid(), 0}:
        what = "belongs to another user, who can change the commands you run"
        yield Problem("", what, f"chown it, or copy it: {_shown(file)}", Severity.NOTED)
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        what = "is writable by others, who can change the commands you run"
        yield Problem("", what, clean(f"chmod go-w {file}"), Severity.NOTED)
    if settings.debug_file is not None and not settings.debug_file.parent.is_dir():
        what = f"is in a folder that does not exist: {_shown(settings.debug_file.parent)}"
        yield Problem("debug_file", what, "Create the folder first.", _WARNING)
    folder = config_dir() / "credentials"
    for path in (folder, *sorted(folder.glob("*"))) if folder.is_dir() else ():
        if path.exists() and path.stat().st_mode & _OTHERS:  # a link may be broken
            what = f"has credentials that others can read: {_shown(path)}"
            mode = "700" if path.is_dir() else "600"
            yield Problem("", what, clean(f"chmod {mode} {path}"), Severity.NOTED)


def _shown(path: Path) -> str:
    return clean(os.fspath(path))
