"""How a command ends whose writes are done in part."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli import writing
from platui.cli.exit_codes import Exit
from platui.cli.output import writes
from platui.core.errors import PlatuiError
from platui.models.values import write_states as states
from platui.models.values.write_states import Outcome, WriteProgress

if TYPE_CHECKING:
    from platui.models.values.write_states import WriteState

DONE = states.Done(Outcome("schedule", id=5))
UNKNOWN = states.NotFound("Nothing was found within 30 s.")


@pytest.fixture
def error() -> PlatuiError:
    """Return what the platform says; the command changes its sentence."""
    return PlatuiError("The value is invalid.")


@pytest.mark.parametrize("other", [UNKNOWN, DONE])
def test_a_refusal_beside_what_may_be_done_is_not_told_as_unchanged(
    other: WriteState, error: PlatuiError, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only what was surely not done is to be sent again."""
    request: Any = SimpleNamespace(commands=("platui one", "platui two"))
    progress = WriteProgress((states.Refused(error), other))
    assert writing._refused(request, progress, error, is_rest=False) == Exit.UNKNOWN
    told = capsys.readouterr().err
    assert "Nothing was changed" not in told
    assert "platui one" in told
    assert "platui two" not in told


def test_where_nothing_is_done_nothing_was_changed(error: PlatuiError) -> None:
    """Neither what was refused, nor what was not begun after it."""
    request: Any = SimpleNamespace(commands=("platui one", "platui two"))
    progress = WriteProgress((states.Refused(error), None), error)
    with pytest.raises(PlatuiError, match="Nothing was changed"):
        writing._refused(request, progress, error, is_rest=False)


def test_what_was_not_begun_after_an_unknown_result_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of three writes, the first one's response was lost, and the others were not sent."""
    request: Any = SimpleNamespace(commands=("platui one", "platui two", "platui three"))
    writes.print_left(writes.left_commands(request, WriteProgress((UNKNOWN, None, None))))
    told = capsys.readouterr().err.splitlines()
    assert told == ["platui: Not done:", "platui:   platui two", "platui:   platui three"]
    writes.print_left(writes.left_commands(request, WriteProgress((UNKNOWN,) * 3)))
    assert capsys.readouterr().err == ""


_SINCE = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("progress", "is_rest", "told"),
    [
        ((None, None), False, ["Nothing was sent."]),
        ((states.Waiting(9.0, "Later."), None), False, ["Nothing was sent."]),
        ((None, None), True, ["Nothing was sent.", "Not done:", "  one", "  two"]),
        ((DONE, None), False, ["1 of 2 done, 1 not started.", "Not done:", "  two"]),
        (
            (DONE, states.Waiting(9.0, "Later.")),
            False,
            ["1 of 2 done, 1 not started.", "Not done:", "  two"],
        ),
    ],
)
def test_an_interruption_tells_what_is_done_and_what_is_left(
    progress: tuple[WriteState | None, ...],
    is_rest: bool,  # noqa: FBT001  (a parameter of the table)
    told: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A schedule whose time is changed and whose variable waits is not one without a change."""
    intents = (object(), object())
    request: Any = SimpleNamespace(intents=intents, commands=("one", "two"), effect="Change")
    reporter = writes.WriteReporter(request)
    current = next((one for one in reversed(progress) if one is not None), None)
    reporter.print_state(WriteProgress(progress), current, 0.0, _SINCE)
    capsys.readouterr()
    reporter.print_interrupted(is_rest=is_rest)
    assert capsys.readouterr().err.splitlines() == [f"platui: {one}" for one in told]
