"""The SQL models of a project: their names, and their text."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from platui_emulator import data

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint

_LAYERS = ("stg", "int", "dim", "fct", "agg", "rpt")
_FOLDERS = {
    "stg": "staging", "int": "intermediate", "dim": "marts", "fct": "marts",
    "agg": "marts", "rpt": "reports",
}  # fmt: skip
_SUFFIXES = (
    "", "_daily", "_weekly", "_monthly", "_by_country", "_by_channel", "_enriched", "_history",
    "_current", "_joined", "_deduplicated", "_flags", "_lifetime", "_rolling_28d", "_by_segment",
    "_open", "_closed", "_forecast", "_quality", "_snapshot",
)  # fmt: skip


def model_names(blueprint: Blueprint, count: int | None = None) -> list[str]:
    """Return the names of a project's models, staging first: all, or the most basic ones."""
    return list(_names(blueprint.entities, min(count or blueprint.models, blueprint.models)))


@lru_cache(maxsize=64)
def _names(entities: tuple[str, ...], count: int) -> tuple[str, ...]:
    names: list[str] = []
    for suffix in _SUFFIXES:
        for layer in _LAYERS:
            names += [f"{layer}_{entity}{suffix}" for entity in entities]
    return tuple(sorted(names[:count], key=lambda name: _LAYERS.index(name[:3])))


def folder_of(model: str) -> str:
    """Return the folder below `models` that holds a model."""
    return _FOLDERS[model[:3]]


def path_of(model: str) -> str:
    return f"models/{folder_of(model)}/{model}.sql"


def renamed(blueprint: Blueprint, model: str) -> str:
    """Return the name of a staging model after it was renamed after its source."""
    return model.replace("stg_", f"stg_{blueprint.source}__", 1)


def staging_sql(blueprint: Blueprint, entity: str) -> str:
    return data.TEMPLATES["staging_sql"].format(source=blueprint.source, entity=entity)


def mart_sql(blueprint: Blueprint, model: str) -> str:
    """Return the text of a model that reads staging models."""
    entity = entity_of(blueprint, model)
    other = blueprint.entities[(blueprint.entities.index(entity) + 1) % len(blueprint.entities)]
    return data.TEMPLATES["mart_sql"].format(entity=entity, other=other)


def entity_of(blueprint: Blueprint, model: str) -> str:
    """Return the entity that a model is about."""
    rest = model.partition("_")[2]
    fitting = [entity for entity in blueprint.entities if rest.startswith(entity)]
    return max(fitting, key=len, default=blueprint.entities[0])
