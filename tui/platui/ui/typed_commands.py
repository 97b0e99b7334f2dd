"""Parse commands typed after `:`; nothing is executed here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.errors import CommandError
from platui.core.suggestions import nearest
from platui.core.text import shorten
from platui.ui import views
from platui.ui.route_lines import has_fields, parse_id, read_route
from platui.ui.verbs import BY_WORD, VERBS, verb_lines, verb_words

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.ui.view import View

_WITH_PROJECT: Final = 2


_HELP: Final = (
    ("URL", "URL of a project, pipeline or job, also on another profile's platform"),
    ("NUMBER", "line of the log, or row with this id"),
)
_SHORT: Final = 2  # Length of an alias that needs no completion


def help_lines(*, writes: bool = True) -> list[tuple[str, str]]:
    """Return all commands with help; `writes=False` omits write commands."""
    every = views.all_views()
    numbers = [(f"{view.number} NUMBER", view.number_help) for view in every if view.number]
    areas = [view.help_line for view in every if view.opens_by_name]
    return [*areas, *numbers, *_HELP, *verb_lines(_offered(writes=writes))]


def completions(*, writes: bool = True) -> list[str]:
    """Return the words for completion, ending in a space where an argument follows."""
    areas = [
        f"{word} " if view.is_of_project else word
        for word, view in view_words().items()
        if len(word) > _SHORT
    ]
    numbers = [f"{view.number} " for view in views.all_views() if view.number]
    return [*areas, *numbers, *verb_words(_offered(writes=writes))]


def command_helps(*, writes: bool = True) -> dict[str, str]:
    """Return each word that begins a command, and its help."""
    verbs = [verb for verb in VERBS if writes or not verb.writes]
    return {
        **{word: view.help_line[1] for word, view in view_words().items()},
        **{word: views.get(view).number_help for word, view in numbered_views().items()},
        **{word: verb.help for verb in verbs for word in (verb.name, *verb.aliases)},
    }


def _offered(*, writes: bool) -> set[str]:
    return {verb.name for verb in VERBS if writes or not verb.writes}


@dataclass(frozen=True, slots=True)
class OpenView:
    """`:pipelines group/name /failed`: a view by its name."""

    view: str
    project: str = ""
    pipeline: int | None = None
    filter: str = ""


@dataclass(frozen=True, slots=True)
class OpenRoute:
    """`:log acme/etl job=412 line=120`: a view with fields."""

    route: Route
    filter: str = ""


@dataclass(frozen=True, slots=True)
class OpenAddress:
    """A pasted URL of the platform."""

    address: str


@dataclass(frozen=True, slots=True)
class GoToNumber:
    """`:123`: a line of the log, or the row with this id."""

    number: int


@dataclass(frozen=True, slots=True)
class OpenNumber:
    """`:#4711`, `:pipeline 4711`, `:job acme/etl 412`: a pipeline or job by its id."""

    number: int
    view: str | None = None  # None: the row with this id, else a pipeline
    project: str = ""  # Empty: the current one


@dataclass(frozen=True, slots=True)
class RunVerb:
    """A verb with its argument."""

    verb: str
    argument: str = ""


TypedCommand = OpenView | OpenRoute | OpenAddress | OpenNumber | GoToNumber | RunVerb


def typed_part(listed: str) -> str:
    """Return the words of a listed command without its arguments."""
    words = listed.removeprefix(":").split()
    kept = [word for word in words if word.islower()]
    return " ".join(kept) + (" " if kept and len(kept) < len(words) else "")


def read_command(text: str) -> TypedCommand | None:
    text = text.strip().removeprefix(":").strip()
    if not text:
        return None
    if text.startswith(("http://", "https://")):
        return OpenAddress(text)
    number = parse_id(text.lstrip("#"))
    if number is not None:
        return OpenNumber(number) if text.startswith("#") else GoToNumber(number)
    areas, numbered = view_words(), numbered_views()
    if (found := exact_route(text)) is not None:
        return OpenRoute(*found)
    word, _, rest = text.partition(" ")
    if word in numbered and (one := _numbered(numbered[word], rest.split())) is not None:
        return one
    if word in areas:
        return _area(areas[word].id, rest.split())
    if word in BY_WORD:
        return RunVerb(BY_WORD[word], rest.strip())
    if word in numbered:
        raise CommandError(f"Missing number. Type :{word} NUMBER.")
    near = nearest(word, [*areas, *BY_WORD, *numbered])
    hint = f"Did you mean :{near}?" if near else "Press ? for all commands."
    raise CommandError(f"Unknown command :{shorten(word, 30)}.", hint=hint)


def exact_route(text: str) -> tuple[Route, str] | None:
    """Return the route and filter of an exact command; None: it opens no view."""
    return read_route(text) if is_exact(text.strip()) else None


def is_exact(text: str) -> bool:
    """Return whether a command has fields, or its view requires them."""
    word = text.removeprefix(":").partition(" ")[0]
    view = views.find(word)
    return view is not None and (has_fields(text) or not (view.opens_by_name or word in BY_WORD))


def view_words() -> dict[str, View]:
    return {word: view for view in views.all_views() for word in view.words}


def numbered_views() -> dict[str, str]:
    found = {view.number: view.id for view in views.all_views() if view.number}
    return found | {name: name for name in found.values() if not views.get(name).opens_by_name}


def _numbered(view: str, words: list[str]) -> OpenNumber | None:
    number = parse_id(words[-1].removeprefix("#")) if words else None
    if number is None or len(words) > _WITH_PROJECT:
        return None
    return OpenNumber(number, view, "" if len(words) == 1 else words[0])


def split_file_ref(words: str) -> tuple[str, str]:
    """Split `PATH @REF` or `PATH@REF`; both are optional. Names in a path may begin with @."""
    found = re.fullmatch(r"(.*)(?<!/)@(.*)", words)
    path, ref = found.groups() if found is not None else (words, "")
    return path.strip().strip("/"), ref.strip()


def _area(view: str, words: list[str]) -> OpenView:
    project, pipeline, wanted = "", None, ""
    for at, word in enumerate(words):
        if word.startswith("/"):
            wanted = " ".join(words[at:]).removeprefix("/")
            break
        number = parse_id(word[1:]) if word.startswith("#") else None
        if number is not None:
            pipeline = number
        elif not project:
            project = word
    return OpenView(view, project, pipeline, wanted)
