"""Files, branches, tags and folders of a repository (spec §2.6)."""

from __future__ import annotations

import base64
import binascii
from functools import cached_property
from typing import Final

from platui.core.errors import InvalidResponseError
from platui.core.text import shorten
from platui.models.wire.commits import Commit
from platui.models.wire.record import Flag, Maybe, Moment, Record, Several, Text, Whole

_SHOWN_PATH: Final = 200
_SLICE: Final = 1 << 18  # base64 characters decoded at once; a multiple of four


class FileDiff(Record):
    """A file that differs between two commits."""

    old_path: Text = ""
    new_path: Text = ""
    diff: Text = ""  # The hunks, without a header
    new_file: Flag = False
    renamed_file: Flag = False
    deleted_file: Flag = False
    too_large: Flag = False  # Whether the platform left the diff out
    collapsed: Flag = False  # Whether it left the diff out until it is expanded

    @property
    def is_binary(self) -> bool:
        return self.diff.startswith("Binary files ")

    @property
    def is_left_out(self) -> bool:
        return self.too_large or (self.collapsed and not self.diff)

    @cached_property
    def added(self) -> int:
        return f"\n{self.diff}".count("\n+")

    @cached_property
    def removed(self) -> int:
        return f"\n{self.diff}".count("\n-")


class Comparison(Record):
    """The commits that a commit has and an earlier one lacks, and the files that differ."""

    commits: Several[Commit] = ()  # The oldest first
    diffs: Several[FileDiff] = ()
    compare_timeout: Flag = False  # Whether the list of files is incomplete
    web_url: Text = ""


class MergeRequest(Record):
    iid: Whole = None
    title: Text = ""
    web_url: Text = ""


class RepositoryFile(Record):
    file_name: Text = ""
    file_path: str
    size: Whole = None
    encoding: Text = ""
    content: Text = ""
    content_sha256: Text = ""
    ref: Text = ""
    blob_id: Text = ""
    commit_id: Text = ""
    last_commit_id: Text = ""
    execute_filemode: Flag = False

    def decoded(self) -> bytes:
        """Return the content as bytes. Raises InvalidResponseError: invalid base64."""
        if self.encoding != "base64":
            return self.content.encode("utf-8", errors="replace")
        try:
            return _from_base64("".join(self.content.split()))
        except (binascii.Error, ValueError):
            name = shorten(self.file_path, _SHOWN_PATH)
            raise InvalidResponseError(f"The content of {name} is not valid base64.") from None


def _from_base64(text: str) -> bytes:
    """Decode in slices, so that other threads are not blocked. Raises ValueError: not base64."""
    if "=" in text[:-2]:
        raise ValueError("padding in the middle")
    slices = (text[at : at + _SLICE] for at in range(0, len(text), _SLICE))
    return b"".join(base64.b64decode(one, validate=True) for one in slices)


class Branch(Record):
    name: Text = ""
    commit: Maybe[Commit] = None
    default: Flag = False


class Tag(Record):
    name: Text = ""
    message: Text = ""
    commit: Maybe[Commit] = None
    created_at: Moment = None


class TreeEntry(Record):
    name: Text = ""
    type: Text = ""  # `blob` for a file, `tree` for a folder
    path: Text = ""
