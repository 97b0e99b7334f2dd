"""The words behind `platui log`, read by hand: its viewer starts without a parser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from platui.cli.exits import Exit, table_of
from platui.cli.options import global_option, is_address, unknown_option
from platui.core.errors import ConfigError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from platui.config.settings import Options

STDIN: Final = "-"

HELP: Final = f"""\
Usage: platui log (URL | PROJECT JOB) [OPTIONS]
       platui log --file FILE [OPTIONS]

Show the log of a job, or a saved log. On a terminal it opens in the dashboard's
own view; into a pipe, or with one of the options marked *, it is printed as
plain text: no control byte, no escape sequence, progress in its last state.

PROJECT is a path or the end of one, or an id. JOB is an id, or a name: then it
is the newest attempt of that job in the project's newest pipeline, or in the
one that --pipeline or --ref says. A URL that ends in #L50 opens at line 50.

Options:
  --file FILE        a saved log, - for standard input; needs no profile and no
                     network
  -f, --follow *     print lines as they come, until the job ends; a file is
                     viewed as it grows, also on a terminal
  --errors *         only the lines that tell of errors, numbered, with 2 lines
                     around them
  --section NAME *   only the section of that name
  --stamps *         the time of every line before it (UTC), where the log has
                     times
  --raw *            the very bytes of the platform; on a terminal they are
                     cleaned
  --color WHEN *     auto (the default: colours on a terminal without NO_COLOR),
                     always (also with NO_COLOR), never
  --pipeline ID      the pipeline that a JOB given by name is of
  --ref REF          the branch or tag whose newest pipeline it is of; not with
                     a JOB by its id
  -h, --help         print this
The options of platui itself (--profile, --url, --utc …) may stand here too.

Examples:
  platui log https://platform.example.com/acme/etl/-/jobs/412
  platui log acme/etl dbt_run --follow | tee run.log
  platui log acme/etl dbt_run --ref main --errors
  platui log --file job.log

Exit codes:
{
    table_of(
        Exit.DONE,
        Exit.FAILED,
        Exit.USAGE,
        Exit.TRY_AGAIN,
        Exit.REFUSED,
        Exit.INTERRUPTED,
        Exit.NO_READER,
    )
}"""

_FLAGS: Final[dict[str, dict[str, Any]]] = {
    "--follow": {"follow": True},
    "-f": {"follow": True},
    "--errors": {"errors": True},
    "--raw": {"raw": True},
    "--stamps": {"stamps": True},
}
_HINT: Final = "platui log --help"
_WHEN: Final = ("auto", "always", "never")


@dataclass(frozen=True, slots=True)
class LogOptions:
    """What is to be shown of which log."""

    target: tuple[str, ...] = ()
    """An address, or a project and a job."""
    file: str = ""
    """A saved log; `-` is standard input."""
    follow: bool = False
    errors: bool = False
    raw: bool = False
    stamps: bool = False
    section: str = ""
    color: str = ""
    """auto, always, never; empty: not said."""
    pipeline: int | None = None
    ref: str = ""
    help: bool = False

    @property
    def prints(self) -> bool:
        """Return whether text is wanted, also on a terminal."""
        chosen = self.errors or self.raw or self.stamps or self.section or self.color
        return bool(chosen or (self.follow and not self.file))


def read_log_options(words: Sequence[str], options: Options) -> tuple[LogOptions, Options]:
    """Return what the words behind `log` say, and the global options with theirs.

    Raises:
        ConfigError: an unknown option, one without its word, or words that don't go together.
    """
    rest, wanted, target = list(words), LogOptions(), list[str]()
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word in {"--help", "-h"}:
            return replace(wanted, help=True), options
        if word == "--":
            target += rest
            break
        if not word.startswith("-"):
            target.append(word)
        elif word in _FLAGS:
            wanted = replace(wanted, **_FLAGS[word])
        elif name in _TAKE_A_WORD:
            value = value if equals else (rest.pop(0) if rest else "")
            if not value:
                raise ConfigError(f"The option {name} needs a word after it.")
            if name == "--file" and wanted.file:
                raise ConfigError("One --file at a time.", hint=_HINT)
            wanted = replace(wanted, **_TAKE_A_WORD[name](value))
        elif (given := global_option(word, rest)) is not None:
            options = replace(options, **given)
        else:
            raise unknown_option(name, [*_FLAGS, *_TAKE_A_WORD], "platui log --help lists them.")
    wanted = replace(wanted, target=tuple(target))
    _check(wanted)
    return wanted, options


def _check(wanted: LogOptions) -> None:
    """Refuse what is missing and what does not go together."""
    hint = _HINT
    count = len(wanted.target)
    by_address = count > 0 and is_address(wanted.target[0])
    if wanted.file and count:
        raise ConfigError("Either a job or --file, not both.", hint=hint)
    if not wanted.file and not count:
        raise ConfigError("The log of which job? Give its address, or project and job.", hint=hint)
    if by_address and count > 1:
        raise ConfigError(f"What is {shorten(wanted.target[1], 60)} meant to be?", hint=hint)
    if not by_address and not wanted.file and count != 2:  # noqa: PLR2004  (project and job)
        from platui.cli.naming import file_hint  # noqa: PLC0415  (on a mistake only)

        hint = file_hint(wanted.target[0]) or hint
        raise ConfigError("Give a project and one job of it, or a job's address.", hint=hint)
    if (wanted.pipeline is not None or wanted.ref) and (by_address or wanted.file):
        raise ConfigError("--pipeline and --ref go with the name of a job.", hint=hint)
    if wanted.pipeline is not None and wanted.ref:
        raise ConfigError("--pipeline or --ref: either of them says which pipeline.", hint=hint)
    if wanted.raw and (wanted.errors or wanted.section or wanted.stamps):
        raise ConfigError("--raw is the whole log as it is: it goes with --follow only.", hint=hint)
    if wanted.errors and wanted.section:
        raise ConfigError("Either --errors or --section.", hint=hint)


def _pipeline(word: str) -> dict[str, Any]:
    number = word.removeprefix("#")
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):  # noqa: PLR2004
        raise ConfigError(f"--pipeline: {shorten(word, 60)} is no id of a pipeline.")
    return {"pipeline": int(number)}


def _color(word: str) -> dict[str, Any]:
    if word not in _WHEN:
        raise ConfigError(f"--color: {shorten(word, 60)} is none of {', '.join(_WHEN)}.")
    return {"color": word}


_TAKE_A_WORD: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "--file": lambda word: {"file": word},
    "--section": lambda word: {"section": word},
    "--color": _color,
    "--pipeline": _pipeline,
    "--ref": lambda word: {"ref": word},
}
