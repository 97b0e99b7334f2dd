"""When pipelines of a project start, why, and what becomes of them; each slot of time holds one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.catalogue import DEFAULT_FILE

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.causes import Cause, Incident, Incidents
    from platui_emulator.world.clock import CompanyClock, SeededRandom
    from platui_emulator.world.timetable import CompanySchedule, ProjectSchedules


class Rhythm:
    """The slots of one project."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
        blueprint: Blueprint,
        roster: ProjectSchedules,
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._id = blueprint.id
        self._lane = blueprint.lane
        self._roster = roster
        self.period = blueprint.period
        self.due = lru_cache(maxsize=256)(self._due)

    def slot_at(self, minute: int) -> int:
        """Return the slot that a minute falls into."""
        return minute // self.period

    def draw(self, slot: int) -> bytes:
        """Return the draws about a slot in which no schedule is due."""
        return self._chance.digest("slot", self._id, slot)

    def free_minute(self, slot: int, draw: bytes) -> int:
        """Return the minute of a slot in which no schedule is due, from its draws."""
        minute = slot * self.period + draw[0] * self.period * 7 // (256 * 10)
        return self._not_in_the_past(slot, minute)

    def forget(self) -> None:
        """Drop cached due times, because the schedules have changed."""
        self.due.cache_clear()

    def first_free(self, slot: int) -> int:
        """Return the first slot from this one on in which no schedule is due."""
        while self.due(slot) is not None:
            slot += 1
        return slot

    def created(self, slot: int) -> float:
        """Return when a slot's pipeline is created, in seconds since 1970."""
        due = self.due(slot)
        minute = due[0] if due else self.free_minute(slot, self.draw(slot))
        return self._clockwork.created(minute, self._lane * 2)

    def newest(self, now: float) -> int:
        """Return the newest slot whose pipeline exists; 0 when there is none."""
        slot = max(0, self.slot_at(self._clockwork.minute(now)))
        return slot - 1 if slot and self.created(slot) > now else slot

    def oldest(self, now: float) -> int:
        """Return the oldest slot that has not been cleared away."""
        return max(1, self.slot_at(self._clockwork.minute(now) - self._clockwork.retention))

    def _due(self, slot: int) -> tuple[int, CompanySchedule] | None:
        return self._roster.first_due(self._clockwork, *self._minutes(slot))

    def _minutes(self, slot: int) -> tuple[int, int]:
        start = slot * self.period
        return start, start + self.period

    def _not_in_the_past(self, slot: int, minute: int) -> int:
        retired = self._roster.retired_in(*self._minutes(slot))
        if retired is None or minute >= retired:
            return minute
        missed = self._roster.last_missed(self._clockwork, *self._minutes(slot))
        return minute if missed is None else missed


REFRESH_FILE: Final = "refresh-ci.yml"
DEV_FILE: Final = "dev-ci.yml"
GPU_FILE: Final = "gpu-ci.yml"

STUCK_PROJECT: Final = "ml-recommendations"
STUCK_EVERY: Final = 360
"""Minutes between two pipelines that wait for a runner which does not exist."""


@dataclass(frozen=True, slots=True)
class PlannedResult:
    """What will become of a pipeline."""

    kind: str = "green"
    """green, red, flaky, slow, canceled, stuck, invalid or skipped."""
    cause: Cause | None = None
    story: int = 0
    rescued: bool = False
    victim: str = ""
    """The job that it is about; empty when the cause chooses one."""
    times: int = 0
    """The number of attempts of that job that fail, if requested; 0 means all."""
    flake: str = ""
    """A job that fails, is tried again at once and passes, whatever becomes of the rest."""


GREEN: Final = PlannedResult()


@dataclass(frozen=True, slots=True)
class PipelineStart:
    """Why and when a slot's pipeline starts."""

    slot: int
    minute: int
    source: str
    branch: str
    """main, feature or tag."""
    file: str
    fate: PlannedResult
    standing: CompanySchedule | None = None
    turning_point: str = ""
    """`breaks` or `fixes` when its commit starts or ends an incident."""
    turning_cause: str = ""

    @property
    def commits_to_main(self) -> bool:
        """Whether it brings a new commit of the default branch."""
        return self.source == "push" and self.branch == "main"


