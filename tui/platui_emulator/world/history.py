"""Commits, branches and tags of one project; a commit belongs to the slot of its pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator import data
from platui_emulator.records import Branch, Commit, MergeRequest, Person, Tag
from platui_emulator.world.clock import CompanyClock, SeededRandom, moment

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.pipeline_starts import PipelineStarts


_ROUNDS: Final = 4
_HALF: Final = 0xFFFF
_SHORT: Final = 8
_FULL: Final = 40


class Shas:
    """The hashes of one project's commits."""

    def __init__(self, chance: SeededRandom, project_id: int) -> None:
        self._chance = chance
        self._project = project_id

    def sha(self, number: int) -> str:
        """Return the hash of the commit with that number (below 2**32)."""
        left, right = number >> 16, number & _HALF
        for turn in range(_ROUNDS):
            left, right = right, left ^ self._shuffle(turn, right)
        return f"{left:04x}{right:04x}{self._tail(number)}"

    def number(self, sha: str) -> int | None:
        """Return the number of the commit with that hash, or its first eight digits and more."""
        if not _SHORT <= len(sha) <= _FULL:
            return None
        try:
            left, right = int(sha[:4], 16), int(sha[4:8], 16)
        except ValueError:
            return None
        for turn in reversed(range(_ROUNDS)):
            left, right = right ^ self._shuffle(turn, left), left
        number = left << 16 | right
        return number if self.sha(number).startswith(sha.lower()) else None

    def _shuffle(self, turn: int, half: int) -> int:
        return self._chance.number("sha", self._project, turn, half) & _HALF

    def _tail(self, number: int) -> str:
        return self._chance.digest("sha tail", self._project, number).hex()[: _FULL - _SHORT]


_WORDS: Final = data.lists("commits.txt")


_TURNS: Final = {
    "relation_missing": (
        "Rename staging models after their source",
        "Point marts at the renamed staging models",
    ),
    "upstream_renamed": (
        "Name staging models after their shop, stg_orders first",
        "Keep a view under the old name of stg_orders",
    ),
    "key_error": (
        "Flatten nested fields while loading",
        "Accept records without the new fields",
    ),
    "sql_syntax": (
        "Rewrite window functions in the marts",
        "Repair the rewritten window functions",
    ),
}


def commit_title(chance: SeededRandom, blueprint: Blueprint, number: int) -> str:
    title = chance.pick(_WORDS["titles"], "title", blueprint.id, number)
    return title.format(entity=chance.pick(blueprint.entities, "about", blueprint.id, number))


def turning_title(turning_point: str, cause: str) -> str:
    """Return the title of a commit that `breaks` a project by that cause, or `fixes` it."""
    breaks, fixes = _TURNS[cause]
    return breaks if turning_point == "breaks" else fixes


def branch_name(chance: SeededRandom, blueprint: Blueprint, number: int) -> str:
    """Return the name of a feature branch."""
    slug = chance.pick(_WORDS["branches"], "slug", blueprint.id, number)
    entity = chance.pick(blueprint.entities, "branch entity", blueprint.id, number)
    kind = chance.pick(("feature", "feature", "fix", "chore"), "branch kind", blueprint.id, number)
    ticket = 1000 + number * 3 + blueprint.lane * 37
    return f"{kind}/DATA-{ticket}-{slug.format(entity=entity.replace('_', '-'))}"


def tag_message(blueprint: Blueprint, name: str) -> str:
    return f"Release {name} of {blueprint.record.name}"


NO_SHA: Final = "0" * 40
"""Marks the commit before the first one of a branch."""

_BRANCH_EVERY: Final = 4 * 1440
_BRANCH_LIFE: Final = 10 * 1440
_COMMITS: Final = 6
_TAG_EVERY: Final = 14 * 1440
_TAGS: Final = 12
_MAIN, _FEATURE = 0, 1
_MERGES: Final = 0.3
_COMMITS_BEFORE_PIPELINE: Final = 18.0


class Feature(NamedTuple):
    """A branch that is active for some days."""

    number: int
    name: str
    born: int
    author: Person


