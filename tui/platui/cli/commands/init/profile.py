"""Prompts of `platui init` for URL, name, where to store the token, and what to watch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

from platui.api.address import project_address
from platui.cli.commands.init.dialog import (
    NO_TERMINAL,
    TokenStorage,
    accepted,
    by_command,
    command_typed,
)
from platui.cli.prompts import ask, ask_number, ask_yes, print_paragraph
from platui.config.address import BadAddressError, host_name, possible_roots
from platui.config.credentials import check_token_file, token_file
from platui.config.token_sources import keyring_problem
from platui.config.value_kinds import WrongValueError, check_profile_name
from platui.core.errors import (
    ConfigError,
    CredentialError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    ServerFailedError,
)
from platui.core.paths import absolute_path, tilde_path, user_path
from platui.core.text import clean, shorten
from platui.present import sign_in as words
from platui.present.times import age
from platui.present.triage.watching import suggested

if TYPE_CHECKING:
    from platui.cli.commands.init.dialog import InitDialog, SignedIn
    from platui.config.profile import Profile
    from platui.config.settings import Settings
    from platui.models.values.connection import SignInInfo
    from platui.models.wire import Project

# Failures that a retry of the same URL may resolve
_PASSING: Final = frozenset({OfflineReason.TIMEOUT, OfflineReason.DROPPED, OfflineReason.PROXY})
_RANGE: Final = 2
_FEWEST: Final = 5  # Projects that are listed at least
_BESIDE_LIST: Final = 7  # Lines of a screen with the list and the question
_CERTIFICATES: Final = "Give the CA certificates of your organization with --ca-bundle FILE."


def ask_address(dialog: InitDialog, given: str, default: str) -> str:
    """Return the URL of the platform. Raises PlatuiError if it is wrong and cannot be prompted."""
    if not given and not dialog.is_interactive:
        raise ConfigError(NO_TERMINAL, hint="Give the platform with --url URL.")
    text = given
    while True:
        if not text:
            text = ask(
                "URL of the platform, or of any page on it", default, dialog.keyboard.read_visible
            )
        try:
            root = _root(dialog, text) if text else ""
        except PlatuiError as error:
            if not dialog.is_interactive:
                error.hint = words.remedy_before_profile(error, _CERTIFICATES)
                raise
            dialog.show_error(error)
            if _ask_certificates(dialog, error):
                continue
            other = words.other_address(text, error)
            if isinstance(error, ServerFailedError) or (
                isinstance(error, OfflineError) and error.reason in _PASSING
            ):
                other = text
            default = other or ("" if text == default else default)
            text = ""
        else:
            if root:
                return root


def _root(dialog: InitDialog, text: str) -> str:
    root, problem = "", None
    try:
        root = possible_roots(text)[0]
    except BadAddressError as error:
        problem = error
    dialog.sign_in.insecure = insecure = dialog.allows_http(root)
    if not dialog.options.no_test:
        host = host_name(root) if root else "the platform"
        root = dialog.run(dialog.sign_in.root_of(text), f"connecting to {host}")
        print_paragraph(f"  {dialog.check_mark} {root} is a platform.")
        return root
    if problem is not None:
        raise ConfigError(f"This {problem}.") from problem
    return project_address(root, insecure=insecure).base


def _ask_certificates(dialog: InitDialog, error: PlatuiError) -> bool:
    if not isinstance(error, OfflineError) or error.reason is not OfflineReason.TLS:
        return False
    while typed := ask("  File with your organization's certificates (enter: another URL)"):
        try:
            dialog.run(dialog.sign_in.trust(absolute_path(user_path(typed))), "reading them")
        except PlatuiError as problem:
            dialog.show_error(problem)
        else:
            return True
    return False


def ask_name(dialog: InitDialog, root: str, known: Mapping[str, Profile]) -> str:
    default = dialog.options.name or _free_name(words.name_for(root), root, known)
    typed = dialog.options.name or default
    if not dialog.options.name and dialog.is_interactive:
        print_paragraph("")
        typed = ask("Name of the profile", default)
    while True:
        try:
            check_profile_name(typed)
        except WrongValueError as error:
            if not dialog.is_interactive:
                raise ConfigError(f'"{shorten(typed, 60)}" {error}.', hint=error.remedy) from error
            print_paragraph(f"  This {error}. {error.remedy}".rstrip())
        else:
            if typed not in known or _confirm_replace(dialog, known[typed]):
                return typed
        typed = ask("Name of the profile", default)


def _confirm_replace(dialog: InitDialog, before: Profile) -> bool:
    exists = clean(f"Profile {before.name} already exists, for {before.url}.")
    if dialog.options.yes:
        return True
    if not dialog.is_interactive:
        raise ConfigError(exists, hint="Update it with --yes, or choose another name.")
    return ask_yes(f"{exists} Update it?", default=False)


def ask_production(dialog: InitDialog, name: str, before: Profile | None) -> bool:
    if dialog.options.production is not None:
        return dialog.options.production
    default = words.is_production_name(name) if before is None else before.production
    if not dialog.is_interactive:
        return default
    return ask_yes("Is it production (marked in red)?", default=default)


def ask_token_storage(dialog: InitDialog, profile: Profile, signed: SignedIn) -> SignedIn:
    options = dialog.options
    if (
        signed.storage is not TokenStorage.FILE
        or options.token_stdin
        or options.token_file
        or not dialog.is_interactive
    ):
        return signed
    path = token_file(profile)
    where = "a file" if path is None else tilde_path(path)
    choices = [(TokenStorage.FILE, f"in {where}, readable only by you")]
    if not keyring_problem():
        choices.append((TokenStorage.KEYRING, "in the system's keyring"))
    choices.append((TokenStorage.EXTERNAL, "not stored: a command prints it"))
    print_paragraph("Store the token")
    while True:
        storage = choices[ask_number("Which", [text for _, text in choices])][0]
        if storage is not TokenStorage.EXTERNAL:
            return replace(signed, storage=storage)
        if command := command_typed(dialog):
            try:
                return accepted(dialog, profile.url, by_command(dialog, command))
            except PlatuiError as error:
                dialog.show_error(error)


def confirm_token_file(dialog: InitDialog, profile: Profile, before: Profile | None) -> None:
    """Ask before the token of another profile is replaced. Raises CredentialError."""
    try:
        check_token_file(profile, before)
    except CredentialError as error:
        asked = f"{error.sentence} Replace it?"
        if not (dialog.is_interactive and ask_yes(asked, default=False)):
            raise


def ask_default(dialog: InitDialog, name: str, settings: Settings) -> bool:
    others = [one for one in settings.profiles if one != name]
    if dialog.options.default or not others or settings.default_profile == name:
        return dialog.options.default
    return dialog.is_interactive and ask_yes("Make it the default profile?", default=False)


def ask_watch(dialog: InitDialog, info: SignInInfo | None) -> tuple[int, ...] | None:
    choice = dialog.options.watch
    if choice == ("none",):
        return ()
    if choice and choice != ("later",):
        if info is None:
            raise ConfigError(
                "--watch needs the list of projects, which --no-test does not fetch.",
                hint="Use --watch none or later; the dashboard asks later.",
            )
        if choice == ("all",):
            return tuple(one.id for one in info.projects if not one.archived)
        if choice == ("active",):
            return tuple(one.id for one in _recently_active(dialog, info))
        return named_projects(choice, info)
    if choice or not dialog.is_interactive or info is None or not info.projects:
        return None
    recent = _recently_active(dialog, info)
    if not recent:
        return None
    try:
        return _prompt_watch(dialog, info, recent)
    except KeyboardInterrupt:  # all other answers are complete
        print_paragraph("")
        print_paragraph("No projects watched yet: the dashboard asks later.")
        return None


def _prompt_watch(
    dialog: InitDialog, info: SignInInfo, recent: list[Project]
) -> tuple[int, ...] | None:
    print_paragraph("")
    print_paragraph(
        f"Projects to watch on the triage board ({words.describe_projects(info)}); recently active:"
    )
    # The most active ones come first, and must not scroll away.
    room = max(_FEWEST, get_terminal_size().lines - _BESIDE_LIST)
    for number, one in enumerate(recent[:room], 1):
        path = shorten(one.path_with_namespace or one.name, 60)
        print_paragraph(
            f"  {number:>2}  {path:<60} {age(one.last_activity_at, dialog.clock.now()):>4}"
        )
    if more := recent[room:]:
        print_paragraph(f"      and {len(more):,} less active")
    while True:
        # Short: the answer fits beside it in 80 columns.
        typed = ask(f"Which? 1 3-5, all ({len(recent)}) or none (enter: choose in the dashboard)")
        if not typed:
            return None
        if typed.casefold() == "all":
            return tuple(one.id for one in recent)
        if typed.casefold() == "none":
            return ()
        try:
            return tuple(recent[at].id for at in chosen_numbers(typed, len(recent)))
        except ConfigError as error:
            dialog.show_error(error)


def _recently_active(dialog: InitDialog, info: SignInInfo) -> list[Project]:
    keys = suggested(info.projects, dialog.clock.now())
    found = [one for one in info.projects if str(one.id) in keys]
    found.sort(key=lambda one: one.last_activity_at or dialog.clock.now(), reverse=True)
    return found


def chosen_numbers(text: str, count: int) -> list[int]:
    """Parse numbers and ranges such as `1 3-5,7` of a list; returns sorted indexes from 0."""
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        ends = word.split("-")
        fits = len(ends) <= _RANGE and all(one.isascii() and one.isdecimal() for one in ends)
        first, last = (int(ends[0]), int(ends[-1])) if fits else (0, 0)
        if not 1 <= first <= last <= count:
            raise ConfigError(f"Give numbers from 1 to {count}, e.g. 1 3-5; or all, or none.")
        found.update(range(first - 1, last))
    return sorted(found)


def named_projects(named: Sequence[str], info: SignInInfo) -> tuple[int, ...]:
    known = {one.path_with_namespace.casefold(): one.id for one in info.projects}
    known |= {str(one.id): one.id for one in info.projects}
    missing = [word for word in named if word.strip("/").casefold() not in known]
    if missing:
        raise ConfigError(
            f"--watch: you are not a member of a project {missing[0][:80]}.",
            hint="Give a full path such as group/project, or all, active, none or later.",
        )
    return tuple(dict.fromkeys(known[word.strip("/").casefold()] for word in named))


def _free_name(name: str, root: str, known: Mapping[str, Profile]) -> str:
    """Return an unused name, or that of the profile with the same URL."""
    for one in known.values():
        if one.url == root:
            return one.name
    number, free = 2, name
    while free in known:
        free, number = f"{name}-{number}", number + 1
    return free
