"""Who asks the questions of `platui init`: what is said already, and what tests the answers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final, TypeVar

from platui.cli.keyboard import Keyboard
from platui.cli.progress_line import ProgressLine
from platui.cli.prompting import aside, ask_yes, is_asked
from platui.core.errors import InsecureError
from platui.core.text import clean
from platui.present.sign_in import remedy

if TYPE_CHECKING:
    from asyncio import Runner
    from collections.abc import Coroutine, Mapping

    from platui.cli.init_answers import Said
    from platui.core.clock import Clock
    from platui.core.errors import PlatuiError
    from platui.service.sign_in import SignIn

T = TypeVar("T")

NOBODY: Final = "There is no terminal to ask on."


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
        """Take what is said already, and who tests the answers.

        Args:
            said: the command line.
            sign_in: asks the platform.
            runner: has the loop for that; it stands still while somebody thinks.
            clock: the time.
            environ: as it was, secrets too.
        """
        self.said = said
        self.sign_in = sign_in
        self.clock = clock
        self.environ = environ
        self.asks = is_asked() and not (said.yes or said.token_stdin)
        """Whether somebody answers."""
        self.keyboard = Keyboard()
        self.good = "✔" if (sys.stderr.encoding or "").lower().startswith("utf") else "+"
        self._runner = runner

    def run(self, work: Coroutine[Any, Any, T], what: str) -> T:
        """Ask the platform, and say so; what is typed meanwhile is not shown, and kept.

        Args:
            work: asks.
            what: is said on a terminal until the answer is there.

        Raises:
            KeyboardInterrupt: the user has enough of it.
        """
        if not self.asks:
            return self._runner.run(work)
        progress = ProgressLine()
        with self.keyboard.hushed():
            progress.show(f"  {clean(what)} …")
            try:
                return self._runner.run(work)
            finally:
                progress.clear()

    def agrees(self, question: str) -> bool:
        """Return whether the user says yes; where nobody is asked, they do."""
        return not self.asks or ask_yes(question, default=True)

    def tell(self, error: PlatuiError) -> None:
        """Say what is wrong with an answer, and what can be done."""
        hint = remedy(error)
        if isinstance(error, InsecureError):
            hint = "Use https; or begin again with --insecure, where nobody listens on the way."
        aside(f"  {error.sentence} {hint}".rstrip())