class History:
    """The commits of one project."""

    def __init__(
        self,
        chance: SeededRandom,
        clockwork: CompanyClock,
        blueprint: Blueprint,
        diary: PipelineStarts,
        humans: Sequence[Person],
    ) -> None:
        self._chance = chance
        self._clockwork = clockwork
        self._blueprint = blueprint
        self._diary = diary
        self._humans = humans
        self._shas = Shas(chance, blueprint.id)
        self.sha = lru_cache(maxsize=256)(self._shas.sha)
        self._feature = lru_cache(maxsize=32)(self._find_feature)
        self._tag = lru_cache(maxsize=16)(self._find_tag)
        self.main_before = lru_cache(maxsize=256)(self._main_before)

    # numbers: a commit's kind in the two lowest bits, above them its slot or branch

    def main_at(self, seconds: float) -> int:
        """Return the number of the newest commit of the default branch."""
        slot = self._diary.slot_at(self._clockwork.minute(seconds) + 1)
        number = self.main_before(slot + 1)
        while number and self._seconds(number) > seconds:
            number = self.main_before(number >> 2)
        return number

    def _main_before(self, slot: int) -> int:
        while (slot := slot - 1) > 0:
            if self._diary.occasion(slot).commits_to_main:
                return slot << 2 | _MAIN
        return 0

    def main_of(self, slot: int) -> int:
        """Return the number of the commit that a slot's pipeline runs on."""
        return self.main_before(slot + 1)

    def features(self, minute: int) -> list[Feature]:
        """Return the branches that are worked on, the newest first."""
        newest = minute // _BRANCH_EVERY
        found = (self._feature(newest - back) for back in range(_BRANCH_LIFE // _BRANCH_EVERY + 2))
        return [
            one for one in found if one.number > 0 and one.born <= minute < one.born + _BRANCH_LIFE
        ]

    def feature_at(self, feature: Feature, seconds: float) -> int:
        """Return the number of a branch's newest commit."""
        number = feature.number << 5 | _FEATURE
        for step in range(1, _COMMITS):
            candidate = (feature.number << 3 | step) << 2 | _FEATURE
            if self._seconds(candidate) > seconds:
                break
            number = candidate
        return number

    def commit(self, number: int) -> Commit:
        if number & 3 == _FEATURE:
            return self._feature_commit(number >> 2)
        return self._main_commit(number >> 2)

    def find(self, ref: str, now: float) -> Commit | None:
        """Return the commit that a branch, tag, hash or `HEAD` names."""
        ref = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if ref in {"HEAD", self._blueprint.record.default_branch}:
            return self.commit(self.main_at(now))
        minute = self._clockwork.minute(now)
        for feature in self.features(minute):
            if feature.name == ref:
                return self.commit(self.feature_at(feature, now))
        for tag in self.tags(now):
            if tag.name == ref:
                return tag.commit
        number = self._shas.number(ref)
        if number is None or not self._exists(number) or self._seconds(number) > now:
            return None
        return self.commit(number)

    def is_named(self, ref: str, now: float) -> bool:
        """Return whether a branch or tag of that name exists, short or in full."""
        names = {f"refs/heads/{one.name}" for one in self.branches(now)}
        names |= {f"refs/tags/{one.name}" for one in self.tags(now)}
        return bool({ref, f"refs/heads/{ref}", f"refs/tags/{ref}"} & names)

    def number(self, sha: str) -> int:
        """Return the number of a commit. Raises LookupError: the project has no such commit."""
        number = self._shas.number(sha)
        if number is None:
            raise LookupError(sha)
        return number

    def branches(self, now: float) -> list[Branch]:
        main = self.commit(self.main_at(now))
        found = [Branch(self._blueprint.record.default_branch, main, default=True, protected=True)]
        found += [
            Branch(one.name, self.commit(self.feature_at(one, now)), default=False, protected=False)
            for one in self.features(self._clockwork.minute(now))
        ]
        return sorted(found, key=lambda branch: branch.name)

    def tags(self, now: float) -> list[Tag]:
        """Return the newest tags, the newest first."""
        newest = self._clockwork.minute(now) // _TAG_EVERY
        return [self._tag(number) for number in range(newest, max(0, newest - _TAGS), -1)]

    def tag_at(self, minute: int) -> Tag | None:
        """Return the newest tag; None before the first one."""
        number = minute // _TAG_EVERY
        return self._tag(number) if number > 0 else None

    def merge_request(self, number: int, now: float) -> MergeRequest | None:
        """Return the request that brought, or is to bring, a commit to the default branch."""
        if number & 3 != _FEATURE:
            merged = self.commit(number).parents[1:]
            return self.merge_request(self.number(merged[0]), now) if merged else None
        feature = self._feature(number >> 5)
        first, half = feature.number << 5 | _FEATURE, feature.born + _BRANCH_LIFE // 2
        merged_at = self._clockwork.seconds(half)
        return MergeRequest(
            feature.number,
            title=self.commit(first).title,
            branch=feature.name,
            author=feature.author,
            created_at=moment(self._seconds(first)),
            merged_at=moment(merged_at) if merged_at <= now else None,
        )

    def broken(self, number: int) -> bool:
        """Return whether a commit of the default branch contains the change of an incident."""
        slot = number >> 2
        if number & 3 != _MAIN or not slot:
            return False
        occasion = self._diary.occasion(slot)
        incident = self._diary.incident(slot, occasion.minute)
        return incident is not None and incident.cause.by_commit

    # one commit

    def _seconds(self, number: int) -> float:
        if number & 3 == _FEATURE:
            feature, step = divmod(number >> 2, 8)
            hours = 7 + self._chance.below(12, "feature pace", self._blueprint.id, feature)
            return self._clockwork.seconds(self._feature(feature).born) + step * hours * 3600.0
        if number == 0:
            return self._blueprint.record.created_at.timestamp()
        return self._diary.created(number >> 2) - _COMMITS_BEFORE_PIPELINE

    def _exists(self, number: int) -> bool:
        if number & 3 == _FEATURE:
            return number >> 5 > 0 and (number >> 2) % 8 < _COMMITS
        if number & 3 != _MAIN:
            return False
        return number == 0 or self._diary.occasion(number >> 2).commits_to_main

    def _main_commit(self, slot: int) -> Commit:
        number = slot << 2 | _MAIN
        if not slot:
            return self._commit(number, "Initial commit", self._humans[0], ())
        occasion = self._diary.occasion(slot)
        parents: tuple[str, ...] = (self.sha(self.main_before(slot)),)
        author = self._chance.pick(self._humans, "author", self._blueprint.id, number)
        title = commit_title(self._chance, self._blueprint, number)
        features = self.features(occasion.minute)
        if occasion.turning_point:
            title = turning_title(occasion.turning_point, occasion.turning_cause)
        elif features and self._chance.unit("merge", self._blueprint.id, number) < _MERGES:
            merged = features[-1]
            title = f"Merge branch '{merged.name}' into 'main'"
            seconds = self._seconds(number)
            parents += (self.sha(self.feature_at(merged, seconds)),)
        if occasion.fate.kind == "skipped":
            title += " [skip ci]"
        return self._commit(number, title, author, parents)

    def _feature_commit(self, rest: int) -> Commit:
        number, feature = rest << 2 | _FEATURE, self._feature(rest >> 3)
        title = commit_title(self._chance, self._blueprint, number)
        if rest % 8:
            parent = self.sha((rest - 1) << 2 | _FEATURE)
        else:
            parent = self.sha(self.main_before(self._diary.slot_at(feature.born)))
        return self._commit(number, title, feature.author, (parent,))

    def _commit(self, number: int, title: str, author: Person, parents: tuple[str, ...]) -> Commit:
        ticket = self._chance.below(4000, "ticket", self._blueprint.id, number)
        return Commit(
            sha=self.sha(number),
            title=title,
            message=f"{title}\n\nRefs DATA-{1000 + ticket}\n",
            author=author,
            authored_at=moment(self._seconds(number)),
            parents=parents,
        )

    def _find_feature(self, number: int) -> Feature:
        lag = self._chance.below(_BRANCH_EVERY, "branch", self._blueprint.id, number)
        author = self._chance.pick(self._humans, "branch author", self._blueprint.id, number)
        name = branch_name(self._chance, self._blueprint, number)
        return Feature(number, name, number * _BRANCH_EVERY + lag, author)

    def _find_tag(self, number: int) -> Tag:
        major, minor = divmod(number, 10)
        commit = self.commit(self.main_at(self._clockwork.seconds(number * _TAG_EVERY)))
        name = f"v{major + 1}.{minor}.0"
        return Tag(name, tag_message(self._blueprint, name), commit)
