"""Artifacts of finished jobs, their expiry, and what callers kept or deleted."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui_emulator.records import Artifact, SuiteReport
from platui_emulator.world import causes
from platui_emulator.world.artifact_files import JUNIT, Archive, members_of
from platui_emulator.world.clock import job_id, moment
from platui_emulator.world.job_tests import TESTING, plain_text, suite_of
from platui_emulator.world.views import is_erased

if TYPE_CHECKING:
    from platui_emulator.world.logs import GeneratedLogs
    from platui_emulator.world.plans import Attempt, Run

KEPT_FOR: Final = timedelta(days=7)
"""What the pipeline files say of every archive (`expire_in`)."""

ARCHIVING: Final = frozenset({"dbt_run", "docs", "train"}) | TESTING
"""The kinds of work that upload an archive: those of tests whatever comes out of them."""

_SIZES: Final = 4096
_ARCHIVES: Final = 4
_SUITES: Final = 16
_METADATA: Final = 140
_METADATA_OF_MEMBER: Final = 46


class _Left(Sequence[Artifact]):
    """The artifacts of a job, with sizes computed on demand."""

    def __init__(self, measure: Callable[[], tuple[Artifact, ...]]) -> None:
        self._measure = measure

    @cached_property
    def _all(self) -> tuple[Artifact, ...]:
        return self._measure()

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all)

    def __repr__(self) -> str:
        return repr(self._all)


class _Sizes(NamedTuple):
    """How many bytes the parts of what a job left behind have."""

    log: int
    archive: int = 0
    metadata: int = 0
    junit: int = 0


class Artifacts:
    """What ended jobs uploaded, and which of it callers kept or deleted."""

    def __init__(self, logs: GeneratedLogs) -> None:
        self._logs = logs
        self._sizes = lru_cache(maxsize=_SIZES)(self._measure)
        self._archive = lru_cache(maxsize=_ARCHIVES)(self._pack)
        self._suite = lru_cache(maxsize=_SUITES)(self._report)
        self._kept: set[int] = set()
        self._deleted: set[int] = set()
        self._cleared: dict[int, float] = {}

    def artifacts(self, run: Run, attempt: Attempt, now: float) -> Sequence[Artifact]:
        """Return what there is of a job: its log, and what it uploaded as long as that stays."""
        if attempt.finished is None or attempt.finished > now or is_erased(attempt, now):
            return ()
        return _Left(partial(self._list, run, attempt, now))

    def _list(self, run: Run, attempt: Attempt, now: float) -> tuple[Artifact, ...]:
        sizes = self._sizes(run, attempt)
        found = [Artifact("trace", sizes.log, "job.log", None)] if sizes.log else []
        if sizes.junit:
            found.insert(0, Artifact("junit", sizes.junit, "junit.xml.gz", "gzip"))
        if self.has_archive(run, attempt, now):
            found.insert(0, Artifact("metadata", sizes.metadata, "metadata.gz", "gzip"))
            found.insert(0, Artifact("archive", sizes.archive, "artifacts.zip", "zip"))
        return tuple(found)

    def has_archive(self, run: Run, attempt: Attempt, now: float) -> bool:
        """Return whether there is an archive that has neither expired nor been deleted."""
        number = job_id(run.id, attempt.index)
        if self._is_deleted(run, attempt) or not _uploads(attempt, now):
            return False
        if attempt.spec.work in TESTING and not self._sizes(run, attempt).archive:
            return False  # its runner failed before any test
        return number in self._kept or now < attempt_end(attempt) + KEPT_FOR.total_seconds()

    def expire_at(self, run: Run, attempt: Attempt, now: float) -> datetime | None:
        """Return when what a job uploaded is, or was, thrown away; None where that stays."""
        number = job_id(run.id, attempt.index)
        if number in self._kept or self._is_deleted(run, attempt) or not _uploads(attempt, now):
            return None
        return moment(attempt_end(attempt)) + KEPT_FOR

    def archive(self, run: Run, attempt: Attempt, now: float) -> Archive | None:
        return self._archive(run, attempt) if self.has_archive(run, attempt, now) else None

    def suite(self, run: Run, attempt: Attempt, now: float) -> SuiteReport | None:
        """Return what a job's tests came to, once it has ended."""
        if attempt.spec.work not in TESTING or not _uploads(attempt, now):
            return None
        return self._suite(run, attempt)

    def keep(self, number: int) -> None:
        """Let what a job uploaded stay for good."""
        self._kept.add(number)

    def delete(self, number: int) -> None:
        """Throw away what a job uploaded; its log stays."""
        self._deleted.add(number)

    def delete_all(self, project_id: int, now: float) -> None:
        """Delete all artifacts of a project up to now, except kept ones."""
        self._cleared[project_id] = now

    def _is_deleted(self, run: Run, attempt: Attempt) -> bool:
        number = job_id(run.id, attempt.index)
        if number in self._deleted or number in self._kept:
            return number in self._deleted
        return (attempt.finished or 0.0) <= self._cleared.get(run.blueprint.id, -1.0)

    def _report(self, run: Run, attempt: Attempt) -> SuiteReport | None:
        text = plain_text(self._logs.whole(run, attempt))
        return suite_of(run, job_id(run.id, attempt.index), attempt.spec.name, text)

    def _measure(self, run: Run, attempt: Attempt) -> _Sizes:
        if attempt.started is None:
            return _Sizes(0)
        if attempt.spec.work not in ARCHIVING or attempt.outcome == "canceled":
            return _Sizes(self._logs.size(run, attempt))
        log = self._logs.whole(run, attempt)
        archive, suite = self._files(run, attempt, log)
        junit = archive.file(JUNIT)
        if attempt.spec.work in TESTING and suite is None:
            return _Sizes(len(log))
        return _Sizes(
            log=len(log),
            archive=archive.size,
            metadata=_METADATA + _METADATA_OF_MEMBER * len(archive.members),
            junit=len(gzip.compress(junit.block, 1, mtime=0)) if junit else 0,
        )

    def _pack(self, run: Run, attempt: Attempt) -> Archive:
        return self._files(run, attempt, self._logs.whole(run, attempt))[0]

    def _files(self, run: Run, attempt: Attempt, log: bytes) -> tuple[Archive, SuiteReport | None]:
        number, text = job_id(run.id, attempt.index), plain_text(log)
        suite = None
        if attempt.spec.work in TESTING:
            suite = suite_of(run, number, attempt.spec.name, text)
        members = members_of(run, attempt, number, text, suite)
        made_at = moment(attempt_end(attempt))
        return Archive(f"artifacts of job {number}", members, made_at), suite


def attempt_end(attempt: Attempt) -> float:
    """Return when a job that ended did so. Raises ValueError: it never ends."""
    if attempt.finished is None:
        raise ValueError(f"job {attempt.spec.name} never ends")
    return attempt.finished


def _uploads(attempt: Attempt, now: float) -> bool:
    status = attempt.status_at(now)
    if is_erased(attempt, now):
        return False
    if attempt.cause is causes.RUNNER_FAILURE and status == "failed":
        return False
    always = attempt.spec.work in TESTING
    return attempt.spec.work in ARCHIVING and (
        status == "success" or (always and status == "failed" and attempt.started is not None)
    )
