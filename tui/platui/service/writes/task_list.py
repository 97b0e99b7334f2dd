"""The write tasks of a session: running ones, and those of unknown outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import WriteRequest
    from platui.service.writes.task import WriteTask

_MAX_UNKNOWN: Final = 50  # maximum tasks of unknown outcome


class WriteTaskList:
    """Keeps write tasks, and finds those that send the same request."""

    def __init__(self) -> None:
        self._all: list[WriteTask] = []

    def begin(self, task: WriteTask) -> None:
        """Add a task; forget those that ended with a known outcome."""
        unknown = [one for one in self._all if one.has_ended and one.lost]
        kept = {id(one) for one in unknown[-_MAX_UNKNOWN:]}
        self._all = [one for one in self._all if not one.has_ended or id(one) in kept]
        self._all.append(task)

    def ended(self, task: WriteTask) -> None:
        """Note the end of a task; if it succeeded, equal tasks of unknown outcome are forgotten."""
        if task.is_done:
            done = frozenset(task.request.http_requests)
            self._all = [
                one
                for one in self._all
                if not one.has_ended or one is task or done.isdisjoint(one.lost)
            ]

    @property
    def under_way(self) -> list[WriteTask]:
        """Return the running tasks, the oldest first."""
        return [one for one in self._all if not one.has_ended]

    @property
    def last(self) -> WriteTask | None:
        return self._all[-1] if self._all else None

    def same_under_way(self, request: WriteRequest) -> WriteTask | None:
        """Return a running task that sends a part of this request."""
        wanted = frozenset(request.http_requests)
        return next((one for one in self.under_way if not wanted.isdisjoint(one.open)), None)

    def same_with_unknown_result(
        self, request: WriteRequest
    ) -> list[tuple[WriteTask, WriteState | None]]:
        found = []
        for task in self._all:
            lost = task.lost
            same = next((one for one in request.http_requests if one in lost), None)
            if same is not None:
                found.append((task, lost[same]))
        return found
