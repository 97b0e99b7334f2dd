"""A pasted address of the platform's web pages, read as a place of ours."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

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

_OF_FILES: Final = frozenset({"blob", "raw", "blame", "edit"})
"""Pages of one file: ref and path follow."""
_REF_AND_NAME: Final = 2
_SHA: Final = re.compile(r"[0-9a-f]{8,64}")
_SHORT: Final = 8

# First segments that are pages of the platform, never groups.
_PAGES: Final = frozenset(
    {"-", "admin", "api", "dashboard", "explore", "groups", "help", "users", "profile"},
)


def place_of(address: str, base: str) -> Place | None:
    """Return the place a platform address names; None where it is not one of `base`'s.

    Takes projects, pipelines, jobs and files, with or without `/-`, and the API's own addresses.
    That of a job or file may name a line of it: `#L50`.
    """
    place = _place_of(address.strip(), base)
    if place is None or place.view not in {View.LOG, View.FILE}:
        return place
    line = _LINE.fullmatch(urlsplit(address.strip()).fragment)
    return place if line is None else replace(place, line=int(line[1]) - 1)


def place_at(address: str, base: str) -> tuple[Place, str] | None:
    """Return the place of an address, and what its list is filtered by; None where it is none.

    A group is the list of the projects in it, a commit that of its pipelines, and what a list of
    the web is narrowed to is filtered by here: `?ref=main`.
    """
    place = place_of(address, base)
    parts = _parts(address.strip(), base) if place is None else None
    if parts is not None:
        group = _group(parts)
        return (Place(View.PROJECTS), f"{'/'.join(group)}") if group else None
    if place is None:
        return None
    return place, _words(place, address.strip(), base)


def _words(place: Place, address: str, base: str) -> str:
    """Return what an address narrows a list to, as a filter has it."""
    if place.view not in {View.PIPELINES, View.JOBS} or place.pipeline is not None:
        return ""
    parts = _parts(address, base) or []
    rest = parts[parts.index("-") + 1 :] if "-" in parts else []
    match rest:
        case ["commit" | "commits" as kind, name, *_]:
            # Rows have the first letters of a commit.
            return name[:_SHORT] if kind == "commit" and _SHA.fullmatch(name) else _fit(name)
        case ["tree", name, *_]:
            return _fit(name)
    asked = parse_qs(urlsplit(address).query)
    wanted = [asked.get(name, [""])[0] for name in ("ref", "status")]
    return " ".join(filter(None, map(_fit, wanted)))


def _fit(text: str) -> str:
    """Return the name of a ref or a status that an address has; empty for anything else."""
    text = unquote(text)
    return text if text.isprintable() and " " not in text and not text.startswith("!") else ""


def _group(parts: list[str]) -> list[str]:
    """Return the path of the group whose page this is; empty: it is another page."""
    named = parts[1:] if parts[:1] == ["groups"] else parts[:1] if len(parts) == 1 else []
    group = named[: named.index("-")] if "-" in named else named
    if not group or group[0] in _PAGES:
        return []
    return group if all(_SEGMENT.fullmatch(part) for part in group) else []


def _parts(address: str, base: str) -> list[str] | None:
    """Return the segments of a web address below the platform's; None: it is not of this one."""
    if not same_origin(address, base):
        return None
    prefix = urlsplit(base).path.rstrip("/").removesuffix(_API)
    path = urlsplit(address).path
    if not path.startswith(f"{prefix}/") or path.startswith(f"{prefix}{_API}/"):
        return None
    return [part for part in path.removeprefix(prefix).split("/") if part]


def _place_of(address: str, base: str) -> Place | None:
    if not same_origin(address, base):
        return None
    prefix = urlsplit(base).path.rstrip("/").removesuffix(_API)
    path = urlsplit(address).path
    if path.startswith(f"{prefix}{_API}/projects/"):
        ref = parse_qs(urlsplit(address).query).get("ref", [""])[0]
        return _api_place(path.removeprefix(f"{prefix}{_API}/projects/"), ref)
    parts = _parts(address, base)
    return None if parts is None else _web_place(parts)


def _api_place(path: str, ref: str) -> Place | None:
    """Read `<id or encoded path>/pipelines/1` and its like (spec §4.3)."""
    head, *rest = [part for part in path.split("/") if part] or [""]
    if rest[:2] == ["repository", "files"] and rest[2:]:
        # One segment, the whole path encoded in it (spec §4.3).
        names = unquote(rest[2]).split("/")
        rest = ["blob", *(quote(part, safe="") for part in (ref or "HEAD", *names))]
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
    if kind in _OF_FILES and len(rest) > _REF_AND_NAME:
        return _file_place(project, name, rest[1:])
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


def _file_place(project: ProjectRef, name: str, rest: list[str]) -> Place | None:
    """Return a file at a ref; one that has a slash is told from the path where it is encoded.

    Where it is not, its first part is taken: whoever reads the file finds the others out.
    """
    ref, *path = (unquote(part) for part in rest)
    whole = "/".join(path)
    if not (ref + whole).isprintable() or {"", ".", ".."} & set(path):
        return None
    return Place(View.FILE, project, name, path=whole, ref="" if ref == "HEAD" else ref)
