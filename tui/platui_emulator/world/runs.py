"""The pipelines of one project, found by slot or number, and those that callers start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui_emulator.records import Commit, Person, Variable, WorldError
from platui_emulator.world import causes
from platui_emulator.world.catalogue import DEFAULT_FILE, FILE_VARIABLE, PipelineFile
from platui_emulator.world.history import NO_SHA, Feature, History
from platui_emulator.world.pipeline_starts import GREEN, PlannedResult
from platui_emulator.world.plans import Run

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.clock import CompanyClock, SeededRandom
    from platui_emulator.world.journal import Journal
    from platui_emulator.world.pipeline_starts import PipelineStart, PipelineStarts
    from platui_emulator.world.project_simulation import ProjectSimulation


CHILD_WITHIN: Final = 90
"""Minutes within which a pipeline starts its child, if it has one."""

_RED_CHILDREN: Final = 0.015


class Runs:
    """The pipelines of one project, those of callers aside."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
        blueprint: Blueprint,
        diary: PipelineStarts,
        history: History,
        staff: Mapping[str, Sequence[Person]],
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._numbering = clockwork.numbering
        self._blueprint = blueprint
        self._diary = diary
        self._history = history
        self._staff = staff
        files = blueprint.files.values()
        self._has_children = any(job.bridge for file in files for job in file.jobs)
        self.run = lru_cache(maxsize=64)(self._run)

    def slot_of(self, pipeline: int) -> int | None:
        """Return the slot of a pipeline that was not started by callers."""
        place = self._numbering.place_of(pipeline)
        slot = self._diary.slot_at(place.minute)
        own = place.lane == self._blueprint.lane * 2
        return slot if own and slot > 0 and self.number(slot) == pipeline else None

    def slots_of_child(self, pipeline: int) -> range:
        """Return the slots whose pipeline may have started this child, the newest first."""
        minute = self._numbering.place_of(pipeline).minute
        newest = self._diary.slot_at(minute + 1)
        return range(newest, max(0, self._diary.slot_at(minute - CHILD_WITHIN) - 1), -1)

    def newest_before(self, pipeline: int) -> int:
        """Return the newest slot whose pipeline has a smaller number than this one."""
        slot = self._diary.slot_at(self._numbering.place_of(pipeline).minute)
        return slot if self.number(slot) < pipeline else slot - 1

    def iid(self, slot: int) -> int:
        """Return a slot's number within the project, children counted where it may have any."""
        return slot * 2 if self._has_children else slot

    def iid_of_added(self, pipeline: int) -> int:
        """Return the number within the project of a pipeline that callers caused."""
        return self.iid(self.newest_before(pipeline)) + (self.iid(1) > 1) + 1

    def number(self, slot: int) -> int:
        return self._numbering.pipeline_id(
            self._diary.occasion(slot).minute, self._blueprint.lane * 2
        )

    def _run(self, slot: int) -> Run:
        occasion = self._diary.occasion(slot)
        created = self._diary.created(slot)
        ref, tag, commit, before = self._place(occasion, created)
        return Run(
            id=self.number(slot),
            iid=self.iid(slot),
            blueprint=self._blueprint,
            created=created,
            source=occasion.source,
            ref=ref,
            tag=tag,
            commit=commit,
            before_sha=before,
            file=self._blueprint.files[occasion.file],
            user=self._user(occasion, commit),
            variables=_variables(occasion),
            fate=occasion.fate,
        )

    def ref(self, occasion: PipelineStart) -> str:
        """Return the branch or tag of a slot's pipeline: to find its commit takes longer."""
        if occasion.branch == "tag" and (tag := self._history.tag_at(occasion.minute)):
            return tag.name
        feature = self._feature(occasion)
        return feature.name if feature else self._blueprint.record.default_branch

    def child_run(self, parent: Run, file: PipelineFile, when: float) -> Run:
        """Return the pipeline that a pipeline starts at that time."""
        slot = self._diary.slot_at(self._numbering.place_of(parent.id).minute)
        minute = self._clockwork.minute(when)
        # Children of neighbouring slots never share a minute.
        minute -= (minute - slot) % 2
        minute = max(minute, self._numbering.place_of(parent.id).minute)
        fate = GREEN
        if self._chance.unit("child", parent.id) < _RED_CHILDREN:
            fate = PlannedResult("red", causes.WAREHOUSE_SUSPENDED, parent.id)
        return Run(
            id=parent.child_id or self._numbering.pipeline_id(minute, self._blueprint.lane * 2 + 1),
            # Numbers that were added are counted when a record is made.
            iid=parent.iid + (parent.child_id is None),
            blueprint=self._blueprint,
            created=round(when, 3),
            source="parent_pipeline",
            ref=parent.ref,
            tag=parent.tag,
            commit=parent.commit,
            before_sha=parent.before_sha,
            file=file,
            user=parent.user,
            variables=(),
            fate=fate,
            pace=parent.pace,
            parent_id=parent.id,
        )

    def _place(self, occasion: PipelineStart, created: float) -> tuple[str, bool, Commit, str]:
        history = self._history
        if occasion.branch == "tag" and (tag := history.tag_at(occasion.minute)):
            return tag.name, True, tag.commit, NO_SHA
        feature = self._feature(occasion)
        if feature is not None:
            commit = history.commit(history.feature_at(feature, created))
            return feature.name, False, commit, commit.parents[0]
        main = self._blueprint.record.default_branch
        commit = history.commit(history.main_of(occasion.slot))
        before = commit.parents[0] if occasion.commits_to_main else NO_SHA
        return main, False, commit, before

    def _feature(self, occasion: PipelineStart) -> Feature | None:
        if occasion.branch != "feature":
            return None
        features = self._history.features(occasion.minute)
        return features[occasion.slot % len(features)] if features else None

    def _user(self, occasion: PipelineStart, commit: Commit) -> Person:
        if occasion.standing is not None:
            return occasion.standing.owner or self._staff["bots"][1]
        if occasion.source == "push":
            return commit.author
        group = "bots" if occasion.source in {"trigger", "api"} else "humans"
        key = ("user", self._blueprint.id, occasion.slot)
        return self._chance.pick(self._staff[group], *key)


