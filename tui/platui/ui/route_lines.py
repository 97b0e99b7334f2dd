"""Format and parse routes as commands: `:log acme/etl job=412 line=120`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from platui.core.text import clean, shorten
from platui.models.values.routes import FIELD_TYPES, NAME_FIELDS, Route
from platui.ui import views

if TYPE_CHECKING:
    from platui.config.profile import Profile

_WRITTEN: Final = {"is_regex": "regex"}
_FIELDS: Final = {
    _WRITTEN.get(name, name): name
    for kind in (int, str, bool)
    for name, types in FIELD_TYPES.items()
    if types[0] is kind and name not in {"view", "project", "pipeline", *NAME_FIELDS}
}
_NEEDS: Final = {"project": "the full path of a project", "pipeline": "#PIPELINE"}
_DIGITS: Final = 18
# An answer of the platform may contain anything
_PATH: Final = re.compile(r"[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)+", re.ASCII)


def route_line(route: Route, words: str = "") -> str:
    """Return the command that opens a route with a filter, without names of projects and jobs."""
    parts = [f":{route.view}"]
    if route.project is not None:
        parts.append(str(route.project))
    if route.pipeline is not None:
        parts.append(f"#{route.pipeline}")
    written_always = views.get(route.view).always_written
    for always_written, name in _FIELDS.items():
        value = getattr(route, name)
        if name == "line" and value is not None:
            value += 1  # from 1 on
        if value not in {None, "", False} or written_always == name:
            text = "yes" if value is True else str(value)
            text = text.replace(" ", ":", 1) if name == "entry" else text
            parts.append(f"{always_written}={quote(text, safe='/:@._-~+,')}")
    words = clean(words).strip()
    return " ".join([*parts, *([f"/{words}"] if words else [])])


def by_path(route: Route) -> Route:
    """Return a route with the path of its project instead of the id, if known."""
    name = route.project_name
    is_known = isinstance(route.project, int) and is_path(name)
    return replace(route, project=name) if is_known else route


def is_path(text: str) -> bool:
    """Return whether a text can be typed as the full path of a project."""
    return _PATH.fullmatch(text) is not None


def opening(profile: Profile, *words: str) -> str:
    """Return a `platui` command line for a profile, quoted for a shell."""
    from shlex import join  # noqa: PLC0415  (not for a first frame)

    return clean(join(["platui", *profile.options, *words]))


def has_fields(text: str) -> bool:
    """Return whether a command has fields before its filter."""
    words = text.partition(" /")[0].split()[1:]
    return any("=" in word and word.partition("=")[0] in _FIELDS for word in words)


def read_route(text: str) -> tuple[Route, str] | None:
    """Parse a command into route and filter; None: it opens no view."""
    head, _, words = text.strip().removeprefix(":").strip().partition(" /")
    view, *parts = head.split() or [""]
    if views.find(view) is None:
        return None
    route = Route(view)
    for part in parts:
        changed = _with(route, part)
        if changed is None:
            return None
        route = changed
    if any(getattr(route, name) in {None, ""} for name in views.get(view).required_fields):
        return None
    return route, words.strip()


def missing_words(text: str) -> str:
    """Return what a command that opens no view needs; empty: its view is unknown."""
    head = text.strip().removeprefix(":").split() or [""]
    if (view := views.find(head[0])) is None:
        return ""
    needs = [_NEEDS.get(name) or f"{_WRITTEN.get(name, name)}=…" for name in view.required_fields]
    what = f"needs {', '.join(needs)}" if needs else "does not take these words"
    return f"Cannot read {shorten(text, 60)}: :{head[0]} {what}."


def _with(route: Route, part: str) -> Route | None:
    always_written, equals, value = part.partition("=")
    if equals and always_written in _FIELDS:
        return _with_field(route, _FIELDS[always_written], unquote(value))
    number = parse_id(part.removeprefix("#"))
    if part.startswith("#"):
        return None if number is None else replace(route, pipeline=number)
    if route.project is not None or not views.get(route.view).is_of_project:
        return None
    if number is not None:
        return replace(route, project=number)
    return replace(route, project=part, project_name=part) if "/" in part.strip("/") else None


def _with_field(route: Route, name: str, value: str) -> Route | None:
    if not value.isprintable():
        return None
    if bool in FIELD_TYPES[name]:
        return replace(route, **{name: value == "yes"})  # type: ignore[arg-type]
    if str in FIELD_TYPES[name]:
        value = value.replace(":", " ", 1) if name == "entry" else value
        return replace(route, **{name: value})  # type: ignore[arg-type]
    number = parse_id(value)
    if number is None or (name == "line" and number == 0):
        return None
    return replace(route, **{name: number - (name == "line")})  # type: ignore[arg-type]


def parse_id(text: str) -> int | None:
    is_id = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if is_id else None
