"""From a repository file (spec §2.6) to what is shown of it: decoded, checked, cleaned."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, harmless
from platui.present.source.document import SourceDocument
from platui.present.source.highlighting import highlighted

if TYPE_CHECKING:
    from platui.models import RepositoryFile

_LOOKED_AT: Final = 8_000
"""Bytes in which a NUL makes a file a binary one, as git decides it."""

_LONGEST: Final = 20_000
"""Characters of a line that are shown; nobody reads on."""

_TAB: Final = 4


class Check(StrEnum):
    """Whether the content is what its `content_sha256` says."""

    MATCHES = "matches"
    DIFFERS = "differs"
    UNSAID = "unsaid"


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it can be shown."""

    document: SourceDocument
    content: bytes
    check: Check
    binary: bool

    @property
    def size(self) -> int:
        """Return the bytes of the decoded content."""
        return len(self.content)

    def text(self) -> str:
        """Return the whole text, its tabs and line ends as they are, but nothing that commands."""
        return harmless(_decoded(self.content))


def read_source(file: RepositoryFile) -> Source:
    """Return a file's lines; takes up to a second for a large one, so call it in a thread.

    Raises:
        UnreadableAnswerError: the content is not the base64 it claims to be.
    """
    content = file.decoded()
    binary = is_binary(content)
    lines = [] if binary else _lines(content)
    name = file.file_path or file.file_name
    spans = highlighted(lines, name)
    return Source(
        SourceDocument(lines, len(content), spans), content, check_of(file, content), binary
    )


def is_binary(content: bytes) -> bool:
    """Return whether a file is a binary one."""
    return b"\0" in content[:_LOOKED_AT]


def check_of(file: RepositoryFile, content: bytes) -> Check:
    """Return whether the decoded content of a file is what its `content_sha256` says."""
    said = file.content_sha256.strip().lower()
    if not said:
        return Check.UNSAID
    return Check.MATCHES if hashlib.sha256(content).hexdigest() == said else Check.DIFFERS


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")


def _lines(content: bytes) -> list[str]:
    lines = _decoded(content).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [_shown(line.removesuffix("\r")) for line in lines]


def _shown(line: str) -> str:
    line = clean(line.expandtabs(_TAB))
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
