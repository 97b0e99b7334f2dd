"""The state of a `platui init` run: options, checks and answers."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.output.progress import ProgressLine
from platui.cli.prompts import Keyboard, ask_yes, has_terminal, print_paragraph
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

NOBODY: Final = "There is no terminal to ask on."


class Keep(Enum):
    """Where the token lies from now on."""

    FILE = "file"
    """In the profile's 0600 file."""
    KEYRING = "keyring"
    SAME = "same"
    """Where the profile has it already."""
    NOWHERE = "nowhere"
    """A command prints it, or it lies in a file of the user's own."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the command line says. Empty or None: it is asked, or as by default."""

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
    """A token, and what the platform said to it."""

    token: Secret
    keep: Keep
    command: tuple[str, ...] = ()
    file: Path | None = None
    said: SignInInfo | None = None
    """None: it was not asked."""


@dataclass(frozen=True, slots=True)
class Answers:
    """All that is to be written."""

    profile: Profile
    signed: SignedIn
    watch: tuple[int, ...] | None = None
    """Ids of projects; None: the dashboard asks when it is opened."""
    is_default: bool = False


class Talk:
    """Holds what every question needs; where nobody can answer, defaults are taken."""

    def __init__(
        self,
        said: Said,
        sign_in: SignIn,
        runner: Runner,
        clock: Clock,
        environ: Mapping[str, str],
    ) -> None:
        self.said = said
        self.sign_in = sign_in
        self.clock = clock
        self.environ = environ
        self.asks = has_terminal() and not (said.yes or said.token_stdin)
        self.keyboard = Keyboard()
        self.good = "✔" if (sys.stderr.encoding or "").lower().startswith("utf") else "+"
        self._runner = runner

    def run(self, work: Coroutine[Any, Any, T], what: str) -> T:
        """Run `work` with a progress line; what is typed meanwhile is not shown, and kept."""
        if not self.asks:
            return self._runner.run(work)
        with self.keyboard.without_echo(), ProgressLine() as progress:
            progress.show(f"  {clean(what)} …")
            return self._runner.run(work)

    def agrees(self, question: str) -> bool:
        """Return whether the user says yes; where nobody is asked, they do."""
        return not self.asks or ask_yes(question, default=True)

    def tell(self, error: PlatuiError) -> None:
        hint = remedy(error)
        if isinstance(error, InsecureError):
            hint = "Use https; or begin again with --insecure, where nobody listens on the way."
        print_paragraph(f"  {error.sentence} {hint}".rstrip())
