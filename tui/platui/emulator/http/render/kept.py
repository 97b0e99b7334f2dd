"""Records that have been written before, and need not be again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.http.answers import written
from platui.emulator.http.render.pipelines import pipeline_summary

if TYPE_CHECKING:
    from platui.emulator.http.render.links import Links
    from platui.emulator.records import Pipeline, Project

_KEPT: Final = 4096


class Summaries:
    """Pipelines as lists show them, kept as JSON.

    The company hands out the same record as long as nothing about a pipeline changes, so that
    being the same object is all there is to check.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], tuple[Pipeline, str]] = {}

    def of(self, record: Pipeline, project: Project, links: Links) -> str:
        """Return a pipeline's summary as JSON."""
        key = links.root, record.id
        kept = self._kept.get(key)
        if kept is not None and kept[0] is record:
            return kept[1]
        text = written(pipeline_summary(record, project, links))
        self._kept[key] = record, text
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return text
