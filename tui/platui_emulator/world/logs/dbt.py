"""What dbt writes: runs, tests, seeds, snapshots, freshness, docs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator.world import models
from platui_emulator.world.logs import dbt_errors
from platui_emulator.world.logs.writing import ESC, Draft

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.plans import Attempt, Run

_WIDTH: Final = 78
_SEEDS: Final = ("country_codes", "currency_codes", "vat_rates", "holiday_calendar", "channel_map")
_GREEN: Final = f"{ESC}[32m"
_RED: Final = f"{ESC}[31m"
_YELLOW: Final = f"{ESC}[33m"
_OFF: Final = f"{ESC}[0m"
_THREADS: Final = 8
_DEPENDENT: Final = 0.09
_MOST_TESTS: Final = 1200
_TESTS: Final = ("not_null", "unique", "accepted_values", "relationships", "dbt_utils_recency")


def deps(draft: Draft) -> None:
    """Write `dbt deps`."""
    draft.clock("Running with dbt=1.8.7", 1.5)
    for package, version in (
        ("dbt-labs/dbt_utils", "1.3.0"),
        ("calogica/dbt_expectations", "0.10.4"),
    ):
        draft.clock(f"Installing {package}", 0.8)
        draft.clock(f"Installed from version {version}", 0.3)
        draft.clock("Up to date!", 0.05)


def _announce(draft: Draft, blueprint: Blueprint) -> None:
    draft.clock("Running with dbt=1.8.7", 1.5)
    draft.clock(f"Registered adapter: {blueprint.adapter}=1.8.1")
    draft.clock(
        f"Found {blueprint.models} models, 3 snapshots, 6 seeds, {blueprint.models * 2} data "
        f"tests, {len(blueprint.entities)} sources, 4 exposures, 611 macros",
        1.5,
    )
    draft.clock("", 0.01)
    draft.clock(f"Concurrency: 8 threads (target={_YELLOW}'prod'{_OFF})")
    draft.clock("", 0.01)


def run(draft: Draft, dice: Random, job: Run, attempt: Attempt) -> None:
    """Write `dbt run`."""
    _announce(draft, job.blueprint)
    count = max(6, round((attempt.spec.seconds - 40) / 1.1))
    names = models.model_names(job.blueprint, count)
    error = dbt_errors.model_error(job, attempt, names)
    table = _Table(draft, dice, names, names.index(error.model) + 1 if error else 0)
    table.fill()
    _close(draft, f"{len(names)} models", table.counts(), error)


class _Table:
    """The rows of a run: eight models at a time, each with a start and an end."""

    def __init__(self, draft: Draft, dice: Random, names: list[str], broken: int) -> None:
        self._draft = draft
        self._dice = dice
        self._names = names
        self._broken = broken
        self._skipped = 0

    def fill(self) -> None:
        at_work: list[int] = []
        for number in range(1, len(self._names) + 1):
            if self._broken and number > self._broken and self._dice.random() < _DEPENDENT:
                self._skip(number)
                continue
            self._row(number, f"START {self._what(number)}", "[RUN]", self._dice.random())
            at_work.append(number)
            if len(at_work) >= _THREADS:
                self._end(at_work.pop(self._dice.randrange(3)))
        for number in at_work:
            self._end(number)

    def counts(self) -> tuple[int, int, int]:
        """Return how many models passed, failed and were skipped."""
        failed = 1 if self._broken else 0
        return len(self._names) - self._skipped - failed, failed, self._skipped

    def _what(self, number: int) -> str:
        name = self._names[number - 1]
        kind = "view" if name.startswith("stg_") else "table"
        return f"sql {kind} model {models.folder_of(name)}.{name}"

    def _skip(self, number: int) -> None:
        name = self._names[number - 1]
        self._skipped += 1
        what = f"SKIP relation {models.folder_of(name)}.{name}"
        self._row(number, what, f"[{_YELLOW}SKIP{_OFF}]", 0.1)

    def _end(self, number: int) -> None:
        seconds = self._dice.uniform(0.4, 9.0)
        if number == self._broken:
            end = f"[{_RED}ERROR{_OFF} in {seconds:.2f}s]"
            self._row(number, f"ERROR creating {self._what(number)}", end, 1.0)
            return
        view = self._names[number - 1].startswith("stg_")
        result = "CREATE VIEW" if view else f"SUCCESS {self._dice.randrange(1, 900_000)}"
        end = f"[{_GREEN}{result}{_OFF} in {seconds:.2f}s]"
        self._row(number, f"OK created {self._what(number)}", end, 0.2 + self._dice.random())

    def _row(self, number: int, what: str, end: str, share: float) -> None:
        self._draft.clock(_row(number, len(self._names), what, end), share)


def test(draft: Draft, dice: Random, job: Run, attempt: Attempt) -> None:
    """Write `dbt test`."""
    blueprint = job.blueprint
    _announce(draft, blueprint)
    total = min(_MOST_TESTS, max(12, round((attempt.spec.seconds - 20) / 0.4)))
    names = models.model_names(blueprint)
    failing = dbt_errors.failing_tests(job, attempt, total)
    for number in range(1, total + 1):
        name = names[number * 7 % len(names)]
        kind = _TESTS[number % len(_TESTS)]
        label = f"{kind}_{name}_{models.entity_of(blueprint, name)}_id"
        failed = failing.get(number)
        if failed:
            label = failed.name
        draft.clock(_row(number, total, f"START test {label}", "[RUN]"), 0.3 * dice.random())
        seconds = dice.uniform(0.05, 3.0)
        if failed:
            end = f"[{_RED}FAIL {failed.rows}{_OFF} in {seconds:.2f}s]"
            draft.clock(_row(number, total, f"FAIL {failed.rows} {label}", end), 0.5)
        else:
            end = f"[{_GREEN}PASS{_OFF} in {seconds:.2f}s]"
            draft.clock(_row(number, total, f"PASS {label}", end), dice.random())
    _close_tests(draft, total, list(failing.values()))


def _close_tests(draft: Draft, total: int, failing: list[dbt_errors.FailingTest]) -> None:
    draft.clock("", 0.5)
    draft.clock(f"Finished running {total} data tests.", 0.1)
    _completed(draft, len(failing))
    for one in failing:
        draft.clock(f"{_RED}Failure in test {one.name} ({one.path}){_OFF}", 0.05)
        draft.clock(f"  Got {one.rows} results, configured to fail if != 0", 0.02)
        draft.clock("", 0.01)
        draft.clock(f"  compiled code at target/compiled/{one.path}/{one.name}.sql", 0.02)
        draft.clock("", 0.01)
    bad = len(failing)
    draft.clock(f"Done. PASS={total - bad} WARN=0 ERROR={bad} SKIP=0 TOTAL={total}", 0.05)


def _close(
    draft: Draft, what: str, counts: tuple[int, int, int], error: dbt_errors.ModelError | None
) -> None:
    passed, failed, skipped = counts
    draft.clock("", 0.5)
    draft.clock(f"Finished running {what}.", 0.1)
    _completed(draft, failed)
    if error:
        first, *rest = error.lines
        draft.clock(f"  {_RED}{first}{_OFF}", 0.05)
        for line in rest:
            draft.add(f"  {line}", 0.01)
        draft.clock("", 0.01)
    total = passed + failed + skipped
    draft.clock(f"Done. PASS={passed} WARN=0 ERROR={failed} SKIP={skipped} TOTAL={total}", 0.05)


def _completed(draft: Draft, errors: int) -> None:
    draft.clock("", 0.01)
    if errors:
        what = f"{errors} error{'s' if errors > 1 else ''}"
        draft.clock(f"{_RED}Completed with {what}, 0 partial successes, and 0 warnings:{_OFF}", 0.1)
    else:
        draft.clock(f"{_GREEN}Completed successfully{_OFF}", 0.1)
    draft.clock("", 0.01)


def seed(draft: Draft, dice: Random, job: Run, attempt: Attempt) -> None:
    """Write `dbt seed` and `dbt snapshot`."""
    _announce(draft, job.blueprint)
    snapshot = attempt.spec.work == "dbt_snapshot"
    names = (
        [f"{entity}_snapshot" for entity in job.blueprint.entities] if snapshot else list(_SEEDS)
    )
    word, verb = ("snapshot", "snapshotted") if snapshot else ("seed file", "loaded")
    for number, name in enumerate(names, 1):
        draft.clock(_row(number, len(names), f"START {word} staging.{name}", "[RUN]"))
        end = f"[{_GREEN}INSERT {dice.randrange(20, 9000)}{_OFF} in {dice.uniform(0.5, 9):.2f}s]"
        draft.clock(_row(number, len(names), f"OK {verb} {word} staging.{name}", end), 2.0)
        if snapshot:
            for step in ("delta identified", "closed superseded rows", "inserted new versions"):
                draft.clock(f"    {name}: {step} ({dice.randrange(1, 4000)} rows)", 2.0)
    _close(draft, f"{len(names)} {word}s", (len(names), 0, 0), None)


def freshness(draft: Draft, dice: Random, job: Run, attempt: Attempt) -> None:
    """Write `dbt source freshness`."""
    blueprint = job.blueprint
    _announce(draft, blueprint)
    total = len(blueprint.entities)
    stale = int(attempt.story % total) + 1 if attempt.outcome == "failed" else 0
    for number, entity in enumerate(blueprint.entities, 1):
        what = f"freshness of {blueprint.source}.{entity}"
        draft.clock(_row(number, total, f"START {what}", "[RUN]"))
        if number == stale:
            end = f"[{_RED}ERROR STALE{_OFF} in {dice.uniform(0.2, 2):.2f}s]"
            draft.clock(_row(number, total, f"ERROR STALE {what}", end))
        else:
            end = f"[{_GREEN}PASS{_OFF} in {dice.uniform(0.2, 2):.2f}s]"
            draft.clock(_row(number, total, f"PASS {what}", end))
    draft.clock("", 0.1)
    stale_text = f"{_RED}Source {blueprint.source} is stale: last record is 31 hours old{_OFF}"
    draft.clock(stale_text if stale else "Done.", 0.1)


def docs(draft: Draft, dice: Random, job: Run, _attempt: Attempt) -> None:
    """Write `dbt docs generate`."""
    _announce(draft, job.blueprint)
    for name in models.model_names(job.blueprint)[:60]:
        draft.clock(f"Compiled node {job.blueprint.package}.{name}", 0.5 + dice.random())
    draft.clock("Building catalog", 3.0)
    draft.clock("Catalog written to /builds/target/catalog.json", 1.0)


def _row(number: int, total: int, what: str, end: str) -> str:
    head = f"{number} of {total} {what} "
    return f"{head:.<{_WIDTH}} {end}"
