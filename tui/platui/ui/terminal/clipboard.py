"""Copy text by OSC 52, which has no reply, or tmux's buffer; a console has no clipboard."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from platui.config.environment import without_secrets
from platui.core.paths import state_dir, write_private
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.ui.terminal.detection import Terminal

_LIMIT: Final = 74_994  # Bytes of text in the longest OSC 52 that common terminals accept
_PIECE: Final = 76
_PATIENCE: Final = 2.0


async def copy(
    text: str,
    terminal: Terminal,
    write: Callable[[str], None],
    environ: Mapping[str, str] = os.environ,
) -> str:
    """Copy text to the clipboard, the tmux buffer or a file; return a message."""
    if environ.get("TMUX") and (message := await asyncio.to_thread(_to_tmux, text, environ)):
        return message
    content = text.encode(errors="replace")
    if environ.get("TMUX") or not terminal.has_window or len(content) > _LIMIT:
        return await asyncio.to_thread(_to_file, content)
    write(osc52(content, screen=bool(environ.get("STY"))))
    return "Sent to the terminal's clipboard."


def osc52(content: bytes, *, screen: bool = False) -> str:
    encoded = base64.b64encode(content).decode()
    if not screen:
        return f"\x1b]52;c;{encoded}\x07"
    pieces = (encoded[start : start + _PIECE] for start in range(0, len(encoded), _PIECE))
    return "\x1bP\x1b]52;c;" + "\x1b\\\x1bP".join(pieces) + "\x07\x1b\\"


def _to_tmux(text: str, environ: Mapping[str, str]) -> str:
    tmux = shutil.which("tmux", path=environ.get("PATH"))
    if tmux is None:
        return ""
    # `-w` (since tmux 3.2) also sends it to the terminal around tmux.
    if _fed([tmux, "load-buffer", "-w", "-"], text, environ):
        return "Copied to the tmux buffer, and sent to the terminal."
    if _fed([tmux, "load-buffer", "-"], text, environ):
        return "Copied to the tmux buffer."
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
        return f"Not copied: cannot write {path} ({why})."
    return f"Written to {path}."
