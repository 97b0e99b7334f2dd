"""Parse commands typed after `:`; nothing is executed here."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError
from platui.core.text import shorten
from platui.ui import views
from platui.ui.reopening import names_fields, number_in, read_place

if TYPE_CHECKING:
    from collections.abc import Container

    from platui.models.values.places import Place
    from platui.ui.view import View

_WITH_PROJECT: Final = 2


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that is not a view."""

    name: str
    help: str = ""  # Empty: not listed in help
    takes: str = ""
    aliases: tuple[str, ...] = ()
    writes: bool = False
    """Whether it needs writes: a profile with writes off does not offer it."""
    is_whole: bool = False  # Whether it is completed without a space for its argument


VERBS: Final = (
    Verb("file", "a file of the repository, perhaps at another ref", "PATH @REF"),
    Verb("compare", "this log with that of its last green run"),
    Verb("grep", "look for words, or for /a pattern/, in every log of the pipeline", "WORDS"),
    Verb(
        "run",
        "fill in the form of a new pipeline; run a schedule now; asks first",
        aliases=("start",),
        writes=True,
    ),
    Verb("trigger", "the same form, with the project's trigger token", writes=True),
    Verb("rerun", "the same form, filled in with what is known of this pipeline", writes=True),
    Verb("cancel", "stop what is under the cursor, or marked; asks first", writes=True),
    Verb("retry", "try again what failed under the cursor, or marked; asks first", writes=True),
    Verb(
        "play", "start the manual job under the cursor, or the marked ones; asks first", writes=True
    ),
    Verb("new", "create a project or a schedule, whatever is listed here; asks first", writes=True),
    Verb("edit", "change the schedule under the cursor; asks first", writes=True),
    Verb(
        "own",
        "become the owner of the schedule under the cursor, or marked; asks first",
        writes=True,
    ),
    Verb(
        "delete",
        "delete the schedule under the cursor: its description is to be typed",
        writes=True,
    ),
    Verb("unlock", "let writes through for 15 minutes, or lock them again", writes=True),
    Verb("write", "how the last write goes, or went", writes=True),
    Verb("write cancel", "send nothing further of what waits to be sent", writes=True),
    Verb(
        "watch",
        "watch this project or group; without PATH, choose among all projects",
        "PATH",
        is_whole=True,
    ),
    Verb("unwatch", "watch it no longer", "PATH"),
    Verb(
        "profile",
        "go over to another profile; without NAME, choose among all",
        "NAME",
        aliases=("profiles", "ctx"),
        is_whole=True,
    ),
    Verb(
        "reload",
        "read config.toml again, and open this place with what it says now",
        aliases=("config",),
    ),
    Verb(
        "theme",
        "another look; without NAME, choose among all with a preview",
        "NAME",
        aliases=("themes",),  # as the command line calls it
    ),
    Verb("utc", "show times in UTC"),
    Verb("local", "show times in this machine's zone"),
    Verb("token", "sign in with another token"),
    Verb("refresh", "fetch this view again"),
    Verb("help", aliases=("h", "keys", "docs")),
    Verb("quit", "leave", aliases=("q", "exit", "qa", "wq", "x")),
    Verb("q!", aliases=("qa!",)),
)
_BY_WORD: Final = {word: verb.name for verb in VERBS for word in (verb.name, *verb.aliases)}
_HELP: Final = (
    ("ADDRESS", "a pasted project, pipeline or job, also of another profile's platform"),
    ("NUMBER", "a line of the log, or the row with this id"),
)
_SHORT: Final = 2  # Letters of an alias that needs no completion

WRITING: Final = frozenset(verb.name.split()[0] for verb in VERBS if verb.writes)


def is_verb(word: str) -> bool:
    """Return whether a word is a command that is not a view, or an alias of one."""
    return word in _BY_WORD


def help_lines(*, writes: bool = True) -> list[tuple[str, str]]:
    """Return every command with its help; `writes=False` leaves out those that need writes."""
    every = views.all_views()
    numbers = [(f"{view.number} NUMBER", view.number_help) for view in every if view.number]
    areas = [view.help_line for view in every if view.is_area]
    return [*areas, *numbers, *_HELP, *verb_lines(_offered(writes=writes))]


def verb_lines(names: Container[str]) -> list[tuple[str, str]]:
    """Return the verbs of these names, each with its help."""
    return [
        (f"{verb.name} {verb.takes}".strip(), verb.help)
        for verb in VERBS
        if verb.help and verb.name in names
    ]


