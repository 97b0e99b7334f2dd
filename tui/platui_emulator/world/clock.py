"""Time as the company counts it, and randomness as a function of seed and key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from random import Random
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")

_SPAN: Final = float(1 << 53)


class SeededRandom:
    """Random values that depend on seed and key only, never on earlier draws."""

    def __init__(self, seed: int) -> None:
        self._key = f"platui:{seed}".encode()[-64:]

    def digest(self, *key: int | str) -> bytes:
        """Return 32 bytes that belong to the key."""
        return blake2b(repr(key).encode(), digest_size=32, key=self._key).digest()

    def number(self, *key: int | str) -> int:
        """Return a whole number of 64 bits."""
        return int.from_bytes(self.digest(*key)[:8], "big")

    def unit(self, *key: int | str) -> float:
        """Return a number from 0 up to, not including, 1."""
        return (self.number(*key) >> 11) / _SPAN

    def below(self, limit: int, *key: int | str) -> int:
        """Return a whole number from 0 up to, not including, the limit."""
        return self.number(*key) % limit

    def pick(self, options: Sequence[T], *key: int | str) -> T:
        return options[self.below(len(options), *key)]

    def dice(self, *key: int | str) -> Random:
        """Return a random generator for one key."""
        return Random(self.number(*key))


ORIGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)


class CompanyClock:
    """Conversions between the company's minutes, seconds since 1970, moments and numbers."""

    def __init__(self, origin: datetime, numbering: Numbering, retention: int) -> None:
        self.origin = origin
        self.numbering = numbering
        self.retention = retention
        self._start = int(origin.timestamp())
        self._step = 50.0 / numbering.first_added_lane

    def minute(self, seconds: float) -> int:
        """Return the minute that these seconds since 1970 fall into."""
        return int(seconds - self._start) // 60

    def seconds(self, minute: int) -> int:
        """Return when a minute begins, in seconds since 1970."""
        return self._start + minute * 60

    def created(self, minute: int, lane: int) -> float:
        """Return when a lane's pipeline is created: numbers and times have one order."""
        return self.seconds(minute) + 2.0 + lane * self._step


def midnight(moment_: datetime) -> datetime:
    """Return the midnight, in UTC, that a moment comes after."""
    return moment_.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def moment(seconds: float) -> datetime:
    """Return seconds since 1970 as a moment, in milliseconds."""
    whole = round(seconds * 1000)
    return datetime.fromtimestamp(whole // 1000, UTC).replace(microsecond=whole % 1000 * 1000)


JOBS: Final = 32
"""Jobs, retries among them, that one pipeline has room for."""


class Place(NamedTuple):
    """Where a pipeline's number leads."""

    minute: int
    lane: int
    added: bool

    @property
    def child(self) -> bool:
        return not self.added and self.lane % 2 == 1

    @property
    def project_lane(self) -> int:
        return self.lane // 2


@dataclass(frozen=True, slots=True)
class Numbering:
    """How a company numbers: with room for all its projects, and for what callers add."""

    lanes: int = 256
    first_added_lane: int = 128
    """From here on the lanes belong to what callers started: above two for each project."""
    first_added_project: int = 1001
    first_added_schedule: int = 10_001

    def pipeline_id(self, minute: int, lane: int) -> int:
        """Return the number of the pipeline created in that minute on that lane."""
        return minute * self.lanes + lane

    def place_of(self, pipeline: int) -> Place:
        """Return the minute and lane of a pipeline's number."""
        minute, lane = divmod(pipeline, self.lanes)
        return Place(minute, lane, lane >= self.first_added_lane)


def job_id(pipeline: int, index: int) -> int:
    """Return the number of a pipeline's job; retries have larger indexes."""
    return pipeline * JOBS + index


def pipeline_of(job: int) -> tuple[int, int]:
    """Return the pipeline's number and the job's index in it."""
    return divmod(job, JOBS)


def model_mebibytes(job: int) -> int:
    """Return how large the model is that a training job saves: its log and its archive say so."""
    return 3 + job % 7
