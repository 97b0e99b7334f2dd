"""What holds for everything that is shown: clean text of bounded length, and known roles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.models.values.table import ROLES, Cell

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError

LONGEST: Final = 400
"""Characters of a message."""


def check_error(error: PlatuiError, longest: int = LONGEST) -> None:
    """Check an error: its sentence and hint are text on one line, and not endless."""
    check_line(error.sentence, longest)
    assert error.sentence.strip()
    check_line(error.hint, longest)
    check_line(error.title, longest)


def check_line(text: str, longest: int = LONGEST) -> None:
    """Check a line that is shown: no control characters, nothing invisible, not endless."""
    assert text == clean(text)
    assert len(text) <= longest


def check_cell(cell: Cell) -> None:
    """Check a cell that is painted."""
    assert cell.text == clean(cell.text)
    assert not cell.parts or "".join(text for text, _ in cell.parts) == cell.text
    assert {cell.role, *(role for _, role in cell.parts)} <= ROLES
