"""Matches of the text after `:`, best first: commands, known objects, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import nearest
from platui.models.values.known import PLACES, Kind, Known
from platui.models.values.routes import Route
from platui.present.jump import MOST, Index, matching
from platui.ui import views
from platui.ui.route_lines import has_fields, is_path, parse_id
from platui.ui.typed_commands import numbered_views, view_words

HERE: Final = "here"  # The kind of a hit in the current view
MEMBERS: Final = "members"  # The view of the access report for a project or group
_COMMANDS: Final = 4  # Commands that are listed
_SHORT: Final = 2  # Length of an alias that is not listed
_LONG: Final = 1_000_000  # The least number that is an id rather than a line
_NUMBER: Final = re.compile(r"(?P<path>[^\s#]*)#(?P<number>[0-9]{1,18})|(?P<bare>[0-9]{1,18})")


class Hit(NamedTuple):
    """A row of the list above the prompt."""

    kind: str
    name: str
    place: str = ""
    status: str = ""
    completion: str = ""  # What `tab` makes of the typed text
    route: Route | None = None
    filter: str = ""
    command: str = ""  # Run instead of opening a route

    def is_of(self, other: Hit) -> bool:
        """Whether it opens the same, though with another status perhaps."""
        return (self.route, self.filter, self.command) == (
            other.route, other.filter, other.command,
        )  # fmt: skip


class Number(NamedTuple):
    """`4711`, `#4711` or `acme/etl#4711`."""

    number: int
    path: str
    is_bare: bool  # Whether it may be a line or row of the current view

    @property
    def is_long(self) -> bool:
        """Whether it is an id rather than a line."""
        return self.number >= _LONG


class Argument(NamedTuple):
    """The object that a command takes: `treas` in `jobs treas /failed`."""

    word: str
    view: str  # The view that opens with the object; empty: the command runs with its path
    kinds: tuple[Kind, ...]
    words: str
    filter: str


def read_number(typed: str) -> Number | None:
    found = _NUMBER.fullmatch(typed.strip(" :"))
    if found is None:
        return None
    return Number(int(found["bare"] or found["number"]), found["path"] or "", bool(found["bare"]))


def read_argument(typed: str) -> Argument | None:
    """Return the argument of a command; None: it takes no object, or none is begun."""
    word, space, rest = typed.lstrip(" :").partition(" ")
    taken = _taken_by(word)
    if not space or taken is None or has_fields(typed):
        return None
    words = rest.split()
    at = next((at for at, one in enumerate(words) if one.startswith("/")), len(words))
    filter_ = " ".join(words[at:]).removeprefix("/")
    return Argument(word, *taken, " ".join(words[:at]), filter_)


def _taken_by(word: str) -> tuple[str, tuple[Kind, ...]] | None:
    """Return the view that a command opens and the kinds of objects that it takes."""
    if word in {"watch", "unwatch"}:
        return "", PLACES
    if (view := view_words().get(word)) is not None:
        if view.id in {"access", "groups"}:
            return MEMBERS, PLACES
        if view.id == "projects":
            return view.id, (Kind.GROUP,)
        also = (Kind.PIPELINE,) if "pipeline" in view.optional_fields else ()
        return (view.id, (Kind.PROJECT, *also)) if view.is_of_project else None
    numbered = numbered_views().get(word)
    field = views.get(numbered).number if numbered is not None else ""
    return (numbered, (Kind(field),)) if numbered and field else None


def searched_words(typed: str) -> str:
    """Return the name that the platform may find; empty: the text is no name."""
    argument = read_argument(typed)
    if argument is not None and not {*argument.kinds} & {*PLACES}:
        return ""
    text = typed.strip(" :") if argument is None else argument.words
    is_address = text.startswith(("http://", "https://"))
    if is_address or parse_id(text.rpartition("#")[2]) is not None:
        return ""
    return max(text.strip("/").rpartition("/")[2].split(), key=len, default="")


def suggest(
    typed: str, index: Index, commands: Mapping[str, str], view: str, *, is_here: bool = False
) -> list[Hit]:
    """Return what the text may open.

    Args:
        typed: The text, perhaps with its `:`.
        index: The known objects.
        commands: The commands that can be typed, with their help.
        view: The view that projects and groups open.
        is_here: Whether the typed number is a line of the current view, or the id of a row.
    """
    text = typed.lstrip(" :")
    if not text.strip():
        return [_hit(one, view) for one in matching(index, "")]
    if text.startswith(("http://", "https://")):
        return []
    if (number := read_number(text)) is not None:
        return _numbers(number, text.strip(), index, view, is_here=is_here)
    if (argument := read_argument(text)) is not None:
        return _arguments(argument, text.strip(), index, commands)
    word, is_over = text.split()[0], " " in text
    listed = [_command(text.strip(), commands[word])] if word in commands else []
    if listed and is_over:
        return listed
    more = (one for one in commands if one.startswith(text.lower()) and one != word)
    listed += [_command(one, commands[one]) for one in more if len(one) > _SHORT]
    words = text.strip()
    objects = matching(index, words)
    if not listed and _is_mistyped(words, objects, commands):
        return []
    found = [_hit(one, view) for one in objects]
    route = Route(view if view != MEMBERS else "pipelines", words, words)
    found = _with_path(words, found, Hit("path", words, "as typed", completion=words, route=route))
    return [*listed[:_COMMANDS], *found][:MOST]


def _is_mistyped(words: str, found: Sequence[Known], commands: Iterable[str]) -> bool:
    """Return whether a text resembles a command more than the objects that it finds."""
    is_exact = " " in words or any(words.lower() in one.text for one in found[:1])
    return not is_exact and bool(nearest(words, commands, cutoff=0.8))


def _arguments(
    argument: Argument, text: str, index: Index, commands: Mapping[str, str]
) -> list[Hit]:
    words, kinds = argument.words, argument.kinds
    literal = _command(text, commands.get(argument.word, ""))
    if any(parse_id(word.lstrip("#")) is not None for word in words.split()):
        # Numbers are ids: nothing similar is meant.
        exact = [one for one in matching(index, words, kinds) if str(one.id) == words.lstrip("#")]
        return [*(_argument_hit(one, argument) for one in exact if one.kind in PLACES), literal]
    found = [_argument_hit(one, argument) for one in matching(index, words, kinds)]
    if not words:
        return [literal, *found][:MOST]
    if not argument.view or views.get(argument.view).is_of_project:
        # Other views open without what was typed.
        found = _with_path(words, found, literal)
    return found if argument.view or literal in found else [*found[: MOST - 1], literal]


def _numbers(number: Number, text: str, index: Index, view: str, *, is_here: bool) -> list[Hit]:
    wanted = str(number.number)
    found = [
        one
        for one in matching(index, wanted)
        if not number.path or (str(one.id) == wanted and _ends_with(one.path, number.path))
    ]
    hits = [_hit(one, view) for one in found]
    is_known = any(str(one.id) == wanted for one in found)
    if not is_known and (number.is_long or not is_here):
        hits.insert(0, Hit("number", text, "find this pipeline or job", command=text))
    if is_here:
        here = Hit(HERE, wanted, "line or row of this view", command=text)
        hits.insert(1 if number.is_long else 0, here)
    return hits[:MOST]


def exact(index: Index, number: Number) -> Route | None:
    """Return the route of the known pipeline, job or schedule with this number."""
    for one in matching(index, str(number.number), (Kind.PIPELINE, Kind.JOB, Kind.SCHEDULE)):
        if one.id == number.number and (not number.path or _ends_with(one.path, number.path)):
            return route_of(one)
    return None


def projects_named(index: Index, name: str) -> list[Known]:
    """Return the projects of a name, a full path or the end of one."""
    found: dict[str, Known] = {}
    for one in matching(index, name, (Kind.PROJECT,)):
        if _ends_with(path := one.path or one.label, name):
            found.setdefault(path, one)
    return [*found.values()]


def _ends_with(path: str, end: str) -> bool:
    return f"/{path.lower()}".endswith(f"/{end.strip('/').lower()}")


def _with_path(words: str, found: list[Hit], typed: Hit) -> list[Hit]:
    """Return the hits of a full path; the typed one comes first unless it ends a known path."""
    if not is_path(words):
        return found
    best = found[0] if found else None
    if best is None or best.kind not in PLACES or not _ends_with(_path_of(best), words):
        tab = typed.completion if best is None else best.completion
        return [typed._replace(completion=tab), *found][:MOST]
    is_same = best.kind == Kind.PROJECT and _path_of(best) == words
    if is_same and best.route is not None and best.route.view != MEMBERS:
        # The same route, whether the project is known or not.
        found[0] = best._replace(route=typed.route, command=typed.command)
    return found


def _path_of(hit: Hit) -> str:
    return f"{hit.place}/{hit.name}"


def _command(text: str, help_: str) -> Hit:
    space = " " if " " not in text and _taken_by(text) is not None else ""
    return Hit("command", f":{text}", help_, completion=f"{text}{space}", command=text)


def _hit(one: Known, view: str) -> Hit:
    reference = _reference(one)
    completion = {
        Kind.PROJECT: reference if "/" in reference else f"pipelines {reference}",
        Kind.PIPELINE: f"{reference}#{one.id}",
        Kind.JOB: f"job {reference} {one.id}",
    }.get(one.kind, one.path or one.name)
    return _row(one)._replace(completion=completion, route=route_of(one, view))


def _argument_hit(one: Known, argument: Argument) -> Hit:
    reference, row = _reference(one), _row(one)
    number = {Kind.PIPELINE: f" #{one.id}", Kind.JOB: f" {one.id}"}.get(one.kind, " ")
    row = row._replace(completion=f"{argument.word} {reference}{number}", filter=argument.filter)
    if not argument.view:
        return row._replace(command=f"{argument.word} {reference}")
    return row._replace(route=route_of(one, argument.view))


def _row(one: Known) -> Hit:
    place = one.path or (f"project {one.project}" if one.project is not None else "")
    if one.kind in PLACES:
        place = one.path.rpartition("/")[0]
    elif one.kind is Kind.JOB:
        place = f"{place}#{one.id}"
    return Hit(one.kind, one.name, place, one.status)


def _reference(one: Known) -> str:
    """Return the path of a project or group as it can be typed, else the id."""
    is_typable = is_path(one.path) or one.kind is Kind.GROUP
    return one.path if is_typable else str(one.project if one.project is not None else one.id)


def route_of(one: Known, view: str = "") -> Route:
    """Return the route of an object; `view` is the one that projects and groups open."""
    number = one.id if isinstance(one.id, int) else None
    name = one.path or one.name
    match one.kind:
        case Kind.PROJECT | Kind.GROUP if view == MEMBERS and number is not None:
            return Route(MEMBERS, entry=f"{one.kind} {number}")
        case Kind.PROJECT:
            return Route(view if view != MEMBERS else "pipelines", one.project, name)
        case Kind.GROUP:
            return Route("projects", group=one.path)
        case Kind.PIPELINE:
            return Route("jobs", one.project, one.path, number)
        case Kind.JOB:
            return Route("log", one.project, one.path, one.pipeline, number, one.name)
        case Kind.SCHEDULE:
            return Route("schedules", one.project, one.path, schedule=number)
        case _:
            return Route("access", report=str(one.id))
