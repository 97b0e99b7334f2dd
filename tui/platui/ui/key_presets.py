"""Key presets: action id -> all of its keys; no key writes that only reads in that tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_VIEWS: Final = ("table", "log", "compare", "detail", "raw", "form", "preview")
_WIDE: Final = ("log", "compare", "raw")
_WITH_LOG: Final = ("triage", "pipelines", "jobs", "since", "schedules")


def _in_each(views: tuple[str, ...], **keys: str) -> dict[str, str]:
    return {f"{view}.{name}": text for view in views for name, text in keys.items()}


_SIDEWAYS: Final = {
    "list.focus_details": "right,l",
    "detail.leave": "esc,left,h",
    "projects.namespaces": "tab,left,h",
    "triage.expand": "right,l",
    "triage.collapse": "left,h",
    "access.expand": "right,l",
    "access.collapse": "left,h",
    "access.focus_people": "left,h",
    "form.toggle": "space,left,right,h,l",
}

_VIM: Final = {
    **_in_each(_VIEWS, page_down="pgdn,ctrl+f", page_up="pgup,ctrl+b"),
    **_in_each(_WIDE, left="left,h", right="right,l"),
    **_SIDEWAYS,
    "log.line_start": "^,0",
    # l moves right, so L opens the log, and + loads all.
    **_in_each(_WITH_LOG, log="L"),
    "list.load_all": "+",
    # V selects lines, y copies them.
    "log.select": "V,space",
    "log.editor": "O",
    # The jump list.
    "app.history_back": "[,ctrl+o",
}

_LAZYGIT: Final = {
    **_in_each(_VIEWS, page_down="pgdn,.", page_up="pgup,comma", top="g,home,<", end="G,end,>"),
    # Left and right switch panes, H and L scroll.
    **_in_each(_WIDE, left="left,H", right="right,L"),
    **_SIDEWAYS,
    "text.more_context": ")",
    "text.less_context": "(",
    # m is the log in lazydocker; l moves right.
    **_in_each(_WITH_LOG, log="m"),
    # x opens the list of actions, as ? does.
    "app.help": "?,x",
    "triage.expand_all": "+",
    "triage.branches": "V",
    "app.while_away": "I",
    "access.export": "E",
    "run.remove": "d,del",
    # R refreshes.
    "view.refresh": "r,R,ctrl+r",
    "write.rerun": "B",
    "write.run_schedule": "B",
    # v selects lines, ctrl+o copies.
    "log.select": "v,space",
    "log.pager": "|",
    "list.copy": "y,ctrl+o",
    "log.copy": "y,ctrl+o",
    "compare.copy": "y,ctrl+o",
}

# Preset -> id of an action -> its keys, where they differ from the default
PRESETS: Final[Mapping[str, Mapping[str, str]]] = {"k9s": {}, "vim": _VIM, "lazygit": _LAZYGIT}
