"""Show the failing pipelines of watched projects, and manage incidents."""

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

_EXITS: Final = READING[:-1]
_HINT: Final = "platui triage --help"

_INCIDENT: Final = """
INCIDENT is as in `platui triage`: PROJECT#PIPELINE, PROJECT (or the end of its
path) if it has only one, or the id of one of its failed pipelines.
"""

_CAUSE: Final = click.option(
    "--cause",
    metavar="CAUSE",
    default="",
    help="All incidents of this cause: its key in `platui triage`, or a prefix.",
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
triage --check --group acme/finance || notify-on-call
triage --json | jq -r '.broken[] | select(.is_quiet | not).incident'
triage --markdown > handoff.md
triage --watch
"""
_MORE: Final = """\b
With --check, the exit code is 1 for an incident that is neither acknowledged
nor snoozed; late pipelines do not count.

\b
--json prints one object: at, is_live, told_at, projects, counts, and the
lists broken, late, running and recovered. With --watch it prints an object
per line, with the event opened, new_signature, returned, cause, late,
recovered, ended, acked or snoozed.
"""


@click.group(
    "triage",
    invoke_without_command=True,
    epilog=epilog(_EXAMPLES, Exit.DONE, Exit.FAILED, *READING[1:], more=_MORE),
)
@click.option("--watch", is_flag=True, help="Print changes, one per line, until Ctrl+C.")
@click.option("--check", is_flag=True, help="Exit with 1 if a pipeline is broken.")
@json_option
@csv_option
@click.option("--markdown", is_flag=True, help="Print a handoff for the next shift, as Markdown.")
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PROJECT",
    shell_complete=projects,
    help="Show this project, watched or not; repeatable.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="GROUP",
    shell_complete=groups,
    help="Show all projects of this group, watched or not; repeatable.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include acknowledged and snoozed incidents, and all rows.",
)
@with_global_options
@click.pass_context
def triage_command(context: click.Context, /, **asked: Any) -> int:
    """Show broken pipelines of watched projects: since when, why and since which commit.

    Refreshes all projects once, and reads the logs of failed jobs for causes. Broken
    pipelines come first, then late, running and recovered ones, then incidents that are
    acknowledged or snoozed.
    """
    if context.invoked_subcommand is not None:
        if any(asked.values()):
            raise ConfigError(
                f"{context.invoked_subcommand} does not accept the options of `platui triage`.",
                hint=f"platui triage {context.invoked_subcommand} --help",
            )
        return 0
    forms = [
        form
        for form, name in (("json", "as_json"), ("csv", "as_csv"), ("markdown", "markdown"))
        if asked[name]
    ]
    if len(forms) > 1:
        raise ConfigError("Give only one of --json, --csv and --markdown.", hint=_HINT)
    form = forms[0] if forms else ""
    watch = asked["watch"]
    if watch and (asked["check"] or form in {"csv", "markdown"}):
        raise ConfigError("--watch works only alone or with --json.", hint=_HINT)
    shown = show.TriageOptions(
        asked["projects"], asked["groups"], form, watch, asked["check"], asked["everything"]
    )
    with open_platform(context.obj) as platform:
        print_board = show.watch_board if watch else show.show_board
        return print_board(platform, context.obj, shown)


@command(
    "watch",
    "triage watch acme/warehouse-core acme/finance/\n"
    "triage watched | ssh jump xargs platui triage watch",
    *_EXITS,
    of=triage_command,
)
@_WATCHED
def watch_command(options: Options, *, words: tuple[str, ...]) -> int:
    """Watch projects and groups.

    Give projects by path, id or URL, groups by a path that ends with /. Later projects of
    a group are also watched. The dashboard uses the same watch list.
    """
    return _change(options, lambda service: local_state.watch(service, words))


@command(
    "unwatch",
    "triage unwatch acme/finance/",
    *_EXITS,
    of=triage_command,
)
@_WATCHED
def unwatch_command(options: Options, *, words: tuple[str, ...]) -> int:
    """Stop watching projects and groups."""
    return _change(options, lambda service: local_state.unwatch(service, words))


@command(
    "watched",
    "triage watched",
    of=triage_command,
    json=True,
)
def watched_command(options: Options, *, as_json: bool) -> int:
    """List the watched projects and groups; groups end with /."""
    with open_platform(options) as platform:
        return local_state.list_watched(platform, as_json=as_json)


def _incident_command(name: str, examples: str) -> Callable[..., click.Command]:
    typed = "\n".join(f"triage {example}" for example in examples.splitlines())

    def decorate(function: Callable[..., int]) -> click.Command:
        help_ = f"{function.__doc__}\n{_INCIDENT}"
        target = click.argument("incident", metavar="INCIDENT", required=False)(function)
        return command(name, typed, *_EXITS, of=triage_command, help=help_)(_CAUSE(target))

    return decorate


@_incident_command("ack", "ack warehouse-core\nack --cause kxmlq")
@click.option("--undo", is_flag=True, help="Remove the acknowledgement.")
def ack_command(options: Options, *, incident: str | None, cause: str, undo: bool) -> int:
    """Acknowledge an incident until it fails for another cause."""
    target = _target("ack", incident, cause)
    return _change(options, lambda service: marks.acknowledge(service, target, undo=undo))


@_incident_command(
    "snooze",
    "snooze warehouse-core --for 2h\nsnooze 4711 --until 08:00\nsnooze --cause kxmlq --for 1d",
)
@click.option("--for", "length", metavar="LENGTH", default="", help="Duration: 30m, 2h, 1d.")
@click.option(
    "--until",
    metavar="TIME",
    default="",
    help="End: 08:00, tomorrow, '2026-03-14 06:00'.",
)
@click.option("--undo", is_flag=True, help="Remove the snooze.")
def snooze_command(
    options: Options, *, incident: str | None, cause: str, length: str, until: str, undo: bool
) -> int:
    """Snooze an incident for some time, or until a time."""
    target = _target("snooze", incident, cause)
    if bool(length) + bool(until) + undo != 1:
        raise ConfigError(
            "Give --for LENGTH, --until TIME or --undo.", hint="platui triage snooze --help"
        )
    how = {"utc": options.utc, "undo": undo}
    return _change(options, lambda service: marks.snooze(service, target, length, until, **how))


@_incident_command(
    "note",
    'note warehouse-core "vendor is informed"\nnote --cause kxmlq "vendor is informed"',
)
@click.argument("text", metavar="TEXT", required=False)
def note_command(options: Options, *, incident: str | None, cause: str, text: str | None) -> int:
    """Set the note of an incident; "" removes it."""
    target, text = _target_and_text("note", "TEXT", incident, cause, text)
    return _change(options, lambda service: marks.note(service, target, text))


@_incident_command("own", "own warehouse-core ada\nown --cause kxmlq ada")
@click.argument("name", metavar="NAME", required=False)
def own_command(options: Options, *, incident: str | None, cause: str, name: str | None) -> int:
    """Set the owner of an incident; "" removes it."""
    target, text = _target_and_text("own", "NAME", incident, cause, name)
    return _change(options, lambda service: marks.own(service, target, text))


def _change(
    options: Options, change: Callable[[PlatformService], Coroutine[Any, Any, None]]
) -> int:
    with open_platform(options) as platform:
        platform.run(change(platform.service))
        if problem := platform.service.triage_state.problem:
            raise CommandError(problem)
    return 0


def _target(command: str, incident: str | None, cause: str) -> marks.MarkTarget:
    if bool(incident) == bool(cause):
        raise ConfigError("Give INCIDENT or --cause CAUSE.", hint=f"platui triage {command} --help")
    return marks.MarkTarget(incident or cause, is_cause=bool(cause))


def _target_and_text(
    command: str, what: str, incident: str | None, cause: str, text: str | None
) -> tuple[marks.MarkTarget, str]:
    """Return the target and the text, which is the only argument after `--cause`."""
    if cause and text is None:
        incident, text = None, incident
    target = _target(command, incident, cause)
    if text is None:
        raise ConfigError(f"Give {what}.", hint=f"platui triage {command} --help")
    return target, text


@command(
    "history",
    "triage history --csv > month.csv",
    of=triage_command,
)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=50,
    show_default=True,
    metavar="N",
    help="Maximum number of incidents.",
)
@json_option
@csv_option
def history_command(options: Options, *, limit: int, as_json: bool, as_csv: bool) -> int:
    """List resolved incidents, newest first.

    Lists up to 500 incidents seen by the dashboard or this command, without a request.
    --json prints one object per line.
    """
    form = form_of(json=as_json, csv=as_csv)
    with open_platform(options) as platform:
        return local_state.show_history(platform, options, form, limit)
