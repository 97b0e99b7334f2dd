"""`platui triage`: what is failing in the watched projects, since when and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import command, epilog, json_option, with_global_options
from platui.cli.completions import groups, projects, projects_and_groups
from platui.cli.connection import open_platform
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING, csv_option, form_of
from platui.core.errors import CommandError, ConfigError
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from platui.cli.commands.triage import local_state, marks, show
    from platui.config.settings import Options
    from platui.service import PlatformService
else:
    marks = LazyModule("platui.cli.commands.triage.marks")
    local_state = LazyModule("platui.cli.commands.triage.local_state")
    show = LazyModule("platui.cli.commands.triage.show")

_SHOWN: Final = (Exit.DONE, Exit.FAILED, *READING[1:])
_SAID: Final = READING[:-1]
_HINT: Final = "platui triage --help"

_INCIDENT: Final = """
INCIDENT is what `platui triage` calls it: PROJECT#PIPELINE, PROJECT alone where
only one of it is broken (the end of its path is enough), or the number of a red
pipeline of it.
"""

_CAUSE: Final = click.option(
    "--cause",
    metavar="CAUSE",
    default="",
    help="All incidents of this one: its key, as `platui triage` tells it, or the begin of it.",
)

_WATCHED: Final = click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="(PROJECT | GROUP/) …",
    shell_complete=projects_and_groups,
)

_EXAMPLES: Final = """
triage watch acme/warehouse-core acme/finance/
triage
triage --check --group acme/finance || page-somebody
triage --json | jq -r '.broken[] | select(.is_quiet | not).incident'
triage --markdown > handoff.md
triage --watch
"""
_MORE: Final = """\b
With --check, 1 means that something is broken that nobody has acknowledged or
snoozed; what is late does not count.

