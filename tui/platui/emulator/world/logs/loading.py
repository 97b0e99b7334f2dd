"""What ingestion and activation write: pages fetched, rows written, batches sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.world.logs.writing import Kind

if TYPE_CHECKING:
    from random import Random

    from platui.emulator.world.logs.writing import Draft
    from platui.emulator.world.plans import Attempt, Run

_LINES_PER_SECOND: Final = 0.8
_BAR: Final = 30


def load(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    """Write the load of a table from its source."""
    blueprint, table = job.blueprint, attempt.spec.subject
    module = f"acme_ingest.{blueprint.source}"
    target = f"RAW.{blueprint.source}.{table}".upper()
    draft.logged(f"INFO     {module}: load of {table} begins, {job.ref} {job.commit.sha[:8]}")
    draft.logged(f"INFO     {module}: watermark {attempt.created:.0f}, page size 500")
    pages = max(8, int(seconds * _LINES_PER_SECOND))
    rows = 0
    for page in range(1, pages + 1):
        count = 500 if page < pages else dice.randrange(3, 500)
        rows += count
        took = dice.randrange(90, 1900)
        draft.logged(f"INFO     {module}.client: GET /{table}?page={page} 200 in {took} ms")
        if page % 3 == 0:
            draft.logged(f"INFO     {module}.loader: {target}: {rows} rows staged", 0.4)
        if took > 1850:  # noqa: PLR2004  (milliseconds that are worth a word)
            draft.logged(f"WARNING  {module}.client: slow answer, {took} ms for page {page}", 0.1)
    if attempt.outcome != "success":
        return
    draft.add(_progress(f"Uploading {table}.parquet", dice, rows), 1.0, Kind.PROGRESS)
    draft.block(_merge(target, table, blueprint.source), 0.05)
    draft.logged(f"INFO     {module}.loader: {target}: {rows} rows merged, 0 rejected", 2.0)


def verify(draft: Draft, job: Run, attempt: Attempt) -> None:
    """Write the check after a load."""
    module = f"acme_ingest.{job.blueprint.source}"
    for what in ("row count", "primary key", "watermark"):
        draft.logged(f"INFO     {module}.verify: {attempt.spec.subject}: {what} ok", 0.7)


def sync(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    """Write how rows are sent to another system."""
    blueprint, thing = job.blueprint, attempt.spec.subject
    module = f"acme_sync.{blueprint.source}"
    draft.logged(f"INFO     {module}: {thing}: comparing with the last sync")
    batches = max(8, int(seconds * _LINES_PER_SECOND))
    changed = batches * 200 - dice.randrange(1, 199)
    draft.logged(f"INFO     {module}: {thing}: {changed} changed, {dice.randrange(9999)} unchanged")
    refused = 0
    for batch in range(1, batches + 1):
        bad = dice.randrange(1, 5) if dice.random() < 0.05 else 0  # noqa: PLR2004  (a share)
        refused += bad
        draft.logged(
            f"INFO     {module}: POST /{thing}/batch {batch}/{batches} "
            f"200 accepted={200 - bad} refused={bad}"
        )
        if bad:
            draft.logged(f"WARNING  {module}: {bad} rows refused: invalid e-mail address", 0.1)
    if attempt.outcome == "success":
        draft.logged(f"INFO     {module}: {thing}: sent {changed}, refused {refused}")


def _progress(label: str, dice: Random, rows: int) -> str:
    """Return the states of a progress bar, as one line."""
    size = rows * dice.randrange(40, 220) / 1_048_576
    states = []
    for share in (0, 9, 23, 41, 58, 77, 92, 100):
        filled = share * _BAR // 100
        bar = "█" * filled + " " * (_BAR - filled)
        states.append(f"{label}: {share:3d}%|{bar}| {size * share / 100:.1f}/{size:.1f}MiB")
    return "\r".join(states)


def _merge(target: str, table: str, source: str) -> str:
    return f"""\
COPY INTO {target}__STAGE
  FROM @RAW.{source.upper()}_STAGE/{table}/
  FILE_FORMAT = (TYPE = PARQUET) MATCH_BY_COLUMN_NAME = CASE_INSENSITIVE;
MERGE INTO {target} AS t
  USING {target}__STAGE AS s
     ON t.ID = s.ID
   WHEN MATCHED AND s.UPDATED_AT > t.UPDATED_AT THEN UPDATE ALL BY NAME
   WHEN NOT MATCHED THEN INSERT ALL BY NAME;"""
