"""`platui init` asks for the address and name of the profile, and where to store the token.

An address that was wrong is not offered again, but one whose platform may only be away is; where
the answer implies which other one may be meant, that one is: enter alone takes it, and nothing
was sent there before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.api.address import project_address
from platui.cli.commands.init.conversation import NOBODY, Keep, SignedIn
from platui.cli.commands.init.token import accepted, command_typed
from platui.cli.prompts import ask, ask_number, ask_yes, print_paragraph
from platui.config.address import BadAddressError, host_name, possible_roots
from platui.config.credentials import from_command, token_file
from platui.config.token_sources import keyring_problem
from platui.config.value_kinds import WrongValueError, check_profile_name
from platui.core.errors import (
    ConfigError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    ServerFailedError,
)
from platui.core.paths import absolute_path, tilde_path, user_path
from platui.core.text import clean, shorten
from platui.present import sign_in as words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.cli.commands.init.conversation import Talk
    from platui.config.profile import Profile
    from platui.config.settings import Settings

_PASSING: Final = frozenset({OfflineReason.TIMEOUT, OfflineReason.DROPPED, OfflineReason.PROXY})
"""What another try of the same address may mend."""
_CERTIFICATES: Final = "--ca-bundle FILE names the certificates of your organization."


def ask_address(talk: Talk, given: str, default: str) -> str:
    """Raises PlatuiError: it is no platform's, and nobody can be asked for another one."""
    if not given and not talk.asks:
        raise ConfigError(NOBODY, hint="--url ADDRESS says which platform it is.")
    text = given
    while True:
        if not text:
            text = ask(
                "Address of the platform, or of any page on it", default, talk.keyboard.shown_line
            )
        try:
            root = _root(talk, text) if text else ""
        except PlatuiError as error:
            if not talk.asks:
                error.hint = words.remedy_before_profile(error, _CERTIFICATES)
                raise
            talk.tell(error)
            if _takes_certificates(talk, error):
                continue
            default = _instead(text, error) or ("" if text == default else default)
            text = ""
        else:
            if root:
                return root


def _root(talk: Talk, text: str) -> str:
    if not talk.said.no_test:
        root = talk.run(talk.sign_in.root_of(text), f"asking {_host(text)}")
        print_paragraph(f"  {talk.good} {root} is a platform.")
        return root
    try:
        root = possible_roots(text)[0]
    except BadAddressError as error:
        raise ConfigError(f"This {error}.") from error
    return project_address(root, insecure=talk.said.insecure).base


def _host(text: str) -> str:
    try:
        return host_name(possible_roots(text)[0])
    except BadAddressError:
        return "the platform"


def _instead(text: str, error: PlatuiError) -> str:
    """Return the address that may be meant in the place of one that was wrong; empty: unknown."""
    match error:
        case ServerFailedError():
            return text
        case OfflineError(reason=reason) if reason in _PASSING:
            return text
    return words.other_address(text, error)


def _takes_certificates(talk: Talk, error: PlatuiError) -> bool:
    if not isinstance(error, OfflineError) or error.reason is not OfflineReason.TLS:
        return False
    while typed := ask("  File with your organization's certificates (enter: another address)"):
        try:
            talk.run(talk.sign_in.trust(absolute_path(user_path(typed))), "reading them")
        except PlatuiError as problem:
            talk.tell(problem)
        else:
            return True
    return False


def ask_name(talk: Talk, root: str, known: Mapping[str, Profile]) -> str:
    default = talk.said.name or _free_name(words.name_for(root), root, known)
    typed = talk.said.name or default
    if not talk.said.name and talk.asks:
        print_paragraph("")
        typed = ask("Name of the profile", default)
    while True:
        try:
            check_profile_name(typed)
        except WrongValueError as error:
            if not talk.asks:
                raise ConfigError(f'"{shorten(typed, 60)}" {error}.', hint=error.remedy) from error
            print_paragraph(f"  This {error}. {error.remedy}".rstrip())
        else:
            if typed not in known or _replaces(talk, known[typed]):
                return typed
        typed = ask("Name of the profile", default)


def _replaces(talk: Talk, before: Profile) -> bool:
    there = clean(f"There is a profile {before.name} already, for {before.url}.")
    if talk.said.yes:
        return True
    if not talk.asks:
        raise ConfigError(there, hint="--yes changes it; or choose another name.")
    return ask_yes(f"{there} Change it?", default=False)


def ask_production(talk: Talk, name: str, before: Profile | None) -> bool:
    if talk.said.production is not None:
        return talk.said.production
    default = words.is_production_name(name) if before is None else before.production
    if not talk.asks:
        return default
    return ask_yes("Is it production? It is marked in red then", default=default)


def ask_keep(talk: Talk, profile: Profile, signed: SignedIn) -> SignedIn:
    said = talk.said
    if signed.keep is not Keep.FILE or said.token_stdin or said.token_file or not talk.asks:
        return signed
    path = token_file(profile)
    where = "a file" if path is None else tilde_path(path)
    choices = [(Keep.FILE, f"in {where}, readable by you alone")]
    if not keyring_problem():
        choices.append((Keep.KEYRING, "in the system's keyring"))
    choices.append((Keep.NOWHERE, "nowhere: a command prints it each time"))
    print_paragraph("The token is kept")
    while True:
        keep = choices[ask_number("Which", [told for _, told in choices])][0]
        if keep is not Keep.NOWHERE:
            return replace(signed, keep=keep)
        if command := command_typed(talk):
            try:
                token, _ = from_command(command, talk.environ)
                return accepted(talk, profile.url, SignedIn(token, Keep.NOWHERE, command=command))
            except PlatuiError as error:
                talk.tell(error)


def ask_default(talk: Talk, name: str, settings: Settings) -> bool:
    others = [one for one in settings.profiles if one != name]
    if talk.said.default or not others or settings.default_profile == name:
        return talk.said.default
    return talk.asks and ask_yes("Open it when no profile is named?", default=False)


def _free_name(name: str, root: str, known: Mapping[str, Profile]) -> str:
    """Return a name that is free, or that of the profile which is for this very platform."""
    for one in known.values():
        if one.url == root:
            return one.name
    number, free = 2, name
    while free in known:
        free, number = f"{name}-{number}", number + 1
    return free
