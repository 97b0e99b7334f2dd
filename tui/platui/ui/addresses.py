"""Parse web and API addresses of the platform into routes."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from platui.core.origins import same_origin
from platui.models.values.routes import FIELD_TYPES, Route
from platui.ui import views

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef

_API: Final = "/api/v4"

# Characters allowed in a path segment.
_SEGMENT: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.\-]{0,254}")
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
_LINE: Final = re.compile(r"L([1-9][0-9]{0,11})(?:-L?[0-9]{1,12})?")

_FIELD: Final = re.compile(r"\{(\w+)\}")
_SHA: Final = re.compile(r"[0-9a-f]{8,64}")
_SHORT: Final = 8

# First segments that are never groups.
_PAGES: Final = frozenset(
    {"-", "admin", "api", "dashboard", "explore", "groups", "help", "users", "profile"},
)


def route_of(address: str, base: str) -> Route | None:
    """Return the route of an address below `base`, with the line of `#L50`; None if unknown."""
    address = address.strip()
    path = _path(address, base)
    if path.startswith(f"{_API}/projects/"):
        ref = parse_qs(urlsplit(address).query).get("ref", [""])[0]
        route = _api_route(path.removeprefix(f"{_API}/projects/"), ref)
    else:
        parts = _parts(address, base)
        route = None if parts is None else _web_route(parts)
    if route is None or "line" not in views.get(route.view).optional_fields:
        return route
    line = _LINE.fullmatch(urlsplit(address).fragment)
    return route if line is None else replace(route, line=int(line[1]) - 1)


def route_and_filter(address: str, base: str) -> tuple[Route, str] | None:
    """Return route and filter of an address, including groups, commits and `?ref=main`."""
    address = address.strip()
    route, parts = route_of(address, base), _parts(address, base) or []
    if route is not None:
        return route, _words(route, parts, address)
    group = _group(parts)
    return (Route("projects"), "/".join(group)) if group else None


def _words(route: Route, parts: list[str], address: str) -> str:
    filter_params = views.get(route.view).filter_params
    if not filter_params or route.pipeline is not None:
        return ""
    match parts[parts.index("-") + 1 :] if "-" in parts else []:
        case ["commit" | "commits" as kind, name, *_]:
            # Rows show the short commit.
            return name[:_SHORT] if kind == "commit" and _SHA.fullmatch(name) else _fit(name)
        case ["tree", name, *_]:
            return _fit(name)
    asked = parse_qs(urlsplit(address).query)
    wanted = [asked.get(name, [""])[0] for name in filter_params]
    return " ".join(filter(None, map(_fit, wanted)))


def _fit(text: str) -> str:
    text = unquote(text)
    return text if text.isprintable() and " " not in text and not text.startswith("!") else ""


def _group(parts: list[str]) -> list[str]:
    named = parts[1:] if parts[:1] == ["groups"] else parts[:1] if len(parts) == 1 else []
    group = named[: named.index("-")] if "-" in named else named
    if not group or group[0] in _PAGES:
        return []
    return group if all(_SEGMENT.fullmatch(part) for part in group) else []


def _path(address: str, base: str) -> str:
    """Return the path below `base`; empty: not on the platform."""
    if not same_origin(address, base):
        return ""
    prefix = urlsplit(base).path.rstrip("/").removesuffix(_API)
    path = urlsplit(address).path
    return path.removeprefix(prefix) if path.startswith(f"{prefix}/") else ""


def _parts(address: str, base: str) -> list[str] | None:
    path = _path(address, base)
    if not path or path.startswith(f"{_API}/"):
        return None
    return [part for part in path.split("/") if part]


def _api_route(path: str, ref: str) -> Route | None:
    head, *rest = [part for part in path.split("/") if part] or [""]
    if rest[:2] == ["repository", "files"] and rest[2:]:
        # One segment, the whole path encoded in it (spec §4.3).
        names = unquote(rest[2]).split("/")
        rest = ["blob", *(quote(part, safe="") for part in (ref or "HEAD", *names))]
    if _NUMBER.fullmatch(head):
        return _item_route(int(head), rest)
    name = unquote(head)
    return _item_route(name, rest) if _is_project(name.split("/")) else None


def _web_route(parts: list[str]) -> Route | None:
    if "-" in parts:
        cut = parts.index("-")
        project, rest = parts[:cut], parts[cut + 1 :]
    else:
        # An old address is split before its last `pipelines` or `jobs`.
        cuts = [cut for cut in range(2, len(parts)) if parts[cut] in {"pipelines", "jobs"}]
        cut = cuts[-1] if cuts else len(parts)
        project, rest = parts[:cut], parts[cut:]
    return _item_route("/".join(project), rest) if _is_project(project) else None


def _is_project(parts: list[str]) -> bool:
    return (
        len(parts) > 1
        and parts[0] not in _PAGES
        and all(_SEGMENT.fullmatch(part) and part not in {".", ".."} for part in parts)
    )


def _item_route(project: ProjectRef, rest: list[str]) -> Route | None:
    """Return the route of a project's page; a page without a view has the nearest one."""
    page = "".join(f"/{part}" for part in rest)
    patterns = [(one, view.id) for view in views.all_views() for one in view.addresses]
    for pattern, view in sorted(patterns, key=lambda one: -one[0].count("/") - bool(one[0])):
        begin = _FIELD.sub(_segment, f"/{pattern}" if pattern else "")
        found = re.fullmatch(f"{begin}(?:/.*)?", page)
        if found is not None:
            fields = _fields(found.groupdict())
            name = project if isinstance(project, str) else ""
            return None if fields is None else Route(view, project, name, **fields)
    return None


def _segment(field: re.Match[str]) -> str:
    is_last = field.end() == len(field.string)
    of_text = ".+" if is_last else "[^/]+"
    pattern = of_text if str in FIELD_TYPES[field[1]] else _NUMBER.pattern
    return f"(?P<{field[1]}>{pattern})"


def _fields(texts: dict[str, str]) -> dict[str, Any] | None:
    """Return the values of fields; None if invalid.

    The last one has all slashes; an unencoded ref before a path is cut at its first one.
    """
    fields: dict[str, Any] = {}
    for field, text in texts.items():
        parts = [unquote(part) for part in text.split("/")]
        value = "/".join(parts)
        if str not in FIELD_TYPES[field]:
            fields[field] = int(value)
        elif not value.isprintable() or (field == "path" and {"", ".", ".."} & {*parts}):
            return None
        else:
            fields[field] = "" if (field, value) == ("ref", "HEAD") else value
    return fields
