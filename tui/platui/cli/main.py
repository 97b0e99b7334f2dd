"""The command line: bare `platui` opens the dashboard, everything else is a command.

The way to the dashboard is parsed by hand and imports nothing that its first frame does
not need; the collector is off until that frame is painted.
"""

from __future__ import annotations

import errno
import gc
import os
import sys

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""Why what is printed is not taken where it is led to."""


def main() -> int:
    gc.disable()
    from platui.cli.exit_codes import Exit  # noqa: PLC0415  (after the collector is off)

    if sys.stdout is None:  # the caller closed it, and cares for the exit code alone
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  (until the end; no pathlib yet)
    try:
        code = dispatch(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _write_no_more()
        return Exit.NO_READER
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        # Not a code that says how something ended: a write may have been sent by now.
        _write_no_more()
        print(f"platui: Standard output takes no more: {error.strerror}.", file=sys.stderr)
        return Exit.NO_READER
    return code


def _write_no_more() -> None:
    """Let go of what is left unwritten (`platui demo | head`): it must not be tried at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dispatch(arguments: list[str]) -> int:
    from platui.cli.exit_codes import exit_code_of, print_error  # noqa: PLC0415  (as in `main`)
    from platui.cli.options import parse_opening  # noqa: PLC0415  (the same)
    from platui.core.errors import PlatuiError  # noqa: PLC0415  (the same)

    try:
        if tuple(arguments[:2]) == ("completion", "words"):
            _complete(arguments[2:])
            return 0
        opening = parse_opening(arguments)
        if opening is not None:
            from platui.cli.dashboard import run_dashboard  # noqa: PLC0415  (only when meant)

            return run_dashboard(*opening)
        from platui.cli.group import run  # noqa: PLC0415  (the dashboard starts without click)

        return run(arguments)
    except PlatuiError as error:
        print_error(error)
        return exit_code_of(error)


def _complete(words: list[str]) -> None:
    if len(words) == 1 and not words[0].startswith("-"):
        from platui.cli.command_list import commands_starting_with, completion_line  # noqa: PLC0415  (at a tab only)

        lines = "\n".join(completion_line(*one) for one in commands_starting_with(words[0]))
    else:
        from platui.cli.commands.completion import Completer  # noqa: PLC0415  (the same)

        lines = Completer(words).complete()
    if lines:
        print(lines)
