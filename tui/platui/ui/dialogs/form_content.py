"""The content of a form: fields, validation, input."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from platui.present.form_rows import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.screen import Screen
    from textual.suggester import Suggester

    from platui.core.errors import PlatuiError
    from platui.models.values.writes import Intent
    from platui.present.chrome import Piece, Pieces
    from platui.present.form_rows import Field


class FormContent:
    """The fields of a form and what they do; `values` map each field to its text."""

    FIELDS: ClassVar[Sequence[Field]]

    def __init__(
        self, before: Mapping[str, str], title: Pieces, end: str, *, called: str = ""
    ) -> None:
        self.before = before  # The original values
        self.title = title
        self.end = end  # The label of the last row, which sends the form
        self.called = called  # The name of the project; empty if the form belongs to none

    @property
    def is_change(self) -> bool:
        return False

    def intent(self, values: Mapping[str, str]) -> Intent | None:
        """Return the write of these values; None: nothing to send."""
        raise NotImplementedError

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        raise NotImplementedError

    def notes(self, _values: Mapping[str, str], /) -> Mapping[str, str]:
        """Return notes on the origin of values: field -> text."""
        return {}

    def meaning(self, _values: Mapping[str, str], /) -> Sequence[Piece]:
        return ()

    def field_of_error(self, _error: PlatuiError, /) -> str:
        return START

    def suggester(self, _field: str, /) -> Suggester | None:
        return None

    def picker(self, field: str, /) -> Screen[str | None]:
        raise NotImplementedError(field)

    async def load(self) -> None:
        """Fetch data about the fields from the platform."""

    def show_times(self, *, utc: bool) -> None:
        """Set whether `meaning` uses UTC or local time."""
