"""The entry point, which imports only what the first frame of the dashboard needs."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys

TYPE_CHECKING = False  # Of typing, which is not imported yet
if TYPE_CHECKING:
    from platui.ui.terminal.handover import TerminalHandover

_UNWRITABLE = frozenset(  # stdout cannot be written; EBADF: it is closed, or open for reading only
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}
)
_INTERRUPTED = 130
_COMPLETION = ["completion", "words"]


def main() -> int:
    code = run()
    _exit_on_interrupt(code)
    _end_now(code)
    return code


def _exit_on_interrupt(code: int) -> None:
    """Exit at once on SIGINT: all work is done, and Python would print a traceback."""
    if (signal := sys.modules.get("signal")) is not None:
        signal.signal(signal.SIGINT, lambda *_: os._exit(code))


def _end_now(code: int) -> None:
    """End without freeing every module and value, which takes longer than all else of an exit."""
    if (threading := sys.modules.get("threading")) is not None:
        main_thread = threading.main_thread()
        if any(not one.daemon and one is not main_thread for one in threading.enumerate()):
            return  # Python waits for them
    atexit._run_exitfuncs()  # noqa: SLF001  (as Python does at its end)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # full, without a reader, or closed
            continue
    os._exit(code)


def run() -> int:
    gc.disable()  # until the first frame of the dashboard is painted
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller: print() would take stdout for stderr
            # What is printed to a closed stdout is an error, as the reader gets no data.
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            null = os.open(os.devnull, flags)
            setattr(sys, name, open(null, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  (open until exit; no pathlib yet)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            from platui.cli.encoding import ALIKE, ALIKE_OR_ESCAPED  # noqa: PLC0415  (only for other encodings)

            stream.reconfigure(errors=ALIKE if stream is sys.stdout else ALIKE_OR_ESCAPED)
    try:
        code = dispatch(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = _INTERRUPTED
    except BrokenPipeError:
        _discard_unwritable()
        code = _code("NO_READER")
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        # Not an error code: a write may have been sent already.
        _discard_unwritable()
        try:
            print(f"platui: Cannot write to standard output: {error.strerror}.", file=sys.stderr)
        except OSError:  # it was standard error
            _discard_unwritable()
        code = _code("NO_READER")
    return code


def _code(name: str) -> int:
    from platui.cli.exit_codes import Exit  # noqa: PLC0415  (not where all goes well)

    return Exit[name]


def _discard_unwritable() -> None:
    """Discard buffered output that cannot be written, as Python would try at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def dispatch(arguments: list[str]) -> int:
    answer = _quick_answer(arguments)
    if answer is not None:
        if answer:
            print(answer)
        return 0
    from platui import __version__  # noqa: PLC0415  (loaded already)
    from platui.core.last_frame import LastFrames  # noqa: PLC0415  (not for a quick answer)
    from platui.ui.terminal.handover import TerminalHandover  # noqa: PLC0415  (the same)

    handover = TerminalHandover(LastFrames(arguments, os.environ, __version__))
    handover.show_last_frame()  # before other imports
    try:
        return _open(arguments, handover)
    finally:
        handover.restore()


def _open(arguments: list[str], handover: TerminalHandover) -> int:
    from platui.cli.options import parse_opening  # noqa: PLC0415  (not for a quick answer)
    from platui.core.errors import PlatuiError  # noqa: PLC0415  (the same)

    try:
        if arguments[:2] == _COMPLETION:
            from platui.cli.commands.completion import Completer  # noqa: PLC0415  (only for completion)

            if lines := Completer(arguments[2:]).complete():
                print(lines)
            return 0
        opening = parse_opening(arguments)
        if opening is not None:
            import signal  # noqa: PLC0415  (the same)

            # Python's own handler, not an inherited SIG_IGN, nor that of the handover.
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                # While it is loaded, a KeyboardInterrupt is a traceback.
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            from platui.cli.dashboard import run_dashboard  # noqa: PLC0415  (only for the dashboard)

            return run_dashboard(*opening, handover)
        from platui.cli.group import run  # noqa: PLC0415  (the dashboard starts without click)

        return run(arguments)
    except PlatuiError as error:
        from platui.cli.error_output import exit_code_of, print_error  # noqa: PLC0415  (not where all goes well)

        handover.restore()
        print_error(error)
        return exit_code_of(error)


def _quick_answer(arguments: list[str]) -> str | None:
    """Return what is printed without click: version, help, and the commands of a completion."""
    match arguments:
        case ["--version"]:
            from platui import __version__  # noqa: PLC0415  (loaded already)

            return f"platui {__version__}"
        case ["-h" | "--help"]:
            from platui.cli.help_page import help_page  # noqa: PLC0415  (only for help)

            return help_page()
        case ["completion", "words", word] if not word.startswith("-"):
            from platui.cli.command_list import commands_starting_with, completion_line  # noqa: PLC0415  (only for completion)

            return "\n".join(completion_line(*one) for one in commands_starting_with(word))
    return None
