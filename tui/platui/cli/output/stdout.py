"""Write lines and JSON to standard output."""

from __future__ import annotations

import json
import select
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from os import fstat
from typing import Any, Final

from platui.cli.encoding import ALIKE
from platui.config.environment import is_colourless, wants_colours
from platui.present.tables.column_widths import cut_end

_ALWAYS: Final = "always"
_NEVER: Final = "never"
_NARROWEST: Final = 20  # Columns
_AT_ONCE: Final = 500


def is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def has_colours(color: str, environ: Mapping[str, str]) -> bool:
    """Return whether to print colours: by option, environment, or on a terminal."""
    if color in {_ALWAYS, _NEVER}:
        return color == _ALWAYS
    wanted = wants_colours(environ)
    if wanted is not None:
        return wanted
    return is_terminal() and not is_colourless(environ.get("TERM", ""))


def print_line(text: str) -> None:
    print_lines([text])


def print_lines(lines: Iterable[str]) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    left = iter(lines)
    while some := list(islice(left, _AT_ONCE)):
        text = "\n".join(some)
        print(text.encode(encoding, ALIKE).decode(encoding))
    sys.stdout.flush()


def fitted(lines: Iterable[str]) -> Iterable[str]:
    width = line_width()
    return lines if width is None else (cut_end(line, width) for line in lines)


def wrapped(text: str) -> list[str]:
    width = line_width()
    if width is None:
        return [text]
    import textwrap  # noqa: PLC0415  (not for lists)

    return textwrap.wrap(text, max(_NARROWEST, width), break_on_hyphens=False)


def line_width() -> int | None:
    return shutil.get_terminal_size().columns if is_terminal() else None


def print_object(value: Any) -> None:
    """Print a JSON object on one line, with ASCII characters only."""
    print_line(json.dumps(value))


@contextmanager
def watch_for_closed_stdout() -> Iterator[None]:
    """Raise BrokenPipeError when stdout is closed, even without output."""
    import asyncio  # noqa: PLC0415  (not for help or completion)

    descriptor = sys.stdout.fileno()
    task = asyncio.current_task()
    mode = fstat(descriptor).st_mode
    if task is None or not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        yield
        return
    loop, gone = asyncio.get_running_loop(), False

    def look() -> None:
        nonlocal gone
        poll = select.poll()
        poll.register(descriptor, 0)
        if any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0)):
            gone = True
            loop.remove_reader(descriptor)
            task.cancel()

    loop.add_reader(descriptor, look)
    try:
        yield
    except asyncio.CancelledError:
        if not gone:
            raise
        raise BrokenPipeError from None
    finally:
        loop.remove_reader(descriptor)
