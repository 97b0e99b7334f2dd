"""The question before a write, its preview, and the name of its project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, json_escaped
from platui.present.counts import plural

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import WriteAction, WriteRequest
    from platui.present.chrome import Piece, Pieces


_BLANK: Final = ("", "text")


def badge(profile: str, *, production: bool) -> Pieces:
    if production:
        return ((" ", "text"), (f"  PRODUCTION · {clean(profile)}  ", "production"))
    return ((" profile ", "muted"), (clean(profile), "strong"))


def question(request: WriteRequest, notes: Sequence[str] = ()) -> list[Piece]:
    return [
        (request.effect, "strong"),
        (where(request), "text"),
        (f"with the {request.credential}", "muted"),
        *(piece for note in notes for piece in (_BLANK, (note, "warning"))),
    ]


def listed(request: WriteRequest) -> list[str]:
    return [] if len(request.effects) == 1 else list(request.effects)


def preview(request: WriteRequest) -> list[str]:
    lines: list[str] = []
    for http in request.http_requests:
        lines.append(clean(f"{http.method} {http.target}"))
        if http.body:
            kind = "as form fields:" if http.encoding == "form" else "as JSON:"
            lines += [kind, *map(json_escaped, http.body.split("\n"))]
    noun = plural(len(request.commands), "command")
    return [*lines, "", f"the same as {noun}:", *map(json_escaped, request.commands)]


def where(request: WriteRequest) -> str:
    if request.project is not None:
        return f"in {request.called}"
    return "in your own namespace" if len(request.intents) == 1 else "in several projects"


def first_time(act: WriteAction, profile: str) -> str:
    return (
        f"First “{act.value}” on {profile}. It is an optional feature of platforms: "
        "if this one does not support it, nothing is changed."
    )


def called(project: ProjectRef | None, name: str) -> str:
    """Return a project's path, else its name with its id."""
    if not isinstance(project, int) or name in {"", str(project)}:
        return clean(str(project))
    return clean(name) if "/" in name else f"{clean(name)} ({project})"
