"""Whether the environment asks for colours, or for none: told alike to every command and screen.

`NO_COLOR` counts where it is set and not empty (https://no-color.org), `CLICOLOR` where it is 0,
and `CLICOLOR_FORCE` over both where it is neither empty nor 0 (https://bixense.com/clicolors):
as `gh` reads them. `FORCE_COLOR` is not among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def wants_colours(environ: Mapping[str, str]) -> bool | None:
    """Return whether colours are asked for, even of what is no terminal; None: nobody says."""
    if environ.get("CLICOLOR_FORCE", "") not in {"", "0"}:
        return True
    if environ.get("NO_COLOR") or environ.get("CLICOLOR") == "0":
        return False
    return None
