"""What a script is told by the exit code."""

from __future__ import annotations

import pytest

from platui.cli.dispatch import dispatch, exit_code_of
from platui.core.errors import (
    ConfigError,
    CredentialError,
    ForbiddenError,
    InsecureError,
    NotFoundError,
    OfflineError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
    Unreachable,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("no such key"), 2),
        (CredentialError("no token"), 2),
        (InsecureError("plain http"), 2),
        (NotFoundError("gone", status=404), 2),
        (OfflineError("refused", reason=Unreachable.REFUSED), 3),
        (RateLimitedError("too many", retry_after=5), 3),
        (ServerFailedError("broken", status=502), 3),
        (UnauthorizedError("expired", status=401), 4),
        (ForbiddenError("no role", status=403), 4),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, PlatuiError) else "",
)
def test_each_kind_of_error_has_its_exit_code(error: PlatuiError, code: int) -> None:
    """2 is for the user to mend, 3 for another try, 4 for another token."""
    assert exit_code_of(error) == code


def test_help_of_the_demo_is_about_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    """What it is, and which options go with it; those of platui are told by platui."""
    assert dispatch(["demo", "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Usage: platui demo")
    assert "--profile" not in told
    assert dispatch(["--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: platui [OPTIONS]")
