"""What stays the same about each project: its record, its rhythm, its size, its pipeline files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Project
from platui_emulator.world.catalogue import DBT_KINDS, PipelineFile, files_of

if TYPE_CHECKING:
    from platui_emulator.world.clock import SeededRandom
    from platui_emulator.world.organization import Organization, Row

FIRST_PROJECT: Final = 101

_PERIODS: Final = (30, 40, 40, 60, 60, 60, 90, 120)
"""Minutes a slot of a project may last; each slot holds one pipeline, and a day whole slots."""

_SHORTEST_WITH_CHILD: Final = 60
_MODELS: Final = {"warehouse": (180, 320), "dbt": (60, 220), "ml": (50, 120)}
_DEFAULT_MODELS: Final = (24, 80)


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The parts of a project that do not depend on time."""

    lane: int
    """Index of the project, part of all its ids."""
    record: Project
    kind: str
    entities: tuple[str, ...]
    period: int
    models: int
    factor: float
    stamped: bool

    @property
    def files(self) -> Mapping[str, PipelineFile]:
        child = self.period >= _SHORTEST_WITH_CHILD and self.kind in DBT_KINDS
        return _files(self.kind, self.entities, self.models, child)

    @property
    def id(self) -> int:
        return self.record.id

    @property
    def package(self) -> str:
        return self.record.path.replace("-", "_")

    @property
    def adapter(self) -> str:
        return "redshift" if self.kind in DBT_KINDS else "snowflake"

    @property
    def source(self) -> str:
        for prefix in ("ingest-", "reverse-etl-", "ml-"):
            if self.record.path.startswith(prefix):
                return self.record.path.removeprefix(prefix).replace("-", "_")
        return self.package


@lru_cache(maxsize=128)
def _files(
    kind: str,
    entities: tuple[str, ...],
    models: int,
    child: bool,  # noqa: FBT001  (a cache's key)
) -> Mapping[str, PipelineFile]:
    return files_of(kind, entities, models, child=child)


def draw_up(
    chance: SeededRandom, organization: Organization, origin: datetime
) -> tuple[Blueprint, ...]:
    """Return the blueprints of all projects in id order; pipeline files are made on demand."""
    group_ids = {group.full_path: group.id for group in organization.groups}
    return tuple(
        _blueprint(chance, lane, row, group_ids[row.group], origin)
        for lane, row in enumerate(organization.rows)
    )


def _visibility(row: Row) -> str:
    if row.path == "pipeline-templates":
        return "public"
    return "internal" if row.group.endswith("shared") else "private"


def _blueprint(
    chance: SeededRandom, lane: int, row: Row, group_id: int, origin: datetime
) -> Blueprint:
    dice = chance.dice("blueprint", row.path)
    period = dice.choice(_PERIODS)
    models = dice.randint(*_MODELS.get(row.kind, _DEFAULT_MODELS))
    record = Project(
        id=FIRST_PROJECT + lane,
        name=row.path,
        path=row.path,
        full_path=f"{row.group}/{row.path}",
        group_id=group_id,
        description=row.description,
        created_at=origin - timedelta(minutes=dice.randrange(1440, 400 * 1440)),
        visibility=_visibility(row),
    )
    return Blueprint(
        lane=lane,
        record=record,
        kind=row.kind,
        entities=tuple(row.entities.split()),
        period=row.period or period,
        models=models,
        factor=dice.uniform(1.15, 1.9),
        stamped=lane % 2 == 0,
    )
