"""Lists as they are printed while they are read."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pytest

from platui.cli.command_options import ListOptions
from platui.cli.output.lists import TableStyle, printing
from platui.core.text import cells
from platui.present.tables.spec import ColumnSpec, Context, TableSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS: Final[TableSpec[int]] = TableSpec(
    key=str,
    columns=(
        ColumnSpec("id", "ID", value=lambda one, _: one, right=True),
        ColumnSpec(
            "name", "NAME", name=None, cell=lambda one, _: "n" * (one // 100 + 4), minimum=6
        ),
        ColumnSpec("where", "WHERE", name=None, cell=lambda _, __: "somewhere", priority=1),
    ),
)
NOW: Final = Context(datetime(2026, 3, 14, tzinfo=UTC))


def _printed(batches: Sequence[range], form: str, error: BaseException | None = None) -> None:
    with printing("things", ListOptions(None, form), NUMBERS, lambda: NOW, TableStyle()) as printer:
        for batch in batches:
            printer.take(batch)
        if error is not None:
            raise error


@pytest.mark.parametrize("form", ["json", "csv", ""])
def test_what_was_read_is_printed_when_a_list_ends_early(
    capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """Each row is whole, stderr says how many they are, and the table has one line of heads."""
    with pytest.raises(KeyboardInterrupt):
        _printed([range(120), range(120, 130)], form, KeyboardInterrupt())
    out, err = capsys.readouterr()
    lines = out.splitlines()
    if form == "json":
        assert [json.loads(line)["id"] for line in lines] == list(range(130))
    else:
        assert lines[0].split()[0].upper() == "ID"
        assert [int(line.split()[0]) for line in lines[1:]] == list(range(130))
    assert err == "platui: Interrupted: 130 things were read and printed.\n"


def test_rows_that_come_later_keep_to_the_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into a pipe nothing is cut; a terminal has no line too long, and is told what it lacks."""
    _printed([range(120), range(300, 320)], "")
    out, err = capsys.readouterr()
    assert "n" * 7 in out
    assert err == ""
    monkeypatch.setattr("platui.cli.output.stdout.is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "12")
    _printed([range(120), range(300, 320)], "")
    out, err = capsys.readouterr()
    assert {line.split()[1] for line in out.splitlines()} == {"NAME", "nnnn", "nnnnn", "nnnn…"}
    assert max(map(cells, out.splitlines())) <= 12
    assert err == "platui: Columns omitted, terminal too narrow: WHERE.\n"
