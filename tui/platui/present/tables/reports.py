"""The table of saved access reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.access import ReportInfo
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import dated

if TYPE_CHECKING:
    from platui.models.values.reports import DamagedReport


class Saved(NamedTuple):
    report: ReportInfo | DamagedReport
    number: int | None = None  # Argument of commands; None: it cannot be opened


def _info(name: str) -> ColumnSpec[Saved]:
    return ColumnSpec(name, value=lambda one, _: getattr(one.report, name, None))


def _count(name: str, *, priority: int = 0) -> ColumnSpec[Saved]:
    def shown(one: Saved, _at: Context) -> str:
        return f"{getattr(one.report, name):,}" if isinstance(one.report, ReportInfo) else ""

    return ColumnSpec(
        name, name.upper(), value=_info(name).value, cell=shown, right=True, priority=priority
    )


def _levels(one: Saved, _at: Context) -> dict[str, int]:
    levels = one.report.levels if isinstance(one.report, ReportInfo) else ()
    return {clean(level): count for level, count in levels}


SAVED: Final[TableSpec[Saved]] = TableSpec(
    key=lambda one: one.report.id,
    cli=(
        "number", "id", "fetched_at", "people", "memberships", "groups", "projects", "origin",
    ),
    columns=(
        ColumnSpec("id", "ID", value=lambda one, _: one.report.id),
        ColumnSpec(
            "fetched_at", "DATE",
            value=lambda one, _: one.report.fetched_at.isoformat(timespec="seconds"),
            cell=lambda one, at: dated(one.report.fetched_at, utc=at.utc),
        ),
        ColumnSpec(
            "origin", "FROM", value=_info("origin").value, cli_limit=40, minimum=16, ends=True,
            cell=lambda one, _: getattr(one.report, "origin", "damaged"),
        ),
        ColumnSpec("bytes", value=_info("size").value),
        ColumnSpec("sha256", value=_info("digest").value),
        _count("people"),
        _count("groups", priority=3),
        _count("projects", priority=2),
        _count("memberships", priority=1),
        ColumnSpec("levels", value=_levels),
        ColumnSpec("damaged", value=lambda one, _: getattr(one.report, "problem", None)),
        ColumnSpec(
            "number", name=None, right=True,
            cli_text=lambda one, _: str(one.number or " "),  # blank instead of "-"
        ),
    ),
)  # fmt: skip
_OF_DAMAGED: Final = ("id", "fetched_at", "damaged")


def info_object(info: ReportInfo) -> dict[str, Any]:
    return SAVED.less("damaged").object(Saved(info))


def saved_object(one: Saved) -> dict[str, Any]:
    found = SAVED.object(one)
    is_whole = isinstance(one.report, ReportInfo)
    return found if is_whole else {name: found[name] for name in _OF_DAMAGED}
