"""The declaration of a view of the dashboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from platui.present.tables.spec import TableSpec

Lazy = str | Callable[..., Any]
"""`module:name`, imported on first use; or the object itself."""

TABLE: Final = ("platui.ui.widgets.table:Table",)
GENERIC_LIST: Final = "platui.ui.screens.resource:ResourceScreen"
LIST: Final = (TABLE, ("platui.ui.widgets.detail_pane:DetailPane",))


@dataclass(frozen=True, slots=True)
class View:
    """A view. Only id and title are required."""

    id: str
    """Its name in places, typed commands and reopening lines, and of its help page."""
    _: KW_ONLY
    title: str
    screen: Lazy = GENERIC_LIST
    """The class of its screen, or a function of service, settings, place and kept rows."""
    summary: str = ""
    """Its content, for the palette, the help of its key and of its typed command."""
    label: str = ""  # Short title; empty: the title
    key: str = ""  # The default key that opens it from everywhere
    usage: str = ""
    """Its typed command, for help; empty: `ID PROJECT /WORDS`, or without the project."""
    usage_help: str = ""
    aliases: tuple[str, ...] = ()
    number: str = ""
    """The field of the place that `:FIELD NUMBER` sets: `pipeline` for `:pipeline 4711`."""
    number_help: str = ""

    parent: str = ""
    """The view one level up, where `esc` leads without a history; empty: none."""
    parent_of_project: str = ""
    """The parent of a place without a pipeline, if it is another one."""
    returns_to_previous: bool = False  # Whether `esc` always leads back to the previous route
    tab_group: str = ""
    """A group of views on the same level; `esc` skips those of the same group."""
    depth: float | None = None
    """Levels below the top, if not one more than the parent; `esc` leads to shallower views."""
    saved_as: Literal["itself", "jobs", "above"] = "itself"
    """What the next start opens after this view: itself, its jobs, or the parent."""

    required_fields: tuple[str, ...] = ()
    optional_fields: tuple[str, ...] = ()
    """Optional fields that are copied from the previous place, or read from a web address."""
    always_written: str = ""
    """A field that its reopening line always names, to differ from a verb of the same name."""
    addresses: tuple[str, ...] = ()
    """Patterns of web pages below `PROJECT/-/`: `jobs/{job}`; an empty one matches any."""
    filter_params: tuple[str, ...] = ()
    """Query parameters of a web address that become its filter."""

    panes: tuple[tuple[str, ...], ...] = LIST
    """The widgets that can have the focus, each with its parents, as `module:Class`."""
    app: str = "platui.ui.app:PlatuiApp"
    # Of a generic list: a function from a place to its resource, and the specifications.
    resource: Lazy | None = None
    table: Lazy | TableSpec[Any] | None = None
    details: Lazy | None = None

    @property
    def short_title(self) -> str:
        return self.label or self.title

    @property
    def tab_title(self) -> str:
        """Return the title of its tab: `Changes` of `Access: changes`."""
        name = self.title.rpartition(": ")[2]
        return name[:1].upper() + name[1:]

    @property
    def is_of_project(self) -> bool:
        return "project" in self.required_fields

    @property
    def opens_by_name(self) -> bool:
        """Return whether its name opens it, with a project at most."""
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
    """Import and return the object named by `module:name`; return any other object unchanged."""
    if not isinstance(lazy, str):
        return lazy
    module, _, name = lazy.partition(":")
    return getattr(import_module(module), name)
