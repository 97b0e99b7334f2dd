"""The commands typed after `:` that are not views, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Container


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that is not a view."""

    name: str
    help: str = ""  # Empty: not listed in help
    argument: str = ""
    aliases: tuple[str, ...] = ()
    writes: bool = False
    completes_bare: bool = False  # Whether it is completed without a space for its argument


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
        completes_bare=True,
    ),
    Verb("unwatch", "watch it no longer", "PATH"),
    Verb(
        "profile",
        "go over to another profile; without NAME, choose among all",
        "NAME",
        aliases=("profiles", "ctx"),
        completes_bare=True,
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
BY_WORD: Final = {word: verb.name for verb in VERBS for word in (verb.name, *verb.aliases)}

WRITING: Final = frozenset(verb.name.split()[0] for verb in VERBS if verb.writes)


def verb_lines(names: Container[str]) -> list[tuple[str, str]]:
    """Return the verbs of these names, each with its help."""
    return [
        (f"{verb.name} {verb.argument}".strip(), verb.help)
        for verb in VERBS
        if verb.help and verb.name in names
    ]


def verb_words(names: Container[str]) -> list[str]:
    """Return the verbs of these names for completion."""
    return [
        f"{verb.name} " if verb.argument and not verb.completes_bare else verb.name
        for verb in VERBS
        if verb.name in names
    ]
