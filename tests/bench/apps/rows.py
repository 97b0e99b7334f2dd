"""The rows that the compared tables show: pipelines, as a busy platform has them."""

from __future__ import annotations

from dataclasses import replace

from platui.models.values.table import Cell, Column, LineBelow, Row

COLUMNS = (
    Column("status", "Status", 12),
    Column("id", "Id", 8, right=True),
    Column("ref", "Ref", 26, minimum=10, flexible=True),
    Column("sha", "Sha", 8),
    Column("name", "Name", 16),
    Column("who", "Who", 12),
    Column("age", "Age", 5, right=True),
    Column("took", "Took", 7, right=True),
)

_STATUSES = (
    Cell("✔ success", "success"),
    Cell("✔ success", "success"),
    Cell("✖ failed", "failed"),
    Cell("● running", "running"),
    Cell("■ canceled", "canceled"),
)
_NAMES = ("nightly load", "hourly ingest", "backfill", "dbt build")
_PEOPLE = ("a.khan", "scheduler", "m.oduya", "j.silva", "k.lindqvist", "deploy-bot")


def row(number: int) -> Row:
    """Return one of endlessly many rows."""
    return Row(
        key=str(number),
        cells=(
            _STATUSES[number * 7 % len(_STATUSES)],
            Cell(f"#{400_000 + number}", "accent"),
            Cell(f"feature/orders-{number * 37 % 1000}"),
            Cell(f"{number * 2654435761 % 2**32:08x}", "muted"),
            Cell(_NAMES[number % len(_NAMES)]),
            Cell(_PEOPLE[number % len(_PEOPLE)], "muted"),
            Cell(f"{number % 59 + 1}m"),
            Cell(f"{number % 17}m{number % 60:02}s"),
        ),
    )


def rows(count: int) -> list[Row]:
    """Return that many rows."""
    return [row(number) for number in range(count)]


def block(number: int) -> Row:
    """Return one of endlessly many rows of three lines."""
    cause = Cell(f"relation orders_{number} does not exist", "failed")
    by = Cell(f"broken by {number * 2654435761 % 2**32:08x} ({_PEOPLE[number % 6]})", "muted")
    return replace(
        row(number), below=(LineBelow(cause), LineBelow(by, Cell("last green 03:01", "success")))
    )


def blocks(count: int) -> list[Row]:
    """Return that many rows of three lines."""
    return [block(number) for number in range(count)]
