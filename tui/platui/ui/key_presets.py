"""The presets of keys: what each has otherwise than the screens themselves, and why.

A preset is a table of differences: id of an action -> all of its keys. What it does not name has
the keys that stand beside the action in the code, which are those of k9s and less. A preset adds
keys rather than moves them, so that what one reads elsewhere stays true; where it takes a key for
something else, the action that loses it has another one in the same table.

No preset has a key that writes where people of that tool expect one that does not: `R` refreshes
in lazygit, so it does here.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_VIEWS: Final = ("table", "log", "compare", "detail", "raw", "form", "preview")
"""What has the keys that move up and down."""
_WIDE: Final = ("log", "compare", "raw")
"""What has texts wider than the screen."""


def _in_each(views: tuple[str, ...], **keys: str) -> dict[str, str]:
    return {f"{view}.{name}": text for view in views for name, text in keys.items()}


_VIM: Final = {
    **_in_each(_VIEWS, page_down="pgdn,ctrl+f", page_up="pgup,ctrl+b"),
    # Sideways, as the arrows: into the details, out again, along a line, in a tree.
    **_in_each(_WIDE, left="left,h", right="right,l"),
    "list.read": "right,l",
    "detail.leave": "esc,left,h",
    "projects.namespaces": "tab,left,h",
    "triage.open_cause": "right,l",
    "triage.fold_cause": "left,h",
    "access.unfold": "right,l",
    "access.fold": "left,h",
    "access.people": "left,h",
    "form.switch": "space,left,right,h,l",
    "log.side_starts": "^,0",
    # l goes right, so the log is L; and what L did is what a + on a list does elsewhere.
    "triage.log": "L",
    "pipelines.log": "L",
    "jobs.log": "L",
    "since.log": "L",
    "schedules.log": "L",
    "list.load_all": "+",
    # V chooses lines, y takes them.
    "log.select": "V,space",
    "log.editor": "O",
    # The jump list.
    "app.back": "[,ctrl+o",
}

_LAZYGIT: Final = {
    **_in_each(_VIEWS, page_down="pgdn,.", page_up="pgup,comma", top="g,home,<", end="G,end,>"),
    # Left and right go between the parts of a view, H and L scroll.
    **_in_each(_WIDE, left="left,H", right="right,L"),
    "list.read": "right,l",
    "detail.leave": "esc,left,h",
    "projects.namespaces": "tab,left,h",
    "triage.open_cause": "right,l",
    "triage.fold_cause": "left,h",
    "access.unfold": "right,l",
    "access.fold": "left,h",
    "access.people": "left,h",
    "form.switch": "space,left,right,h,l",
    "text.more_context": ")",
    "text.less_context": "(",
    # m is the log in lazydocker; l goes to the right.
    "triage.log": "m",
    "pipelines.log": "m",
    "jobs.log": "m",
    "since.log": "m",
    "schedules.log": "m",
    # x lists what can be done, as ? does.
    "app.help": "?,x",
    "triage.all_causes": "+",
    "access.export": "E",
    "run.remove": "d,del",
    # R refreshes, and never writes.
    "place.refresh": "r,R,ctrl+r",
    "write.rerun": "B",
    "write.run_schedule": "B",
    # v chooses lines, and ctrl+o copies.
    "log.select": "v,space",
    "log.pager": "|",
    "list.copy": "y,ctrl+o",
    "log.copy": "y,ctrl+o",
    "compare.copy": "y,ctrl+o",
}

PRESETS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "k9s": MappingProxyType({}),
        "vim": MappingProxyType(_VIM),
        "lazygit": MappingProxyType(_LAZYGIT),
    }
)
"""Name of a preset -> what it has otherwise: id of an action -> its keys, as people write them."""
