"""The form of a new project (spec §4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import getters
from textual.widgets import Input

from platui.core.text import clean
from platui.models.values.writes import Encoding, NewProject
from platui.ui.dialogs.form import FormDialog
from platui.ui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.widget import Widget

    from platui.models.values.writes import Intent
    from platui.present.chrome import Pieces

_WORDS = {"JSON": Encoding.JSON, "form fields": Encoding.FORM}


class NewProjectDialog(FormDialog):
    """Name, description, access, and in which of both ways it is sent."""

    name_field = getters.query_one("#name", Input)
    description_field = getters.query_one("#description", Input)
    access_field = getters.query_one("#access", Input)
    encoding_field = getters.query_one("#encoding", Choice)

    def __init__(self, profile: str, *, production: bool) -> None:
        """Prepare the form.

        Args:
            profile: its name.
            production: whether mistakes are dear here.
        """
        super().__init__()
        self._profile = profile
        self._production = production

    @property
    def is_production(self) -> bool:
        """Return whether mistakes are dear here."""
        return self._production

    def title_pieces(self) -> Pieces:
        """Return what is made, and where."""
        profile = clean(self._profile)
        where = (f" {profile} ", "production") if self._production else (profile, "strong")
        return ((" A new project on ", "text"), where, (" in your own namespace", "muted"))

    def fields(self) -> Iterator[tuple[str, Widget]]:
        """Yield the fields of the spec."""
        yield "name", Input(id="name", placeholder="needed")
        yield "description", Input(id="description")
        yield "access", Input(id="access", placeholder="permissions[project_access]; may be empty")
        yield "sent as", Choice(tuple(_WORDS), id="encoding")

    def intent(self) -> Intent | str:
        """Return the project to be created; without a name there is none."""
        name = self.name_field.value.strip()
        if not name:
            return "A project needs a name."
        return NewProject(
            name,
            self.description_field.value.strip(),
            self.access_field.value.strip(),
            _WORDS[self.encoding_field.value],
        )
