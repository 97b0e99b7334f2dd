"""`platui report terms`: what a report can be searched by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.table_fit import table
from platui.models.values.access_terms import PEOPLE_TERMS, PLACE_TERMS

if TYPE_CHECKING:
    from collections.abc import Iterator


def terms_lines() -> Iterator[str]:
    """Yield a table of each kind."""
    for head, terms in (
        ("People (platui report show TERMS…)", PEOPLE_TERMS),
        ("Groups and projects (platui report show --groups TERMS…)", PLACE_TERMS),
    ):
        yield f"{head}: all terms must hold."
        rows = [(f"  {term.example}", term.meaning, " ".join(term.values)) for term in terms]
        yield from table(rows)
        yield ""
