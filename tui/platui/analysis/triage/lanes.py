"""Lanes: pipelines that follow each other, so that a green one ends what a red one began.

The order is that of their creation, here and wherever triage says newest, first or last: what was
created last has the newest commit. When they ended says nothing of it: some run side by side, and
one that is tried again ends once more.

On one branch run pushes, nightly schedules and what people start. A push that passes by day
does not mend the nightly run, and one incident for all of them would open and close each day.
So a branch has a lane for each name of pipelines; where there are no names for each thing that
starts them; where the platform tells neither, for each period that some of them come by.
"""

from __future__ import annotations

import re
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import DECISIVE, RED
from platui.models.values.triage import Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline


_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR

PERIODS: Final[dict[str, int]] = {
    "every 15 minutes": 15 * _MINUTE,
    "every 30 minutes": 30 * _MINUTE,
    "hourly": _HOUR,
    **{f"every {hours} hours": hours * _HOUR for hours in (2, 3, 4, 6, 8, 12)},
    "daily": _DAY,
    "weekly": 7 * _DAY,
}
"""What schedules are mostly set to, the shortest first: seconds."""

_GRAIN: Final = 90
"""Seconds by which a schedule may start earlier or later than the time before."""

_FEWEST: Final = 4
"""Runs in a row, a period apart, with fewer of which nothing comes by the clock."""
_ACCIDENT: Final = 0.01
"""Chance that we take for a run to stand in such a row by accident: the more runs there are, the
longer a row must be. Of pipelines at any time, fifteen a day, one in four hundred stands in a row
of four; of thirty a day it is one in fifty, of a hundred one in five."""


