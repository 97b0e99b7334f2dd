"""A place as a line that is typed after `:`, or to `platui`, and that opens the same view again.

`:pipelines acme/etl /failed`, `:log acme/etl job=412 line=120`. What people type by hand is read
by the dashboard's command line, which takes these lines as well.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote

from platui.core.text import clean
from platui.models.values.places import Place, View

if TYPE_CHECKING:
    from platui.config.profile import Profile

_NUMBERS: Final = ("job", "line", "schedule")
_TEXTS: Final = ("path", "ref", "search", "sort", "group", "report", "entry")
_FLAGS: Final = ("is_regex", "triggered")
_WRITTEN: Final = {"is_regex": "regex"}
"""Where a field is written in another way than it is called."""
_FIELDS: Final = {_WRITTEN.get(name, name): name for name in (*_NUMBERS, *_TEXTS, *_FLAGS)}
_ALWAYS: Final = {View.FILE: "path", View.RUN: "ref"}
"""What is said even where it is empty: without it the word is a verb of the command line."""
_OF_A_PROJECT: Final = frozenset(View) - {
    View.TRIAGE, View.PROJECTS, View.REQUESTS, View.ACCESS, View.GROUPS, View.CHANGES, View.PERSON,
    View.MEMBERS,
}  # fmt: skip
_NEEDED: Final = {
    View.LOG: "job", View.COMPARE: "job", View.MANY: "pipeline", View.SEARCH: "pipeline",
    View.SINCE: "pipeline", View.PERSON: "entry", View.MEMBERS: "entry",
}  # fmt: skip
"""What a view cannot be without."""
_SAFE: Final = "/:@._-~+,"
_DIGITS: Final = 18
_PATH: Final = re.compile(r"[A-Za-z0-9_][\w.-]*(?:/[A-Za-z0-9_][\w.-]*)+", re.ASCII)
"""The path of a project; what a platform tells as one need not be."""


def place_line(place: Place, words: str = "") -> str:
    """Return the line that opens a place, with what is filtered by in it.

    Names of projects and jobs are not in it: they are learned again.
    """
    parts = [f":{place.view.value}"]
    if place.project is not None:
        parts.append(str(place.project))
    if place.pipeline is not None:
        parts.append(f"#{place.pipeline}")
    for written, name in _FIELDS.items():
        value = getattr(place, name)
        if name == "line" and value is not None:
            value += 1  # as people count
        is_said = value not in {None, "", False} or _ALWAYS.get(place.view) == name
        if is_said:
            text = "yes" if value is True else str(value)
            text = text.replace(" ", ":", 1) if name == "entry" else text
            parts.append(f"{written}={quote(text, safe=_SAFE)}")
    words = clean(words).strip()
    return " ".join([*parts, *([f"/{words}"] if words else [])])


def by_path(place: Place) -> Place:
    """Return a place with its project by its path, where that is known: an id says nothing."""
    name = place.project_name
    is_known = isinstance(place.project, int) and _PATH.fullmatch(name) is not None
    return replace(place, project=name) if is_known else place


def reopening(profile: Profile, place: Place, words: str = "") -> str:
    """Return the command that opens a place on a platform, as `opening` does."""
    return opening(profile, place_line(place, words))


def opening(profile: Profile, *words: str) -> str:
    """Return the command that opens or prints what is of a platform; no shell runs a word of it.

    Args:
        profile: which platform.
        words: an address or a line that opens a place; or a command with what it takes.
    """
    from shlex import join  # noqa: PLC0415  (not for a first frame)

    # A profile that was made of an address alone has no name that another command knows.
    which = ["--url", profile.url] if profile.ephemeral else ["--profile", profile.name]
    return clean(join(["platui", *which, *words]))


def is_exact(text: str) -> bool:
    """Return whether a line says more than people type by hand: fields by their names."""
    head = text.partition(" /")[0].split()
    views = {View.LOG, View.MANY, View.SEARCH, View.SINCE, View.PERSON, View.MEMBERS}
    named = any(word.partition("=")[0] in _FIELDS and "=" in word for word in head[1:])
    return bool(head) and head[0].removeprefix(":") in set(View) and (named or head[0] in views)


def read_place(text: str) -> tuple[Place, str] | None:
    """Return the place that a line opens, and what it is filtered by; None: it opens none."""
    head, slash, words = text.strip().removeprefix(":").strip().partition(" /")
    view, *parts = head.split() or [""]
    if view not in set(View):
        return None
    place: Place | None = Place(View(view))
    for part in parts:
        place = _with(place, part)
        if place is None:
            return None
    return (place, words.strip() if slash else "") if place and _is_whole(place) else None


def _with(place: Place | None, part: str) -> Place | None:
    """Return a place with what one more word says; None where it says nothing of a place."""
    written, equals, value = part.partition("=")
    if place is None:
        return None
    if equals and written in _FIELDS:
        return _with_field(place, _FIELDS[written], unquote(value))
    number = _number(part.removeprefix("#"))
    if part.startswith("#"):
        return None if number is None else replace(place, pipeline=number)
    if place.project is not None or place.view not in _OF_A_PROJECT:
        return None
    if number is not None:
        return replace(place, project=number)
    return replace(place, project=part, project_name=part) if "/" in part.strip("/") else None


def _with_field(place: Place, name: str, value: str) -> Place | None:
    if not value.isprintable():
        return None
    if name in _FLAGS:
        return replace(place, **{name: value == "yes"})  # type: ignore[arg-type]  # a flag
    if name in _TEXTS:
        value = value.replace(":", " ", 1) if name == "entry" else value
        return replace(place, **{name: value})  # type: ignore[arg-type]  # a text
    number = _number(value)
    if number is None or (name == "line" and number == 0):
        return None
    return replace(place, **{name: number - (name == "line")})  # type: ignore[arg-type]  # a number


def _is_whole(place: Place) -> bool:
    """Return whether a view has what it cannot be without."""
    if place.view in _OF_A_PROJECT and place.project is None:
        return False
    needed = _NEEDED.get(place.view)
    return needed is None or getattr(place, needed) not in {None, ""}


def _number(text: str) -> int | None:
    is_one = text.isascii() and text.isdecimal() and len(text) <= _DIGITS
    return int(text) if is_one else None
