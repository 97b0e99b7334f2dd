"""Errors as the user meets them: one line beside what is kept, or a sentence on an empty page.

The only place that turns an error into words on the screen; 429 and offline are said here
and in the header, never as a toast per poll.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import (
    CredentialError,
    MissingScopeError,
    OfflineError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.present.chrome import Pieces


def notice(error: PlatuiError | None) -> Pieces:
    """Return the line that stands above kept rows while something is in the way."""
    if error is None:
        return ()
    key = _helping_key(error)
    role = "warning" if isinstance(error, RateLimitedError) else "failed"
    pieces: list[tuple[str, str]] = [(f" {clean(error.title)}  ", role)]
    if key:
        pieces += [(key[0], "key"), (f" {key[1]}  ", "muted")]
    pieces.append((clean(error.sentence), "text"))
    if error.hint and not key:
        pieces.append((f"  {clean(error.hint)}", "muted"))
    return tuple(pieces)


def refusal(error: PlatuiError) -> Pieces:
    """Return the line that says in a form why what was asked for was not done."""
    return (
        (f" {clean(error.title)}  ", "failed"),
        (clean(error.sentence), "text"),
        (f"  {clean(error.hint)}", "muted"),
    )


def page(error: PlatuiError) -> str:
    """Return what stands in the middle of a page that has nothing else to show."""
    lines = [clean(error.title), "", clean(error.sentence)]
    if error.hint:
        lines.append(clean(error.hint))
    key = _helping_key(error)
    if key:
        lines += ["", f"{key[0]}  {key[1]}"]
    return "\n".join(lines)


def _helping_key(error: PlatuiError) -> tuple[str, str] | None:
    if isinstance(error, UnauthorizedError):
        return ("A", "give a new token")
    if isinstance(error, MissingScopeError):
        return ("A", "give another token")
    if isinstance(error, CredentialError):
        return ("A", "give a token")
    if isinstance(error, RateLimitedError):
        return None
    if isinstance(error, OfflineError):
        return ("r", "try now")
    return ("r", "try again")
