"""Former ids of actions, which `[keys]` of config.toml may still use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from platui.core.text import clean

if TYPE_CHECKING:
    from platui.config.settings import Settings

RENAMED: Final = {
    "place.up": "view.back",
    "place.leave": "view.quit",
    "place.refresh": "view.refresh",
    "place.hold": "view.pause",
    "place.token": "view.token",
    "place.copy_view": "view.copy",
    "projects.search": "list.search",
    "list.pane": "list.next_pane",
    "list.pane_back": "list.previous_pane",
    "list.read": "list.focus_details",
    "pipeline.await": "pipeline.notify",
    "log.side_starts": "log.line_start",
    "log.side_ends": "log.line_end",
    "log.end_selection": "log.clear_selection",
    "log.stamps": "log.times",
    "log.since": "log.broken_since",
    "triage.since": "triage.broken_since",
    "pipelines.since": "pipelines.broken_since",
    "triage.fold_cause": "triage.collapse",
    "triage.open_cause": "triage.expand",
    "triage.all_causes": "triage.expand_all",
    "access.before": "access.compare_with",
    "access.everybody": "access.all_members",
    "access.fold": "access.collapse",
    "access.unfold": "access.expand",
    "access.people": "access.focus_people",
    "compare.fold": "compare.expand",
    "compare.fold_all": "compare.expand_all",
    "form.before": "form.previous_field",
    "form.next": "form.next_field",
    "form.drop": "form.discard",
    "form.switch": "form.toggle",
    "form.choose": "form.edit",
    "form.pane": "form.next_pane",
    "form.clear": "form.reset",
    "run.sets": "run.recent_variables",
    "app.back": "app.history_back",
    "app.forward": "app.history_forward",
}


def written_ids(keys: Mapping[str, str]) -> dict[str, str]:
    """Return current id -> id in the file; a current id wins over its former one."""
    return {
        RENAMED.get(action, action): action for action in keys if RENAMED.get(action) not in keys
    }


def with_current_ids(keys: Mapping[str, str]) -> dict[str, str]:
    return {current: keys[written] for current, written in written_ids(keys).items()}


def renamed_keys(keys: Mapping[str, str]) -> dict[str, str]:
    """Return former id in use -> the rest of the sentence about it."""
    return {
        former: f"is now {RENAMED[former]}; please "
        + ("remove it, as both are set." if RENAMED[former] in keys else "rename it.")
        for former in keys
        if former in RENAMED
    }


def renaming_notices(settings: Settings) -> list[str]:
    name = clean(settings.file.name) if settings.file is not None else "config.toml"
    renamed = renamed_keys(settings.keys)
    return [f"{name}, [keys]: {former} {what}" for former, what in renamed.items()]
