"""The help of `platui` itself, laid out as click lays out a help, but without importing click."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from platui.cli.command_list import COMMANDS
from platui.cli.exit_codes import Exit, exit_code_table
from platui.cli.options import GLOBAL_OPTIONS

VERSION: Final = "Print the version."
HELP_ALL: Final = "Print the help of all commands as one document."

_USAGE: Final = "Usage: platui "
_WORDS: Final = "[OPTIONS] [URL | PROJECT | :VIEW | COMMAND …]"
_ABOUT: Final = "Open the terminal dashboard for a data-operations platform, or run a command."
_OPENS: Final = (
    "Without arguments, open the triage board: the incidents of the projects that you watch. "
    "URL, PROJECT (such as acme/etl) or :VIEW (such as ':jobs acme/etl #7') opens that view "
    "instead."
)
_RUN: Final = (
    "Run a command with --help for details. Commands that write ask for confirmation unless --yes "
    "is given; --dry-run prints the request."
)
_ENVIRONMENT: Final = """\
Environment: PLATUI_URL PLATUI_TOKEN PLATUI_PROFILE PLATUI_ADMIN_URL
PLATUI_ADMIN_KEY PLATUI_TRIGGER_TOKEN; inside a pipeline job CI_JOB_TOKEN
CI_SERVER_URL CI_PROJECT_PATH as fallback.
In the dashboard, ? shows the help of the view and its keys."""

_STEP: Final = "  "
_WIDEST: Final = 78  # Columns, as click's
_NARROWEST: Final = 50
_NARROWEST_TEXT: Final = 10


def help_page() -> str:
    """Return the help, fitted to the terminal."""
    width = max(min(_columns() - 2, _WIDEST), _NARROWEST)
    options = [
        *((f"{one.flag} {one.metavar}".rstrip(), one.help) for one in GLOBAL_OPTIONS),
        ("--version", VERSION),
        ("--help-all", HELP_ALL),
        ("-h, --help", "Show this message and exit."),
    ]
    usage = "\n".join(_wrapped(_WORDS, width - len(_USAGE)))
    parts = (
        [_USAGE + usage.replace("\n", "\n" + " " * len(_USAGE))],
        *(_indented(_wrapped(text, width - len(_STEP))) for text in (_ABOUT, _OPENS)),
        ["Commands:", *_listed(COMMANDS.items(), width)],
        _wrapped(_RUN, width),
        ["Options:", *_listed(options, width)],
        _indented(["Exit codes:", *exit_code_table(*Exit).splitlines()]),
        _indented(_ENVIRONMENT.splitlines()),
    )
    return "\n\n".join("\n".join(part) for part in parts)


def _columns() -> int:
    named = os.environ.get("COLUMNS", "")
    if named.isdecimal() and int(named):
        return int(named)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or _WIDEST + 2
    except (AttributeError, ValueError, OSError):  # no terminal, or closed
        return _WIDEST + 2


def _listed(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    rows = list(rows)
    edge = max(len(name) for name, _ in rows) + 2 * len(_STEP)
    for name, text in rows:
        first, *others = _wrapped(text, max(width - edge, _NARROWEST_TEXT))
        yield f"{_STEP + name:<{edge}}{first}"
        yield from (" " * edge + line for line in others)


def _indented(lines: Iterable[str]) -> list[str]:
    return [_STEP + line for line in lines]


def _wrapped(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
