"""How well causes are told apart, how soon the first is there, and what the board costs.

`python -m tests.bench triage`: on the emulator's `storm`, asked over HTTP as a dashboard would;
on texts that programs write; and on the logs of others, each beside copies of it with other
numbers, where `PLATUI_CORPUS` names a folder with some: precision and recall of pairs of failures
put together. Then what `triage_cost` measures.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter
from tests.bench.figures import Figure, Table
from tests.bench.triage_cost import costs
from tests.support.failed_logs import telling_error
from tests.support.failure_texts import FAILURES
from tests.support.platform import SEED, api_client, ask, running_platform

from platui.analysis.triage.failure_points import failure_point
from platui.analysis.triage.incidents import Listed, states_of
from platui.analysis.triage.signatures.signature import make_signature
from platui.models.values.triage import FailedStep
from platui.models.wire import Job, Pipeline

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    import httpx
    from tests.bench.figures import Options

    from platui.analysis.triage.incidents import LaneState
    from platui.models.values.triage import Signature

_PRECISION: Final = 1.0
_RECALL: Final = 0.95
_COPIES: Final = 3
_CHANGING: Final = re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b|\d\d:\d\d:\d\d|\b\d{5,}\b")

_PIPELINES: Final = TypeAdapter(list[Pipeline])
_JOBS: Final = TypeAdapter(list[Job])


@dataclass
class Pairs:
    """What was put together of what belongs together."""

    title: str
    told: list[tuple[Hashable, Hashable]] = field(default_factory=list)
    """Of each failure its true cause, and the group it was put in."""

    def table(self, more: Sequence[Figure] = ()) -> Table:
        """Return precision and recall, and what else was measured."""
        pairs = list(combinations(self.told, 2))
        truly = [one for one in pairs if one[0][0] == one[1][0]]
        together = [one for one in pairs if one[0][1] == one[1][1]]
        right = sum(1 for one, other in together if one[0] == other[0])
        precision = right / len(together) if together else 1.0
        recall = right / len(truly) if truly else 1.0
        figures = [
            Figure("precision", "", _PRECISION, [precision], at_least=True),
            Figure("recall", "", _RECALL, [recall], at_least=True),
            *more,
        ]
        causes, groups = (len(set(values)) for values in zip(*self.told, strict=True))
        notes = [f"{len(self.told)} failures, {causes} causes in {groups} groups"]
        return Table(f"Failures put together, {self.title}", figures, notes=notes)


class Board:
    """Looks for incidents and their causes over HTTP, and counts what that takes."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self.requests = 0
        self.seconds = {"incidents": 0.0, "causes": 0.0}
        """Of the processor, without what the wire and the records take."""

    def _get(self, path: str, **params: Any) -> httpx.Response:
        self.requests += 1
        answer = self._client.get(path, params=params)
        answer.raise_for_status()
        return answer

    def incidents(self) -> dict[int, LaneState]:
        """Return every lane of a default branch that is red, by its newest red pipeline."""
        found: dict[int, LaneState] = {}
        projects = self._get("projects", membership=True, simple=True, per_page=100).json()
        for project in projects:
            path = f"projects/{project['id']}/pipelines"
            pipelines = _PIPELINES.validate_json(self._get(path, per_page=100).content)
            listed = Listed(project["id"], pipelines, main=project["default_branch"])
            began = time.process_time()
            states = states_of(listed, datetime.now(UTC))
            self.seconds["incidents"] += time.process_time() - began
            for state in states:
                if state.incident is not None and state.is_main:
                    found[state.incident.newest_red.id] = state
        return found

    def signature(self, project: int, pipeline: int) -> Signature:
        """Return the signature of a failed pipeline."""
        path = f"projects/{project}/pipelines/{pipeline}/jobs"
        answer = self._get(path, include_retried=True, per_page=100)
        jobs = _JOBS.validate_json(answer.content)
        began = time.process_time()
        step = failure_point(jobs).step
        self.seconds["causes"] += time.process_time() - began
        data = b""
        if step is not None and step.has_log:
            data = self._get(f"projects/{project}/jobs/{step.id}/trace").content
        error = telling_error(data)
        began = time.process_time()
        found = make_signature(error, step)
        self.seconds["causes"] += time.process_time() - began
        return found


def storm() -> Table:
    """Return how the causes of a storm are told apart."""
    with running_platform(scenario="storm", seed=SEED) as platform, api_client(platform) as client:
        truth = ask("GET", f"{platform.base_url}/-/emulator/truth").json()["causes"]
        board = Board(client)
        red = board.incidents()
        lists = board.requests
        causes = {pipeline: one["key"] for one in truth for pipeline in one["pipelines"]}
        pairs = Pairs("of a storm")
        for pipeline, cause in causes.items():
            if pipeline in red:
                project = int(red[pipeline].lane.project)
                signature = board.signature(project, pipeline)
                pairs.told.append((cause, _group(signature, project)))
        opened = len(pairs.told) / len(causes)
        return pairs.table(
            [
                Figure("planted and found", "", 1, [opened], at_least=True),
                Figure("lists", "requests", None, [lists]),
                Figure("jobs and logs", "requests", None, [board.requests - lists]),
                *(
                    Figure(f"processor, {name}", "ms", None, [seconds * 1000])
                    for name, seconds in board.seconds.items()
                ),
            ]
        )


def _group(signature: Signature, project: int) -> tuple[str, int]:
    return (signature.key, project if signature.is_local else 0)


def texts() -> Table:
    """Return how the texts of the table are told apart, as if all were of one project."""
    pairs = Pairs("of texts")
    for kind, told in FAILURES.items():
        for one in told:
            step = FailedStep(1, one.job, failure_reason=one.reason)
            pairs.told.append((kind, make_signature(telling_error(one.text.encode()), step).key))
    return pairs.table()


def corpus(folder: Path) -> Table:
    """Return how logs of others are told apart from each other, and not from copies."""
    pairs = Pairs("of others' logs")
    for path in sorted((folder / "logs").glob("*.log")):
        data = path.read_bytes()
        for copy in (data, *_copies(data, Random(SEED))):
            error = telling_error(copy)
            if error is not None:
                pairs.told.append((path.name, make_signature(error, FailedStep(1, path.stem)).key))
    return pairs.table()


def _copies(data: bytes, dice: Random) -> Iterable[bytes]:
    """Yield copies of a log with other times, ids and large numbers."""
    text = data.decode("latin-1")
    for _ in range(_COPIES):
        yield _CHANGING.sub(lambda found: _other(found[0], dice), text).encode("latin-1")


def _other(text: str, dice: Random) -> str:
    if ":" in text:
        return f"{dice.randrange(24):02d}:{dice.randrange(60):02d}:{dice.randrange(60):02d}"
    digits = "0123456789abcdef" if re.search("[a-f]", text) else "123456789"
    return "".join(dice.choice(digits) for _ in text)


def tables(options: Options) -> Iterator[Table]:
    """Tell how well causes are told apart, and what they cost."""
    yield storm()
    yield texts()
    if folder := os.environ.get("PLATUI_CORPUS"):
        yield corpus(Path(folder))
    yield from costs(options)
