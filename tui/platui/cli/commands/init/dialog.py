"""The state of a `platui init` run: options, prompts and answers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import ProgressLine
from platui.cli.prompts import PromptReader, ask_yes, has_terminal, print_paragraph
from platui.core.errors import InsecureError
from platui.core.text import clean
from platui.present.sign_in import remedy

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Coroutine, Mapping
    from pathlib import Path

    from platui.config.profile import Profile
    from platui.core.clock import Clock
    from platui.core.errors import PlatuiError
    from platui.core.secrets import Secret
    from platui.models.values.sign_in import SignInInfo
    from platui.service.sign_in import SignIn

T = TypeVar("T")

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
        self.is_interactive = has_terminal() and not (options.yes or options.token_stdin)
        self.keyboard = PromptReader()
        self.check_mark = "✔" if (sys.stderr.encoding or "").lower().startswith("utf") else "+"
        self._runner = runner

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
        hint = remedy(error)
        if isinstance(error, InsecureError):
            hint = "Use https, or restart with --insecure to accept this."
        print_paragraph(f"  {error.sentence} {hint}".rstrip())
