"""The table of resolved incidents."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.present.tables.spec import ColumnSpec, TableSpec
from platui.present.tables.triage import mark_object, moment, project_keys, ran_object
from platui.present.times import dated, duration
from platui.present.triage.labels import Names, incident_name, lane_ref

if TYPE_CHECKING:
    from platui.models.values.stored_triage import PastIncident
    from platui.models.values.triage_board import Mark


class Over(NamedTuple):
    """A resolved incident with its marks and project names."""

    past: PastIncident
    mark: Mark
    names: Names

    @property
    def ref(self) -> str:
        return lane_ref(self.past.incident.lane, self.past.incident.newest_red)

    @property
    def lasted(self) -> str:
        since, until = self.past.incident.since, self.past.recovered_at
        seconds = (until - since).total_seconds() if since and until else None
        return duration(seconds) + "+" * self.past.incident.is_at_least

    @property
    def newest_red(self) -> dict[str, Any] | None:
        incident = self.past.incident
        is_lost = incident.streak > 1 and incident.newest_red.id == incident.first_red.id
        return None if is_lost else ran_object(incident.newest_red)


def _json(key: str, value: Callable[[Over], Any]) -> ColumnSpec[Over]:
    return ColumnSpec(key, value=lambda one, _: value(one), csv=False)


def _mark(key: str, *, csv: bool) -> ColumnSpec[Over]:
    return ColumnSpec(key, value=lambda one, _: mark_object(one.mark)[key], csv=csv)


HISTORY: Final[TableSpec[Over]] = TableSpec(
    key=lambda one: str(one.past.key),
    cli=("incident", "ref", "red", "recovered_at", "lasted", "cause"),
    columns=(
        ColumnSpec(
            "incident",
            "INCIDENT",
            value=lambda one, _: incident_name(one.past.key, one.names),
            minimum=18,
            ends=True,
        ),
        ColumnSpec(
            "project",
            value=lambda one, _: project_keys(one.past.incident.lane.project, one.names)["project"],
        ),
        _json("project_id", lambda one: project_keys(one.past.key[0], one.names)["project_id"]),
        ColumnSpec(
            "ref",
            "REF",
            value=lambda one, _: one.past.incident.lane.ref or one.ref or None,
            cell=lambda one, _: one.ref,
            cli_limit=60,
            priority=1,
        ),
        ColumnSpec("name", value=lambda one, _: one.past.incident.lane.way or None),
        _json("is_main", lambda one: one.past.incident.is_main),
        ColumnSpec("since", value=lambda one, _: moment(one.past.incident.since)),
        ColumnSpec(
            "recovered_at",
            "RECOVERED",
            value=lambda one, _: moment(one.past.recovered_at),
            cell=lambda one, at: dated(one.past.recovered_at, utc=at.utc),
        ),
        _json("seen_at", lambda one: moment(one.past.opened_at)),
        ColumnSpec(
            "red",
            "FAILED",
            value=lambda one, _: one.past.incident.streak,
            cell=lambda one, _: f"{one.past.incident.streak}{'+' * one.past.incident.is_at_least}",
            right=True,
        ),
        _json("red_is_at_least", lambda one: one.past.incident.is_at_least),
        _json("first_red", lambda one: ran_object(one.past.incident.first_red)),
        _json("newest_red", lambda one: one.newest_red),
        _json("last_green", lambda one: ran_object(one.past.incident.last_green)),
        _json("signature", lambda one: one.past.signature or None),
        ColumnSpec(
            "lasted",
            "LASTED",
            name=None,
            cell=lambda one, _: one.lasted,
            right=True,
        ),
        ColumnSpec(
            "cause",
            "CAUSE",
            value=lambda one, _: one.past.cause or None,
            cli_limit=200,
            minimum=16,
            priority=2,
        ),
        _mark("is_acknowledged", csv=False),
        _mark("snoozed_until", csv=False),
        _mark("owner", csv=True),
        _mark("note", csv=True),
    ),
)
