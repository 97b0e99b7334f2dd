"""A pasted address of the platform's web pages, read as a place of ours."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from platui.core.origins import same_origin
from platui.models.values.places import Place, View

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef

_API: Final = "/api/v4"

# What the platform itself takes as a path segment of a group or project.
_SEGMENT: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.\-]{0,254}")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_LINE: Final = re.compile(r"L([1-9][0-9]{0,11})(?:-L?[0-9]{1,12})?")
"""What the web's page of a log adds to its address for a line, or for several."""

# First segments that are pages of the platform, never groups.
_PAGES: Final = frozenset(
    {"-", "admin", "api", "dashboard", "explore", "groups", "help", "users", "profile"},
)


def place_of(address: str, base: str) -> Place | None:
    """Return the place a platform address names; None where it is not one of `base`'s.

    Takes projects, pipelines and jobs, with or without `/-`, and the API's own addresses. That
    of a job may name a line of its log: `#L50`.
    """
    place = _place_of(address.strip(), base)
    if place is None or place.view is not View.LOG:
        return place
    line = _LINE.fullmatch(urlsplit(address.strip()).fragment)
    return place if line is None else replace(place, line=int(line[1]) - 1)


def _place_of(address: str, base: str) -> Place | None:
    if not same_origin(address, base):
        return None
    prefix = urlsplit(base).path.rstrip("/").removesuffix(_API)
    path = urlsplit(address).path
    if path.startswith(f"{prefix}{_API}/projects/"):
        return _api_place(path.removeprefix(f"{prefix}{_API}/projects/"))
    if not path.startswith(f"{prefix}/"):
        return None
    return _web_place([part for part in path.removeprefix(prefix).split("/") if part])


def _api_place(path: str) -> Place | None:
    """Read `<id or encoded path>/pipelines/1` and its like (spec §4.3)."""
    head, *rest = [part for part in path.split("/") if part] or [""]
    if _NUMBER.fullmatch(head):
        return _thing_place(int(head), rest)
    name = unquote(head)
    return _thing_place(name, rest) if _is_project(name.split("/")) else None


def _web_place(parts: list[str]) -> Place | None:
    """Read `group/project/-/pipelines/1` and its like."""
    if "-" in parts:
        cut = parts.index("-")
        project, rest = parts[:cut], parts[cut + 1 :]
    else:
        project, rest = _cut_old(parts)
    return _thing_place("/".join(project), rest) if _is_project(project) else None


def _cut_old(parts: list[str]) -> tuple[list[str], list[str]]:
    """Part an address of the old form, without `/-`, before its last `pipelines` or `jobs`."""
    for cut in range(len(parts) - 1, 1, -1):
        if parts[cut] in {"pipelines", "jobs"}:
            return parts[:cut], parts[cut:]
    return parts, []


def _is_project(parts: list[str]) -> bool:
    """Return whether these segments can be a project's full path."""
    return (
        len(parts) > 1
        and parts[0] not in _PAGES
        and all(_SEGMENT.fullmatch(part) and part not in {".", ".."} for part in parts)
    )


def _thing_place(project: ProjectRef, rest: list[str]) -> Place | None:
    """Return the place of what follows a project: nothing, a list, or one thing."""
    name = project if isinstance(project, str) else ""
    kind, number = (rest[0] if rest else "", rest[1] if len(rest) > 1 else "")
    if number and not _NUMBER.fullmatch(number):
        # Such as `-/pipelines/new` or `-/pipelines/charts`: the list is the nearest thing.
        number = ""
    match kind, number:
        case "pipelines" | "jobs", number if number:
            if kind == "jobs":
                return Place(View.LOG, project, name, job=int(number))
            return Place(View.JOBS, project, name, pipeline=int(number))
        case "pipeline_schedules", _:
            return Place(View.SCHEDULES, project, name)
        case "jobs", _:
            return Place(View.JOBS, project, name)
        case _:
            return Place(View.PIPELINES, project, name)
