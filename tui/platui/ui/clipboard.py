"""Copying, where nobody can know for sure that it worked: so nothing says that it did.

A terminal takes OSC 52 without an answer, or ignores it. tmux drops it by default but takes
a buffer; GNU screen needs it wrapped and in small pieces; a console has no clipboard.
"""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from platui.config.environment import without_secrets
from platui.core.paths import state_dir, write_private
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from platui.ui.terminal import Terminal

_LIMIT: Final = 74_994
"""Bytes of text that make the longest OSC 52 which common terminals accept."""
_PIECE: Final = 76
"""Characters that GNU screen passes on in one string."""
_PATIENCE: Final = 2.0


class Copier(Protocol):
    """What of an app is needed."""

    @property
    def terminal(self) -> Terminal:
        """Return what the terminal can do."""
        ...

    def write_to_terminal(self, sequence: str) -> None:
        """Write an escape sequence."""
        ...


@dataclass(frozen=True)
class CopyOutcome:
    """What became of a text, as one honest sentence."""

    sentence: str
    path: Path | None = None
    """The file it was written to, if it was."""
    done: bool = True
    """Whether it is anywhere at all."""


async def copy(app: Copier, text: str, environ: Mapping[str, str] | None = None) -> CopyOutcome:
    """Bring text to the clipboard, or as near to it as this terminal allows."""
    environ = os.environ if environ is None else environ
    if environ.get("TMUX") and (told := await asyncio.to_thread(_to_tmux, text, environ)):
        return CopyOutcome(told)
    content = text.encode(errors="replace")
    if environ.get("TMUX") or not app.terminal.clipboard or len(content) > _LIMIT:
        return await asyncio.to_thread(_to_file, content)
    app.write_to_terminal(osc52(content, screen=bool(environ.get("STY"))))
    return CopyOutcome("Sent to the terminal, for its clipboard.")


def osc52(content: bytes, *, screen: bool = False) -> str:
    """Return the sequence that offers `content` to the terminal's clipboard."""
    encoded = base64.b64encode(content).decode()
    if not screen:
        return f"\x1b]52;c;{encoded}\x07"
    pieces = (encoded[start : start + _PIECE] for start in range(0, len(encoded), _PIECE))
    return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(pieces) + "\x07\x1b\\"


def _to_tmux(text: str, environ: Mapping[str, str]) -> str:
    """Return what to say, or nothing if tmux did not take it."""
    tmux = shutil.which("tmux", path=environ.get("PATH"))
    if tmux is None:
        return ""
    # `-w` also offers it to the terminal around tmux; versions before 3.2 do not know it.
    if _fed([tmux, "load-buffer", "-w", "-"], text, environ):
        return "In tmux's buffer, and sent to the terminal."
    if _fed([tmux, "load-buffer", "-"], text, environ):
        return "In tmux's buffer."
    return ""


def _fed(argv: list[str], text: str, environ: Mapping[str, str]) -> bool:
    try:
        finished = subprocess.run(  # noqa: S603  (a fixed argument list, no shell)
            argv,
            input=text.encode(errors="replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=without_secrets(environ),
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return finished.returncode == 0


def _to_file(content: bytes) -> CopyOutcome:
    path = state_dir() / "copied.txt"
    try:
        write_private(path, content, lasting=False)
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        return CopyOutcome(f"Not copied: {path} could not be written ({why}).", done=False)
    return CopyOutcome(f"Written to {path}.", path=path)
