"""The pipelines of one project: found by slot or number, planned when somebody looks."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.emulator.records import Variable
from platui.emulator.world import causes
from platui.emulator.world.history import NO_SHA
from platui.emulator.world.jobs import FILE_VARIABLE
from platui.emulator.world.occasions import GREEN, Fate
from platui.emulator.world.plans import Run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from platui.emulator.records import Commit, Person
    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.clockwork import Clockwork
    from platui.emulator.world.history import Feature, History
    from platui.emulator.world.jobs import PipelineFile
    from platui.emulator.world.occasions import Diary, Occasion

CHILD_WITHIN: Final = 90
"""Minutes within which a pipeline starts its child, if it has one."""

_RED_CHILDREN: Final = 0.015


class Runs:
    """The pipelines of one project, those of callers aside."""

    def __init__(
        self,
        chance: Chance,
        clockwork: Clockwork,
        blueprint: Blueprint,
        diary: Diary,
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
        """Return the slot of a pipeline that nobody else started, by its number."""
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
        """Return the number of a slot's pipeline."""
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

    def ref(self, occasion: Occasion) -> str:
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
            fate = Fate("red", causes.WAREHOUSE_SUSPENDED, parent.id)
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

    def _place(self, occasion: Occasion, created: float) -> tuple[str, bool, Commit, str]:
        """Return ref, whether it is a tag, its commit, and the hash before that."""
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

    def _feature(self, occasion: Occasion) -> Feature | None:
        """Return the branch that is worked on in a slot, where its pipeline is one of those."""
        if occasion.branch != "feature":
            return None
        features = self._history.features(occasion.minute)
        return features[occasion.slot % len(features)] if features else None

    def _user(self, occasion: Occasion, commit: Commit) -> Person:
        if occasion.standing is not None:
            return occasion.standing.owner or self._staff["bots"][1]
        if occasion.source == "push":
            return commit.author
        group = "bots" if occasion.source in {"trigger", "api"} else "humans"
        key = ("user", self._blueprint.id, occasion.slot)
        return self._chance.pick(self._staff[group], *key)


def _variables(occasion: Occasion) -> tuple[Variable, ...]:
    if occasion.source == "push":
        return ()
    found = [Variable(FILE_VARIABLE, occasion.file)]
    if occasion.source in {"trigger", "api"}:
        found.append(Variable("REQUESTED_BY", "orchestrator"))
    if occasion.source == "web":
        found.append(Variable("FULL_REFRESH", "false"))
    return tuple(found)
