"""Which pipelines of a list are wanted, where the list itself is at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.emulator.http.filters import STATUSES

if TYPE_CHECKING:
    from datetime import datetime

    from platui.emulator.http.parameters import Parameters
    from platui.emulator.records import Pipeline

SEARCHED: Final = 500
"""How many pipelines a filter looks at, the newest first."""

_SCOPES: Final = {
    "running": {"running"},
    "pending": {"pending"},
    "finished": {"success", "failed", "canceled"},
}


@dataclass(frozen=True, slots=True)
class PipelineFilter:
    """What a caller asked for; None where nothing was said."""

    scope: str | None = None
    status: str | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    updated_after: datetime | None = None
    updated_before: datetime | None = None

    @classmethod
    def of(cls, params: Parameters) -> PipelineFilter:
        """Read a request's filters."""
        return cls(
            params.choice("scope", (*_SCOPES, "branches", "tags")),
            params.choice("status", STATUSES),
            params.moment("created_after"),
            params.moment("created_before"),
            params.moment("updated_after"),
            params.moment("updated_before"),
        )

    @property
    def narrows(self) -> bool:
        """Whether anything was asked for at all."""
        return self != PipelineFilter()

    def admits(self, one: Pipeline) -> bool:
        """Tell whether a pipeline is wanted."""
        return (
            self._in_scope(one)
            and self.status in {None, one.status}
            and _between(one.created_at, self.created_after, self.created_before)
            and _between(one.updated_at, self.updated_after, self.updated_before)
        )

    def _in_scope(self, one: Pipeline) -> bool:
        if self.scope in {"branches", "tags"}:
            return one.tag == (self.scope == "tags")
        return self.scope is None or one.status in _SCOPES[self.scope]


def _between(when: datetime, after: datetime | None, before: datetime | None) -> bool:
    return (after is None or when >= after) and (before is None or when <= before)
