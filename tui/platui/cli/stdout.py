"""What is known of standard output before anything is written to it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from platui.core.colour_wish import is_colourless, wants_colours

if TYPE_CHECKING:
    from collections.abc import Mapping

_ALWAYS: Final = "always"
_NEVER: Final = "never"


def is_terminal() -> bool:
    """Return whether a person reads it."""
    return sys.stdout is not None and sys.stdout.isatty()


def has_colours(color: str, environ: Mapping[str, str]) -> bool:
    """Return whether what is printed has colours: on a terminal, unless somebody says otherwise.

    Args:
        color: what the command line says: always, never, auto or nothing.
        environ: NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM are looked at.
    """
    if color in {_ALWAYS, _NEVER}:
        return color == _ALWAYS
    wanted = wants_colours(environ)
    if wanted is not None:
        return wanted
    return is_terminal() and not is_colourless(environ.get("TERM", ""))
