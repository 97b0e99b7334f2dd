"""What `platui init` asks about the profile itself: its name, how careful, where the token lies."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from platui.cli.init_answers import Keep, SignedIn
from platui.cli.init_token import accepted, command_typed
from platui.cli.prompting import aside, ask, ask_number, ask_yes
from platui.config.credentials import from_command, token_file
from platui.config.keyring import why_no_keyring
from platui.config.kinds import WrongValueError, check_profile_name
from platui.core.errors import ConfigError, PlatuiError
from platui.core.paths import at_home
from platui.core.text import clean, shorten
from platui.present import sign_in as words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.cli.init_talk import Talk
    from platui.config.profile import Profile
    from platui.config.settings import Settings


def ask_name(talk: Talk, root: str, known: Mapping[str, Profile]) -> str:
    """Return the profile's name.

    Args:
        talk: asks.
        root: of the platform.
        known: the profiles there are.

    Raises:
        ConfigError: it is taken, or cannot be a name, and nobody can be asked.
    """
    default = talk.said.name or _free_name(words.name_for(root), root, known)
    typed = talk.said.name or default
    if not talk.said.name and talk.asks:
        aside("")
        typed = ask("Name of the profile", default)
    while True:
        try:
            check_profile_name(typed)
        except WrongValueError as error:
            if not talk.asks:
                raise ConfigError(f'"{shorten(typed, 60)}" {error}.', hint=error.remedy) from error
            aside(f"  This {error}. {error.remedy}".rstrip())
        else:
            if typed not in known or _replaces(talk, known[typed]):
                return typed
        typed = ask("Name of the profile", default)


def _replaces(talk: Talk, before: Profile) -> bool:
    """Return whether a profile that is there is to be changed."""
    there = clean(f"There is a profile {before.name} already, for {before.url}.")
    if talk.said.yes:
        return True
    if not talk.asks:
        raise ConfigError(there, hint="--yes changes it; or choose another name.")
    return ask_yes(f"{there} Change it?", default=False)


def ask_production(talk: Talk, name: str, before: Profile | None) -> bool:
    """Return whether the platform is production: it is shown in red then."""
    if talk.said.production is not None:
        return talk.said.production
    default = words.is_production_name(name) if before is None else before.production
    if not talk.asks:
        return default
    return ask_yes("Is it production? It is marked in red then", default=default)


def ask_keep(talk: Talk, profile: Profile, signed: SignedIn) -> SignedIn:
    """Return where the token is kept."""
    said = talk.said
    if signed.keep is not Keep.FILE or said.token_stdin or said.token_file or not talk.asks:
        return signed
    path = token_file(profile)
    where = "a file" if path is None else at_home(path)
    choices = [(Keep.FILE, f"in {where}, readable by you alone")]
    if not why_no_keyring():
        choices.append((Keep.KEYRING, "in the system's keyring"))
    choices.append((Keep.NOWHERE, "nowhere: a command prints it each time"))
    aside("The token is kept")
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
    """Return whether `platui` alone is to open this profile, where there are others."""
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
