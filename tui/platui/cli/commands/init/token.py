"""`platui init` asks for a token and checks it on the platform."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.cli.commands.init.conversation import NOBODY, Keep, SignedIn
from platui.cli.prompts import ask, ask_yes, print_paragraph
from platui.config.address import looks_like_address
from platui.config.credentials import from_command, from_environment, read_private, resolve
from platui.config.environment import TOKEN, URL, without_secrets
from platui.core.errors import ConfigError, CredentialError, OfflineError, PlatuiError
from platui.core.origins import same_origin
from platui.core.secrets import Secret
from platui.core.text import clean
from platui.present import sign_in as words

if TYPE_CHECKING:
    from platui.cli.commands.init.conversation import Talk
    from platui.config.profile import Profile

_LONGEST_TOKEN: Final = 4096


def ask_token(talk: Talk, root: str, before: Profile | None) -> SignedIn:
    """Raises PlatuiError: there is none, and nobody can be asked for another one."""
    found = _given(talk, root, before)
    if found is None and not talk.asks:
        raise CredentialError(
            NOBODY, hint="--token-stdin, --token-file, --token-command or PLATUI_TOKEN gives it."
        )
    is_told = False
    while True:
        tried = found
        if found is None and not is_told:
            _tell_where(root)
            is_told = True
        try:
            tried = found or _typed(talk)
            return accepted(talk, root, tried)
        except PlatuiError as error:
            if not talk.asks:
                error.hint = words.remedy(error)
                raise
            talk.tell(error)
            talk.keyboard.forget()
            # What was typed is kept where it was not the token's fault.
            again = isinstance(error, OfflineError) and tried is not None
            found = tried if again and ask_yes("  Try again?", default=True) else None


def _tell_where(root: str) -> None:
    print_paragraph("")
    print_paragraph("A token: you make one on the platform, in your profile, under access tokens:")
    print_paragraph(f"  {words.token_page(root, writes=False)}")
    print_paragraph("The scope read_api is enough to look; with api you can start pipelines, too.")


def accepted(talk: Talk, root: str, tried: SignedIn) -> SignedIn:
    if talk.said.no_test:
        return tried
    said = talk.run(talk.sign_in.introduce(root, tried.token), "asking who you are")
    now = talk.clock.now()
    me = words.who(said)
    print_paragraph(
        f"  {talk.good} You are {me}." if me else f"  {talk.good} The token is accepted."
    )
    told = [words.describe_scopes(said.token), words.describe_expiry(said.token, now)]
    print_paragraph(f"    {', '.join(filter(None, told))}; {words.describe_projects(said)}.")
    if limits := words.describe_permissions(said.token):
        print_paragraph(f"    {limits}")
    return replace(tried, said=said)


def _given(talk: Talk, root: str, before: Profile | None) -> SignedIn | None:
    said = talk.said
    keep = Keep.KEYRING if said.keyring else Keep.FILE
    if said.token_command:
        token, _ = from_command(said.token_command, talk.environ)
        return SignedIn(token, Keep.NOWHERE, command=said.token_command)
    if said.token_file is not None:
        found = read_private(said.token_file)
        if found is None:
            raise CredentialError(clean(f"There is no file {said.token_file}."))
        if said.keyring:
            return SignedIn(found, keep)
        return SignedIn(found, Keep.NOWHERE, file=said.token_file)
    if said.token_stdin:
        line = sys.stdin.readline(_LONGEST_TOKEN).strip()
        return SignedIn(_token(line), keep)
    found, _ = from_environment(TOKEN, talk.environ, URL, root)
    if found is not None and talk.agrees("PLATUI_TOKEN is set: take that token?"):
        return SignedIn(found, keep)
    return None if before is None else _of_before(talk, root, before, keep)


def _of_before(talk: Talk, root: str, before: Profile, keep: Keep) -> SignedIn | None:
    if not same_origin(before.url, root):
        return None
    try:
        found = resolve(before, without_secrets(talk.environ)).token
    except CredentialError as error:
        talk.tell(error)
        return None
    if found is None or not talk.agrees("The profile has a token: keep it?"):
        return None
    return SignedIn(found, keep if talk.said.keyring else Keep.SAME)


def _typed(talk: Talk) -> SignedIn:
    keep = Keep.KEYRING if talk.said.keyring else Keep.FILE
    while True:
        text = talk.keyboard.read_hidden("Token (not shown; enter alone: a command prints it): ")
        if text is None:
            raise KeyboardInterrupt
        if text:
            return SignedIn(_token(text), keep)
        if command := command_typed(talk):
            token, _ = from_command(command, talk.environ)
            return SignedIn(token, Keep.NOWHERE, command=command)


def command_typed(talk: Talk) -> tuple[str, ...]:
    while True:
        typed = ask("Command that prints it, as: pass show platform/token (enter: a token)")
        try:
            return split_command(typed) if typed else ()
        except ConfigError as error:
            talk.tell(error)


def split_command(text: str) -> tuple[str, ...]:
    """Return a command as its words; no shell is there to do it later."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ConfigError("A quote in this command has no end.") from error


def _token(text: str) -> Secret:
    if not text:
        raise CredentialError("There is no token on the first line.")
    if looks_like_address(text):
        raise CredentialError("That is an address, not a token: it was sent to nobody.")
    if not all("!" <= sign <= "~" for sign in text):
        raise CredentialError(
            "The token has a space or another sign that no token has.",
            hint="Copy it again, without what stands around it.",
        )
    return Secret(text)