def _variables(occasion: PipelineStart) -> tuple[Variable, ...]:
    if occasion.source == "push":
        return ()
    found = [Variable(FILE_VARIABLE, occasion.file)]
    if occasion.source in {"trigger", "api"}:
        found.append(Variable("REQUESTED_BY", "orchestrator"))
    if occasion.source == "web":
        found.append(Variable("FULL_REFRESH", "false"))
    return tuple(found)


FAIL_VARIABLE: Final = "_FAIL_JOB"
"""A pipeline started with this variable fails in the job that it names, whenever that is tried."""

TIMES_VARIABLE: Final = "_FAIL_TIMES"
"""With this one too, only so many attempts of the job fail, and the next one succeeds."""

FLAKE_VARIABLE: Final = "_FLAKY_JOB"
"""A job that this one names fails at first, is tried again at once and passes."""

_PACE: Final = 0.12
"""Started pipelines take a minute or two, because the user waits."""

_FLAKY: Final = 0.15


class PipelineStarter:
    """Adds pipelines to the journal."""

    def __init__(self, chance: SeededRandom, clockwork: CompanyClock, journal: Journal) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._journal = journal

    def start(
        self,
        site: ProjectSimulation,
        *,
        ref: str,
        variables: Sequence[Variable],
        user: Person,
        source: str,
        now: float,
    ) -> Run:
        """Start a pipeline. Raises WorldError: unknown ref, or no such pipeline file."""
        commit = site.history.find(ref, now)
        if commit is None:
            raise WorldError("Reference not found")
        file = _file(site, variables)
        has_child = any(job.bridge for job in file.jobs)
        number = self._journal.reserve(self._clockwork.minute(now), 2 if has_child else 1)
        ref = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        run = Run(
            id=number,
            iid=site.runs.iid_of_added(number),
            blueprint=site.blueprint,
            created=round(now, 3),
            source=source,
            ref=site.blueprint.record.default_branch if ref == "HEAD" else ref,
            tag=any(tag.name == ref for tag in site.history.tags(now)),
            commit=commit,
            before_sha=NO_SHA,
            file=file,
            user=user,
            variables=tuple(variables),
            fate=self._fate(file, variables, number),
            pace=_PACE,
            child_id=number + 1 if has_child else None,
        )
        self._journal.add_run(run)
        return run

    def _fate(
        self, file: PipelineFile, variables: Sequence[Variable], number: int
    ) -> PlannedResult:
        said = {one.key: one.value for one in reversed(variables)}
        asked, times = said.get(FAIL_VARIABLE), said.get(TIMES_VARIABLE, "")
        flake = said.get(FLAKE_VARIABLE, "")
        for job in file.jobs:
            if job.name == asked:
                fitting = (one for one in causes.CAUSES if job.work in one.works)
                cause = next(fitting, causes.SOFT_FAILURE)
                struck = int(times) if times.isdecimal() else 0
                return PlannedResult(
                    "red", cause, number, victim=job.name, times=struck, flake=flake
                )
        if flake:
            return PlannedResult(story=number, flake=flake)
        if self._chance.unit("added flaky", number) < _FLAKY:
            return PlannedResult("flaky", causes.CONNECTION_ERROR, number)
        return GREEN


def _file(site: ProjectSimulation, variables: Sequence[Variable]) -> PipelineFile:
    chosen = [one.value for one in variables if one.key == FILE_VARIABLE]
    file = site.blueprint.files.get(chosen[-1] if chosen else DEFAULT_FILE)
    if file is None:
        raise WorldError("Missing CI config file")
    return file
