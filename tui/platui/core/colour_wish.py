"""Whether the environment asks for colours, or for none: told alike to every command and screen.

`NO_COLOR` counts where it is set and not empty (https://no-color.org), `CLICOLOR` where it is 0,
and `CLICOLOR_FORCE` over both where it is neither empty nor 0 (https://bixense.com/clicolors):
as `gh` reads them. `FORCE_COLOR` is not among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_WITHOUT: Final = ("dumb", "vt")
"""Terminals of DEC's line have none (few late ones had), and nobody's emulator is called so."""
_WITHOUT_IN_A_VARIANT: Final = ("-m", "-mono")
"""How terminfo calls the entry of a terminal without its colours."""


def is_colourless(terminal: str) -> bool:
    """Return whether a terminal has no colours, by its name (`TERM`)."""
    return terminal.startswith(_WITHOUT) or terminal.endswith(_WITHOUT_IN_A_VARIANT)


def wants_colours(environ: Mapping[str, str]) -> bool | None:
    """Return whether colours are asked for, even of what is no terminal; None: nobody says."""
    if environ.get("CLICOLOR_FORCE", "") not in {"", "0"}:
        return True
    if environ.get("NO_COLOR") or environ.get("CLICOLOR") == "0":
        return False
    return None
