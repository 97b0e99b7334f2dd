"""What a pipeline is and what its jobs will do, whenever that is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from platui_emulator.records import Commit, Person, Variable
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.catalogue import JobSpec, PipelineFile
    from platui_emulator.world.causes import Cause
    from platui_emulator.world.pipeline_starts import PlannedResult

ENDED: Final = frozenset({"success", "failed", "canceled", "skipped"})


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A pipeline before it is planned: all that does not change. Its number is its identity."""

    id: int
    iid: int
    blueprint: Blueprint
    created: float
    source: str
    ref: str
    tag: bool
    commit: Commit
    before_sha: str
    file: PipelineFile
    user: Person
    variables: tuple[Variable, ...]
    fate: PlannedResult
    pace: float = 1.0
    parent_id: int | None = None
    child_id: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and other.id == self.id

    def __hash__(self) -> int:
        return self.id


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job of a pipeline, or a retry of it, with all that will happen to it."""

    index: int
    spec: JobSpec
    created: float
    moves: tuple[tuple[float, str], ...]
    """When it changes to which status; `created` until the first of them."""
    cause: Cause | None = None
    story: int = 0
    runner: int = 0
    replaced_at: float | None = None
    child: Run | None = None
    user: Person | None = None
    """The user who retried or played it; None for the pipeline's own user."""
    intended: Attempt | None = None
    """The planned course of a job that was canceled while it ran."""
    erased_at: float | None = None

    def status_at(self, now: float) -> str:
        status = "created"
        for when, next_status in self.moves:
            if when > now:
                break
            status = next_status
        return status

    def when(self, status: str) -> float | None:
        """Return when it last takes on a status."""
        found = None
        for when, next_status in self.moves:
            if next_status == status:
                found = when
        return found

    @property
    def started(self) -> float | None:
        """When a runner picks it up; None when none ever does."""
        return self.when("running")

    @property
    def finished(self) -> float | None:
        """When it ends; None when it never does, or never ran."""
        last = self.moves[-1] if self.moves else None
        return last[0] if last and last[1] in {"success", "failed", "canceled"} else None

    @property
    def outcome(self) -> str:
        return self.moves[-1][1] if self.moves else "created"


@dataclass(frozen=True, slots=True)
class Plan:
    """A pipeline with all that will happen to it."""

    run: Run
    attempts: tuple[Attempt, ...]
    yaml_errors: str | None = None

    @property
    def settled(self) -> float:
        """When the last of what will happen has happened."""
        times = [self.run.created]
        for one in self.attempts:
            times.append(one.created)
            times += [when for when in (one.replaced_at, one.erased_at) if when is not None]
            times += [when for when, _ in one.moves]
        return max(times)

    @property
    def children(self) -> tuple[Run, ...]:
        """The pipelines that its bridges start, the oldest first."""
        return tuple(one.child for one in self.attempts if one.child is not None)

    def attempts_at(self, now: float) -> list[Attempt]:
        """Return the attempts that exist, in the order of their numbers."""
        return [attempt for attempt in self.attempts if attempt.created <= now]

    def latest_at(self, now: float) -> list[Attempt]:
        return [
            attempt
            for attempt in self.attempts
            if attempt.created <= now and (attempt.replaced_at is None or attempt.replaced_at > now)
        ]
