"""From arguments to the one thing that was meant."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.cli.options import HELP, split
from platui.core.errors import ConfigError, PlatuiError
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE: Final = 2


def dispatch(arguments: Sequence[str]) -> int:
    """Do what the arguments say; returns the exit code."""
    try:
        options, asked, rest = split(arguments)
        if asked == "--version":
            from platui import __version__  # noqa: PLC0415  (nothing else is needed)

            print(f"platui {__version__}")
            return 0
        if asked:
            print(HELP, end="")
            return 0
        if not rest or rest[0].startswith(("http://", "https://")):
            from platui.cli.dashboard import run_dashboard  # noqa: PLC0415  (only when meant)

            return run_dashboard(options, rest[0] if rest else None)
        if rest == ["demo"]:
            from platui.cli.demo import run_demo  # noqa: PLC0415  (only when meant)

            return run_demo(options)
        return _command(rest)
    except PlatuiError as error:
        complain(error)
        return USAGE


def _command(words: list[str]) -> int:
    """Run a command that click reads."""
    import click  # noqa: PLC0415  (the dashboard does without)

    from platui.cli.commands import commands  # noqa: PLC0415  (the dashboard does without)

    if words[0] not in commands.commands:
        import difflib  # noqa: PLC0415  (on a mistake only)

        near = difflib.get_close_matches(words[0], commands.commands, n=1)
        raise ConfigError(
            f"There is no command {clean(words[0])}.",
            hint=f"Did you mean {near[0]}?" if near else "platui --help lists them.",
        )
    try:
        result = commands.main(words, prog_name="platui", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return 130
    return result if isinstance(result, int) else 0


def complain(error: PlatuiError) -> None:
    """Say an error on stderr, in one or two lines."""
    lines = [line for line in (*str(error.sentence).splitlines(), error.hint) if line]
    print("platui: " + "\n        ".join(clean(line) for line in lines), file=sys.stderr)
