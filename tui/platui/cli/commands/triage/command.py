"""Show the failing pipelines of watched projects, and manage incidents."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import READING, command, csv_option, form_of, json_option
from platui.cli.completions import groups, projects, projects_and_groups
from platui.cli.connection import open_platform
from platui.cli.exit_codes import Exit
from platui.core.errors import ConfigError
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from platui.cli.commands.triage import local_state, marks, show
    from platui.cli.connection import Platform
    from platui.config.settings import Options

    Change = Callable[[Platform], Coroutine[Any, Any, None]]
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
nor snoozed; late pipelines do not count. It is 4 if nothing is known to be
broken, but the token has no access to a watched project.

\b
--json prints one object: schema, profile, url, at, is_live, told_at, error,
projects, causes_awaited, causes, counts, and the lists broken, late, running
and recovered. With --watch it prints an object per line, with the event
opened, new_signature, returned, cause, late, recovered, ended, acked or
snoozed.
"""


@command(
    "triage",
    _EXAMPLES,
    Exit.DONE,
    Exit.FAILED,
    *READING[1:],
    more=_MORE,
    cls=click.Group,
    invoke_without_command=True,
)
@click.option("--watch", is_flag=True, help="Print changes, one per line, until Ctrl+C.")
@click.option("--check", is_flag=True, help="Exit with 1 if a pipeline is broken.")
@click.option("--quiet", is_flag=True, help="With --check: print nothing but errors.")
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
    "--default-branches",
    is_flag=True,
    help="Show default branches only.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include acknowledged and snoozed incidents, and all rows.",
)
def triage_command(options: Options, /, **asked: Any) -> int:
    """Show broken pipelines of watched projects: since when, why and since which commit.

    Refreshes all projects once, and reads the logs of failed jobs for causes. Broken
    pipelines come first, then late, running and recovered ones, then incidents that are
    acknowledged or snoozed.
    """
    if (name := click.get_current_context().invoked_subcommand) is not None:
        if any(asked.values()):
            raise ConfigError(
                f"{name} does not accept the options of `platui triage`.",
                hint=f"platui triage {name} --help",
            )
        return Exit.DONE
    forms = ("json", "as_json"), ("csv", "as_csv"), ("markdown", "markdown")
    given = [form for form, option in forms if asked.pop(option)]
    if len(given) > 1:
        raise ConfigError("Give only one of --json, --csv and --markdown.", hint=_HINT)
    shown = show.TriageOptions(**asked, form="".join(given))
    if shown.watch and (shown.check or shown.form in {"csv", "markdown"}):
        raise ConfigError("--watch works only alone or with --json.", hint=_HINT)
    if shown.quiet and (shown.form or not shown.check):
        raise ConfigError(
            "--quiet works only with --check and without an output format.", hint=_HINT
        )
    with open_platform(options) as platform:
        if not shown.watch:
            return show.show_board(platform, shown)
        platform.run(show.watch_board(platform, shown))
    return Exit.DONE


@command(
    "watch",
    "triage watch acme/warehouse-core acme/finance/\n"
    "triage watched | ssh jump xargs platui triage watch",
    *_EXITS,
    of=triage_command,
)
@_WATCHED
def watch_command(options: Options, *, words: tuple[str, ...]) -> None:
    """Watch projects and groups.

    Give projects by path, id or URL, groups by a path that ends with /. Later projects of
    a group are also watched. The dashboard uses the same watch list.
    """
    _change(options, lambda platform: local_state.watch(platform.service, words))


@command("unwatch", "triage unwatch acme/finance/", *_EXITS, of=triage_command)
@_WATCHED
def unwatch_command(options: Options, *, words: tuple[str, ...]) -> None:
    """Stop watching projects and groups, given as for `watch`."""
    _change(options, lambda platform: local_state.unwatch(platform.service, words))


@command("watched", "triage watched", of=triage_command, json=True)
def watched_command(options: Options, *, as_json: bool) -> None:
    """List the watched projects and groups; groups end with /."""
    with open_platform(options) as platform:
        local_state.list_watched(platform, as_json=as_json)


