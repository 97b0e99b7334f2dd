"""dbt's output when a model or a test fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui_emulator import data
from platui_emulator.world import causes, models

if TYPE_CHECKING:
    from platui_emulator.world.causes import Cause
    from platui_emulator.world.plans import Attempt, Run


@dataclass(frozen=True, slots=True)
class ModelError:
    """A model that could not be built."""

    model: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FailingTest:
    """A test that found rows it should not."""

    name: str
    path: str
    rows: int


_TESTS: Final = ("unique", "not_null")
_SAYINGS: Final = data.sections("dbt_errors.txt")
"""dbt's error texts, by cause and adapter."""
_CAUSES: Final = frozenset(key.partition(":")[0] for key in _SAYINGS)


def model_error(job: Run, attempt: Attempt, names: list[str]) -> ModelError | None:
    """Return the model that fails and its error text; None if the cause concerns no model."""
    cause, blueprint = attempt.cause, job.blueprint
    if cause is None or cause.key not in _CAUSES:
        return None
    marts = [name for name in names if not name.startswith("stg_")] or names
    # The plain fact table of an entity reads best, where it is built at all.
    facts = [name for name in marts if name == f"fct_{models.entity_of(blueprint, name)}"]
    model = (facts or marts)[attempt.story % len(facts or marts)]
    entity = models.entity_of(blueprint, model)
    path = models.path_of(model)
    said = _SAYINGS[f"{cause.key}:{blueprint.adapter}"].format(
        entity=entity,
        upper=entity.upper(),
        line=12 + attempt.story % 9,
        pid=11 + attempt.story % 240,
        story=attempt.story % (1 << 32),
    )
    return ModelError(
        model,
        (
            f"Database Error in model {model} ({path})",
            *said.splitlines(),
            f"compiled code at target/run/{blueprint.package}/{path}",
        ),
    )


def failing_tests(job: Run, attempt: Attempt, total: int) -> dict[int, FailingTest]:
    """Return the tests that fail, by their place."""
    if attempt.cause is not causes.TEST_FAILED:
        return {}
    entities = job.blueprint.entities
    found: dict[int, FailingTest] = {}
    for rank in range(1 + attempt.story % 2):
        entity = entities[(attempt.story + rank) % len(entities)]
        kind = _TESTS[(attempt.story + rank) % len(_TESTS)]
        place = 3 + (attempt.story // 7 + rank * 11) % (total - 3)
        rows = 1 + attempt.story // 13 % 4200
        found[place] = FailingTest(
            f"{kind}_fct_{entity}_{entity}_id", "models/marts/_models.yml", rows
        )
    return found


def is_said_by_dbt(cause: Cause) -> bool:
    """Return whether dbt's own output reports the cause."""
    return cause.key in _CAUSES or cause is causes.TEST_FAILED or cause is causes.STALE_SOURCE
