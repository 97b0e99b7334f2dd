"""Lines of data, as they are printed for people."""

from __future__ import annotations

import pytest

from platui.cli.table_fit import table
from platui.cli.told import fitted, fitted_table
from platui.core.cells import cells


def test_counts_end_alike_and_texts_begin_alike() -> None:
    """Also where letters are two cells wide."""
    rows = [("NAME", "COUNT", "WHERE"), ("日本", "7", "x"), ("a", "1,024", "")]
    assert table(rows, {1}) == ["NAME  COUNT  WHERE", "日本      7  x", "a     1,024"]


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
    monkeypatch.setattr("platui.cli.told.is_terminal", lambda: True)
    assert list(fitted([line])) == [shown]
    assert cells(shown) <= 10
    monkeypatch.setattr("platui.cli.told.is_terminal", lambda: False)
    assert list(fitted([line])) == [line]


def test_paths_keep_their_ends_where_a_table_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As much of them as the other columns leave, and never next to nothing."""
    path = "group/subgroup/another/project"
    rows = [("PATH", "LEVEL"), (path, "OWNER"), ("日本/" * 8, "GUEST"), ("a", "")]
    monkeypatch.setattr("platui.cli.told.is_terminal", lambda: True)
    for columns, width in (("32", 25), ("27", 20)):
        monkeypatch.setenv("COLUMNS", columns)
        shown = [line[:-5] if line.endswith(("OWNER", "GUEST")) else line
                 for line in fitted_table(rows, spare=[(0, 20)])]  # fmt: skip
        assert shown[1].rstrip() == f"…{path[-(width - 1) :]}"
        assert width - 1 <= cells(shown[2].rstrip()) <= width
        assert shown[2].rstrip().endswith("日本/")
        assert shown[3] == "a"
    assert list(fitted_table([])) == []
    monkeypatch.setattr("platui.cli.told.is_terminal", lambda: False)
    assert list(fitted_table(rows, spare=[(0, 20)])) == table(rows)


def test_texts_give_way_so_that_counts_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other: shorter first, then left out; what is left is as wide as it must be."""
    rows = [("NAME", "COUNT", "E-MAIL"), ("Ada Lovelace", "12,345", "ada@acme.example")]
    monkeypatch.setattr("platui.cli.told.is_terminal", lambda: True)
    spare = [(2, 10), (0, 8), (2, 0)]
    for columns, row in (
        ("40", ["Ada", "Lovelace", "12,345", "ada@acme.example"]),
        ("34", ["Ada", "Lovelace", "12,345", "ada@acme.ex…"]),
        ("28", ["Ada", "Lov…", "12,345", "ada@acme.…"]),
        ("20", ["Ada", "Lovelace", "12,345"]),  # of the room of what was left out
        ("19", ["Ada", "Lovela…", "12,345"]),
    ):
        monkeypatch.setenv("COLUMNS", columns)
        lines = list(fitted_table(rows, {1}, spare))
        assert lines[1].split() == row
        assert max(map(cells, lines)) <= int(columns)
