"""The write tasks of a session: which is under way, which is in doubt, which is the same again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui.models.values.write_states import WriteState
    from platui.models.values.writes import WriteRequest
    from platui.service.writes.task import WriteTask

_DOUBTS: Final = 50  # Writes of unknown outcome that are kept in mind


class WriteTaskList:
    """Knows of each whether it, or a part of it, is the same as another."""

    def __init__(self) -> None:
        self._all: list[WriteTask] = []

    def begin(self, task: WriteTask) -> None:
        """Take note of one that begins; those that ended well are forgotten."""
        doubtful = [one for one in self._all if one.has_ended and one.lost]
        kept = {id(one) for one in doubtful[-_DOUBTS:]}
        self._all = [one for one in self._all if not one.has_ended or id(one) in kept]
        self._all.append(task)

    def ended(self, task: WriteTask) -> None:
        """Take note of an end: where all was done, nothing is in doubt any more about the same."""
        if task.is_done:
            done = frozenset(task.request.http_requests)
            self._all = [
                one
                for one in self._all
                if not one.has_ended or one is task or done.isdisjoint(one.lost)
            ]

    @property
    def under_way(self) -> list[WriteTask]:
        """Return those that have not ended, the oldest first."""
        return [one for one in self._all if not one.has_ended]

    @property
    def last(self) -> WriteTask | None:
        """Return the one that began last."""
        return self._all[-1] if self._all else None

    def same_under_way(self, request: WriteRequest) -> WriteTask | None:
        """Return one that is to send, or has sent, a part of this request; its answer may come."""
        wanted = frozenset(request.http_requests)
        return next((one for one in self.under_way if not wanted.isdisjoint(one.open)), None)

    def same_in_doubt(self, request: WriteRequest) -> list[tuple[WriteTask, WriteState | None]]:
        """Return the writes of unknown outcome with a part of this request, and its state."""
        found = []
        for task in self._all:
            lost = task.lost
            same = next((one for one in request.http_requests if one in lost), None)
            if same is not None:
                found.append((task, lost[same]))
        return found
