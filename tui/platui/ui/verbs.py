"""The commands typed after `:` that do not open a view."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from platui.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A typed command that does not open a view."""

    name: str
    help: str = ""  # Empty: not listed in help
    argument: str = ""
    aliases: tuple[str, ...] = ()
    writes: bool = False
    completes_bare: bool = False  # Completed without a space for its argument


VERBS: Final = (
    Verb("file", "open a file of the repository", "PATH @REF"),
    Verb("compare", "compare with the last successful run's log"),
    Verb("grep", "search all logs of the pipeline for words or /regex/", "WORDS"),
    Verb(
        "run",
        "run a pipeline (form), or run a schedule now, after confirmation",
        aliases=("start",),
        writes=True,
    ),
    Verb("trigger", "run a pipeline with the project's trigger token", writes=True),
    Verb("rerun", "run this pipeline again, in a filled-in form", writes=True),
    Verb("cancel", "cancel the selected pipelines or jobs, after confirmation", writes=True),
    Verb("retry", "retry the selected pipelines or jobs, after confirmation", writes=True),
    Verb("play", "start the selected manual jobs, after confirmation", writes=True),
    Verb("new", "create a project or schedule, after confirmation", writes=True),
    Verb("edit", "edit the selected schedule, after confirmation", writes=True),
    Verb(
        "own",
        "take ownership of the selected schedules, after confirmation",
        writes=True,
    ),
    Verb(
        "delete",
        "delete the selected schedule, after typing its description",
        writes=True,
    ),
    Verb("unlock", "unlock writes for 15 minutes, or lock them again", writes=True),
    Verb("write", "show the running or last write", writes=True),
    Verb("write cancel", "cancel requests not sent yet", writes=True),
    Verb(
        "watch",
        "watch this project or group; without PATH, choose from all projects",
        "PATH",
        completes_bare=True,
    ),
    Verb("unwatch", "stop watching it", "PATH"),
    Verb(
        "profile",
        "switch to another profile; without NAME, choose from a list",
        "NAME",
        aliases=("profiles", "ctx"),
        completes_bare=True,
    ),
    Verb(
        "reload",
        "reload config.toml and reopen this view",
        aliases=("config",),
    ),
    Verb(
        "theme",
        "switch to another theme; without NAME, choose with a preview",
        "NAME",
        aliases=("themes",),  # as the command line calls it
    ),
    Verb("utc", "show times in UTC"),
    Verb("local", "show times in the local time zone"),
    Verb("token", "sign in with another token"),
    Verb("refresh", "refresh this view"),
    Verb("help", aliases=("h", "keys", "docs")),
    Verb("quit", "quit", aliases=("q", "exit", "qa", "wq", "x")),
    Verb("q!", aliases=("qa!",)),
)
BY_WORD: Final = {word: verb.name for verb in VERBS for word in (verb.name, *verb.aliases)}

WRITING: Final = frozenset(verb.name.split()[0] for verb in VERBS if verb.writes)


def verb_lines(names: Container[str]) -> list[tuple[str, str]]:
    return [
        (f"{verb.name} {verb.argument}".strip(), verb.help)
        for verb in VERBS
        if verb.help and verb.name in names
    ]


def verb_words(names: Container[str]) -> list[str]:
    return [
        f"{verb.name} " if verb.argument and not verb.completes_bare else verb.name
        for verb in VERBS
        if verb.name in names
    ]
