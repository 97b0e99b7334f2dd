"""Checks of the terminal, by its environment and tmux; sends it no query."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from platui.cli.commands.doctor.finding import Finding, skipped, works
from platui.config.environment import without_secrets
from platui.ui.desktop_notifications import sequence_kind
from platui.ui.terminal.detection import Colours, detect

if TYPE_CHECKING:
    from platui.config.settings import Settings

_MIN_SIZE: Final = (80, 24)
_TIMEOUT: Final = 2.0  # seconds, for tmux

# By TERM_PROGRAM: support of OSC 52 (clipboard), 8 (links) and 9 (notifications)
_CAPABILITIES: Final[Mapping[str, tuple[bool, bool, bool]]] = {
    "iTerm.app": (True, True, True),
    "WezTerm": (True, True, True),
    "ghostty": (True, True, True),
    "vscode": (True, True, False),
    "Apple_Terminal": (False, False, False),
    "tmux": (True, True, True),
}

_COLOURS: Final[Mapping[Colours, str]] = {
    Colours.NONE: "no colours",
    Colours.SIXTEEN: "16 colours",
    Colours.MANY: "256 colours",
    Colours.TRUE: "all colours",
}


def check_terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    name = environ.get("TERM", "")
    terminal = detect(environ, sys.__stdin__, sys.__stderr__)
    if not terminal.usable:
        text = f"{terminal.why} Commands work; the dashboard does not."
        if name in {"", "dumb", "unknown"} and _is_terminal():
            yield works("terminal", text, "export TERM=xterm-256color, or your terminal's name.",
                        term=name, usable=False)  # fmt: skip
        else:
            yield skipped("terminal", text, term=name, usable=False)
        return
    columns, rows = 0, 0
    with suppress(OSError):
        columns, rows = os.get_terminal_size(2)
    parts = [
        f"TERM={name}", _COLOURS[terminal.colours], "Unicode" if terminal.unicode else "ASCII only",
        f"{columns}×{rows}" if terminal.unicode else f"{columns}x{rows}",
    ]  # fmt: skip
    facts = {
        "term": name, "usable": True, "colours": int(terminal.colours),
        "unicode": terminal.unicode, "mouse": terminal.mouse, "columns": columns, "rows": rows,
        "no_color": "NO_COLOR" in environ, "ssh": "SSH_CONNECTION" in environ,
    }  # fmt: skip
    text, remedy = ", ".join(parts), ""
    if columns < _MIN_SIZE[0] or rows < _MIN_SIZE[1]:
        text, remedy = f"{text}: columns are hidden.", "Enlarge it to at least 80×24."
    yield works("terminal", text, remedy, **facts)


def check_escape_sequences(
    environ: Mapping[str, str], settings: Settings | None
) -> Iterator[Finding]:
    if not _is_terminal():
        return
    between = "tmux" if environ.get("TMUX") else "screen" if environ.get("STY") else ""
    program = environ.get("TERM_PROGRAM", "")
    osc52, osc8, osc9 = _CAPABILITIES.get(program, (None, None, None))
    facts = {
        "multiplexer": between or None,
        "terminal_program": program or None,
        "osc52": osc52,
        "osc8": osc8,
        "osc9": osc9,
        "notices": sequence_kind("auto" if settings is None else settings.notify.desktop, environ),
    }
    if between == "tmux":
        yield _tmux(environ, settings, facts)
        return
    remedy = ""
    if between == "screen":
        text = "GNU screen passes it and notifications to the terminal."
    elif osc52 is None:
        text = "OSC 52; support by the terminal is unknown."
    elif osc52:
        text = f"OSC 52, supported by {program} if enabled."
    else:
        text = f"{program} does not support OSC 52: copying does nothing."
        remedy = "Use tmux, which has its own buffer, or another terminal."
    yield works("copying", text, remedy, **facts)


def _tmux(
    environ: Mapping[str, str], settings: Settings | None, facts: Mapping[str, object]
) -> Finding:
    passes = _tmux_option("allow-passthrough", environ)
    clips = _tmux_option("set-clipboard", environ)
    facts = {**facts, "allow_passthrough": passes or None, "set_clipboard": clips or None}
    copied = "into tmux's buffer" + ("" if clips == "off" else ", and to the terminal around it")
    wants = settings is not None and settings.notify.desktop not in {"auto", "off"}
    if passes == "off" and wants:
        text = f"{copied}; desktop notifications are blocked."
        return works("copying", text, "tmux set -g allow-passthrough on", **facts)
    notices = {"off": "desktop notifications are blocked (allow-passthrough is off)", "": ""}
    parts = [copied, notices.get(passes, "desktop notifications pass through")]
    return works("copying", "; ".join(filter(None, parts)), **facts)


def _tmux_option(option: str, environ: Mapping[str, str]) -> str:
    tmux = shutil.which("tmux", path=environ.get("PATH"))
    if tmux is None:
        return ""
    try:
        result = subprocess.run(  # noqa: S603  (a fixed argument list, no shell)
            [tmux, "show-options", "-gv", option],
            stdin=subprocess.DEVNULL, capture_output=True, env=without_secrets(environ),
            timeout=_TIMEOUT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.decode("ascii", "replace").strip()[:20]


def _is_terminal() -> bool:
    return sys.__stderr__ is not None and sys.__stderr__.isatty()
