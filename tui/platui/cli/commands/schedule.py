"""List, create, change and run the schedules of a project."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import list_command, with_options, write_command
from platui.cli.commands.run.command import SECRETS, VARIABLES
from platui.cli.commands.schedules import NO_LIST, list_schedules
from platui.cli.completions import first_project
from platui.cli.connection import Platform, WriteOptions, open_platform
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.targets import Kind, project_at, target_at
from platui.core.dataclass import dataclass
from platui.core.errors import CommandError, ConfigError, PlatuiError
from platui.core.lazy_module import LazyModule
from platui.core.text import clean, shorten
from platui.models.values.writes import NewSchedule, ScheduleChange, ScheduleVariable, WriteAction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli import actions
    from platui.cli.command_options import Command, ListOptions
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.core.secrets import Secret
    from platui.models.values.queries import ProjectRef
    from platui.models.values.write_states import Outcome
    from platui.models.values.writes import RunVariable
    from platui.models.wire import Schedule
else:
    actions = LazyModule("platui.cli.actions")

_RUN: Final = {Kind.SCHEDULE: WriteAction.RUN_SCHEDULE}
_OWN: Final = {Kind.SCHEDULE: WriteAction.OWN_SCHEDULE}
_DELETE: Final = {Kind.SCHEDULE: WriteAction.DELETE_SCHEDULE}
_TRUE_OR_FALSE: Final = click.Choice(("true", "false"), case_sensitive=False)


_SECRETS_HELP: Final = f"""\
Each variable needs a separate request, which not every platform supports.

{SECRETS}
"""
_CREATE_HELP: Final = f"""\
Create a schedule in PROJECT and print its id, if returned.

{_SECRETS_HELP}
"""
_EDIT_HELP: Final = f"""\
Edit a schedule; omitted options stay unchanged.

{_SECRETS_HELP}
"""


def _with_variables(function: Command) -> Command:
    return with_options(function, *VARIABLES)


@click.group("schedule")
def schedule_command() -> None:
    """List, create, edit, run or delete schedules.

    Not every platform supports all of this. An unsupported command changes nothing and
    exits with 4.
    """


@list_command(
    "list",
    "schedule list acme/etl --json",
    of=schedule_command,
    more=NO_LIST,
)
@click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project)
def listed_command(options: Options, *, project: tuple[str, ...], list_options: ListOptions) -> int:
    """List the schedules of PROJECT (same as `platui schedules`)."""
    return list_schedules(options, project, list_options)


@write_command(
    "create",
    'schedule create 42 --description daily --ref main --cron "0 1 * * *"',
    of=schedule_command,
    help=_CREATE_HELP,
)
@click.argument("project", nargs=-1, metavar="PROJECT", shell_complete=first_project)
@click.option("--description", required=True, metavar="TEXT", help="Description of the schedule.")
@click.option("--ref", required=True, metavar="REF", help="Branch or tag to run on.")
@click.option("--cron", required=True, metavar="CRON", help="Cron expression: '0 1 * * 5'.")
@click.option(
    "--timezone",
    metavar="ZONE",
    help="Time zone of CRON; default: this machine's, or UTC if unknown.",
)
@click.option("--active", type=_TRUE_OR_FALSE, default="true", help="Activate it; default: true.")
@_with_variables
def create_command(
    options: Options,
    *,
    project: tuple[str, ...],
    active: str,
    pairs: tuple[str, ...],
    secrets: tuple[str, ...],
    write_options: WriteOptions,
    **fields: Any,
) -> int:
    from platui.cli.variables import parse_variables, read_secrets  # noqa: PLC0415  (not for help or completion)
    from platui.cli.writing import writable_project, write  # noqa: PLC0415  (not for help or completion)
    from platui.core.local_zone import local_zone  # noqa: PLC0415  (not for help or completion)
    from platui.present.schedules.forms import zone_of  # noqa: PLC0415  (not for help or completion)

    _check(**fields)
    variables, sources = parse_variables(pairs, secrets, takes_file=True)
    with open_platform(options, project, write_options) as platform:
        where = project_at(project, platform.address, "platui schedule create --help")
        where = writable_project(platform, where)
        variables += read_secrets(sources, platform.environ, dry=write_options.dry_run)
        note = ""
        zone = fields.pop("timezone")
        if zone is None:
            zone, origin = zone_of(local_zone(platform.environ))
            note = f"CRON uses the time zone {zone}: {origin}. Use --timezone to change it."
            if write_options.dry_run:
                print_notice(note)
        new = NewSchedule(where, **fields, cron_timezone=zone, active=active == "true")
        if not variables:
            return write(platform, new, note=note)
        rest = _NewVariables(platform, where, tuple(variables))
        next_ = f"After creating the schedule, platui sets its variables: {rest.names}."
        if write_options.dry_run:
            print_notice(next_)
        note = f"{note}\n{next_}".strip()
        return write(platform, new, note=note, then=rest.set, unsent=rest.commands)


@dataclass(frozen=True)
class _NewVariables:
    """The variables of a schedule that is being created: each is set by a request of its own."""

    platform: Platform
    project: ProjectRef
    variables: tuple[RunVariable, ...]

    @property
    def names(self) -> str:
        return ", ".join(one.key for one in self.variables)

    def set(self, outcome: Outcome) -> int:
        from platui.cli.writing import done_in_part, write  # noqa: PLC0415  (not for help or completion)

        if outcome.id is None:
            print_notice("The new id is unknown: set the variables with platui schedule edit.")
            return Exit.UNKNOWN
        try:
            return write(self.platform, *self._of(outcome.id), is_rest=True)
        except PlatuiError as error:
            return done_in_part(error, self.commands([outcome]))

    def commands(self, found: Sequence[Outcome]) -> Sequence[str]:
        """Return the commands that set them on the newest schedule that was found."""
        number = next((one.id for one in found if one.id is not None), None)
        if number is None:
            print_notice(f"If it was created, its variables are not set: {self.names}.")
            return ()
        return self.platform.service.write_service.request(*self._of(number)).commands

    def _of(self, schedule: int) -> list[ScheduleVariable]:
        return [ScheduleVariable(self.project, schedule, *_parts(one)) for one in self.variables]


@write_command(
    "edit",
    """