def _incident_command(
    name: str, examples: str, what: str = ""
) -> Callable[[Callable[..., Change]], click.Command]:
    """Declare a command that changes an incident or cause; `what` is the metavar of its text."""
    typed = "\n".join(f"triage {example}" for example in examples.splitlines())

    def declare(function: Callable[..., Change]) -> click.Command:
        @wraps(function)
        def change(options: Options, /, incident: str | None, cause: str, **given: Any) -> None:
            if what and cause and incident is not None and given["text"] is None:
                # After --cause, the only argument is the text.
                incident, given["text"] = None, incident
            hint = f"platui triage {name} --help"
            if bool(incident) == bool(cause):
                raise ConfigError("Give INCIDENT or --cause CAUSE.", hint=hint)
            if what and given["text"] is None and given.get("owner") is None:
                raise ConfigError(f"Give {what}.", hint=hint)
            if cause and given.get("every"):
                raise ConfigError(
                    "--all works only with a project: --cause always means all incidents.",
                    hint=hint,
                )
            every = given.pop("every", False)
            target = marks.MarkTarget(incident or cause, bool(cause), every)
            _change(options, function(options, target, **given))

        if what:
            click.argument("text", metavar=what, required=False)(change)
        click.argument("incident", metavar="INCIDENT", required=False)(change)
        help_ = f"{function.__doc__}\n{_INCIDENT}"
        return command(name, typed, *_EXITS, of=triage_command, help=help_)(_CAUSE(change))

    return declare


@_incident_command("ack", "ack warehouse-core\nack warehouse-core --all\nack --cause kxmlq")
@click.option("--all", "every", is_flag=True, help="All incidents of the project.")
@click.option("--undo", is_flag=True, help="Remove the acknowledgement.")
def ack_command(_: Options, target: marks.MarkTarget, *, undo: bool) -> Change:
    """Acknowledge an incident until it fails for another cause."""
    return lambda platform: marks.acknowledge(platform.service, target, undo=undo)


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
    _: Options, target: marks.MarkTarget, *, length: str, until: str, undo: bool
) -> Change:
    """Snooze an incident for some time, or until a time."""
    if bool(length) + bool(until) + undo != 1:
        raise ConfigError(
            "Give --for LENGTH, --until TIME or --undo.", hint="platui triage snooze --help"
        )

    def change(platform: Platform) -> Coroutine[Any, Any, None]:
        utc = platform.options.utc
        return marks.snooze(platform.service, target, length, until, utc=utc, undo=undo)

    return change


@_incident_command(
    "note",
    'note warehouse-core "vendor is informed" --owner ada\nnote --cause kxmlq "vendor is informed"',
    "TEXT",
)
@click.option(
    "--owner", metavar="NAME", default=None, help="Set the owner, with or without a text."
)
def note_command(
    _: Options, target: marks.MarkTarget, *, text: str | None, owner: str | None
) -> Change:
    """Set the note of an incident; "" removes it."""
    return lambda platform: marks.note(platform.service, target, text, owner)


@_incident_command("own", "own warehouse-core ada\nown --cause kxmlq ada", "NAME")
def own_command(_: Options, target: marks.MarkTarget, *, text: str) -> Change:
    """Set the owner of an incident; "" removes it."""
    return lambda platform: marks.note(platform.service, target, None, text)


def _change(options: Options, change: Change) -> None:
    with open_platform(options) as platform:
        platform.run(change(platform))


@command("history", "triage history --csv > month.csv", of=triage_command)
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
def history_command(options: Options, *, limit: int, as_json: bool, as_csv: bool) -> None:
    """List resolved incidents, newest first.

    Lists up to 500 incidents seen by the dashboard or this command, without a request.
    --json prints one object per line.
    """
    form = form_of(json=as_json, csv=as_csv)
    with open_platform(options) as platform:
        local_state.show_history(platform, form, limit)
