"""What a word of a command line may become: commands, options, their values, projects."""

from __future__ import annotations

import re
from itertools import starmap
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.dispatch import COMMANDS
from platui.cli.options import DEMO, DEMO_HELP, HELP, HELP_TOO, LOG, global_option, is_address
from platui.config.settings import Options
from platui.core.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_COMMAND: Final = re.compile(r"^  ([a-z]+) {2,}(\S.*)$", re.MULTILINE)
_OPTION: Final = re.compile(
    r"^  (?:-\w, )?(--[a-z-]+)(?: ([A-Z]+))?(?: \*)? {2,}(\S.*)$", re.MULTILINE
)
_FILES: Final = frozenset({"FILE", "DIR"})


class Word(NamedTuple):
    """One thing that a word may become."""

    value: str
    help: str = ""
    kind: str = "word"
    """`word`; `part`: more may follow without a blank; `file`: whatever files there are."""


FILE: Final = Word("", kind="file")


class Known(NamedTuple):
    """What is known on this machine; nothing is asked of a platform."""

    environ: Mapping[str, str]
    options: Options = Options()

    def profiles(self) -> list[str]:
        """Return the names of profiles."""
        from platui.cli.known_names import profile_names  # noqa: PLC0415  (where it is asked for)

        return profile_names(self.environ, self.options)

    def projects(self) -> list[str]:
        """Return the paths of projects."""
        from platui.cli.known_names import project_paths  # noqa: PLC0415  (as above)

        return project_paths(self.environ, self.options)


def print_completed(words: Sequence[str], environ: Mapping[str, str]) -> None:
    """Print what the last word may become, as the scripts of `platui completion` read it."""
    for one in completed(words, environ):
        print(f"{one.kind}\t{one.value}\t{one.help}")


def completed(words: Sequence[str], environ: Mapping[str, str]) -> list[Word]:
    """Return what the last word may become.

    Args:
        words: what stands behind `platui`, the last one as far as it is typed.
        environ: may name the profile.
    """
    # Bash parts `--profile=prod` at the sign; the word behind it is what it is about.
    *before, begin = [word for word in words if word != "="] if words else [""]
    if words and words[-1] == "=":
        before, begin = [*before, begin], ""
    options, rest, wanting = _read_global(before)
    known = Known(environ, options)
    if wanting:
        return _fitting(begin, _values(wanting, known))
    if not rest:
        if begin.startswith("-"):
            return _fitting(begin, _options(HELP))
        return _fitting(begin, _commands())
    name, *given = rest
    if name in COMMANDS:
        return _of_command(name, given, begin, known)
    if name == LOG:
        return _of_log(given, begin, known)
    if name == HELP_TOO and not given:
        return _fitting(begin, _commands())
    if name == DEMO and begin.startswith("-"):
        return _fitting(begin, _options(DEMO_HELP))
    return []


def _read_global(before: Sequence[str]) -> tuple[Options, list[str], str]:
    """Return global options, the words from the command on, and an option that wants a word."""
    from dataclasses import replace  # noqa: PLC0415  (of few lines)

    options, words = Options(), list(before)
    while words:
        word = words.pop(0)
        if not word.startswith("-"):
            return options, [word, *words], ""
        try:
            options = replace(options, **(global_option(word, words) or {}))
        except ConfigError:
            return options, [], word
    return options, [], ""


def _values(option: str, known: Known) -> Iterator[Word]:
    """Yield what may stand behind a global option."""
    if option == "--profile":
        yield from map(Word, known.profiles())
    elif option in {"--config", "--debug"}:
        yield FILE


def _commands() -> Iterator[Word]:
    told = HELP.partition("Commands:\n")[2].partition("\n\n")[0]
    for name, words in _COMMAND.findall(told):
        yield Word(name, words)


def _options(text: str) -> Iterator[Word]:
    """Yield the options that a help tells."""
    for name, _, words in _OPTION.findall(text):
        # What goes on in the next line has lost its end here.
        yield Word(name, words if words.endswith(")") else words.partition(" (")[0].rstrip(",;:"))


def _of_log(given: Sequence[str], begin: str, known: Known) -> list[Word]:
    from platui.cli import log_options  # noqa: PLC0415  (of this command only)

    takes = {name: word for name, word, _ in _OPTION.findall(log_options.HELP) if word}
    last = given[-1] if given else ""
    if last in takes:
        if takes[last] == "WHEN":
            return _fitting(begin, map(Word, ("auto", "always", "never")))
        return [FILE] if takes[last] == "FILE" else []
    if last in {"--profile", "--config", "--debug"}:
        return _fitting(begin, _values(last, known))
    if begin.startswith("-"):
        return _fitting(begin, [*_options(log_options.HELP), *_global_only()])
    positional = [
        word for at, word in enumerate(given)
        if not word.startswith("-") and (at == 0 or given[at - 1] not in takes)
    ]  # fmt: skip
    return _projects(begin, known) if not positional else []


def _of_command(name: str, given: Sequence[str], begin: str, known: Known) -> list[Word]:
    """Return what a word of a command that click reads may become, as its table has it."""
    if given and given[-1] in {"--profile", "--config", "--debug", "--url"}:
        return _fitting(begin, _values(given[-1], known))
    from platui.cli.table_words import Place  # noqa: PLC0415  (behind a command only)

    place = Place(name, given)
    if place.option is None and begin.startswith("-"):
        return _fitting(begin, [*starmap(Word, place.options()), *_global_only()])
    if found := [Word(*one) if one[0] else FILE for one in place.values()]:
        return _fitting(begin, found)
    wanted = place.wanted
    if wanted in _FILES:
        return [FILE]
    if wanted == "GROUP":
        return [Word(one) for one in _groups(known) if one.startswith(begin)]
    if "PROJECT" in wanted and not is_address(begin):
        return _projects(begin, known, groups="GROUP" in wanted)
    return []


def _global_only() -> Iterator[Word]:
    """Yield the options that may stand behind every command."""
    return (one for one in _options(HELP) if one.value not in {"--version", "--help"})


def _groups(known: Known) -> list[str]:
    """Return the groups in which projects lie, by their full paths."""
    found: set[str] = set()
    for path in known.projects():
        parts = path.split("/")[:-1]
        found.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return sorted(found)


def _projects(begin: str, known: Known, *, groups: bool = False) -> list[Word]:
    """Return projects by their paths, or by the end of one that no other has."""
    paths = known.projects()
    found = [Word(path) for path in paths if path.startswith(begin)]
    if groups:
        found += [Word(f"{one}/") for one in _groups(known) if one.startswith(begin)]
    if begin and "/" not in begin:
        ends: dict[str, list[str]] = {}
        for path in paths:
            ends.setdefault(path.rpartition("/")[2], []).append(path)
        found += [
            Word(end, of[0]) for end, of in ends.items() if len(of) == 1 and end.startswith(begin)
        ]
    return found


def _fitting(begin: str, words: Iterator[Word] | Sequence[Word]) -> list[Word]:
    return [one for one in words if one.kind == "file" or one.value.startswith(begin)]
