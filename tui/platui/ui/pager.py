"""Run a pager or editor in the terminal; the event loop is blocked meanwhile."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from platui.config.environment import without_secrets
from platui.core.dataclass import dataclass
from platui.core.errors import CommandError
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.ui.command_app import CommandApp

_LEFT: Final = (signal.SIGTERM, signal.SIGHUP)
_TAKE_A_LINE: Final = frozenset(
    {"less", "more", "most", "moar", "moor", "vi", "vim", "nvim", "view", "nano", "pico", "emacs",
     "emacsclient", "micro", "kak", "joe", "ne", "mg", "jed"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Viewer:
    """A program that shows a file."""

    argv: tuple[str, ...]
    variable: str

    @property
    def name(self) -> str:
        return os.path.basename(self.argv[0])  # noqa: PTH119  (not a path of ours)

    @property
    def takes_colours(self) -> bool:
        return self.name in {"less", "moar", "moor", "ov", "bat", "batcat"}

    def command(self, path: Path, line: int) -> list[str]:
        argv = [*self.argv]
        if self.name == "less" and "-R" not in argv:
            argv.append("-R")
        if self.name in _TAKE_A_LINE:
            argv.append(f"+{line}")
        return [*argv, str(path)]


def pager(environ: Mapping[str, str]) -> Viewer:
    """Return the program of `$PAGER`, else `less`. Raises CommandError."""
    viewer = _said("PAGER", environ)
    if viewer is not None and viewer.name not in {"cat", "tee"}:
        return viewer
    has_less = shutil.which("less", path=environ.get("PATH")) is not None
    return Viewer(("less", "-R") if has_less else ("more",), "PAGER")


def editor(environ: Mapping[str, str]) -> Viewer:
    """Return the program of `$VISUAL` or `$EDITOR`, else `vi`. Raises CommandError."""
    return _said("VISUAL", environ) or _said("EDITOR", environ) or Viewer(("vi",), "EDITOR")


def run_viewer(app: CommandApp, viewer: Viewer, path: Path, line: int) -> None:
    """Show a file with another program until it exits. Raises CommandError."""
    hint = f"Set ${viewer.variable} to another program."
    environ = without_secrets(os.environ)
    code = run_in_terminal(app, viewer.command(path, line), environ, hint=hint)
    name = shorten(viewer.name, 60)
    if code < 0:
        raise CommandError(f"{name} was terminated by signal {-code}.")
    if code:
        raise CommandError(f"{name} exited with code {code}.")


def run_in_terminal(
    app: CommandApp, argv: Sequence[str], environ: Mapping[str, str], *, hint: str = ""
) -> int:
    """Run a program in the terminal, and return its exit code. Raises CommandError."""
    program, name = shutil.which(argv[0]), shorten(os.path.basename(argv[0]), 60)  # noqa: PTH119  (not a path of ours)
    if program is None:
        raise CommandError(f"Program not found: {shorten(argv[0], 60)}.", hint=hint)
    code, problem = 0, ""
    app.service.save_now()  # The event loop stops
    with app.suspend(), _Signals() as signals:
        try:
            process = subprocess.Popen(argv, executable=program, env=environ)  # noqa: S603  (the user's own program)
        except OSError as error:
            problem = error.strerror or type(error).__name__
        else:
            signals.pass_to(process)
            code = process.wait()
    if signals.left:
        app.exit(return_code=128 + signals.left)
        return 0
    if problem:
        raise CommandError(f"{name} could not start ({problem}).")
    return code


class _Signals:
    def __init__(self) -> None:
        self.left = 0
        self._before: dict[int, Any] = {}
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # A handler, because the other program would inherit SIG_IGN.
        for number in (signal.SIGINT, signal.SIGQUIT):
            self._before[number] = signal.signal(number, lambda *_: None)
        for number in _LEFT:
            self._before[number] = signal.signal(number, self._leave)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def pass_to(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        if self.left:
            process.terminate()

    def _leave(self, number: int, _frame: object) -> None:
        self.left = number
        if self._process is not None:
            self._process.terminate()


def _said(name: str, environ: Mapping[str, str]) -> Viewer | None:
    words = environ.get(name, "")
    try:
        argv = tuple(shlex.split(words))
    except ValueError:
        raise CommandError(f"${name} is invalid: {shorten(words, 60)}") from None
    return Viewer(argv, name) if argv else None
