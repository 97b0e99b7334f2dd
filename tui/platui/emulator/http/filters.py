"""Which pipelines a list is asked for, and in which order (spec 4.3 and the platform's own)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypedDict

from platui.emulator.world_protocol import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.emulator.http.parameters import Parameters
    from platui.emulator.records import Pipeline

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
    """What the company is asked for, by name."""

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
