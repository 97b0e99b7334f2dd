"""The declaration of a view of the dashboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY  # noqa: TC003  (the decorator looks it up)
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

from platui.core.dataclass import dataclass

if TYPE_CHECKING:
    from platui.present.tables.spec import TableSpec

Lazy = str | Callable[..., Any]  # `module:name`, imported on first use; or the object itself

TABLE: Final = ("platui.ui.widgets.table:Table",)
GENERIC_LIST: Final = "platui.ui.screens.resource:ResourceScreen"
LIST: Final = (TABLE, ("platui.ui.widgets.detail_pane:DetailPane",))
TEXT: Final = (("platui.ui.widgets.log_view:LogView",),)
FORM: Final = tuple(
    (widget, "platui.ui.widgets.form:Form")
    for widget in ("platui.ui.widgets.form_view:FormView", "platui.ui.widgets.text_pane:TextPane")
)


@dataclass(frozen=True, slots=True)
class View:
    """A view. Only id and title are required."""

    id: str
    _: KW_ONLY
    title: str
    screen: Lazy = GENERIC_LIST  # Class, or function of service, settings, route and saved rows
    summary: str = ""
    label: str = ""  # Short title; empty: the title
    key: str = ""  # The default key that opens it from everywhere
    usage: str = ""  # Typed command, for help; default: `ID PROJECT /WORDS`
    usage_help: str = ""
    aliases: tuple[str, ...] = ()
    number: str = ""  # Route field set by `:FIELD NUMBER`: `pipeline` for `:pipeline 4711`
    number_help: str = ""

    parent: str = ""  # Where `esc` leads without a history
    parent_of_project: str = ""  # Parent of a route without a pipeline, if different
    returns_to_previous: bool = False  # Whether `esc` always leads back to the previous route
    tab_group: str = ""  # Views on the same level; `esc` skips those of the same group
    depth: float | None = None  # Levels below the top, if not one more than the parent
    # What the next start opens after this view
    saved_as: Literal["itself", "jobs", "above"] = "itself"

    required_fields: tuple[str, ...] = ()
    # Copied from the previous route, or read from a web address
    optional_fields: tuple[str, ...] = ()
    always_written: str = ""  # Field that tells its route line from a verb of the same name
    # Web pages below `PROJECT/-/`: `jobs/{job}`; an empty one matches any
    addresses: tuple[str, ...] = ()
    filter_params: tuple[str, ...] = ()  # Query parameters of a web address that become the filter

    # Focusable widgets, each with its parents, as `module:Class`
    panes: tuple[tuple[str, ...], ...] = LIST
    app: str = "platui.ui.app:PlatuiApp"
    # Of a generic list: function from a route to its resource, and specifications.
    resource: Lazy | None = None
    table: Lazy | TableSpec[Any] | None = None
    details: Lazy | None = None

    @property
    def short_title(self) -> str:
        return self.label or self.title

    @property
    def tab_title(self) -> str:
        """Return the title of its tab: `Changes` for `Access: changes`."""
        name = self.title.rpartition(": ")[2]
        return name[:1].upper() + name[1:]

    @property
    def is_of_project(self) -> bool:
        return "project" in self.required_fields

    @property
    def opens_by_name(self) -> bool:
        return not self.always_written and {*self.required_fields} <= {"project"}

    @property
    def words(self) -> tuple[str, ...]:
        return (self.id, *self.aliases) if self.opens_by_name else ()

    @property
    def help_line(self) -> tuple[str, str]:
        project = " PROJECT" if self.is_of_project else ""
        summary = self.summary[:1].lower() + self.summary[1:]
        return self.usage or f"{self.id}{project} /WORDS", self.usage_help or summary


def load(lazy: Lazy | TableSpec[Any]) -> Any:
    """Import the object named by `module:name`; return any other object unchanged."""
    if not isinstance(lazy, str):
        return lazy
    module, _, name = lazy.partition(":")
    return getattr(import_module(module), name)