class PipelineStarts:
    """The occasions of one project."""

    def __init__(
        self,
        chance: SeededRandom,
        blueprint: Blueprint,
        rhythm: Rhythm,
        incidents: Incidents,
    ) -> None:
        self._chance = chance
        self._blueprint = blueprint
        self._rhythm = rhythm
        self._incidents = incidents
        self.slot_at = rhythm.slot_at
        self.created = rhythm.created
        self.newest = rhythm.newest
        self.oldest = rhythm.oldest
        self.due = rhythm.due
        self._stuck = GPU_FILE in blueprint.files and blueprint.record.path == STUCK_PROJECT
        self.occasion = lru_cache(maxsize=256)(self._occasion)
        self._turning = lru_cache(maxsize=16)(self._find_turning)

    def forget(self) -> None:
        """Drop cached draws, because the schedules have changed."""
        self._rhythm.forget()
        self.occasion.cache_clear()
        self._turning.cache_clear()

    def _occasion(self, slot: int) -> PipelineStart:
        due = self.due(slot)
        if due is not None:
            minute, standing = due
            fate = self._fate(slot, minute, "schedule", "main")
            return PipelineStart(slot, minute, "schedule", "main", standing.file, fate, standing)
        return self._human(slot)

    def _human(self, slot: int) -> PipelineStart:
        digest = self._rhythm.draw(slot)
        minute = self._rhythm.free_minute(slot, digest)
        if self._waits_for_runner(slot):
            fate = PlannedResult("stuck", causes.NO_RUNNER, slot)
            return PipelineStart(slot, minute, "push", "feature", GPU_FILE, fate)
        turning, cause = self._turning_point(slot, minute)
        source = "push" if turning else _source(digest[1])
        branch = "main" if turning else _branch(source, digest[2])
        file = self._file(source, branch, digest[3])
        fate = self._fate(slot, minute, source, branch)
        return PipelineStart(slot, minute, source, branch, file, fate, None, turning, cause)

    def _waits_for_runner(self, slot: int) -> bool:
        if not self._stuck:
            return False
        # The first slot without a due schedule at or after each multiple.
        wanted = self.slot_at(slot * self._blueprint.period // STUCK_EVERY * STUCK_EVERY)
        return self._rhythm.first_free(wanted) == slot

    def _find_turning(self, incident: Incident) -> tuple[int, int]:
        first = self._rhythm.first_free(max(1, self.slot_at(incident.start)))
        return first, max(first + 1, self._rhythm.first_free(self.slot_at(incident.end) + 1))

    def breaking_slot(self, incident: Incident) -> int:
        """Return the slot whose commit starts an incident that a commit starts."""
        return self._turning(incident)[0]

    def _near(self, minute: int) -> tuple[Incident, Incident]:
        lane = self._blueprint.lane
        ahead = minute + self._blueprint.period
        return self._incidents.around(lane, minute), self._incidents.around(lane, ahead)

    def _turning_point(self, slot: int, minute: int) -> tuple[str, str]:
        for incident in self._near(minute):
            if incident.cause.by_commit:
                breaks, fixes = self._turning(incident)
                if slot in {breaks, fixes}:
                    return ("breaks" if slot == breaks else "fixes"), incident.cause.key
        return "", ""

    def incident(self, slot: int, minute: int) -> Incident | None:
        """Return the incident that breaks this slot's pipeline on the default branch."""
        for incident in self._near(minute):
            if incident.cause.by_commit:
                breaks, fixes = self._turning(incident)
                if breaks <= slot < fixes:
                    return incident
            elif incident.start <= minute < incident.end:
                return incident
        return None

    def _fate(self, slot: int, minute: int, source: str, branch: str) -> PlannedResult:
        incident = self.incident(slot, minute)
        if incident and (branch == "main" or not incident.cause.by_commit):
            story = self._chance.number("story", self._blueprint.id, incident.era)
            return PlannedResult("red", incident.cause, story)
        digest = self._chance.digest("fate", self._blueprint.id, slot)
        chance, pick = int.from_bytes(digest[:4], "big") / (1 << 32), digest[4]
        story = int.from_bytes(digest[8:16], "big")
        draw = _unsettled if branch == "feature" else _settled
        fate = draw(chance, pick, story)
        # Only a push carries a commit message that asks for no pipeline.
        return GREEN if fate.kind == "skipped" and source != "push" else fate

    def _file(self, source: str, branch: str, draw: int) -> str:
        if branch == "feature":
            return DEV_FILE
        if source == "web" and draw < 24 and "backfill-ci.yml" in self._blueprint.files:  # noqa: PLR2004  (a share)
            return "backfill-ci.yml"
        return DEFAULT_FILE if draw < 110 else REFRESH_FILE  # noqa: PLR2004  (a share)


def _source(draw: int) -> str:
    for limit, source in ((118, "push"), (168, "web"), (212, "trigger")):
        if draw < limit:
            return source
    return "api"


def _branch(source: str, draw: int) -> str:
    if source == "push":
        return "main" if draw < 115 else "feature" if draw < 250 else "tag"  # noqa: PLR2004  (shares)
    return "feature" if source == "web" and draw < 80 else "main"  # noqa: PLR2004  (a share)


def _settled(chance: float, pick: int, story: int) -> PlannedResult:
    if chance < 0.022:  # noqa: PLR2004  (shares, here and below)
        cause = causes.PASSING[pick % len(causes.PASSING)]
        return PlannedResult("red", cause, story, rescued=pick < 128)  # noqa: PLR2004
    for limit, kind in ((0.08, "flaky"), (0.095, "canceled"), (0.115, "slow"), (0.12, "skipped")):
        if chance < limit:
            return PlannedResult(kind, causes.CONNECTION_ERROR if kind == "flaky" else None, story)
    return GREEN


def _unsettled(chance: float, pick: int, story: int) -> PlannedResult:
    if chance < 0.16:  # noqa: PLR2004  (shares, here and below)
        return PlannedResult("red", causes.UNFINISHED[pick % len(causes.UNFINISHED)], story)
    for limit, kind in ((0.2, "flaky"), (0.25, "canceled"), (0.26, "invalid"), (0.27, "skipped")):
        if chance < limit:
            return PlannedResult(kind, causes.TEST_FAILED if kind == "flaky" else None, story)
    return GREEN
