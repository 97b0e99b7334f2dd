"""Filters and orders of pipeline lists (spec 4.3 and the platform's own)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypedDict

from platui_emulator.records import Pipeline, Span

if TYPE_CHECKING:
    from platui_emulator.http.parameters import Parameters


STATUSES: Final = (
    "created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending", "running",
    "success", "failed", "canceling", "canceled", "skipped", "manual", "scheduled",
)  # fmt: skip
SCOPES: Final = ("running", "pending", "finished", "branches", "tags")
_SOURCES: Final = (
    "unknown", "push", "web", "trigger", "schedule", "api", "external", "pipeline", "chat",
    "webide", "merge_request_event", "external_pull_request_event", "parent_pipeline",
)  # fmt: skip

ORDERS: Final[Mapping[str, Callable[[Pipeline], Any]]] = {
    "id": lambda one: one.id,
    "status": lambda one: (one.status, one.id),
    "ref": lambda one: (one.ref, one.id),
    "updated_at": lambda one: (one.updated_at, one.id),
    "user_id": lambda one: (one.user.id, one.id),
}


class Filters(TypedDict):
    """Parameter names of the filters."""

    status: str | None
    ref: str | None
    sha: str | None
    source: str | None
    username: str | None
    name: str | None
    yaml_errors: bool | None
    created: Span
    updated: Span


def filters_of(params: Parameters) -> Filters:
    """Read the filters of a list of pipelines."""
    broken = params.flag("yaml_errors", default=False) if "yaml_errors" in params else None
    return {
        "status": params.choice("status", STATUSES),
        "ref": params.text("ref"),
        "sha": params.text("sha"),
        "source": params.choice("source", _SOURCES),
        "username": params.text("username"),
        "name": params.text("name"),
        "yaml_errors": broken,
        "created": Span(params.moment("created_after"), params.moment("created_before")),
        "updated": Span(params.moment("updated_after"), params.moment("updated_before")),
    }


SEARCHED: Final = 500

_SCOPES: Final = {
    "running": {"running"},
    "pending": {"pending"},
    "finished": {"success", "failed", "canceled"},
}


@dataclass(frozen=True, slots=True)
class PipelineFilter:
    """The filters of a request; None where one is not set."""

    scope: str | None = None
    status: str | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None
    updated_after: datetime | None = None
    updated_before: datetime | None = None

    @classmethod
    def of(cls, params: Parameters) -> PipelineFilter:
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
        return self != PipelineFilter()

    def admits(self, one: Pipeline) -> bool:
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
