"""Lines of data, as they are printed for people."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli.output.lists import table_lines
from platui.cli.output.stdout import fitted, print_lines
from platui.core.text import cells
from platui.present.tables.column_widths import aligned
from platui.present.tables.spec import ColumnSpec, TableSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.present.tables.spec import Context


def table_of(*columns: ColumnSpec[Any]) -> TableSpec[Sequence[str]]:
    """Return a table of texts, a column each, titled by its key."""
    named = tuple(
        replace(one, title=one.key, value=partial(_text, at)) for at, one in enumerate(columns)
    )
    return TableSpec(key=lambda row: row[0], columns=named, cli_blank="")


def _text(at: int, row: Sequence[str], _at: Context) -> str:
    return row[at]


def test_counts_end_alike_and_texts_begin_alike() -> None:
    """Also where letters are two cells wide."""
    rows = [("NAME", "COUNT", "WHERE"), ("日本", "7", "x"), ("a", "1,024", "")]
    assert aligned(rows, {1}) == ["NAME  COUNT  WHERE", "日本      7  x", "a     1,024"]


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("ascii", "x + * ? ~ -"), ("latin-1", "x + * ? ~ ·"), ("utf-8", "✖ ✔ ● 日 … ·")],
)
def test_signs_that_cannot_be_written_have_others(
    monkeypatch: pytest.MonkeyPatch, encoding: str, shown: str
) -> None:
    """Those of --ascii, each of its own; what has none is a question mark."""
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding))
    print_lines(["✖ ✔ ● 日 … ·"])
    assert written.getvalue().decode(encoding) == f"{shown}\n"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("0123456789", "0123456789"),
        ("0123456789a", "012345678…"),
        ("01234567  89", "01234567…"),
        ("日本日本日本", "日本日本…"),
        ("x日本日本日本", "x日本日本…"),
    ],
)
def test_a_line_is_no_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, line: str, shown: str
) -> None:
    """What does not fit ends with an ellipsis; into a pipe it is whole."""
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    assert list(fitted([line])) == [shown]
    assert cells(shown) <= 10
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: False)
    assert list(fitted([line])) == [line]


def test_paths_keep_their_ends_where_a_table_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As much of them as the other columns leave, and never next to nothing."""
    path = "group/subgroup/another/project"
    table = table_of(ColumnSpec("PATH", minimum=20, ends=True), ColumnSpec("LEVEL"))
    rows = [(path, "OWNER"), ("日本/" * 8, "GUEST"), ("a", "")]
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    for room, width in (("32", 25), ("27", 20)):
        monkeypatch.setenv("COLUMNS", room)
        shown = [line[:-5] if line.endswith(("OWNER", "GUEST")) else line
                 for line in table_lines(rows, table)]  # fmt: skip
        assert shown[1].rstrip() == f"…{path[-(width - 1) :]}"
        assert width - 1 <= cells(shown[2].rstrip()) <= width
        assert shown[2].rstrip().endswith("日本/")
        assert shown[3] == "a"
    assert list(table_lines([], table)) == []
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: False)
    assert list(table_lines(rows, table)) == aligned([("PATH", "LEVEL"), *rows])


def test_texts_give_way_so_that_counts_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other: shorter first, then left out; what is left is as wide as it must be."""
    table = table_of(
        ColumnSpec("NAME", minimum=8),
        ColumnSpec("COUNT", right=True),
        ColumnSpec("E-MAIL", minimum=10, priority=1),
    )
    rows = [("Ada Lovelace", "12,345", "ada@acme.example")]
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    for room, row in (
        ("40", ["Ada", "Lovelace", "12,345", "ada@acme.example"]),
        ("34", ["Ada", "Lovelace", "12,345", "ada@acme.ex…"]),
        ("28", ["Ada", "Lov…", "12,345", "ada@acme.…"]),
        ("20", ["Ada", "Lovelace", "12,345"]),  # of the room of what was left out
        ("19", ["Ada", "Lovela…", "12,345"]),
    ):
        monkeypatch.setenv("COLUMNS", room)
        lines = list(table_lines(rows, table))
        assert lines[1].split() == row
        assert max(map(cells, lines)) <= int(room)
