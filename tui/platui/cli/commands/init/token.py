"""Prompts of `platui init` for a token, and its test on the platform."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.cli.commands.init.dialog import NO_TERMINAL, SignedIn, TokenStorage
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
    from platui.cli.commands.init.dialog import InitDialog
    from platui.config.profile import Profile

_LONGEST_TOKEN: Final = 4096


def ask_token(dialog: InitDialog, root: str, before: Profile | None) -> SignedIn:
    """Return a tested token. Raises PlatuiError if it is wrong and cannot be prompted."""
    found = _given(dialog, root, before)
    if found is None and not dialog.is_interactive:
        raise CredentialError(
            NO_TERMINAL, hint="Use --token-stdin, --token-file, --token-command or PLATUI_TOKEN."
        )
    is_explained = False
    while True:
        tried = found
        if found is None and not is_explained:
            _explain_tokens(root)
            is_explained = True
        try:
            tried = found or _typed(dialog)
            return accepted(dialog, root, tried)
        except PlatuiError as error:
            if not dialog.is_interactive:
                error.hint = words.remedy(error)
                raise
            dialog.show_error(error)
            dialog.keyboard.forget()
            # Retry with the same token if only the connection failed.
            again = isinstance(error, OfflineError) and tried is not None
            found = tried if again and ask_yes("  Retry?", default=True) else None


def _explain_tokens(root: str) -> None:
    print_paragraph("")
    print_paragraph("Create a token on the platform, in your profile, under access tokens:")
    print_paragraph(f"  {words.token_page(root, writes=False)}")
    print_paragraph("The scope read_api allows reading; api also allows writes.")


def accepted(dialog: InitDialog, root: str, tried: SignedIn) -> SignedIn:
    if dialog.options.no_test:
        return tried
    info = dialog.run(dialog.sign_in.introduce(root, tried.token), "testing the token")
    me = words.who(info)
    accepted_text = f"You are {me}." if me else "The token is accepted."
    print_paragraph(f"  {dialog.check_mark} {accepted_text}")
    expiry = words.describe_expiry(info.token, dialog.clock.now())
    facts = ", ".join(filter(None, [words.describe_scopes(info.token), expiry]))
    print_paragraph(f"    {facts}; {words.describe_projects(info)}.")
    if limits := words.describe_permissions(info.token):
        print_paragraph(f"    {limits}")
    return replace(tried, info=info)


def _given(dialog: InitDialog, root: str, before: Profile | None) -> SignedIn | None:
    options = dialog.options
    storage = TokenStorage.KEYRING if options.keyring else TokenStorage.FILE
    if options.token_command:
        token, _ = from_command(options.token_command, dialog.environ)
        return SignedIn(token, TokenStorage.EXTERNAL, command=options.token_command)
    if options.token_file is not None:
        found = read_private(options.token_file)
        if found is None:
            raise CredentialError(clean(f"File not found: {options.token_file}"))
        if options.keyring:
            return SignedIn(found, storage)
        return SignedIn(found, TokenStorage.EXTERNAL, file=options.token_file)
    if options.token_stdin:
        line = sys.stdin.readline(_LONGEST_TOKEN).strip()
        return SignedIn(_token(line), storage)
    found, _ = from_environment(TOKEN, dialog.environ, URL, root)
    if found is not None and dialog.confirms("PLATUI_TOKEN is set: use that token?"):
        return SignedIn(found, storage)
    return None if before is None else _profile_token(dialog, root, before, storage)


def _profile_token(
    dialog: InitDialog, root: str, before: Profile, storage: TokenStorage
) -> SignedIn | None:
    if not same_origin(before.url, root):
        return None
    try:
        found = resolve(before, without_secrets(dialog.environ)).token
    except CredentialError as error:
        dialog.show_error(error)
        return None
    if found is None or not dialog.confirms("The profile has a token: use it?"):
        return None
    return SignedIn(found, storage if dialog.options.keyring else TokenStorage.UNCHANGED)


def _typed(dialog: InitDialog) -> SignedIn:
    storage = TokenStorage.KEYRING if dialog.options.keyring else TokenStorage.FILE
    while True:
        text = dialog.keyboard.read_hidden("Token (not shown; enter: use a command): ")
        if text is None:
            raise KeyboardInterrupt
        if text:
            return SignedIn(_token(text), storage)
        if command := command_typed(dialog):
            token, _ = from_command(command, dialog.environ)
            return SignedIn(token, TokenStorage.EXTERNAL, command=command)


def command_typed(dialog: InitDialog) -> tuple[str, ...]:
    while True:
        typed = ask(
            "Command that prints the token, e.g. pass show platform/token (enter: type a token)"
        )
        try:
            return split_command(typed) if typed else ()
        except ConfigError as error:
            dialog.show_error(error)


def split_command(text: str) -> tuple[str, ...]:
    """Split a command into arguments, as it runs without a shell."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ConfigError("Unclosed quote in the command.") from error


def _token(text: str) -> Secret:
    if not text:
        raise CredentialError("No token on the first line.")
    if looks_like_address(text):
        raise CredentialError("This is a URL, not a token; it was not sent.")
    if not all("!" <= sign <= "~" for sign in text):
        raise CredentialError(
            "The token has a space or another invalid character.",
            hint="Copy it again, without the surrounding text.",
        )
    return Secret(text)
