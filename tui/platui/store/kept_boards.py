"""The triage board of each profile as it was left: what the rows of the next first frame mean.

Read behind that frame, so it is a file of its own beside those rows.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from platui.core.paths import write_private
from platui.core.remarks import unheard
from platui.models.values.triage_board import KeptBoard
from platui.models.values.triage_items import BoardItem
from platui.store.document import leave_or_put_aside, refuse_newer
from platui.store.naming import file_stem
from platui.store.records import read, written
from platui.store.shape import WRONG_SHAPE, only

if TYPE_CHECKING:
    from pathlib import Path

    from platui.core.remarks import Say

_WHAT: Final = "The triage board of the last visit"
_VERSION: Final = 1

MOST_ITEMS: Final = 400
"""Of what is kept; what the board shows last goes first."""

_TOO_BIG: Final = 8_000_000
"""Bytes above which a file is not one of ours."""


class KeptBoards:
    """The last boards, in a folder with one file a profile."""

    def __init__(self, folder: Path, say: Say = unheard) -> None:
        """Take where they are.

        Args:
            folder: where.
            say: takes what the user has to know of a file that cannot be read.
        """
        self._folder = folder
        self._say = say

    def load(self, profile: str, url: str) -> KeptBoard | None:
        """Return the last board of the profile; None where there is none that can be read.

        Args:
            profile: its name.
            url: of the platform: numbers of another one of that name mean other things.
        """
        path = self._path(profile)
        try:
            if path.stat().st_size > _TOO_BIG:
                raise ValueError(path)
            document = json.loads(path.read_bytes())
            if document["version"] != _VERSION:
                raise ValueError(document["version"])
            if document["url"] != url:
                return None
            return KeptBoard(
                read(tuple[BoardItem, ...], document["items"]),
                read(tuple[tuple[int, str], ...], document["names"]),
                only(document["watched"], int),
                read(tuple[int, ...], document["refused"]),
                float(only(document["told_at"], int, float)),
            )
        except OSError:
            return None
        except WRONG_SHAPE:
            # The rows mean nothing until the board comes.
            leave_or_put_aside(path, _WHAT, _VERSION, self._say)
            return None

    def save(self, profile: str, url: str, kept: KeptBoard) -> None:
        """Keep the board of a profile, in the stead of the one of before.

        Raises:
            OSError: the file cannot be written, or is of a newer platui.
        """
        path = self._path(profile)
        refuse_newer(path, _VERSION)
        document: dict[str, Any] = {
            "version": _VERSION,
            "url": url,
            "told_at": kept.told_at,
            "watched": kept.watched,
            "refused": kept.refused,
            "names": kept.names,
            "items": written(kept.items[:MOST_ITEMS]),
        }
        text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
        if len(text) > _TOO_BIG:  # of texts that are longer than any screen
            return
        write_private(path, text.encode(), lasting=False)

    def _path(self, profile: str) -> Path:
        return self._folder / f"{file_stem(profile)}.json"
