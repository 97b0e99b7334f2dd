"""Repository contents to choose from: refs, folders, pipeline files."""

from __future__ import annotations

from datetime import datetime

from platui.core.named_tuple import NamedTuple


class RefName(NamedTuple):
    name: str
    is_tag: bool = False
    is_default: bool = False
    title: str = ""  # Title of the newest commit
    changed_at: datetime | None = None  # Time of that commit, with an offset


class RefsFound(NamedTuple):
    """Branches and tags, all or those that match a search."""

    names: tuple[RefName, ...]
    is_whole: bool  # Whether no other ones exist


class Entry(NamedTuple):
    """A file or folder in a folder of the repository."""

    path: str
    is_folder: bool = False

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


class FolderEntries(NamedTuple):
    entries: tuple[Entry, ...]
    is_whole: bool  # Whether no other ones exist


class ArchiveEntry(NamedTuple):
    """A file in an archive of artifacts."""

    name: str  # With its folders; not trusted
    size: int  # Decompressed


class PipelineFiles(NamedTuple):
    """Candidates for the file of a pipeline."""

    named: str = ""  # Value of the variable `_PIPELINE_FILE_NAME` (spec §4.3)
    listed: tuple[str, ...] | None = ()
    """Files that look like pipeline files; None: the platform lists no folders."""

    @property
    def certain(self) -> str:
        """Return the named file, or the only candidate; otherwise empty."""
        if self.named or self.listed is None or len(self.listed) != 1:
            return self.named
        return self.listed[0]
