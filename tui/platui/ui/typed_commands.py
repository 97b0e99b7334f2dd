"""What may be typed after `:`, read to a value; nothing is done here."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Final

from platui.core.errors import CommandError
from platui.core.text import shorten
from platui.models.values.places import Place, View
from platui.present.reopening import is_exact, read_place

_AREAS: Final = {
    "triage": View.TRIAGE,
    "tr": View.TRIAGE,
    "projects": View.PROJECTS,
    "pr": View.PROJECTS,
    "pipelines": View.PIPELINES,
    "pl": View.PIPELINES,
    "jobs": View.JOBS,
    "schedules": View.SCHEDULES,
    "sc": View.SCHEDULES,
    "access": View.ACCESS,
    "report": View.ACCESS,
    "people": View.ACCESS,
    "groups": View.GROUPS,
    "changes": View.CHANGES,
    "requests": View.REQUESTS,
}
_VERBS: Final = {
    "q": "quit",
    "quit": "quit",
    # What people leave other programs with.
    "exit": "quit",
    "q!": "quit at once",
    "qa": "quit",
    "qa!": "quit at once",
    "wq": "quit",
    "x": "quit",
    "h": "help",
    "help": "help",
    "refresh": "refresh",
    "token": "token",
    "theme": "theme",
    # As the commands of the command line are called.
    "themes": "theme",
    "keys": "help",
    "docs": "help",
    "file": "file",
    "compare": "compare",
    "grep": "grep",
    "utc": "utc",
    "local": "local",
    "run": "run",
    "start": "run",
    "trigger": "trigger",
    "rerun": "rerun",
    "cancel": "cancel",
    "retry": "retry",
    "play": "play",
    "new": "new",
    "edit": "edit",
    "own": "own",
    "delete": "delete",
    "unlock": "unlock",
    "write": "write",
    "watch": "watch",
    "unwatch": "unwatch",
    "profile": "profile",
    "profiles": "profile",
    "ctx": "profile",
    "reload": "reload",
    "config": "reload",
}

WRITING: Final = frozenset(
    {"run", "trigger", "rerun", "cancel", "retry", "play", "new", "edit", "own", "delete",
     "unlock", "write"}
)  # fmt: skip
"""The commands that have to do with writes: none of them is offered where there are none."""

_KINDS: Final = {"pipeline": View.JOBS, "job": View.LOG, "log": View.LOG}
"""What opens one thing of a project by its id -> the view of that."""

_WITH_PROJECT: Final = 2
_DIGITS: Final = 18
"""Of the longest number that surely fits 64 bits."""

LISTED: Final = (
    ("triage /WORDS", "what is broken in all that is watched, perhaps filtered"),
    ("projects", "all projects"),
    ("pipelines PROJECT /WORDS", "pipelines of a project, filtered"),
    ("jobs PROJECT #PIPELINE", "jobs of a pipeline, or of the project"),
    ("schedules PROJECT /WORDS", "schedules of a project, filtered"),
    ("access /TERMS", "the access report, perhaps searched: /level:owner state:blocked"),
    ("groups /TERMS", "its groups and projects, perhaps searched: /user:jane kind:project"),
    ("changes /WORDS", "what is different in it since the report before, or any earlier one"),
    ("file PATH @REF", "a file of the repository, perhaps at another ref"),
    ("compare", "this log with that of its last green run"),
    ("grep WORDS", "look for words, or for /a pattern/, in every log of the pipeline"),
    ("requests", "what was asked of the platform"),
    ("ADDRESS", "a pasted project, pipeline or job, also of another profile's platform"),
    ("NUMBER", "a line of the log, or the row with this id"),
    ("pipeline NUMBER", "a pipeline of this project; #NUMBER does the same"),
    ("job NUMBER", "the log of a job of this project"),
    ("run", "fill in the form of a new pipeline; run a schedule now; asks first"),
    ("trigger", "the same form, with the project's trigger token"),
    ("rerun", "the same form, filled in with what is known of this pipeline"),
    ("cancel", "stop what is under the cursor, or marked; asks first"),
    ("retry", "try again what failed under the cursor, or marked; asks first"),
    ("play", "start the manual job under the cursor, or the marked ones; asks first"),
    ("new", "create a project or a schedule, whatever is listed here; asks first"),
    ("edit", "change the schedule under the cursor; asks first"),
    ("own", "become the owner of the schedule under the cursor, or marked; asks first"),
    ("delete", "delete the schedule under the cursor: its description is to be typed"),
    ("unlock", "let writes through for 15 minutes, or lock them again"),
    ("write", "how the last write goes, or went"),
    ("write cancel", "send nothing further of what waits to be sent"),
    ("watch PATH", "watch this project or group; without PATH, choose among all projects"),
    ("unwatch PATH", "watch it no longer"),
    ("profile NAME", "go over to another profile; without NAME, choose among all"),
    ("reload", "read config.toml again, and open this place with what it says now"),
    ("theme NAME", "another look; without NAME, choose among all with a preview"),
    ("utc", "show times in UTC"),
    ("local", "show times in this machine's zone"),
    ("token", "sign in with another token"),
    ("refresh", "fetch this view again"),
    ("quit", "leave"),
)
"""Every command with what it does, for help."""

WORDS: Final = (
    "triage", "projects", "pipelines ", "jobs ", "schedules ", "access", "report", "groups",
    "changes", "pipeline ", "job ", "file ", "compare", "grep ", "requests",
    "theme ", "run", "trigger", "rerun", "cancel", "retry", "play", "new", "edit", "own", "delete",
    "unlock", "write", "write cancel", "watch", "unwatch ", "profile", "reload", "token",
    "refresh", "utc", "local", "help", "quit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OpenArea:
    """`:pipelines group/name /failed`: an area, perhaps of a project, perhaps filtered."""

    view: View
    project: str = ""
    pipeline: int | None = None
    filter: str = ""


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """`:log acme/etl job=412 line=120`: a view as the copy menu writes it."""

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
    """`:#4711`, `:pipeline 4711`, `:job acme/etl 412`: one thing of a project, by its id."""

    number: int
    view: View | None = None
    """Of a pipeline or of a job; None: a row with this id, else a pipeline."""
    project: str = ""
    """Empty: the one in front."""


@dataclass(frozen=True, slots=True)
class Do:
    """A verb of `_VERBS`, perhaps with words."""

    verb: str
    argument: str = ""


Typed = OpenArea | OpenPlace | OpenAddress | GoToNumber | OpenNumber | Do


def typed_part(listed: str) -> str:
    """Return how a listed command begins: what is written small."""
    words = listed.removeprefix(":").split()
    kept = [word for word in words if word.islower()]
    return " ".join(kept) + (" " if kept and len(kept) < len(words) else "")


def is_writing(listed: str) -> bool:
    """Return whether a listed command has to do with writes."""
    return listed.partition(" ")[0] in WRITING


def read_command(text: str) -> Typed | None:
    """Return what was meant; None where nothing was typed.

    Raises:
        CommandError: no such command; the sentence names the nearest one.
    """
    text = text.strip().removeprefix(":").strip()
    if not text:
        return None
    if text.startswith(("http://", "https://")):
        return OpenAddress(text)
    number = number_in(text.lstrip("#"))
    if number is not None:
        return OpenNumber(number) if text.startswith("#") else GoToNumber(number)
    if is_exact(text) and (found := read_place(text)) is not None:
        return OpenPlace(*found)
    word, _, rest = text.partition(" ")
    if word in _KINDS and (one := _numbered(_KINDS[word], rest.split())) is not None:
        return one
    if word in _AREAS:
        return _area(_AREAS[word], rest.split())
    if word in _VERBS:
        return Do(_VERBS[word], rest.strip())
    if word in _KINDS:
        raise CommandError(f"Which {word}? Type :{word} and its number.")
    near = difflib.get_close_matches(word, [*_AREAS, *_VERBS, *_KINDS], n=1)
    hint = f"Did you mean :{near[0]}?" if near else "? lists what there is."
    raise CommandError(f"There is no command :{shorten(word, 30)}.", hint=hint)


def _numbered(view: View, words: list[str]) -> OpenNumber | None:
    """Return what a number names, perhaps behind a project; None where there is no such number."""
    number = number_in(words[-1].removeprefix("#")) if words else None
    if number is None or len(words) > _WITH_PROJECT:
        return None
    return OpenNumber(number, view, "" if len(words) == 1 else words[0])


def number_in(text: str) -> int | None:
    """Return the id that a word is; None for anything else, or for one that no id is so long."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def file_in(words: str) -> tuple[str, str]:
    """Return path and ref of `PATH @REF` or `PATH@REF`; either may be left out."""
    path, _, ref = words.rpartition("@") if "@" in words else (words, "", "")
    return path.strip().strip("/"), ref.strip()


def _area(view: View, words: list[str]) -> OpenArea:
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