\b
--json is one object: at, is_live, told_at, projects, counts, and the lists
broken, late, running and recovered. With
--watch it is an object on each line, whose event is opened, new_signature,
returned, cause, late, recovered, ended, acked or snoozed.
"""


@click.group(
    "triage",
    invoke_without_command=True,
    epilog=epilog(_EXAMPLES, *_SHOWN, more=_MORE),
)
@click.option("--watch", is_flag=True, help="Print what changes, a line each, until ctrl+c.")
@click.option("--check", is_flag=True, help="End with 1 where something is broken.")
@json_option
@csv_option
@click.option("--markdown", is_flag=True, help="Print a hand-off for whoever goes on.")
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PROJECT",
    shell_complete=projects,
    help="This one, watched or not; may be repeated.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="GROUP",
    shell_complete=groups,
    help="All projects in it, watched or not; may be repeated.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Tell all of what is quiet, every row, and all in a hand-off.",
)
@with_global_options
@click.pass_context
def triage_command(context: click.Context, /, **asked: Any) -> int:
    """Tell what is broken in all that is watched: since when, why, and from which commit on.

    Everything is asked for once, and each failed job's log is read for its cause.
    What is broken comes first, then what is late, what runs, and what has
    recovered today; what is quiet, acknowledged or snoozed, stands below.
    """
    if context.invoked_subcommand is not None:
        if any(asked.values()):
            raise ConfigError(
                f"Options of `platui triage` itself do not go with {context.invoked_subcommand}.",
                hint=f"platui triage {context.invoked_subcommand} --help",
            )
        return 0
    forms = [
        form
        for form, name in (("json", "as_json"), ("csv", "as_csv"), ("markdown", "markdown"))
        if asked[name]
    ]
    if len(forms) > 1:
        raise ConfigError("--json, --csv or --markdown: one of them.", hint=_HINT)
    form = forms[0] if forms else ""
    watch = asked["watch"]
    if watch and (asked["check"] or form in {"csv", "markdown"}):
        raise ConfigError("--watch goes on and on: alone, or with --json.", hint=_HINT)
    shown = show.Shown(
        asked["projects"], asked["groups"], form, watch, asked["check"], asked["everything"]
    )
    with open_platform(context.obj) as platform:
        print_board = show.watch_board if watch else show.show_board
        return print_board(platform, context.obj, shown)


@command(
    "watch",
    "triage watch acme/warehouse-core acme/finance/\n"
    "triage watched | ssh jump xargs platui triage watch",
    *_SAID,
    of=triage_command,
    short_help="Watch projects, or groups with all in them.",
)
@_WATCHED
def watch_command(options: Options, *, words: tuple[str, ...]) -> int:
    """Watch projects, by path, id or address, and whole groups, whose path ends with /.

    What joins a group later is watched as well. The list is the dashboard's, of this
    profile.
    """
    return _change(options, lambda service: local_state.watch(service, words))


@command(
    "unwatch",
    "triage unwatch acme/finance/",
    *_SAID,
    of=triage_command,
    short_help="Watch them no more.",
)
@_WATCHED
def unwatch_command(options: Options, *, words: tuple[str, ...]) -> int:
    """Watch projects and groups no more."""
    return _change(options, lambda service: local_state.unwatch(service, words))


@command(
    "watched",
    "triage watched",
    of=triage_command,
    json=True,
    short_help="List what is watched.",
)
def watched_command(options: Options, *, as_json: bool) -> int:
    """List what is watched, as `platui triage watch` takes it; groups end with /."""
    with open_platform(options) as platform:
        return local_state.list_watched(platform, as_json=as_json)


def _of_incident(name: str, short_help: str, examples: str) -> Callable[..., click.Command]:
    typed = "\n".join(f"triage {example}" for example in examples.splitlines())

    def made(function: Callable[..., int]) -> click.Command:
        help_ = f"{function.__doc__}\n{_INCIDENT}"
        named = click.argument("incident", metavar="INCIDENT", required=False)(function)
        return command(name, typed, *_SAID, of=triage_command, short_help=short_help, help=help_)(
            _CAUSE(named)
        )

    return made


@_of_incident("ack", "Say that an incident is known.", "ack warehouse-core\nack --cause kxmlq")
@click.option("--undo", is_flag=True, help="It is not known any more.")
def ack_command(options: Options, *, incident: str | None, cause: str, undo: bool) -> int:
    """Say that an incident is known: it is quiet until it fails for another cause."""
    named = _named("ack", incident, cause)
    return _change(options, lambda service: marks.acknowledge(service, named, undo=undo))


@_of_incident(
    "snooze",
    "Put an incident off.",
    "snooze warehouse-core --for 2h\nsnooze 4711 --until 08:00\nsnooze --cause kxmlq --for 1d",
)
@click.option("--for", "length", metavar="LENGTH", default="", help="For so long: 30m, 2h, 1d.")
@click.option(
    "--until",
    metavar="TIME",
    default="",
    help="Until then: 08:00, tomorrow, '2026-03-14 06:00'.",
)
@click.option("--undo", is_flag=True, help="It is put off no more.")
def snooze_command(
    options: Options, *, incident: str | None, cause: str, length: str, until: str, undo: bool
) -> int:
    """Put an incident off: it is quiet until a time, whatever its cause."""
    named = _named("snooze", incident, cause)
    if bool(length) + bool(until) + undo != 1:
        raise ConfigError(
            "Give --for LENGTH, --until TIME or --undo.", hint="platui triage snooze --help"
        )
    how = {"utc": options.utc, "undo": undo}
    return _change(options, lambda service: marks.snooze(service, named, length, until, **how))


@_of_incident(
    "note",
    "Write a note on an incident.",
    'note warehouse-core "vendor is informed"\nnote --cause kxmlq "vendor is informed"',
)
@click.argument("text", metavar="TEXT", required=False)
def note_command(options: Options, *, incident: str | None, cause: str, text: str | None) -> int:
    """Write a note on an incident, in the stead of the one of before; "" takes it away."""
    named, said = _named_and_said("note", "TEXT", incident, cause, text)
    return _change(options, lambda service: marks.note(service, named, said))


@_of_incident(
    "own", "Say who sees to an incident.", "own warehouse-core ada\nown --cause kxmlq ada"
)
@click.argument("name", metavar="NAME", required=False)
def own_command(options: Options, *, incident: str | None, cause: str, name: str | None) -> int:
    """Say who sees to an incident; "" takes it away."""
    named, said = _named_and_said("own", "NAME", incident, cause, name)
    return _change(options, lambda service: marks.own(service, named, said))


def _change(
    options: Options, change: Callable[[PlatformService], Coroutine[Any, Any, None]]
) -> int:
    """Change what is remembered; that it could not be kept is an error."""
    with open_platform(options) as platform:
        platform.run(change(platform.service))
        if problem := platform.service.triage_state.problem:
            raise CommandError(problem)
    return 0


def _named(command: str, incident: str | None, cause: str) -> marks.Named:
    if bool(incident) == bool(cause):
        raise ConfigError("Give INCIDENT or --cause CAUSE.", hint=f"platui triage {command} --help")
    return marks.Named(incident or cause, is_cause=bool(cause))


def _named_and_said(
    command: str, what: str, incident: str | None, cause: str, said: str | None
) -> tuple[marks.Named, str]:
    """Return what something is said of, and what: behind `--cause` that is the only word."""
    if cause and said is None:
        incident, said = None, incident
    named = _named(command, incident, cause)
    if said is None:
        raise ConfigError(f"Give {what}.", hint=f"platui triage {command} --help")
    return named, said


@command(
    "history",
    "triage history --csv > month.csv",
    of=triage_command,
    short_help="List incidents that are over.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=50,
    show_default=True,
    metavar="N",
    help="So many at most.",
)
@json_option
@csv_option
def history_command(options: Options, *, limit: int, as_json: bool, as_csv: bool) -> int:
    """List incidents that are over, the one that ended last first.

    They are those that a dashboard or this command saw; up to 500 are remembered. With
    --json, one object on each line. Nothing is asked of the platform.
    """
    form = form_of(json=as_json, csv=as_csv)
    with open_platform(options) as platform:
        return local_state.show_history(platform, options, form, limit)
