"""Errors as the user meets them: one line beside what is kept, or a sentence on an empty page.

The only place that turns an error into words on the screen; 429 and offline are said here
and in the header, never as a toast per poll.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    CredentialError,
    MissingScopeError,
    OfflineError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.core.errors import PlatuiError
    from platui.present.chrome import Pieces


_USUAL: Final = {"place.token": "A", "place.refresh": "r"}


def usual_key(action: str) -> str:
    """Return the key of an action that helps, where nobody has chosen another one."""
    return _USUAL[action]


def notice(error: PlatuiError | None, key_of: Callable[[str], str] = usual_key) -> Pieces:
    """Return the line that stands above kept rows while something is in the way.

    Args:
        error: what is in the way; None: nothing is.
        key_of: returns the key of an action by its id; empty: it has none.
    """
    if error is None:
        return ()
    key = _helping_key(error, key_of)
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


def page(error: PlatuiError, key_of: Callable[[str], str] = usual_key) -> str:
    """Return what stands in the middle of a page that has nothing else to show.

    Args:
        error: why there is nothing.
        key_of: returns the key of an action by its id; empty: it has none.
    """
    lines = [clean(error.title), "", clean(error.sentence)]
    if error.hint:
        lines.append(clean(error.hint))
    key = _helping_key(error, key_of)
    if key:
        lines += ["", f"{key[0]}  {key[1]}"]
    return "\n".join(lines)


def _helping_key(error: PlatuiError, key_of: Callable[[str], str]) -> tuple[str, str] | None:
    """Return the key that helps and what it does; None: none does, or it has no key."""
    if isinstance(error, RateLimitedError):
        return None
    action, does = _helping(error)
    key = key_of(action)
    return (key, does) if key else None


def _helping(error: PlatuiError) -> tuple[str, str]:
    """Return the id of the action that helps, and what it does."""
    if isinstance(error, UnauthorizedError):
        return ("place.token", "give a new token")
    if isinstance(error, MissingScopeError):
        return ("place.token", "give another token")
    if isinstance(error, CredentialError):
        return ("place.token", "give a token")
    if isinstance(error, OfflineError):
        return ("place.refresh", "try now")
    return ("place.refresh", "try again")
