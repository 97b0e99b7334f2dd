"""Copy text as far as the terminal allows; OSC 52 has no answer, so success is never claimed.

tmux drops OSC 52 by default but takes a buffer; GNU screen needs it wrapped and in small pieces;
a console has no clipboard.
"""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Final

from platui.config.environment import without_secrets
from platui.core.paths import state_dir, write_private
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.ui.terminal.detection import Terminal

_LIMIT: Final = 74_994
"""Bytes of text that make the longest OSC 52 which common terminals accept."""
_PIECE: Final = 76
_PATIENCE: Final = 2.0


async def copy(
    text: str,
    terminal: Terminal,
    write: Callable[[str], None],
    environ: Mapping[str, str] = os.environ,
) -> str:
    """Copy text to the clipboard, tmux or a file, as the terminal allows; return a message."""
    if environ.get("TMUX") and (told := await asyncio.to_thread(_to_tmux, text, environ)):
        return told
    content = text.encode(errors="replace")
    if environ.get("TMUX") or not terminal.has_window or len(content) > _LIMIT:
        return await asyncio.to_thread(_to_file, content)
    write(osc52(content, screen=bool(environ.get("STY"))))
    return "Sent to the terminal, for its clipboard."


def osc52(content: bytes, *, screen: bool = False) -> str:
    """Return the sequence that offers `content` to the terminal's clipboard."""
    encoded = base64.b64encode(content).decode()
    if not screen:
        return f"\x1b]52;c;{encoded}\x07"
    pieces = (encoded[start : start + _PIECE] for start in range(0, len(encoded), _PIECE))
    return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(pieces) + "\x07\x1b\\"


def _to_tmux(text: str, environ: Mapping[str, str]) -> str:
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


def _to_file(content: bytes) -> str:
    path = state_dir() / "copied.txt"
    try:
        write_private(path, content, durable=False)
    except OSError as error:
        why = shorten(error.strerror or type(error).__name__, 80)
        return f"Not copied: {path} could not be written ({why})."
    return f"Written to {path}."
