"""The failed tests of a pipeline: their columns, lines in details, and output."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.table import Cell, LineBelow, Row
from platui.present.counts import counted
from platui.present.details.layout import Details, Field, Group, details, text_cell
from platui.present.tables.spec import TIMELESS, ColumnSpec, TableSpec, seconds
from platui.present.times import duration

if TYPE_CHECKING:
    from platui.models.values.tests import FailedTest, FailedTests

NOT_SUPPORTED: Final = "Test reports are not supported by this platform."
NO_REPORT: Final = "This pipeline has no test report."
_SHOWN: Final = 5  # Tests listed in details
_MESSAGE: Final = 2_000  # Characters of output whose first line is the message
_MOST: Final = 4_000  # Characters of output in details


def output_of(test: FailedTest) -> str:
    """Return the whole output of a test: message and trace, as the platform sent them."""
    return "\n\n".join(filter(None, (test.case.system_output, test.case.stack_trace)))


def message_of(test: FailedTest) -> str:
    """Return the first line of its output."""
    text = output_of(test)[:_MESSAGE]
    return clean(next((line for line in text.splitlines() if line.strip()), "").strip())


def _took(test: FailedTest) -> str:
    took = test.case.execution_time
    return "" if took is None else duration(took) if took >= 1 else f"{took * 1000:.0f}ms"


TESTS: Final[TableSpec[FailedTest]] = TableSpec(
    key=lambda one: one.key,
    columns=(
        ColumnSpec("is_new", "NEW", cell=lambda one, _: Cell("new" * bool(one.is_new), "warning"),
                   value=lambda one, _: one.is_new, width=3),
        ColumnSpec("name", "TEST", value=lambda one, _: one.case.name, role="failed", width=40,
                   minimum=20, flexible=True, middle=True),
        ColumnSpec("job", "JOB", value=lambda one, _: one.suite or None, width=20, minimum=10,
                   priority=1, fits=True),
        ColumnSpec("took", "TOOK", value=lambda one, _: seconds(one.case.execution_time),
                   cell=lambda one, _: _took(one), role="muted", width=6, right=True, priority=2),
        ColumnSpec("classname", value=lambda one, _: one.case.classname or None),
        ColumnSpec("file", value=lambda one, _: one.case.file or None),
        ColumnSpec("status", value=lambda one, _: one.case.status),
        ColumnSpec("message", "MESSAGE", value=lambda one, _: message_of(one) or None),
        ColumnSpec("output", value=lambda one, _: one.case.system_output or None),
        ColumnSpec("trace", value=lambda one, _: one.case.stack_trace or None),
    ),
    search=lambda one: (one.case.classname, one.case.file, message_of(one)),
)  # fmt: skip


def failed_rows(found: FailedTests) -> list[Row]:
    """Return a row for each failed test, its message below; tests of one key are numbered.

    In a thread: there may be thousands.
    """
    rows, numbers = [], Counter[str]()
    for one in found.failed:
        key = f"{one.key}\0{numbers[one.key]}"
        numbers[one.key] += 1
        text = message_of(one)
        below = (LineBelow(Cell(f"    {text}", "muted")),) if text else ()
        rows.append(replace(TESTS.row(one, TIMELESS), key=key, below=below))
    return rows


def summary_pieces(found: FailedTests) -> list[tuple[str, str]]:
    if not found.has_report:
        return []
    pieces = [(failed_text(found), "failed" if found.failed else "success")]
    pieces.append((counted(found.total, "test"), "text"))
    if found.broken_suites:
        pieces.append((f"unreadable: {clean(found.broken_suites[0])}", "warning"))
    return pieces


def case_details(test: FailedTest) -> Details:
    case = test.case
    return details(
        case.name,
        {
            "": [
                ("status", text_cell(case.status, "failed")),
                ("", Cell("new since the last success" * bool(test.is_new), "warning")),
                ("job", test.suite),
                ("took", _took(test)),
            ],
            "what": [("class", case.classname), ("file", case.file)],
            "output": [
                Field("", text_cell(line), is_wide=True)
                for line in output_of(test)[:_MOST].splitlines()
            ],
        },
    )


def failed_text(found: FailedTests) -> str:
    """Return the counts: `3 failed, 1 new since the last success #4711`."""
    text = f"{len(found.failed):,} failed"
    if found.last_success is None:
        return text
    return f"{text}, {found.new or 'none'} new since the last success"


def with_tests(pane: Details, found: FailedTests) -> Details:
    """Return a pane with the failed tests, after their first group."""
    if not found.failed:
        return pane
    lines = [Field("", Cell(failed_text(found), "failed"), is_line=True)]
    for one in found.failed[:_SHOWN]:
        new = "new: " * bool(one.is_new)
        lines.append(Field("", text_cell(f"{new}{one.case.name}", "strong"), is_line=True))
        lines.append(Field("", text_cell(f"  {message_of(one)}", "muted"), is_line=True))
    if (more := len(found.failed) - _SHOWN) > 0:
        lines.append(Field("", Cell(f"and {counted(more, 'other')}", "muted"), is_line=True))
    first, *others = pane.groups
    return pane._replace(groups=(first, Group("failed tests", tuple(lines)), *others))
