"""What a repository offers to choose from: refs, folders, pipeline files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class RefName:
    """A branch or tag."""

    name: str
    is_tag: bool = False
    is_default: bool = False
    title: str = ""  # The title of its newest commit
    changed_at: datetime | None = None  # When that commit was made (UTC or with an offset)


@dataclass(frozen=True, slots=True)
class RefsFound:
    """Branches and tags with some words in their names."""

    names: tuple[RefName, ...]
    is_whole: bool
    """Whether these are all that there are of such names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in a folder of the repository."""

    path: str
    is_folder: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class PipelineFiles:
    """Which file a pipeline was made from, as far as the platform says."""

    named: str = ""
    """What the variable `_PIPELINE_FILE_NAME` of the pipeline says (spec §4.3)."""
    listed: tuple[str, ...] | None = ()
    """Files that look like pipeline files; None: this platform lists no folders."""

    @property
    def certain(self) -> str:
        """Return the file it must be: the named one, or the only one; else nothing."""
        if self.named or self.listed is None or len(self.listed) != 1:
            return self.named
        return self.listed[0]
