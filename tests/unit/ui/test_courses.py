"""Which writes are the same as others that are under way, or whose outcome nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.core.errors import NotFoundError, OutcomeUnknownError
from platui.models.values.write_states import (
    Done,
    NotFound,
    Outcome,
    Refused,
    Sent,
    Unknown,
    WriteProgress,
    WriteState,
)
from platui.models.values.writes import Act, ActOn, NewPipeline
from platui.service.write_plans import Stance, plan_of
from platui.ui.course import WriteCourse
from platui.ui.courses import Courses

if TYPE_CHECKING:
    from platui.models.values.write_plans import WritePlan

DONE = Done(Outcome("pipeline"))
GONE = NotFound("Nothing was found.")


def start(ref: str = "main") -> WritePlan:
    """Return the plan of a start."""
    return plan_of([NewPipeline("a/b", ref)], Stance("here"))


def cancel(*numbers: int) -> WritePlan:
    """Return the plan of cancellations."""
    return plan_of([ActOn(Act.CANCEL_JOB, "a/b", one) for one in numbers], Stance("here"))


def begun(courses: Courses, plan: WritePlan, *states: WriteState | None) -> WriteCourse:
    """Return a course that is under way, and stands so."""
    course = WriteCourse(plan, began=0.0)
    courses.begin(course)
    if states:
        course.progress.set(WriteProgress(states))
    return course


def end(courses: Courses, course: WriteCourse, *states: WriteState | None) -> None:
    """End a course so."""
    course.progress.set(WriteProgress(states))
    course.has_ended = True
    courses.ended(course)


def test_only_the_same_request_is_the_same() -> None:
    """Another ref is another start; of several acts one is enough."""
    courses = Courses()
    course = begun(courses, start(), Sent())
    assert courses.same_under_way(start()) is course
    assert courses.same_under_way(start("dev")) is None
    many = begun(courses, cancel(1, 2, 3), DONE, Refused(NotFoundError("gone", status=404)), None)
    assert courses.same_under_way(cancel(1)) is None
    assert courses.same_under_way(cancel(2, 9)) is None
    assert courses.same_under_way(cancel(9, 3)) is many
    many.was_stopped = True
    assert courses.same_under_way(cancel(3)) is None


def test_what_ended_well_is_under_way_no_more() -> None:
    """It can be done again at once; the last one can still be looked at."""
    courses = Courses()
    course = begun(courses, start(), Sent())
    end(courses, course, DONE)
    assert courses.under_way == []
    assert courses.last is course
    assert courses.same_under_way(start()) is None
    assert courses.same_in_doubt(start()) == []


def test_a_doubt_stays_until_the_same_was_done() -> None:
    """However many other writes there are meanwhile."""
    courses = Courses()
    lost = begun(courses, start(), Unknown(OutcomeUnknownError("broken")))
    end(courses, lost, GONE)
    end(courses, begun(courses, start("dev")), DONE)
    assert courses.same_in_doubt(start()) == [(lost, GONE)]
    again = begun(courses, start(), Sent())
    assert courses.same_in_doubt(start()) == [(lost, GONE)]
    end(courses, again, DONE)
    assert courses.same_in_doubt(start()) == []
