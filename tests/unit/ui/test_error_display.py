"""Which key helps against which error: the line above kept rows, and the page without any."""

from __future__ import annotations

import pytest

from platui.core.errors import (
    CredentialError,
    ForbiddenError,
    MissingScopeError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    RateLimitedError,
    UnauthorizedError,
)
from platui.ui.error_display import hint_of_action, notice, page, refusal


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (UnauthorizedError("The token was revoked.", status=401), ("A", "enter a new token")),
        (MissingScopeError("It lacks a scope.", status=403), ("A", "enter another token")),
        (ForbiddenError("403 Forbidden", status=403), ("r", "retry")),
        (CredentialError("There is no token."), ("A", "enter a token")),
        (OfflineError("No answer.", reason=OfflineReason.REFUSED), ("r", "retry now")),
        (RateLimitedError("Too many.", retry_after=None), None),
    ],
)
def test_the_key_that_helps_is_named(error: PlatuiError, key: tuple[str, str] | None) -> None:
    """A token helps against what is wrong with a token, trying again against the rest."""
    pieces = notice(error)
    keys = [text for text, role in pieces if role == "key"]
    assert keys == ([key[0]] if key else [])
    assert any(error.sentence in text for text, _ in pieces)
    shown = page(error)
    assert error.sentence in shown
    assert (f"{key[0]}  {key[1]}" in shown) if key else "try" not in shown
    assert [text for text, role in notice(error, lambda _: "") if role == "key"] == []
    assert (f"f9  {key[1]}" in page(error, lambda _: "f9")) if key else "f9" not in shown


def test_an_action_is_not_said_to_be_retried() -> None:
    """Only what a view reads is; another hint than that of reading is shown."""
    gone = OfflineError("No answer.", reason=OfflineReason.REFUSED)
    assert hint_of_action(gone) == hint_of_action(RateLimitedError("x", retry_after=3)) == ""
    assert gone.hint not in "".join(text for text, _ in refusal(gone))
    assert gone.hint not in page(gone, is_retried=False)
    assert gone.hint in page(gone)
    unknown = OfflineError("No host.", reason=OfflineReason.NO_SUCH_HOST, hint="Check the URL.")
    assert hint_of_action(unknown) == "Check the URL."
    assert hint_of_action(ForbiddenError("403", status=403)) == ForbiddenError.default_hint
