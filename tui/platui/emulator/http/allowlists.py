"""Whose job tokens may open which project (spec §5.2 rules 3 and 4).

Who lists whom is a function of the seed, so that any number of projects has allowlists without a
table; only what somebody has changed since is kept. A listed project belongs to the same group:
teams let their own pipelines in.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from platui.emulator.records import Project

_OPEN: Final = frozenset({"public", "internal"})
_OFF: Final = 1
_LISTING: Final = 7
"""Out of 20 projects, one has its allowlist off, and the next six list their group."""


@dataclass(frozen=True, slots=True)
class Allowlist:
    """The allowlist of one project."""

    enabled: bool = True
    """When it is off, every project counts as listed (rule 4)."""
    group: bool = False
    """Whether all projects of its group are listed besides itself."""
    listed: frozenset[int] = frozenset()
    """Ids of the projects that were added by hand."""


class Allowlists:
    """The allowlists of all projects."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._changed: dict[int, Allowlist] = {}

    def of(self, project: Project) -> Allowlist:
        """Return the allowlist of a project; by default it holds only the project itself."""
        return self._changed.get(project.id) or self._drawn(project)

    def change(self, project: Project, *, enabled: bool, added: Iterable[int] = ()) -> Allowlist:
        """Turn the allowlist of a project on or off, and put projects on it."""
        old = self.of(project)
        changed = replace(old, enabled=enabled, listed=old.listed | frozenset(added))
        self._changed[project.id] = changed
        return changed

    def lists(self, project: Project, source: Project) -> bool:
        """Tell whether the source's jobs are on the project's allowlist."""
        found = self.of(project)
        if not found.enabled or source.id == project.id or source.id in found.listed:
            return True
        return found.group and source.group_id == project.group_id

    def admits(self, project: Project, source: Project) -> bool:
        """Tell whether the source's job tokens may open the project, as far as lists go."""
        return project.visibility in _OPEN or self.lists(project, source)

    def _drawn(self, project: Project) -> Allowlist:
        # Spec §5.2 rule 4: off is for reference projects.
        if "reference" in project.path:
            return Allowlist(enabled=False)
        key = f"{self._seed}:allowlist:{project.id}".encode()
        draw = hashlib.blake2b(key, digest_size=2).digest()[0] % 20
        return Allowlist(enabled=draw >= _OFF, group=_OFF <= draw < _LISTING)
