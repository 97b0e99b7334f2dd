"""The form of a new project (spec §4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.models.values.writes import Encoding, NewProject
from platui.present.form_rows import Field
from platui.ui.dialogs.form_content import FormContent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.models.values.writes import Intent

_ENCODINGS: Final = {"JSON": Encoding.JSON, "form fields": Encoding.FORM}


class NewProjectContent(FormContent):
    FIELDS = (
        Field("name", "required"),
        Field("description", "optional"),
        Field("access", "permissions[project_access]; optional"),
        Field("sent as", words=tuple(_ENCODINGS)),
    )

    def __init__(self) -> None:
        title = ((" New project", "strong"), (" in your own namespace", "muted"))
        super().__init__({"sent as": next(iter(_ENCODINGS))}, title, "Create the project")

    def problems(self, values: Mapping[str, str]) -> Mapping[str, str]:
        name = values.get("name", "").strip()
        return {} if name else {"name": "Enter a project name."}

    def intent(self, values: Mapping[str, str]) -> Intent:
        name, description, access = (
            values.get(field, "").strip() for field in ("name", "description", "access")
        )
        return NewProject(name, description, access, _ENCODINGS[values["sent as"]])
