"""Errors as a line above cached rows, or as a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from platui.core.errors import (
    RETRIED,
    CredentialError,
    MissingScopeError,
    OfflineError,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.present.chrome import Pieces


_usual_key: Final = {"view.token": "A", "view.refresh": "r"}.__getitem__


def notice(error: PlatuiError | None, key_of: Callable[[str], str] = _usual_key) -> Pieces:
    """Return the line above cached rows; `key_of` returns an action's key or an empty string."""
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
    """Return the line about a failed action in a form."""
    return (
        (f" {clean(error.title)}  ", "failed"),
        (clean(error.sentence), "text"),
        (f"  {clean(hint_of_action(error))}", "muted"),
    )


def hint_of_action(error: PlatuiError) -> str:
    """Return the hint of an action's error: only what a view reads is retried automatically."""
    is_about_reading = isinstance(error, RETRIED) and error.hint == error.default_hint
    return "" if is_about_reading else error.hint


def page(
    error: PlatuiError, key_of: Callable[[str], str] = _usual_key, *, is_retried: bool = True
) -> str:
    """Return the text of an empty page; `key_of` as for `notice`."""
    lines = [clean(error.title), "", clean(error.sentence)]
    if hint := error.hint if is_retried else hint_of_action(error):
        lines.append(clean(hint))
    if key := _helping_key(error, key_of):
        lines += ["", f"{key[0]}  {key[1]}"]
    return "\n".join(lines)


def _helping_key(error: PlatuiError, key_of: Callable[[str], str]) -> tuple[str, str] | None:
    if isinstance(error, RateLimitedError):
        return None
    action, does = next((action, does) for kind, action, does in _HELP if isinstance(error, kind))
    key = key_of(action)
    return (key, does) if key else None


# Error -> id and label of the action that helps; the first match counts
_HELP: Final[tuple[tuple[type[PlatuiError], str, str], ...]] = (
    (UnauthorizedError, "view.token", "enter a new token"),
    (MissingScopeError, "view.token", "enter another token"),
    (CredentialError, "view.token", "enter a token"),
    (OfflineError, "view.refresh", "retry now"),
    (PlatuiError, "view.refresh", "retry"),
)
