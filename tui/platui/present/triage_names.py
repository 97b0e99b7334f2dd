"""What projects and incidents are called: on a row, and where one is typed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from platui.models.values.queries import ProjectRef


class Names:
    """What projects are called: the end of their paths, and more of it where that is not one's."""

    def __init__(self, names: Iterable[tuple[int, str]]) -> None:
        self._paths: Mapping[int, str] = dict(names)
        ends = Counter(path.rpartition("/")[2] for path in self._paths.values())
        self._shared = {end for end, count in ends.items() if count > 1}
        self._labels: dict[ProjectRef, str] = {}

    def path(self, project: ProjectRef) -> str:
        """Return the path of a project; empty where it is not known."""
        if isinstance(project, int):
            return self._paths.get(project, "")
        return project

    def label(self, project: ProjectRef) -> str:
        """Return what a project is called on a row, clean."""
        found = self._labels.get(project)
        if found is None:
            found = self._labels[project] = self._label(project)
        return found

    def _label(self, project: ProjectRef) -> str:
        path = self.path(project)
        end = path.rpartition("/")[2]
        if end in self._shared:
            end = "/".join(path.split("/")[-2:])
        return clean(end) or f"project {clean(str(project))}"


def incident_name(project: ProjectRef, first_red: int, names: Names) -> str:
    """Return what an incident is called where it is typed: `group/project#4711`; not cleaned."""
    return f"{names.path(project) or project}#{first_red}"
