"""Why pipelines fail, and when: each project has one incident in six days, in turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from platui_emulator.world.catalogue import DBT_KINDS

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.clock import SeededRandom


_BY_RUNNER: Final = "runner_system_failure"


@dataclass(frozen=True, slots=True)
class Cause:
    """A recurring reason for a job to fail."""

    key: str
    works: tuple[str, ...]
    exit_code: int = 1
    reason: str = "script_failure"
    by_commit: bool = False

    @property
    def by_runner(self) -> bool:
        """Whether the runner fails before the job's script begins."""
        return self.reason == _BY_RUNNER


TOKEN_EXPIRED: Final = Cause("token_expired", ("load", "sync"))
RELATION_MISSING: Final = Cause("relation_missing", ("dbt_run",), by_commit=True)
WAREHOUSE_SUSPENDED: Final = Cause("warehouse_suspended", ("dbt_run", "sql"))
TEST_FAILED: Final = Cause("test_failed", ("dbt_test",))
KEY_ERROR: Final = Cause("key_error", ("load", "sync"), by_commit=True)
CONNECTION_ERROR: Final = Cause("connection_error", ("load", "sync"))
OUT_OF_MEMORY: Final = Cause("out_of_memory", ("train", "load", "sync"), exit_code=137)
SQL_SYNTAX: Final = Cause("sql_syntax", ("dbt_run", "sql"), by_commit=True)
RUNNER_FAILURE: Final = Cause("runner_failure", ("dbt_run", "load", "dbt_test"), reason=_BY_RUNNER)
TIMEOUT: Final = Cause("timeout", ("dbt_run", "train", "load"), reason="job_execution_timeout")
STALE_SOURCE: Final = Cause("stale_source", ("freshness",))
SOFT_FAILURE: Final = Cause("soft_failure", ("docs", "sync", "sql", "python", "lint", "cleanup"))
NO_RUNNER: Final = Cause("no_runner", ("train",), reason="stuck_or_timeout_failure")

WAREHOUSE_LOGIN: Final = Cause("warehouse_login", ("dbt_run", "sql"))
LOADER_LOGIN: Final = Cause("warehouse_login", ("load", "sync", "sql"))
MODEL_RENAMED: Final = Cause("upstream_renamed", ("dbt_run",), by_commit=True)
UPSTREAM_RENAMED: Final = Cause("upstream_renamed", ("dbt_run",))
NETWORK_OUTAGE: Final = Cause("network_outage", ("load", "dbt_run"), reason=_BY_RUNNER)
PACKAGES_OUT_OF_REACH: Final = Cause("network_outage", ("load", "python", "dbt_run"))
# The last six are those of a storm: one cause, as different jobs put it into words.

CAUSES: Final = (
    TOKEN_EXPIRED, RELATION_MISSING, WAREHOUSE_SUSPENDED, TEST_FAILED, KEY_ERROR,
    CONNECTION_ERROR, OUT_OF_MEMORY, SQL_SYNTAX, RUNNER_FAILURE, TIMEOUT, STALE_SOURCE,
    SOFT_FAILURE, NO_RUNNER,
)  # fmt: skip

PASSING: Final = (CONNECTION_ERROR, RUNNER_FAILURE, OUT_OF_MEMORY, TIMEOUT, TEST_FAILED)
"""What may turn one pipeline red and be gone in the next."""

UNFINISHED: Final = (SQL_SYNTAX, RELATION_MISSING, TEST_FAILED)


def passing(work: str) -> Cause:
    """Return why a job of some work may fail and pass when it is tried again."""
    return next((one for one in PASSING if work in one.works), SOFT_FAILURE)


_LASTING: Final = (
    TOKEN_EXPIRED, WAREHOUSE_SUSPENDED, KEY_ERROR, TEST_FAILED, SQL_SYNTAX, OUT_OF_MEMORY,
    CONNECTION_ERROR, RUNNER_FAILURE, TIMEOUT,
)  # fmt: skip

_ERA: Final = 6 * 1440
_KEPT: Final = 128
"""Incidents that are kept: the last and the next of each project, in a company of sixty."""
_SHARING: Final = 4
"""Projects in a row of which the last breaks on a renamed relation, the others on one cause."""


@dataclass(frozen=True, slots=True)
class Incident:
    """A planned time of trouble, in minutes since the origin."""

    era: int
    cause: Cause
    start: int
    end: int


class Incidents(Protocol):
    """When each project is in trouble."""

    def around(self, lane: int, minute: int) -> Incident:
        """Return the project's newest incident that begins before the minute, if only on paper."""

    def renames(self, lane: int) -> bool:
        """Return whether a project's incidents are renamed relations."""


class UsualIncidents:
    """Each project is in trouble once in six days: a function of the seed."""

    def __init__(self, chance: SeededRandom, blueprints: Sequence[Blueprint]) -> None:
        self._chance = chance
        self._count = max(1, len(blueprints))
        self._jitter = max(1, _ERA // self._count // 2)
        self._turns = _turns(chance, blueprints)
        self._of_era = lru_cache(maxsize=_KEPT)(self._draw)

    def around(self, lane: int, minute: int) -> Incident:
        """Return the project's newest incident that begins before the minute, if only on paper."""
        return self._of_era(lane, (minute - self._first(lane)) // _ERA)

    def _first(self, lane: int) -> int:
        # Projects take turns evenly, however many there are.
        return self._turns[lane] * _ERA // self._count

    def _draw(self, lane: int, era: int) -> Incident:
        turn, first, renamed = self._turns[lane], self._first(lane), self.renames(lane)
        start = era * _ERA + first + self._chance.below(self._jitter, "incident start", lane, era)
        hours = (14, 26) if renamed else (6, 32)
        length = hours[0] * 60 + self._chance.below(
            (hours[1] - hours[0]) * 60, "incident length", lane, era
        )
        cause = RELATION_MISSING if renamed else self._lasting(turn // _SHARING, era)
        return Incident(era, cause, start, start + length)

    def renames(self, lane: int) -> bool:
        """Return whether a project's incidents are renamed relations."""
        return self._turns[lane] % _SHARING == _SHARING - 1

    def _lasting(self, sharing: int, era: int) -> Cause:
        """Return the cause that projects in a row share: all causes come up in each era."""
        first = self._chance.below(len(_LASTING), "incident causes", era)
        return _LASTING[(first + sharing * 2) % len(_LASTING)]


def _turns(chance: SeededRandom, blueprints: Sequence[Blueprint]) -> dict[int, int]:
    """Deal out the turns so that those of renamed relations fall to projects of models."""
    shuffled = sorted(blueprints, key=lambda one: chance.number("turn", one.lane))
    models = [one.lane for one in shuffled if one.kind in DBT_KINDS]
    others = [one.lane for one in shuffled if one.kind not in DBT_KINDS]
    turns: dict[int, int] = {}
    for turn in range(len(shuffled)):
        wanted, rest = (models, others) if turn % _SHARING == _SHARING - 1 else (others, models)
        turns[(wanted or rest).pop()] = turn
    return turns
