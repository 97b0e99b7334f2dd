"""The status lines and empty pages of the file view."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.core.text import clean
from platui.present.counts import counted, human_bytes, lines_in_sight
from platui.present.files.source import Check

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.models.wire import RepositoryFile
    from platui.present.files.source import Source

_COMMIT: Final = re.compile(r"[0-9a-f]{40,64}")


def short_ref(ref: str) -> str:
    return ref[:8] if _COMMIT.fullmatch(ref) else clean(ref)


def file_line(
    route: Route, file: RepositoryFile | None, source: Source | None
) -> list[tuple[str, str]]:
    pieces = [(short_ref(route.ref), "accent")] if route.ref else []
    if file is None or source is None:
        return pieces
    if not source.binary:
        pieces.append((counted(source.document.line_count, "line"), "text"))
    pieces.append((human_bytes(source.size), "text"))
    if file.last_commit_id:
        pieces.append((f"last changed in {clean(file.last_commit_id[:8])}", "muted"))
    if source.check is Check.MATCHES:
        pieces.append(("sha256 ✔", "muted"))
    elif source.check is Check.DIFFERS:
        pieces.append(("✖ sha256 does not match", "failed"))
    return pieces


def where_line(source: Source | None, window: tuple[int, int]) -> tuple[tuple[str, str], ...]:
    if source is None or not source.document.line_count:
        return ()
    first, last = window
    if not last:
        return ((" no line is shown", "muted"),)
    return ((f" {lines_in_sight(first, last, source.document.line_count)}", "muted"),)


def page_without(route: Route, source: Source | None, *, missing: bool, asked: bool) -> str:
    """Return the page without a text; `missing`: not found, `asked`: loading."""
    path, ref = clean(route.path), short_ref(route.ref)
    keys = "p  another file      @  another ref"
    if missing:
        return f"{path} not found at {ref},\nor not allowed with this token.\n\n{keys}"
    if source is not None and source.binary:
        return f"{path} is a binary file of {human_bytes(source.size)}.\n\n{keys}"
    if source is not None:
        return f"{path} is empty at {ref}.\n\n{keys}"
    if asked:
        return f"Loading {path or 'the pipeline file'} …"
    if not route.ref:
        return "No branch, tag or commit selected.\n\n@  choose"
    return "No file selected.\n\np  choose      @  another ref"
