"""The user's own keys: which actions there are to be bound, and what is wrong with a wish."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import TYPE_CHECKING, Final

from textual.binding import Binding

from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_BOUND: Final = {
    "platui.ui.app": ("PlatuiApp",),
    "platui.ui.command_app": ("CommandApp",),
    "platui.ui.navigator": ("NavigatorApp",),
    "platui.ui.base_app": ("BaseApp",),
    "platui.ui.screens.base": ("PlaceScreen",),
    "platui.ui.screens.tabular": ("TableScreen",),
    "platui.ui.screens.listing": ("ListScreen",),
    "platui.ui.screens.acting": ("ActsOnRows",),
    "platui.ui.screens.unlocking": ("UnlocksWrites",),
    "platui.ui.screens.triage_leads": ("LeadsOn",),
    "platui.ui.screens.triage": ("TriageScreen",),
    "platui.ui.screens.triage_marks": ("MarksIncidents",),
    "platui.ui.screens.triage_handoff": ("HandsOff",),
    "platui.ui.screens.projects": ("ProjectsScreen",),
    "platui.ui.screens.namespaces": ("ChoosesNamespace",),
    "platui.ui.screens.pipelines": ("PipelinesScreen",),
    "platui.ui.screens.schedules": ("SchedulesScreen",),
    "platui.ui.screens.schedule_writes": ("WritesSchedules",),
    "platui.ui.screens.access_deeds": ("ReportDeeds",),
    "platui.ui.screens.access": ("AccessScreen",),
    "platui.ui.screens.access_everybody": ("SeesEverybody",),
    "platui.ui.screens.access_people": ("PeopleScreen",),
    "platui.ui.screens.access_places": ("PlacesScreen",),
    "platui.ui.screens.access_changes": ("ChangesScreen",),
    "platui.ui.screens.jobs": ("JobsScreen",),
    "platui.ui.screens.searching": ("SearchedText",),
    "platui.ui.screens.filtering": ("FilteredText",),
    "platui.ui.screens.log": ("LogScreen",),
    "platui.ui.screens.log_output": ("LogOutput",),
    "platui.ui.screens.error_steps": ("ErrorSteps",),
    "platui.ui.screens.failed_jobs": ("FailedJobs",),
    "platui.ui.screens.whole_pipeline": ("WholePipeline",),
    "platui.ui.screens.awaiting": ("AwaitsEnds",),
    "platui.ui.screens.comparing": ("ComparesLogs",),
    "platui.ui.screens.compare": ("CompareScreen",),
    "platui.ui.screens.many": ("ManyScreen",),
    "platui.ui.screens.pipeline_search": ("PipelineSearchScreen",),
    "platui.ui.screens.broken_since": ("SinceScreen",),
    "platui.ui.screens.file": ("FileScreen",),
    "platui.ui.screens.running": ("RunsPipelines",),
    "platui.ui.screens.watching": ("WatchesProjects",),
    "platui.ui.screens.run_editing": ("EditsRun",),
    "platui.ui.widgets.table": ("Table",),
    "platui.ui.widgets.log_view": ("LogView",),
    "platui.ui.widgets.compare_view": ("CompareView",),
    "platui.ui.widgets.detail_pane": ("DetailPane",),
    "platui.ui.widgets.raw_view": ("RawView",),
    "platui.ui.widgets.form": ("Form",),
    "platui.ui.widgets.form_view": ("FormView",),
    "platui.ui.widgets.preview": ("Preview",),
}
"""Everything that has keys of its own; imported only where somebody binds some."""


def action_ids() -> frozenset[str]:
    """Return the id of every action that can be bound."""
    found: set[str] = set()
    for module, names in _BOUND.items():
        for name in names:
            for binding in getattr(import_module(module), name).BINDINGS:
                if isinstance(binding, Binding) and binding.id:
                    found.add(binding.id)
    return frozenset(found)


def unknown_actions(keys: Mapping[str, str]) -> list[ConfigError]:
    """Return what is wrong with the names under `[keys]`, each with the nearest known one."""
    known = action_ids()
    return [_unknown(name, known) for name in keys if name not in known]


def _unknown(name: str, known: Iterable[str]) -> ConfigError:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return ConfigError(
        f"There is no action {shorten(name, 40)} to bind a key to.",
        hint=f"Did you mean {near[0]}?" if near else "Help (?) runs every action there is.",
    )