def completions(*, writes: bool = True) -> list[str]:
    """Return the words for completion, with a space where an argument follows."""
    areas = [
        f"{word} " if view.is_of_project else word
        for word, view in _areas().items()
        if len(word) > _SHORT
    ]
    numbers = [f"{view.number} " for view in views.all_views() if view.number]
    return [*areas, *numbers, *verb_words(_offered(writes=writes))]


def verb_words(names: Container[str]) -> list[str]:
    """Return the verbs of these names for completion."""
    return [
        f"{verb.name} " if verb.takes and not verb.is_whole else verb.name
        for verb in VERBS
        if verb.name in names
    ]


def _offered(*, writes: bool) -> set[str]:
    return {verb.name for verb in VERBS if writes or not verb.writes}


@dataclass(frozen=True, slots=True)
class OpenArea:
    """`:pipelines group/name /failed`: a view by its name."""

    view: str
    project: str = ""
    pipeline: int | None = None
    filter: str = ""


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """`:log acme/etl job=412 line=120`: a view with fields, as the copy menu writes it."""

    place: Place
    filter: str = ""


@dataclass(frozen=True, slots=True)
class OpenAddress:
    """A pasted address of the platform."""

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
class Do:
    """A verb, perhaps with words."""

    verb: str
    argument: str = ""


Typed = OpenArea | OpenPlace | OpenAddress | OpenNumber | GoToNumber | Do


def typed_part(listed: str) -> str:
    """Return the words of a command line that are not arguments."""
    words = listed.removeprefix(":").split()
    kept = [word for word in words if word.islower()]
    return " ".join(kept) + (" " if kept and len(kept) < len(words) else "")


def read_command(text: str) -> Typed | None:
    """Parse a command; None for an empty one. Raises CommandError with the nearest command."""
    text = text.strip().removeprefix(":").strip()
    if not text:
        return None
    if text.startswith(("http://", "https://")):
        return OpenAddress(text)
    number = number_in(text.lstrip("#"))
    if number is not None:
        return OpenNumber(number) if text.startswith("#") else GoToNumber(number)
    areas, numbered = _areas(), _numbered_views()
    if is_exact(text) and (found := read_place(text)) is not None:
        return OpenPlace(*found)
    word, _, rest = text.partition(" ")
    if word in numbered and (one := _numbered(numbered[word], rest.split())) is not None:
        return one
    if word in areas:
        return _area(areas[word].id, rest.split())
    if word in _BY_WORD:
        return Do(_BY_WORD[word], rest.strip())
    if word in numbered:
        raise CommandError(f"Which {word}? Type :{word} and its number.")
    near = difflib.get_close_matches(word, [*areas, *_BY_WORD, *numbered], n=1)
    hint = f"Did you mean :{near[0]}?" if near else "? lists what there is."
    raise CommandError(f"There is no command :{shorten(word, 30)}.", hint=hint)


def is_exact(text: str) -> bool:
    """Return whether a line names fields, or a view that opens by them only."""
    word = text.removeprefix(":").partition(" ")[0]
    view = views.find(word)
    return view is not None and (names_fields(text) or not (view.is_area or word in _BY_WORD))


def _areas() -> dict[str, View]:
    return {word: view for view in views.all_views() for word in view.words}


def _numbered_views() -> dict[str, str]:
    found = {view.number: view.id for view in views.all_views() if view.number}
    return found | {name: name for name in found.values() if not views.get(name).is_area}


def _numbered(view: str, words: list[str]) -> OpenNumber | None:
    """Read `[PROJECT] NUMBER`; None: there is no number."""
    number = number_in(words[-1].removeprefix("#")) if words else None
    if number is None or len(words) > _WITH_PROJECT:
        return None
    return OpenNumber(number, view, "" if len(words) == 1 else words[0])


def file_in(words: str) -> tuple[str, str]:
    """Split `PATH @REF` or `PATH@REF`; both are optional."""
    path, _, ref = words.rpartition("@") if "@" in words else (words, "", "")
    return path.strip().strip("/"), ref.strip()


def _area(view: str, words: list[str]) -> OpenArea:
    project, pipeline, wanted = "", None, ""
    for place, word in enumerate(words):
        if word.startswith("/"):
            wanted = " ".join(words[place:]).removeprefix("/")
            break
        number = number_in(word[1:]) if word.startswith("#") else None
        if number is not None:
            pipeline = number
        elif not project:
            project = word
    return OpenArea(view, project, pipeline, wanted)
