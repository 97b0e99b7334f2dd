"""The logs of all jobs, generated on demand, with the latest ones cached."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui_emulator.world import causes
from platui_emulator.world.clock import SeededRandom, job_id
from platui_emulator.world.logs import dbt, runner, scripts
from platui_emulator.world.logs.failures import fail
from platui_emulator.world.logs.finished import FinishedLog
from platui_emulator.world.logs.growing import GrowingLog
from platui_emulator.world.logs.writing import Draft, Written, write
from platui_emulator.world.pipeline_yaml import script_of

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.records import LongText
    from platui_emulator.world.plans import Attempt, Run

_SHELF: Final = 4_000_000
"""Bytes of cached logs; the length of a log is known only after generating it."""
_SIZES: Final = 4096
_LONG: Final = 4


class GeneratedLogs:
    """Where logs are read."""

    def __init__(self, chance: SeededRandom) -> None:
        self._chance = chance
        self._shelf: dict[tuple[Run, Attempt], Written] = {}
        self._room = _SHELF
        self._sizes = lru_cache(maxsize=_SIZES)(self._size)
        self._finished = lru_cache(maxsize=_LONG)(self._finish)
        self._growing = lru_cache(maxsize=_LONG)(self._grow)

    def log(self, run: Run, attempt: Attempt, now: float) -> bytes | LongText:
        """Return the current log of a job: empty before its start, then whole lines."""
        if attempt.started is None or attempt.started > now:
            return b""
        if attempt.spec.lines_per_second:
            return self._growing(run, attempt).at(min(now, _silent_from(attempt) or now))
        if attempt.spec.log_bytes:
            return self._finished(run, attempt)
        going_on = attempt.intended
        if going_on is None:
            return self._written(run, attempt).at(now)
        # Somebody stopped it: what it had said by then, and then the runner's last words.
        said = self._written(run, going_on).at(min(_silent_from(attempt) or now, now))
        return said + self._written(run, attempt).at(now)

    def size(self, run: Run, attempt: Attempt) -> int:
        """Return how many bytes a job's finished log has."""
        return self._sizes(run, attempt) if attempt.started is not None else 0

    def prepare(self, run: Run, attempt: Attempt) -> None:
        """Prepare a long log, so that readers do not wait."""
        if attempt.spec.lines_per_second:
            self._growing(run, attempt)
        elif attempt.spec.log_bytes:
            self._finished(run, attempt).prepare()

    def whole(self, run: Run, attempt: Attempt) -> bytes:
        """Return the final log of a job without a long one."""
        return self._written(run, attempt).data

    def finished(self, run: Run, attempt: Attempt) -> FinishedLog | None:
        """Return the log of a job that wrote a long one and has ended."""
        return self._finished(run, attempt) if attempt.spec.log_bytes else None

    def _finish(self, run: Run, attempt: Attempt) -> FinishedLog:
        return FinishedLog(self._chance, run, attempt, attempt.spec.log_bytes)

    def _grow(self, run: Run, attempt: Attempt) -> GrowingLog:
        return GrowingLog(self._chance, run, attempt, attempt.spec.lines_per_second)

    def _size(self, run: Run, attempt: Attempt) -> int:
        if attempt.spec.lines_per_second:
            return self._growing(run, attempt).at(_silent_from(attempt) or 0).size
        if attempt.spec.log_bytes:
            return self._finished(run, attempt).size
        size = len(self._written(run, attempt).data)
        if attempt.intended is not None:
            stopped = _silent_from(attempt) or attempt.created
            size += len(self._written(run, attempt.intended).at(stopped))
        return size

    def _written(self, run: Run, attempt: Attempt) -> Written:
        key = run, attempt
        found = self._shelf.pop(key, None)
        if found is None:
            found = self._write(run, attempt)
            self._room -= len(found.data)
        self._shelf[key] = found
        while self._room < 0 and len(self._shelf) > 1:
            self._room += len(self._shelf.pop(next(iter(self._shelf))).data)
        return found

    def _write(self, run: Run, attempt: Attempt) -> Written:
        started, finished = attempt.started, attempt.finished
        if started is None or finished is None:
            raise ValueError(f"job {attempt.spec.name} never runs")
        if attempt.intended is not None:
            draft, started = Draft(), attempt.when("canceling") or started
            runner.be_stopped(draft)
        else:
            draft = self._draft(run, attempt, finished - started)
        return write(draft, started, finished, stamped=run.blueprint.stamped)

    def _draft(self, run: Run, attempt: Attempt, seconds: float) -> Draft:
        draft = Draft()
        dice = self._chance.dice("log", job_id(run.id, attempt.index))
        runner.prepare_executor(draft, dice, attempt)
        if attempt.cause is not None and attempt.cause.by_runner:
            runner.fail_to_prepare(draft, dice, attempt.cause)
            return draft
        runner.prepare_script(draft, dice, run, attempt)
        runner.get_sources(draft, dice, run)
        self._script(draft, dice, run, attempt, seconds)
        if attempt.outcome == "canceled" or attempt.cause is causes.TIMEOUT:
            # Stopped from outside: the program had more to say.
            del draft.script[-(len(draft.script) // 5 + 1) :]
        runner.finish(draft, attempt)
        return draft

    @staticmethod
    def _script(draft: Draft, dice: Random, run: Run, attempt: Attempt, seconds: float) -> None:
        draft.place = draft.script
        for line in script_of(run.blueprint, attempt.spec):
            draft.command(line)
            if line == "dbt deps":
                dbt.deps(draft)
            elif line.endswith(" verify"):
                scripts.verify(draft, run, attempt)
            elif _is_work(line):
                _work(draft, dice, run, attempt, seconds)
                if attempt.outcome == "failed":
                    break  # the shell stops at the first command that fails
        fail(draft, run, attempt)
        if attempt.spec.work in _DBT:
            draft.keep_talking(seconds, "Waiting for the warehouse, 8 queries are running")


def _silent_from(attempt: Attempt) -> float | None:
    """Return when a job's own program stops talking; None where it never does."""
    return attempt.when("canceling") or attempt.finished


def _is_work(line: str) -> bool:
    return not line.startswith("pip install") and not line.endswith("upload_docs.py")


def _work(draft: Draft, dice: Random, run: Run, attempt: Attempt, seconds: float) -> None:
    if (of_dbt := _DBT.get(attempt.spec.work)) is not None:
        of_dbt(draft, dice, run, attempt)
    else:
        _PROGRAMS.get(attempt.spec.work, scripts.tool)(draft, dice, run, attempt, seconds)


_DBT: Final = {
    "dbt_run": dbt.run,
    "dbt_test": dbt.test,
    "dbt_seed": dbt.seed,
    "dbt_snapshot": dbt.seed,
    "freshness": dbt.freshness,
    "docs": dbt.docs,
}

_PROGRAMS: Final = {
    "load": scripts.load,
    "sync": scripts.sync,
    "sql": scripts.sql,
    "cleanup": scripts.cleanup,
    "train": scripts.train,
    "unit_tests": scripts.unit_tests,
    "lint": scripts.lint,
}
