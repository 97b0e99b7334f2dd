"""Which writes are the same as others that are under way, or whose outcome nobody knows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from platui.core.errors import NotFoundError, OutcomeUnknownError
from platui.models.values.write_states import (
    Done,
    NotFound,
    Outcome,
    Refused,
    Sent,
    Unknown,
    Waiting,
    WriteProgress,
    WriteState,
)
from platui.models.values.writes import Confirmation, NewPipeline, RecordAction, WriteAction
from platui.service.writes.requests import RequestContext, request_of
from platui.service.writes.task import WriteTask
from platui.service.writes.task_list import WriteTaskList

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from platui.models.values.writes import WriteRequest

DONE = Done(Outcome("pipeline"))
GONE = NotFound("Nothing was found.")


def start(ref: str = "main") -> WriteRequest:
    """Return the request of a start."""
    return request_of([NewPipeline("a/b", ref)], RequestContext("here"))


def cancel(*numbers: int) -> WriteRequest:
    """Return the request of cancellations."""
    return request_of(
        [RecordAction(WriteAction.CANCEL_JOB, "a/b", one) for one in numbers],
        RequestContext("here"),
    )


def begun(tasks: WriteTaskList, request: WriteRequest, *states: WriteState | None) -> WriteTask:
    """Return a task that is under way, and stands so."""
    task = WriteTask(Confirmation(request), began=0.0)
    tasks.begin(task)
    if states:
        task.progress.set(WriteProgress(states))
    return task


def end(tasks: WriteTaskList, task: WriteTask, *states: WriteState | None) -> None:
    """End a task so."""
    task.progress.set(WriteProgress(states))
    task.has_ended = True
    tasks.ended(task)


def test_only_the_same_request_is_the_same() -> None:
    """Another ref is another start; of several acts one is enough."""
    tasks = WriteTaskList()
    task = begun(tasks, start(), Sent())
    assert tasks.same_under_way(start()) is task
    assert tasks.same_under_way(start("dev")) is None
    many = begun(tasks, cancel(1, 2, 3), DONE, Refused(NotFoundError("gone", status=404)), None)
    assert tasks.same_under_way(cancel(1)) is None
    assert tasks.same_under_way(cancel(2, 9)) is None
    assert tasks.same_under_way(cancel(9, 3)) is many
    many.was_stopped = True
    assert tasks.same_under_way(cancel(3)) is None


def test_what_ended_well_is_under_way_no_more() -> None:
    """It can be done again at once; the last one can still be looked at."""
    tasks = WriteTaskList()
    task = begun(tasks, start(), Sent())
    end(tasks, task, DONE)
    assert tasks.under_way == []
    assert tasks.last is task
    assert tasks.same_under_way(start()) is None
    assert tasks.same_with_unknown_result(start()) == []


def test_a_doubt_stays_until_the_same_was_done() -> None:
    """However many other writes there are meanwhile."""
    tasks = WriteTaskList()
    lost = begun(tasks, start(), Unknown(OutcomeUnknownError("broken")))
    end(tasks, lost, GONE)
    end(tasks, begun(tasks, start("dev")), DONE)
    assert tasks.same_with_unknown_result(start()) == [(lost, GONE)]
    again = begun(tasks, start(), Sent())
    assert tasks.same_with_unknown_result(start()) == [(lost, GONE)]
    end(tasks, again, DONE)
    assert tasks.same_with_unknown_result(start()) == []


def test_what_is_not_sent_yet_is_canceled_between_two_parts_too() -> None:
    """The next part reads what its result will be compared with; one that was sent goes on."""
    tasks, interrupts = WriteTaskList(), list[str]()
    for name, states in {
        "first": (None, None),
        "between": (DONE, None),
        "sent": (Sent(), None),
        "waits": (Waiting(1.0, "Later."), None),
    }.items():
        task = begun(tasks, cancel(1, 2), *states)
        task.interrupt = lambda name=name: interrupts.append(name)
        task.stop()
        assert task.was_stopped
    assert interrupts == ["first", "between", "waits"]


async def test_what_waited_and_was_canceled_is_not_started() -> None:
    """Neither does it wait any more, nor is it missing from the count."""
    waits = asyncio.Event()

    class Quota:
        async def perform(self, _: Confirmation) -> AsyncIterator[WriteProgress]:
            yield WriteProgress((DONE, None))
            yield WriteProgress((DONE, Waiting(1.0, "Request quota used up.")))
            waits.set()
            await asyncio.Event().wait()

    service: Any = Quota()
    task = WriteTask(Confirmation(cancel(1, 2)), began=0.0)
    following = asyncio.ensure_future(task.follow(service))
    task.interrupt = following.cancel
    await waits.wait()
    task.stop()
    await following
    assert task.has_ended
    assert task.progress.value.states == (DONE, None)


async def test_what_was_refused_for_now_and_canceled_is_not_sent_again() -> None:
    """The platform wants a pause: what was sent changed nothing, and the rest stays unsent."""
    sent: list[int] = []

    class Limited:
        async def perform(self, _: Confirmation) -> AsyncIterator[WriteProgress]:
            for attempt in (1, 2):
                sent.append(attempt)
                yield WriteProgress((Sent(), None))
                task.stop()
                yield WriteProgress((Waiting(60.0, "Rate limited."), None))
            yield WriteProgress((DONE, None))

    service: Any = Limited()
    task = WriteTask(Confirmation(cancel(1, 2)), began=0.0)
    await task.follow(service)
    assert sent == [1]
    assert task.progress.value.states == (None, None)
