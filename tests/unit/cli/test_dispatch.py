"""What a script is told by the exit code."""

from __future__ import annotations

import pytest

from platui.cli.dispatch import COMMANDS, dispatch, exit_code_of
from platui.core.errors import (
    ConfigError,
    CredentialError,
    ForbiddenError,
    InsecureError,
    NotFoundError,
    NotOfferedError,
    OfflineError,
    OutcomeUnknownError,
    PlatuiError,
    RateLimitedError,
    ServerFailedError,
    UnauthorizedError,
    Unreachable,
    WriteRefusedError,
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
        (WriteRefusedError("locked"), 4),
        (NotOfferedError("no such operation"), 4),
        (OutcomeUnknownError("its answer was lost"), 5),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, PlatuiError) else "",
)
def test_each_kind_of_error_has_its_exit_code(error: PlatuiError, code: int) -> None:
    """2 is for the user to mend, 3 for another try, 4 for another token, 5 to look first."""
    assert exit_code_of(error) == code


def test_help_of_the_demo_is_about_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    """What it is, and which options go with it; those of platui are told by platui."""
    assert dispatch(["demo", "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Usage: platui demo")
    assert "--profile" not in told
    assert dispatch(["--help"]) == 0
    assert capsys.readouterr().out.startswith("Usage: platui [OPTIONS]")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "emulator"])
def test_each_command_is_listed_and_tells_of_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In platui's own help, and by its `--help`, in lines that a narrow terminal has whole."""
    assert dispatch(["--help"]) == 0
    assert f"\n  {name} " in capsys.readouterr().out
    assert dispatch([name, "--help"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"Usage: platui {name}")
    assert max(map(len, told.splitlines())) <= 80
