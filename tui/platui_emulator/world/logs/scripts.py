"""What the other scripts write: SQL files, training, unit tests, linting, small tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator import data
from platui_emulator.world import models
from platui_emulator.world.clock import job_id, model_mebibytes
from platui_emulator.world.logs.writing import ESC, Draft, Kind

if TYPE_CHECKING:
    from random import Random

    from platui_emulator.world.plans import Attempt, Run


_GREEN: Final = f"{ESC}[32m"
_YELLOW: Final = f"{ESC}[33m"
_OFF: Final = f"{ESC}[0m"


def sql(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    names = models.model_names(job.blueprint)
    schema = job.blueprint.package.upper()
    for number in range(max(3, int(seconds * 0.25))):
        name = dice.choice(names)
        statement = data.TEMPLATES["create_table"]
        values = {"job": attempt.spec.name, "schema": schema, "name": name.upper()}
        draft.block(statement.format(**values), 0.4)
        draft.add("+----------------------------------------------------+", 0.2)
        draft.add(f"| {f'Table {name.upper()} successfully created.':<50} |", 0.6)
        draft.add("+----------------------------------------------------+", 0.02)
        draft.add(
            f"{dice.randrange(1, 90000)} Row(s) produced. Time Elapsed: {dice.random() * 3:.3f}s"
        )
        if number % 4 == 3:  # noqa: PLR2004  (now and then)
            draft.add("", 0.02)


def cleanup(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    schema = f"{job.blueprint.package}_{job.commit.sha[:8]}".upper()
    for name in models.model_names(job.blueprint)[: max(6, int(seconds))]:
        draft.add(f"DROP TABLE IF EXISTS DEV.{schema}.{name.upper()};", dice.random())
    draft.add(f"DROP SCHEMA IF EXISTS DEV.{schema} CASCADE;")
    draft.add(f"{attempt.spec.name}: done")


def train(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    module = f"{job.blueprint.package}.train"
    rows = dice.randrange(200_000, 4_000_000)
    draft.logged(f"INFO     {module}: {rows} rows, 184 features, device=cuda:0")
    loss, epochs = 0.693, max(10, int(seconds / 8))
    for epoch in range(1, epochs + 1):
        states = [
            f"epoch {epoch:3d}/{epochs} [{'#' * done:<20}] {done * 5:3d}%"
            for done in (2, 8, 14, 20)
        ]
        draft.add("\r".join(states), 2.0, Kind.PROGRESS)
        for step in range(3):
            loss *= 0.985 + dice.random() * 0.012
            draft.logged(f"DEBUG    {module}: step {epoch * 300 + step * 100} loss={loss:.5f}", 1.6)
        auc = 0.94 - loss * 0.4
        draft.logged(f"INFO     {module}: epoch {epoch} loss={loss:.5f} val_auc={auc:.4f}")
    if attempt.outcome == "success":
        size = model_mebibytes(job_id(job.id, attempt.index))
        draft.logged(f"INFO     {module}: saved target/model.bin ({size} MiB)")


def unit_tests(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    package = job.blueprint.package
    draft.block(data.TEMPLATES["pytest"].format(count=max(40, int(seconds) * 12)))
    files = max(12, int(seconds * 0.8))
    for number in range(files):
        entity = job.blueprint.entities[number % len(job.blueprint.entities)]
        dots = "." * dice.randrange(8, 40)
        share = (number + 1) * 100 // files
        name = f"tests/{package}/test_{entity}_{number}.py"
        draft.add(f"{name} {_GREEN}{dots}{_OFF} {share:>{max(1, 70 - len(name) - len(dots))}}%")
    if attempt.outcome == "success":
        covered = 80 + (attempt.story + int(attempt.created)) % 150 / 10
        draft.add("", 0.1)
        draft.add(f"TOTAL {dice.randrange(2000, 9000)} statements {covered:.2f}%", 0.5)
        draft.add(f"{_GREEN}{files * 14} passed{_OFF} in {seconds:.1f}s", 0.2)


def lint(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    for name in models.model_names(job.blueprint)[: max(20, int(seconds))]:
        path = models.path_of(name)
        if dice.random() < 0.12:  # noqa: PLR2004  (a share)
            draft.add(f"== [{path}] {_YELLOW}FAIL{_OFF}", 0.5)
            line = dice.randrange(4, 60)
            draft.add(f"L: {line:3d} | P:   9 | LT02 | Expected indent of 8 spaces.", 0.02)
        else:
            draft.add(f"== [{path}] {_GREEN}PASS{_OFF}", 0.5 + dice.random())
    if attempt.outcome == "success":
        draft.add("All Finished 📜 🎉!", 0.2)


def tool(draft: Draft, dice: Random, job: Run, attempt: Attempt, seconds: float) -> None:
    name = f"{job.blueprint.package}.{attempt.spec.name}"
    steps = max(10, int(seconds * 0.7))
    for step in range(1, steps + 1):
        entity = job.blueprint.entities[step % len(job.blueprint.entities)]
        verb = ("read", "checked", "wrote")[step % 3]
        draft.logged(
            f"INFO     {name}: {verb} {entity}, {dice.randrange(10, 90_000)} rows ({step}/{steps})"
        )


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
    source = blueprint.source.upper()
    merge = data.TEMPLATES["merge"].format(target=target, table=table, source=source)
    draft.block(merge, 0.05)
    draft.logged(f"INFO     {module}.loader: {target}: {rows} rows merged, 0 rejected", 2.0)


def verify(draft: Draft, job: Run, attempt: Attempt) -> None:
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
    size = rows * dice.randrange(40, 220) / 1_048_576
    states = []
    for share in (0, 9, 23, 41, 58, 77, 92, 100):
        filled = share * _BAR // 100
        bar = "█" * filled + " " * (_BAR - filled)
        states.append(f"{label}: {share:3d}%|{bar}| {size * share / 100:.1f}/{size:.1f}MiB")
    return "\r".join(states)