schedule edit acme/etl 12 --cron "30 2 * * 1-5" --active true
schedule edit acme/etl 12 --var DAY=2026-03-14 --unset OLD --yes
""",
    of=schedule_command,
    help=_EDIT_HELP,
)
@click.argument("words", nargs=-1, metavar="PROJECT SCHEDULE", shell_complete=first_project)
@click.option("--description", metavar="TEXT", help="New description.")
@click.option("--ref", metavar="REF", help="Branch or tag to run on.")
@click.option("--cron", metavar="CRON", help="Cron expression: '0 1 * * 5'.")
@click.option("--timezone", metavar="ZONE", help="Time zone of CRON.")
@click.option("--active", type=_TRUE_OR_FALSE, help="Activate or deactivate it.")
@_with_variables
@click.option("--unset", multiple=True, metavar="KEY", help="Remove a variable; repeatable.")
def edit_command(
    options: Options,
    /,
    *,
    words: tuple[str, ...],
    active: str | None,
    pairs: tuple[str, ...],
    secrets: tuple[str, ...],
    unset: tuple[str, ...],
    write_options: WriteOptions,
    **changes: Any,
) -> int:
    from platui.cli.variables import parse_variables, read_secrets  # noqa: PLC0415  (not for help or completion)
    from platui.cli.writing import writable_project, write  # noqa: PLC0415  (not for help or completion)

    hint = "platui schedule edit --help"
    changes_fields = active is not None or any(value is not None for value in changes.values())
    if not (changes_fields or pairs or secrets or unset):
        raise ConfigError("Give at least one option to change.", hint=hint)
    _check(**changes)
    variables, sources = parse_variables(pairs, secrets, takes_file=True)
    keys = [*(one.key for one in variables), *(key for key, _ in sources), *unset]
    if twice := [key for key in unset if keys.count(key) > 1]:
        raise ConfigError(f"Variable {shorten(twice[0], 60)} is given twice.")
    with open_platform(options, words, write_options) as platform:
        target = target_at(words, platform.address, Kind.SCHEDULE, hint)
        if target.kind is not Kind.SCHEDULE:
            raise ConfigError(f"This is the URL of a {target.kind}.", hint=hint)
        where = writable_project(platform, target.project)
        runs = None if active is None else active == "true"
        changes["cron_timezone"] = changes.pop("timezone")
        change = ScheduleChange(where, target.id, **changes, active=runs)
        variables += read_secrets(sources, platform.environ, dry=write_options.dry_run)
        new = [ScheduleVariable(where, target.id, *_parts(one)) for one in variables]
        new += [ScheduleVariable(where, target.id, key, None) for key in unset]
        if new:
            schedule = _read_schedule(platform, target._replace(project=where))
            known = {one.key for one in schedule.variables}
            new = [replace(one, exists=one.key in known) for one in new]
        elif write_options.dry_run:
            try:
                _read_schedule(platform, target._replace(project=where))
            except CommandError:
                raise
            except PlatuiError as error:
                print_notice(f"Not checked whether it exists: {error.sentence}")
        if missing := [one.key for one in new if one.value is None and not one.exists]:
            raise ConfigError(
                f"Schedule #{target.id} has no variable {clean(missing[0])} that you can see."
            )
        return write(platform, *([change] if changes_fields else []), *new)


def _read_schedule(platform: Platform, target: Target) -> Schedule:
    from platui.cli.reading import read  # noqa: PLC0415  (not for help or completion)
    from platui.cli.target_lookup import resolve_target, resource_of  # noqa: PLC0415  (not for help or completion)
    from platui.cli.writing import refused  # noqa: PLC0415  (not for help or completion)

    service = platform.service

    async def ask(found: Target) -> Schedule:
        schedule: Schedule = await read(service, "the schedule", resource_of(found))
        return schedule

    try:
        return platform.read(resolve_target(service, target, ask, operation="edit schedule"))
    except PlatuiError as error:
        raise refused(error) from None


def _parts(one: RunVariable) -> tuple[str, str | Secret, str]:
    return one.key, one.value, one.source


@write_command("run", "schedule run acme/etl 12 --wait", of=schedule_command, can_wait=True)
@click.argument("words", nargs=-1, metavar="PROJECT SCHEDULE", shell_complete=first_project)
def run_command(options: Options, *, words: tuple[str, ...], write_options: WriteOptions) -> int:
    """Run a schedule now.

    The platform does not return the new pipeline: platui polls the schedule for it for a
    few seconds and prints its id and URL. If none is found, stdout stays empty.
    """
    return actions.run_action(options, words, _RUN, Kind.SCHEDULE, write_options)


@write_command("own", "schedule own acme/etl 12 --yes", of=schedule_command)
@click.argument("words", nargs=-1, metavar="PROJECT SCHEDULE", shell_complete=first_project)
def own_command(options: Options, *, words: tuple[str, ...], write_options: WriteOptions) -> int:
    """Take ownership of a schedule: it then runs with your permissions."""
    return actions.run_action(options, words, _OWN, Kind.SCHEDULE, write_options)


@write_command(
    "delete", "schedule delete acme/etl 12 --yes --confirm 'at night'", of=schedule_command
)
@click.argument("words", nargs=-1, metavar="PROJECT SCHEDULE", shell_complete=first_project)
@click.option(
    "--confirm",
    metavar="NAME",
    default="",
    help="Description of the schedule, to confirm; else prompted for.",
)
def delete_command(
    options: Options, *, words: tuple[str, ...], confirm: str, write_options: WriteOptions
) -> int:
    """Delete a schedule permanently.

    Besides the usual confirmation, give its description, at the prompt or with
    --confirm. With --yes alone, nothing is sent.
    """
    if write_options.yes and not (confirm or write_options.dry_run):
        raise ConfigError(
            "--yes alone does not delete a schedule: nothing was sent.",
            hint="Add --confirm with the description of the schedule.",
        )
    from platui.cli.confirmation import check_typed_name  # noqa: PLC0415  (not for help or completion)

    check_name = partial(check_typed_name, confirmed=confirm)
    return actions.run_action(options, words, _DELETE, Kind.SCHEDULE, write_options, check_name)


def _check(
    description: str | None, ref: str | None, cron: str | None, timezone: str | None
) -> None:
    from platui.analysis.schedules import due_times as dues  # noqa: PLC0415  (not for help or completion)
    from platui.analysis.schedules.zones import rails_zone_names  # noqa: PLC0415  (not for help or completion)

    problems = {
        "--description": "" if description is None else dues.description_problem(description),
        "--ref": "" if ref is None else dues.ref_problem(ref),
        "--cron": "" if cron is None else dues.cron_problem(cron),
        "--timezone": dues.zone_problem(timezone) if timezone else "",
    }
    for option, problem in problems.items():
        if problem:
            raise ConfigError(f"{option}: {problem}")
    zone = rails_zone_names().get((timezone or "").strip())
    if zone is not None:
        print_notice(f"--timezone {timezone} is the Rails name of {zone}; it is sent unchanged.")
