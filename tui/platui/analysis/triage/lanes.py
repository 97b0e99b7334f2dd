"""Split pipelines into lanes, in which a success ends what a failure began.

Pipelines are ordered by creation: the last created has the newest commit. Their ends do not
matter, since pipelines run in parallel and are retried.

One branch has pushes, nightly schedules and manual pipelines. A successful push does not fix the
nightly run, and a common incident would open and close every day. So a branch has a lane per
pipeline name, without names per source, and without both per period.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from platui.analysis.attempts import DECISIVE, RED
from platui.models.values.triage import Lane

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline


_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR

# Common periods of schedules in seconds, shortest first.
PERIODS: Final[dict[str, int]] = {
    "every 15 minutes": 15 * _MINUTE,
    "every 30 minutes": 30 * _MINUTE,
    "hourly": _HOUR,
    **{f"every {hours} hours": hours * _HOUR for hours in (2, 3, 4, 6, 8, 12)},
    "daily": _DAY,
    "weekly": 7 * _DAY,
}
_GRAIN: Final = 90  # Tolerance of a start time in seconds

_FEWEST: Final = 4  # Runs in a row that make a period
# Accepted probability of a random row: more runs need longer rows. At 15 random pipelines per day
# one in 400 is in a row of four, at 30 one in 50, at 100 one in 5.
_ACCIDENT: Final = 0.01


def detect_periods(moments: Sequence[float]) -> list[str]:
    """Return the period of each moment (Unix seconds); "" if there is none."""
    grains = [int(moment // _GRAIN) for moment in moments]
    taken = {grain + by for grain in grains for by in (-1, 0, 1)}
    chain = _chain(grains)
    found: dict[int, str] = {}
    for name, period in PERIODS.items():
        step = period // _GRAIN
        # Most runs have no successor, which is quick to check.
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
_UNNAMED: Final = "refs/"  # Other refs belong to merge requests

# Lists of pipelines do not mark tags; names like these nearly always are tags.
_VERSION: Final = re.compile(
    r"(?:[\w-]+@)?[vV]?\d+(?:\.\d+)+(?:[-+.]?(?:a|b|c|rc|alpha|beta|dev|post|final)[-.]?\d*)*"
)

# Sources of merge requests, and of child pipelines, which fail with their parents.
_NOT_ON_A_BRANCH: Final = frozenset(
    {"merge_request_event", "external_pull_request_event", "parent_pipeline"}
)

_BY_HAND: Final = frozenset({"web", "chat", "webide"})
_ASKED: Final = frozenset({"api", "trigger"})  # Started by a program, or by a person to rerun
_REGULAR: Final = 2  # Starts without a failure that show that a program starts them regularly

_DIGITS: Final = re.compile(r"[0-9a-f]{7,}|\d+")


def lanes_of(project: ProjectRef, pipelines: Iterable[Pipeline]) -> Lanes:
    """Return the pipelines of each lane of a project, newest first."""
    listed = list(pipelines)
    names = {ref: branch_of(ref) for ref in {one.ref for one in listed}}
    branches: dict[str, list[Pipeline]] = {}
    for pipeline in listed:
        if is_on_branch(pipeline):
            branches.setdefault(names[pipeline.ref], []).append(pipeline)
    again = _recurring_names(run for runs in branches.values() for run in runs)
    return {
        Lane(project, name, way): ran
        for name, runs in branches.items()
        for way, ran in _ways(runs, again).items()
    }


def is_on_branch(pipeline: Pipeline) -> bool:
    """Return whether a pipeline has a lane: not one of a merge request, nor a child pipeline."""
    return _is_named(pipeline.ref) and pipeline.source not in _NOT_ON_A_BRANCH


def _is_named(ref: str) -> bool:
    return not ref.startswith(_UNNAMED) or ref.startswith((_HEADS, _TAGS))


def branch_of(ref: str) -> str:
    """Return the branch of a ref; "" for all that look like tags, which share lanes."""
    is_version = ref.startswith(_TAGS) or _VERSION.fullmatch(ref) is not None
    return "" if is_version else ref.removeprefix(_HEADS)


def _recurring_names(runs: Iterable[Pipeline]) -> AbstractSet[str]:
    """Return the masked names that recur, if names mostly do in the project."""
    counts = Counter(_DIGITS.sub("#", run.name) for run in runs)
    if not _are_recurring(len(counts), counts.total()):
        return frozenset()
    return {name for name, count in counts.items() if count > 1}


def _are_recurring(names: int, runs: int) -> bool:
    """Return whether names recur: names with commit titles do not."""
    return names * 2 <= runs


def _ways(runs: list[Pipeline], again: AbstractSet[str]) -> dict[str, list[Pipeline]]:
    """Split the pipelines of a ref into lanes; `again` are recurring masked names."""
    names = {run.name for run in runs}
    if names != {""}:
        masked = {name: _DIGITS.sub("#", name) for name in names}
        distinct = set(masked.values())
        if _are_recurring(len(distinct), len(runs)) or distinct <= again:
            found: dict[str, list[Pipeline]] = {}
            for run in runs:
                found.setdefault(masked[run.name], []).append(run)
            return found
    sources = {run.source for run in runs}
    if sources != {""}:
        return _by_source(runs) if len(sources) > 1 else {sources.pop(): runs}
    statuses = {run.status for run in runs}
    # Without both successes and failures, lanes do not matter.
    return _by_clock(runs) if statuses >= DECISIVE else {"": runs}


def _by_clock(runs: Sequence[Pipeline]) -> dict[str, list[Pipeline]]:
    """Group runs by period; others are pushes, or manual if their commit ran before."""
    moments = [run.created_at.timestamp() if run.created_at else 0.0 for run in runs]
    found = detect_periods(moments)
    if not any(found):
        return {"": list(runs)}
    periods = {run.id: period for run, period in zip(runs, found, strict=True)}
    seen: set[str] = set()

    def way_of(run: Pipeline, red: set[str]) -> str | None:
        del red
        is_again = run.sha in seen
        seen.add(run.sha)
        return periods[run.id] or (None if is_again else "")

    return _assign_runs(runs, way_of)


def _by_source(runs: Sequence[Pipeline]) -> dict[str, list[Pipeline]]:
    unprompted: dict[str, int] = {}

    def way_of(run: Pipeline, red: set[str]) -> str | None:
        source = run.source
        if source in _BY_HAND:
            return None
        if source in _ASKED:
            if not red:
                unprompted[source] = unprompted.get(source, 0) + 1
            elif unprompted.get(source, 0) < _REGULAR:
                return None
        return source

    return _assign_runs(runs, way_of)


def _assign_runs(
    runs: Sequence[Pipeline], way_of: Callable[[Pipeline, set[str]], str | None]
) -> dict[str, list[Pipeline]]:
    """Assign pipelines to lanes; a manual run (None) to all failed lanes, else to the last one."""
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
