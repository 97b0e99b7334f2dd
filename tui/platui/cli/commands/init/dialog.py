"""The state of a `platui init` run: options and answers; its prompts for a token."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import ProgressLine
from platui.cli.prompts import PromptReader, ask, ask_yes, has_terminal, print_paragraph
from platui.config.address import looks_like_address
from platui.config.credentials import from_command, from_environment, read_private, resolve
from platui.config.environment import TOKEN, URL, without_secrets
from platui.core.dataclass import dataclass
from platui.core.errors import (
    ConfigError,
    CredentialError,
    InsecureError,
    OfflineError,
    PlatuiError,
)
from platui.core.origins import same_origin
from platui.core.secrets import Secret
from platui.core.text import clean
from platui.present import sign_in as words

if TYPE_CHECKING:
    from asyncio import Runner

    from platui.config.profile import Profile
    from platui.core.clock import Clock
    from platui.models.values.connection import SignInInfo
    from platui.service.sign_in import SignIn

T = TypeVar("T")

_LONGEST_TOKEN: Final = 4096
NO_TERMINAL: Final = "No terminal to prompt on."


class TokenStorage(Enum):
    FILE = "file"  # The profile's own file, with mode 0600
    KEYRING = "keyring"
    UNCHANGED = "same"  # Where the profile has it already
    EXTERNAL = "nowhere"  # A command or a file of the user


@dataclass(frozen=True, slots=True)
class InitOptions:
    """The options of `platui init`; empty or None: prompt, or use the default."""

    name: str = ""
    token_file: Path | None = None
    token_stdin: bool = False
    token_command: tuple[str, ...] = ()
    keyring: bool = False
    production: bool | None = None
    writes: str | None = None
    admin_url: str = ""
    ca_bundle: Path | None = None
    insecure: bool = False
    watch: tuple[str, ...] = ()
    default: bool = False
    no_test: bool = False
    yes: bool = False


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A token, with the platform's answer to it."""

    token: Secret
    storage: TokenStorage
    command: tuple[str, ...] = ()
    file: Path | None = None
    info: SignInInfo | None = None  # None if not tested


@dataclass(frozen=True, slots=True)
class Answers:
    """The profile and token to save."""

    profile: Profile
    signed: SignedIn
    watch: tuple[int, ...] | None = None  # Ids of projects; None: the dashboard asks
    is_default: bool = False


class InitDialog:
    """The state that all prompts share; without a terminal, defaults are used."""

    def __init__(
        self,
        options: InitOptions,
        sign_in: SignIn,
        runner: Runner,
        clock: Clock,
        environ: Mapping[str, str],
    ) -> None:
        self.options = options
        self.sign_in = sign_in
        self.clock = clock
        self.environ = environ
        self.insecure_at = ""  # The platform whose profile allows plain http
        self.is_interactive = has_terminal() and not (options.yes or options.token_stdin)
        self.keyboard = PromptReader()
        self.check_mark = "✔" if (sys.stderr.encoding or "").lower().startswith("utf") else "+"
        # Where a new token is stored
        self.storage = TokenStorage.KEYRING if options.keyring else TokenStorage.FILE
        self._runner = runner

    def allows_http(self, root: str) -> bool:
        return self.options.insecure or same_origin(root, self.insecure_at)

    def run(self, work: Coroutine[Any, Any, T], what: str) -> T:
        """Run `work` with a progress line, without echo of keys typed meanwhile."""
        if not self.is_interactive:
            return self._runner.run(work)
        with self.keyboard.without_echo(), ProgressLine() as progress:
            progress.show(f"  {clean(what)} …")
            return self._runner.run(work)

    def confirms(self, question: str) -> bool:
        """Return whether the user confirms; always True without a prompt."""
        return not self.is_interactive or ask_yes(question, default=True)

    def show_error(self, error: PlatuiError) -> None:
        hint = words.remedy(error)
        if isinstance(error, InsecureError):
            hint = "Use https, or restart with --insecure to accept this."
        print_paragraph(f"  {error.sentence} {hint}".rstrip())


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
            is_explained = True
            print_paragraph("")
            print_paragraph("Create a token on the platform, in your profile, under access tokens:")
            print_paragraph(f"  {words.token_page(root, writes=False)}")
            print_paragraph("The scope read_api allows reading; api also allows writes.")
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
    if options.token_command:
        return by_command(dialog, options.token_command)
    if options.token_file is not None:
        found = read_private(options.token_file)
        if found is None:
            raise CredentialError(clean(f"File not found: {options.token_file}"))
        if options.keyring:
            return SignedIn(found, dialog.storage)
        return SignedIn(found, TokenStorage.EXTERNAL, file=options.token_file)
    if options.token_stdin:
        line = sys.stdin.readline(_LONGEST_TOKEN).strip()
        return SignedIn(_token(line), dialog.storage)
    found, _ = from_environment(TOKEN, dialog.environ, URL, root)
    if found is not None and dialog.confirms("PLATUI_TOKEN is set: use that token?"):
        return SignedIn(found, dialog.storage)
    if before is None or not same_origin(before.url, root):
        return None
    try:
        environ = without_secrets(dialog.environ)
        found = resolve(before, environ, with_admin_key=False).token
    except CredentialError as error:
        dialog.show_error(error)
        return None
    if found is None or not dialog.confirms("The profile has a token: use it?"):
        return None
    return SignedIn(found, TokenStorage.KEYRING if options.keyring else TokenStorage.UNCHANGED)


def _typed(dialog: InitDialog) -> SignedIn:
    while True:
        text = dialog.keyboard.read_hidden("Token (not shown; enter: use a command): ")
        if text is None:
            raise KeyboardInterrupt
        if text:
            return SignedIn(_token(text), dialog.storage)
        if command := command_typed(dialog):
            return by_command(dialog, command)


def by_command(dialog: InitDialog, command: tuple[str, ...]) -> SignedIn:
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
