"""The content of a form: its fields, their checks, and the input."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from platui.present.form_rows import START

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.screen import Screen
    from textual.suggester import Suggester

    from platui.models.values.writes import Intent
    from platui.present.chrome import Piece, Pieces
    from platui.present.form_rows import Field


class FormContent:
    """The fields of a form and their meaning; `values` are field -> text, of all fields."""

    FIELDS: ClassVar[Sequence[Field]]

    def __init__(
        self, before: Mapping[str, str], title: Pieces, end: str, *, called: str = ""
    ) -> None:
        self.before = before  # The values of the fields without input
        self.title = title
        self.end = end  # The label of the last row, which sends the form
        self.called = called  # The name of the project; empty if the form belongs to none

    @property
    def is_change(self) -> bool:
        return False

    def intent(self, values: Mapping[str, str]) -> Intent | None:
        """Return the write of these values; None if there is nothing to send."""
        raise NotImplementedError

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return the problems of the values: field -> sentence, from the top down."""
        raise NotImplementedError

    def notes(self, _values: Mapping[str, str], /) -> Mapping[str, str]:
        """Return the origins of values: field -> words."""
        return {}

    def meaning(self, _values: Mapping[str, str], /) -> Sequence[Piece]:
        return ()

    def blamed(self, _sentence: str, /) -> str:
        return START

    def suggester(self, _field: str, /) -> Suggester | None:
        return None

    def picker(self, field: str, /) -> Screen[str | None]:
        raise NotImplementedError(field)

    async def load(self) -> None:
        """Fetch data about the fields from the platform."""

    def show_times(self, *, utc: bool) -> None:
        """Use UTC or local time in the explanation of the values."""


class FormInput:
    """The input of a form, and the messages at its fields."""

    def __init__(self, content: FormContent, typed: dict[str, str]) -> None:
        self._content = content
        self.typed = typed
        """Field -> input; the caller keeps it when the form is closed."""
        self.told: dict[str, str] = {}
        """Field -> error of the last attempt to send; cleared by a change."""
        self.is_tried = False
        """Whether the user tried to send it: from then on all problems are shown."""

    @property
    def values(self) -> Mapping[str, str]:
        return {**self._content.before, **self.typed}

    @property
    def problems(self) -> Mapping[str, str]:
        return {**(self._content.problems(self.values) if self.is_tried else {}), **self.told}

    def change(self, field: str, value: str) -> None:
        if value == self._content.before.get(field, ""):
            self.typed.pop(field, None)
        else:
            self.typed[field] = value
        self.told.clear()

    def clear(self) -> None:
        self.typed.clear()
        self.told.clear()
        self.is_tried = False
