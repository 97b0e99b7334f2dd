"""What is said of writes that are under way, and of the same that is not sent twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from platui.core.errors import OutcomeUnknownError
from platui.models.values.write_states import (
    Done,
    NotFound,
    Outcome,
    Probing,
    Sent,
    Unknown,
    Waiting,
    WriteProgress,
    WriteState,
)
from platui.models.values.writes import NewPipeline, NewProject, RecordAction, WriteAction
from platui.present.writes.states import (
    doing,
    duplicate_reason,
    outcome_words,
    under_way,
    unknown_outcome_warning,
)
from platui.service.writes.requests import RequestContext, request_of

if TYPE_CHECKING:
    from platui.models.values.writes import WriteRequest

LOST = OutcomeUnknownError("The connection broke.")
NOW = 1000.0


def request(*acts: int) -> WriteRequest:
    """Return the request of a start, or of cancellations."""
    if not acts:
        return request_of([NewPipeline("a/b", "main")], RequestContext("here"))
    return request_of(
        [RecordAction(WriteAction.CANCEL_JOB, "a/b", one) for one in acts], RequestContext("here")
    )


def line(
    wanted: WriteRequest, *states: WriteState | None, others: int = 0, can_stop: bool = False
) -> str:
    """Return both parts of the line, twelve seconds after the yes."""
    progress = WriteProgress(states)
    state = next(one for one in reversed(states) if one is not None)
    parts = under_way(
        wanted, progress, state, since=NOW - 12, now=NOW, can_stop=can_stop, others=others
    )
    return " | ".join("".join(text for text, _ in part) for part in parts)


def test_the_line_says_what_where_and_since_when() -> None:
    """Or for how long it waits; what must be seen is never what gives way."""
    assert line(request(), Sent()) == (
        " ● Starting a pipeline on main in a/b | 12 s  :write shows it "
    )
    assert line(request(), Waiting(NOW + 37.2, ""), can_stop=True) == (
        " ◷ Starting a pipeline on main in a/b | sending in 38 s  :write  :write cancel "
    )
    assert line(request(), Probing(NOW + 20)).endswith(
        "no response, checking for 20 s  :write shows it "
    )
    assert line(request(1, 2, 3), Done(Outcome("job")), Sent(), None, others=1) == (
        " ● 2 running · Canceling 3 jobs in a/b | 1 of 3 done · 12 s  :write shows it "
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Sent(), "Already running for 5 s: starting a pipeline on main in a/b."),
        (None, "Already running for 5 s: "),
        (Waiting(NOW + 9, ""), "Already waiting, sending in 9 s: starting a pipeline on main"),
        (Unknown(LOST), "Already sent 5 s ago, result unknown"),
    ],
)
def test_the_same_is_refused_by_name(state: Sent | Waiting | Unknown | None, words: str) -> None:
    """And it is said how one sees it."""
    told = duplicate_reason(request(), state, since=NOW - 5, now=NOW)
    assert told.startswith(words)
    assert "Type :write to show it" in told


def test_a_doubt_says_what_is_known() -> None:
    """And that a yes sends it again."""
    told = unknown_outcome_warning(NotFound("Nothing was found."), since=NOW - 300, now=NOW)
    assert told.startswith("Already sent 5 min ago, result unknown. No")
    assert told.endswith("confirming sends it again.")


def test_what_was_done_is_told_as_done() -> None:
    """A request tells what is to be done; a notice, what was."""
    done = WriteProgress((Done(Outcome("pipeline", "a/b", 7)),))
    assert outcome_words(request(), done) == ("Done", "Pipeline #7 started on main in a/b.")
    project = request_of([NewProject("night")], RequestContext("here"))
    made = WriteProgress((Done(Outcome("project", None, 8)),))
    assert outcome_words(project, made) == ("Done", 'Project #8 "night" created.')
    assert doing(project) == 'Creating the project "night" in your own namespace'
