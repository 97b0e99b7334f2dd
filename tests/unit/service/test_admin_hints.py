"""What a refusal of the administration API is taken for: nobody is sent for the wrong remedy."""

from __future__ import annotations

import pytest

from platui.core.errors import ForbiddenError, MissingScopeError
from platui.service.access.admin_client import with_hint


@pytest.mark.parametrize(
    ("said", "kind", "told"),
    [
        ("Insufficient scope", MissingScopeError, "The key lacks the scope `reporting` (Insuff"),
        ("Reporting is not enabled here.", ForbiddenError, "Reporting is not enabled for this"),
        ("Reporting has been disabled", ForbiddenError, "Reporting is not enabled for this"),
        ("This organization has not opted in", ForbiddenError, "Reporting is not enabled for"),
        ("Adopt another option", ForbiddenError, "This key may not read the report"),
        ("No permission from this address", ForbiddenError, "This key may not read"),
        ("This key is not enabled", ForbiddenError, "This key may not read the report"),
    ],
)
def test_no_cause_is_guessed(said: str, kind: type[ForbiddenError], told: str) -> None:
    """Where the words do not tell which it is, both are named."""
    error = with_hint(ForbiddenError(said, status=403))
    assert type(error) is kind
    assert error.sentence.startswith(told)
    assert said.rstrip(".") in error.sentence
    if told.startswith("The platform"):
        assert "scope `reporting`" in error.hint
        assert "is enabled" in error.hint
