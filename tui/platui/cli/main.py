"""The entry point, which imports only what the first frame of the dashboard needs."""

from __future__ import annotations

import errno
import gc
import os
import sys

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})  # stdout cannot be written


def main() -> int:
    gc.disable()  # until the first frame of the dashboard is painted
    from platui.cli.exit_codes import Exit  # noqa: PLC0415  (after the collector is off)

    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  (open until exit; no pathlib yet)
    try:
        code = dispatch(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return Exit.NO_READER
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        # Not an error code: a write may have been sent already.
        _discard_output()
        print(f"platui: Cannot write to standard output: {error.strerror}.", file=sys.stderr)
        return Exit.NO_READER
    return code


def _discard_output() -> None:
    """Discard buffered output, which Python would write at exit (`platui demo | head`)."""
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
            from platui.cli.dashboard import run_dashboard  # noqa: PLC0415  (only for the dashboard)

            return run_dashboard(*opening)
        from platui.cli.group import run  # noqa: PLC0415  (the dashboard starts without click)

        return run(arguments)
    except PlatuiError as error:
        print_error(error)
        return exit_code_of(error)


def _complete(words: list[str]) -> None:
    if len(words) == 1 and not words[0].startswith("-"):
        from platui.cli.command_list import commands_starting_with, completion_line  # noqa: PLC0415  (only for completion)

        lines = "\n".join(completion_line(*one) for one in commands_starting_with(words[0]))
    else:
        from platui.cli.commands.completion import Completer  # noqa: PLC0415  (the same)

        lines = Completer(words).complete()
    if lines:
        print(lines)
