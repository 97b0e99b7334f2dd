"""How long a command that prints waits for a feed that gets over a fault by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from platui.cli.output.progress import RetryWindow
from platui.core.errors import (
    ForbiddenError,
    OfflineError,
    OfflineReason,
    PlatuiError,
    ServerFailedError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

_DROPPED = OfflineError("The connection was dropped.", reason=OfflineReason.DROPPED)
_REFUSED = OfflineError("It refused.", reason=OfflineReason.REFUSED)


async def _feed(*errors: PlatuiError | None) -> AsyncIterator[PlatuiError | None]:
    """Yield how it stands, and then nothing, as a feed does that tries again."""
    for error in errors:
        yield error
    await asyncio.Event().wait()


async def _borne(patience: RetryWindow, *errors: PlatuiError | None) -> int:
    """Return how many steps of a feed came before it came right."""
    steps = 0
    async for error in patience.items(_feed(*errors)):
        steps += 1
        if error is None:
            break
        patience.tolerate(error)
    return steps


async def test_a_dropped_connection_is_told_once_and_waited_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """However often the feed says so."""
    assert await _borne(RetryWindow(60.0), _DROPPED, _DROPPED, None) == 3
    assert capsys.readouterr().err == "platui: The connection was dropped. Retrying.\n"


async def test_a_message_of_the_platform_ends_before_the_next_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The platform's own words often have no full stop."""
    await _borne(
        RetryWindow(60.0), ServerFailedError("500 Internal Server Error", status=500), None
    )
    assert capsys.readouterr().err == "platui: 500 Internal Server Error. Retrying.\n"


async def test_after_some_time_it_is_the_error_after_all() -> None:
    """The one that a script is told by the exit code."""
    with pytest.raises(OfflineError, match="dropped"):
        await _borne(RetryWindow(0.0), _DROPPED)


async def test_what_no_second_try_mends_is_told_at_once() -> None:
    """A refusal, and an address that never answered; one that did may come back."""
    patience = RetryWindow(60.0)
    for error in (ForbiddenError("no role", status=403), _REFUSED):
        with pytest.raises(type(error)):
            patience.tolerate(error)
    patience.tolerate(ServerFailedError("broken", status=502))
    patience.reached = True
    patience.tolerate(_REFUSED)
