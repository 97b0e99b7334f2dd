"""What a form is about, and what is filled in."""

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
    """Knows a form's fields and reads their values; a `FormDialog` shows them and sends them.

    Values are those of all fields: field -> text.
    """

    FIELDS: ClassVar[Sequence[Field]]

    def __init__(
        self, before: Mapping[str, str], title: Pieces, end: str, *, called: str = ""
    ) -> None:
        """Take what is the same for as long as the form is open.

        Args:
            before: what the fields hold where nothing is typed.
            title: the line above the fields.
            end: what the last row does.
            called: what the project is called; empty: it is of none.
        """
        self.before = before
        self.title = title
        self.end = end
        self.called = called

    @property
    def is_change(self) -> bool:
        """Return whether it changes a record that exists."""
        return False

    def intent(self, values: Mapping[str, str]) -> Intent | None:
        """Return what values ask for; None where they ask for nothing."""
        raise NotImplementedError

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return what keeps values from being sent: field -> sentence, from the top down."""
        raise NotImplementedError

    def notes(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Return where values come from: field -> words."""
        del values
        return {}

    def meaning(self, values: Mapping[str, str]) -> Sequence[Piece]:
        """Return what values mean, as paragraphs."""
        del values
        return ()

    def blamed(self, sentence: str) -> str:
        """Return the field that a refusal is about."""
        del sentence
        return START

    def suggester(self, field: str) -> Suggester | None:
        """Return what completes the text of a field."""
        del field
        return None

    def picker(self, field: str) -> Screen[str | None]:
        """Return the dialog that chooses the value of a field."""
        raise NotImplementedError(field)

    async def load(self) -> None:
        """Fetch what only the platform knows about the fields."""

    def show_times(self, *, utc: bool) -> None:
        """Use UTC or local time in what values mean."""


class FormInput:
    """The input of a form, and what was said to it."""

    def __init__(self, content: FormContent, typed: dict[str, str]) -> None:
        self._content = content
        self.typed = typed
        """What was typed instead; the caller keeps it, also when the form is left."""
        self.told: dict[str, str] = {}
        """What was said to what was sent: field -> sentence. Until something is changed."""
        self.is_tried = False
        """Whether it was to be sent: from then on everything that is wrong is told."""

    @property
    def values(self) -> Mapping[str, str]:
        """Return what is filled in."""
        return {**self._content.before, **self.typed}

    @property
    def typed_fields(self) -> list[str]:
        """Return the names of the fields in which something was typed."""
        return [field.name for field in self._content.FIELDS if field.name in self.typed]

    @property
    def problems(self) -> Mapping[str, str]:
        """Return what is to be said at the fields now."""
        return {**(self._content.problems(self.values) if self.is_tried else {}), **self.told}

    def change(self, field: str, value: str) -> None:
        """Take another value; what was said to the one before is of no use any more."""
        if value == self._content.before.get(field, ""):
            self.typed.pop(field, None)
        else:
            self.typed[field] = value
        self.told.clear()

    def clear(self) -> None:
        """Drop what was typed."""
        self.typed.clear()
        self.told.clear()
        self.is_tried = False