def rhythms(moments: Sequence[float]) -> list[str]:
    """Return for each moment (Unix seconds) the period it comes by; empty where by none."""
    grains = [int(moment // _GRAIN) for moment in moments]
    taken = {grain + by for grain in grains for by in (-1, 0, 1)}
    chain = _chain(grains)
    found: dict[int, str] = {}
    for name, period in PERIODS.items():
        step = period // _GRAIN
        # Mostly none has others in a row behind it, and that is quickly seen.
        linked = [grain for grain in grains if grain + step in taken]
        if all(_row(grain, step, taken, chain) < chain - 1 for grain in linked):
            continue
        for grain in grains:
            in_a_row = 1 + _row(grain, -step, taken, chain) + _row(grain, step, taken, chain)
            if in_a_row >= chain:
                found.setdefault(grain, name)
    return [found.get(grain, "") for grain in grains]


def _chain(grains: Sequence[int]) -> int:
    if not grains:
        return _FEWEST
    lasts = max(max(grains) - min(grains), _DAY // _GRAIN)
    near = min(1.0, 3 * len(grains) / lasts)
    return next(
        count
        for count in range(_FEWEST, _FEWEST + len(grains) + 1)
        if count * len(PERIODS) * near ** (count - 1) < _ACCIDENT or count > len(grains)
    )


def _row(grain: int, step: int, taken: set[int], chain: int) -> int:
    for count in range(chain - 1):
        grain += step
        if grain not in taken:
            return count
    return chain - 1


Lanes = dict[Lane, "list[Pipeline]"]

_HEADS: Final = "refs/heads/"
_TAGS: Final = "refs/tags/"
_UNNAMED: Final = "refs/"
"""What else begins so is a merge request's head, and whoever wrote it is told by its page."""

_VERSION: Final = re.compile(
    r"(?:[\w-]+@)?[vV]?\d+(?:\.\d+)+(?:[-+.]?(?:a|b|c|rc|alpha|beta|dev|post|final)[-.]?\d*)*"
)
"""The list of pipelines does not say which refs are tags; nearly all that look so are."""

_NOT_ON_A_BRANCH: Final = frozenset(
    {"merge_request_event", "external_pull_request_event", "parent_pipeline"}
)
"""Of merge requests, and of pipelines that are a part of another, which fails with them."""

_BY_HAND: Final = frozenset({"web", "chat", "webide"})
_ASKED: Final = frozenset({"api", "trigger"})
"""Somebody's program asks for these as a rule, or a person who runs again what failed."""

_AS_A_RULE: Final = 2
"""So often must a program have asked while nothing was red to be one that asks as a rule."""

_id: Final = attrgetter("id")
_DIGITS: Final = re.compile(r"[0-9a-f]{7,}|\d+")


def lanes_of(project: ProjectRef, pipelines: Iterable[Pipeline]) -> Lanes:
    """Return the pipelines of each lane of a project, in the order given: newest first."""
    refs: dict[str, list[Pipeline]] = {}
    for pipeline in pipelines:
        ref = pipeline.ref
        is_named = not ref.startswith(_UNNAMED) or ref.startswith((_HEADS, _TAGS))
        if is_named and pipeline.source not in _NOT_ON_A_BRANCH:
            refs.setdefault(ref, []).append(pipeline)
    again = _names_again(run for runs in refs.values() for run in runs)
    found: Lanes = {}
    for name, runs in _with_versions_as_one(refs).items():
        for way, ran in _ways(runs, again).items():
            found[Lane(project, name, way)] = ran
    return found


def branch_of(ref: str) -> str:
    """Return what the lanes of a ref have as theirs: empty of a version, which all are one."""
    return "" if is_version(ref) else ref.removeprefix(_HEADS)


def _with_versions_as_one(refs: dict[str, list[Pipeline]]) -> dict[str, list[Pipeline]]:
    """Return branches by their short names, and all versions under an empty one."""
    found: dict[str, list[Pipeline]] = {}
    mixed: set[str] = set()
    for ref, runs in refs.items():
        name = branch_of(ref)
        if name in found:
            mixed.add(name)
            found[name] = found[name] + runs
        else:
            found[name] = runs
    for name in mixed:
        found[name].sort(key=_id, reverse=True)
    return found


def is_version(ref: str) -> bool:
    """Return whether a ref is a tag, by its looks."""
    return ref.startswith(_TAGS) or _VERSION.fullmatch(ref) is not None


def _names_again(runs: Iterable[Pipeline]) -> AbstractSet[str]:
    """Return the masked names that come again in a project whose names mostly do."""
    counts = Counter(_DIGITS.sub("#", run.name) for run in runs)
    if not _come_again(len(counts), counts.total()):
        return frozenset()
    return {name for name, count in counts.items() if count > 1}


def _come_again(names: int, runs: int) -> bool:
    """Return whether so many names are of ways: one that holds a commit's title stands alone."""
    return names * 2 <= runs


def _ways(runs: list[Pipeline], again: AbstractSet[str]) -> dict[str, list[Pipeline]]:
    """Return the pipelines of one ref by way; `again` are masked names known to be of ways."""
    names = {run.name for run in runs}
    if names != {""}:
        masked = {name: _DIGITS.sub("#", name) for name in names}
        told = set(masked.values())
        if _come_again(len(told), len(runs)) or told <= again:
            return _grouped(runs, [masked[run.name] for run in runs])
    sources = {run.source for run in runs}
    if sources != {""}:
        return _by_source(runs) if len(sources) > 1 else {sources.pop(): runs}
    statuses = {run.status for run in runs}
    # Where none can end what another began, it does not matter which is which.
    return _by_clock(runs) if statuses >= DECISIVE else {"": runs}


def _grouped(runs: Sequence[Pipeline], keys: Sequence[str]) -> dict[str, list[Pipeline]]:
    found: dict[str, list[Pipeline]] = {}
    for run, key in zip(runs, keys, strict=True):
        found.setdefault(key, []).append(run)
    return found


def _by_clock(runs: Sequence[Pipeline]) -> dict[str, list[Pipeline]]:
    """Return runs by period; those without are pushes, or by hand if of the same commit."""
    moments = [run.created_at.timestamp() if run.created_at else 0.0 for run in runs]
    found = rhythms(moments)
    if not any(found):
        return {"": list(runs)}
    periods = {run.id: period for run, period in zip(runs, found, strict=True)}
    seen: set[str] = set()

    def way_of(run: Pipeline, red: set[str]) -> str | None:
        del red
        is_again = run.sha in seen
        seen.add(run.sha)
        return periods[run.id] or (None if is_again else "")

    return _dealt(runs, way_of)


def _by_source(runs: Sequence[Pipeline]) -> dict[str, list[Pipeline]]:
    unprompted: dict[str, int] = {}

    def way_of(run: Pipeline, red: set[str]) -> str | None:
        source = run.source
        if source in _BY_HAND:
            return None
        if source in _ASKED:
            if not red:
                unprompted[source] = unprompted.get(source, 0) + 1
            elif unprompted.get(source, 0) < _AS_A_RULE:
                return None
        return source

    return _dealt(runs, way_of)


def _dealt(
    runs: Sequence[Pipeline], way_of: Callable[[Pipeline, set[str]], str | None]
) -> dict[str, list[Pipeline]]:
    """Return pipelines, newest first, by their ways.

    A run by hand (`way_of` is None, given the ways that are red then) counts for every red way,
    else for the way that ran last.
    """
    found: dict[str, list[Pipeline]] = {}
    red: set[str] = set()
    last: str | None = None
    for run in reversed(runs):
        way = way_of(run, red)
        ways: Iterable[str] = (way,) if way is not None else sorted(red)
        if way is not None:
            last = way
        elif not red:
            ways = (run.source if last is None else last,)
        for one in ways:
            found.setdefault(one, []).append(run)
            if run.status in DECISIVE:
                (red.add if run.status == RED else red.discard)(one)
    return {way: ran[::-1] for way, ran in found.items()}
