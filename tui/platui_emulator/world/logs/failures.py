"""The last words of a script that fails, cause by cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator import data
from platui_emulator.world import causes
from platui_emulator.world.clock import moment
from platui_emulator.world.logs.dbt_errors import is_said_by_dbt
from platui_emulator.world.logs.writing import ESC, Draft, Kind

if TYPE_CHECKING:
    from platui_emulator.world.plans import Attempt, Run

_DBT: Final = frozenset({"dbt_run", "dbt_test", "freshness"})


def fail(draft: Draft, job: Run, attempt: Attempt) -> None:
    """Write why the script fails, unless its program already did."""
    cause = attempt.cause
    if cause is None or (is_said_by_dbt(cause) and attempt.spec.work in _DBT):
        return
    soft = _SOFT.get(attempt.spec.work) if cause is causes.SOFT_FAILURE else None
    words = _WORDS.get(cause.key, soft)
    if words is None:
        return  # the runner reports it: it stopped the script
    source, subject = job.blueprint.source, attempt.spec.subject or job.blueprint.entities[0]
    values = {
        "source": source,
        "path": job.blueprint.record.full_path,
        "host": source.replace("_", "-"),
        "subject": subject,
        "package": "acme_sync" if attempt.spec.work == "sync" else "acme_ingest",
        "field": _FIELDS[attempt.story % len(_FIELDS)],
        "page": 2 + attempt.story % 17,
        "name": attempt.spec.name,
        "line": 12 + attempt.story % 9,
        "pid": 40 + attempt.story % 200,
        "commit": job.commit.sha[:8],
        "query": f"{attempt.story % (1 << 48):012x}",
        "day": f"{moment(attempt.created):%Y-%m-%d %H:%M:%S}",
        "project": job.blueprint.package,
        "esc": ESC,
    }
    if attempt.spec.work in {"load", "sync"} and cause is not causes.OUT_OF_MEMORY:
        draft.logged(f"ERROR    {values['package']}.{source}: {subject} failed", 0.5)
    draft.block(words.format(**values), kind=Kind.ERROR)


_FIELDS: Final = (
    "shipping_address", "billing_country", "customer_ref", "price_list_id", "consent_source",
)  # fmt: skip


_WORDS: Final = data.sections("failures.txt")

_SOFT: Final = data.sections("failures_soft.txt")
