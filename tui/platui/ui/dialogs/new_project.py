"""The form of a new project (spec §4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.writes import Encoding, NewProject
from platui.present.form_rows import Field
from platui.ui.dialogs.form import FormDialog

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.writes import Intent
    from platui.present.chrome import Pieces
    from platui.service import PlatformService

_ENCODINGS: Final = {"JSON": Encoding.JSON, "form fields": Encoding.FORM}


class NewProjectDialog(FormDialog):
    """Name, description, access, and in which of both ways it is sent."""

    FIELDS = (
        Field("name", "needed"),
        Field("description", "may be empty"),
        Field("access", "permissions[project_access]; may be empty"),
        Field("sent as", words=tuple(_ENCODINGS)),
    )

    def __init__(self, service: PlatformService, typed: dict[str, str]) -> None:
        super().__init__(service, {"sent as": next(iter(_ENCODINGS))}, typed)

    @property
    def end(self) -> str:
        """Return what the last row does."""
        return "Create the project"

    def title_pieces(self) -> Pieces:
        """Return what is made, and where."""
        return ((" A new project", "strong"), (" in your own namespace", "muted"))

    def problems(self) -> Mapping[str, str]:
        """Return what is missing: without a name there is none."""
        name = self.values.get("name", "").strip()
        return {} if name else {"name": "A project needs a name."}

    def intent(self) -> Intent:
        """Return the project to be created."""
        values = self.values
        name, description, access = (
            values.get(field, "").strip() for field in ("name", "description", "access")
        )
        return NewProject(name, description, access, _ENCODINGS[values["sent as"]])
