"""`platui report`: the access report, who holds which level where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import click

from platui.cli.exits import Exit
from platui.cli.list_options import words_of
from platui.cli.manner import epilog, json_option, with_global_options
from platui.core.errors import ConfigError
from platui.models.values.access import USUAL_ORDER, PeopleOrder
from platui.models.values.exports import OF_A_PLACE, Exported, ExportFormat

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.config.settings import Options

    Command = Callable[..., int]

_NO_REPORT: Final = (
    "With 2, too, what came, or what was saved, cannot be read; what was saved is as it was.\n"
)
_CURL: Final = """\b
With curl; the key comes through a pipe, since others can read a command line:
  echo "Authorization: Bearer $PLATUI_ADMIN_KEY" |
    curl --fail --compressed -H @- -H "accept: application/json" \\
      "$PLATUI_ADMIN_URL/api/v1/reporting/report" | platui report import -
"""
_ARRIVAL: Final = (Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED, Exit.INTERRUPTED)
_SAVED: Final = (Exit.DONE, Exit.USAGE, Exit.REFUSED)
_TWO: Final = 2
_EXPORTED: Final = (*(one.value for one in Exported), "changes")
_MEMBERS: Final = [one.value for one in OF_A_PLACE]
_FORMS: Final = [form.value for form in ExportFormat]
_ORDERS: Final = [order.value for order in PeopleOrder]


class TermsCommand(click.Command):
    """A command whose words may be terms: `-state:active` is one, and no option."""

    _NEGATED: Final = re.compile(r"-(?=[A-Za-z][A-Za-z_-]*:)")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read options and words; a term that begins with `-` is spelled with its `!`."""
        end = args.index("--") if "--" in args else len(args)
        words = [self._NEGATED.sub("!", word, count=1) if self._NEGATED.match(word) else word
                 for word in args[:end]]  # fmt: skip
        return super().parse_args(ctx, [*words, *args[end:]])


@click.group(
    "report",
    epilog=epilog(
        *_ARRIVAL,
        examples="report fetch\nreport show level:owner -state:active\nreport diff --by person",
    ),
)
@with_global_options
def report_command() -> int:
    """The access report: who holds which level in which group and project.

    It comes from the administration API, with a key of its own (PLATUI_ADMIN_URL and
    PLATUI_ADMIN_KEY, or the profile), or from a file that another program fetched.
    Reports are kept, so that they can be searched at once and compared.

    It is a roll-up of daily snapshots over a period: for usage utilization, not for
    security auditing, and there is data only since the organization opted in.
    """
    return 0  # the command behind it does what is meant


def _names_report(function: Command) -> Command:
    option = click.option(
        "--report",
        "word",
        metavar="REPORT",
        default="latest",
        shell_complete=words_of(("latest", "previous")),
        help="Id of a saved report, its beginning (2026-03-14), latest, previous, or its "
        "number in `platui report list`; the latest where left out.",
    )
    return option(function)


@report_command.command(
    "fetch",
    epilog=epilog(
        *_ARRIVAL,
        examples="report fetch\nreport fetch --profile prod --json",
        more=_NO_REPORT,
    ),
)
@json_option
@with_global_options
@click.pass_obj
def fetch_command(options: Options, *, as_json: bool) -> int:
    """Fetch the report, and keep it.

    It needs the organization's API key, and no access token. What did not change since
    the last one is not sent again, where the platform says so. On stdout is the id; on
    stderr how far it is, how much is in it, and what is new against the one before.

    Ctrl+C leaves the last good report. What came whole by then is kept, and is read the
    next time without a request; what broke off begins again.
    """
    from platui.cli.report_arrival import fetch_report  # noqa: PLC0415  (of this command only)

    return fetch_report(options, as_json=as_json)


@report_command.command(
    "import",
    short_help="Keep a report that another program fetched.",
    epilog=epilog(
        Exit.DONE, Exit.USAGE, Exit.REFUSED, Exit.INTERRUPTED,
        examples="report import report.json.gz --date 2026-03-14\nreport import - < report.json",
        more=f"{_CURL}\n{_NO_REPORT}",
    ),
)  # fmt: skip
@click.argument("file", metavar="FILE")
@click.option(
    "--date",
    metavar="ISO",
    default="",
    help="When it was fetched, such as 2026-03-14; else when FILE was written.",
)
@json_option
@with_global_options
@click.pass_obj
def import_command(options: Options, *, file: str, date: str, as_json: bool) -> int:
    """Keep a report that another program fetched: FILE, or - for standard input.

    It is JSON as the platform gives it, or the same packed with gzip, of any size. It is
    kept with those of the profile; one whose text is kept already stays as it is, also
    its date. Where none is set it needs none: such reports are
    kept on a shelf of their own, which --profile imported names in any case.
    """
    from platui.cli.report_arrival import import_report  # noqa: PLC0415  (of this command only)

    return import_report(options, file, date, as_json=as_json)


@report_command.command(
    "list",
    short_help="List the saved reports.",
    epilog=epilog(
        Exit.DONE,
        Exit.USAGE,
        examples="report list\nreport list --json --profile imported",
        more="""Kept are the newest, as many as `keep` in [reports] of config.toml says (24), and
the last one of each month, of `keep_monthly` months (12); what a new one drops is said.
""",
    ),
)
@json_option
@with_global_options
@click.pass_obj
def list_command(options: Options, *, as_json: bool) -> int:
    """List the saved reports, newest first; with --json one object on each line.

    One that is damaged, or of another version of platui, is among them; with --json
    `damaged` says what is wrong with it, and is null in all others.
    """
    from platui.cli.report_list import list_reports  # noqa: PLC0415  (of this command only)

    return list_reports(options, as_json=as_json)


@report_command.command(
    "forget",
    epilog=epilog(
        *_SAVED,
        Exit.INTERRUPTED,
        examples="report forget 20260314T031200Z\nreport forget 2026-03-14 --profile prod --yes",
    ),
)
@click.argument("word", metavar="REPORT")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
@with_global_options
@click.pass_obj
def forget_command(options: Options, *, word: str, yes: bool) -> int:
    """Keep a saved report no longer: one that is damaged, or any other.

    REPORT is its id, or the beginning of it, such as its date; a number or `latest` is
    not taken, for the next report moves them. The platform gives no report of an
    earlier day: what is removed does not come back. So it is asked first; without a
    terminal --yes has to say it.
    """
    from platui.cli.report_list import forget_report  # noqa: PLC0415  (of this command only)

    return forget_report(options, word, yes=yes)


@report_command.command(
    "show",
    cls=TermsCommand,
    short_help="Show a report, or what its terms find.",
    epilog=epilog(
        *_SAVED,
        examples="""
report show
report show level:owner -state:active
report show 'level:>=maintainer group:finance* name:"Jane Doe"' --csv
report show --groups is:empty kind:group
report show --person jane@example.com --report previous
report show --group finance/payroll --inherited --json
""",
        more="""The terms are those of the dashboard; `platui report terms` lists them. What
the shell would change (quotes, *, >) stands in quotes.
""",
    ),
)
@click.argument("terms", nargs=-1, metavar="[TERMS…]")
@click.option("-g", "--groups", is_flag=True, help="Groups and projects instead of people.")
@click.option(
    "--person",
    metavar="WORD",
    help="Every group and project of somebody: user name, e-mail or id.",
)
@click.option(
    "--group",
    "--project",
    "place",
    metavar="PATH",
    help="The direct members of a group or project: full path or id.",
)
@click.option("--inherited", is_flag=True, help="With --group: members of groups above, too.")
@click.option(
    "--sort",
    type=click.Choice(_ORDERS),
    help="Order of people; highest level first where left out.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="So many rows at most.")
@click.option("--all", "all_", is_flag=True, help="All rows; on a terminal it is 100 else.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV, safe for spreadsheets.")
@json_option
@_names_report
@with_global_options
@click.pass_obj
def show_command(  # noqa: PLR0913  (one option each)
    options: Options,
    *,
    terms: tuple[str, ...],
    groups: bool,
    person: str | None,
    place: str | None,
    inherited: bool,
    sort: str | None,
    limit: int | None,
    all_: bool,
    as_csv: bool,
    as_json: bool,
    word: str,
) -> int:
    """Show what a saved report holds: without terms in sum, with terms whom they find.

    With --json, one object on each line; a person or a place is one object in all. Both
    --json and --csv print all rows, and name them as `platui report export` does.

    LEVEL is what the report lists for the place itself; EFFECTIVE is the highest of that
    and of what is listed for the groups above, and FROM the group that it comes from.
    "also above" is a member whom a group above lists with the same level: it may come
    from there, which the report itself does not say. With --inherited the highest level
    that counts comes first.
    """
    query = " ".join(terms)
    of_one = [word for word in (person, place) if word is not None]
    if len(of_one) + groups > 1 or (of_one and query):
        raise ConfigError(
            "Terms, --groups, --person and --group ask for different things.",
            hint="platui report show --help",
        )
    if sort and (of_one or groups):
        raise ConfigError("--sort is the order of people.", hint="platui report show --help")
    if inherited and place is None:
        raise ConfigError("--inherited is about --group.")
    if as_json and as_csv:
        raise ConfigError("--json or --csv: either of them.")
    from platui.cli.report_show import Asked, show_report  # noqa: PLC0415  (of this command only)

    asked = Asked(
        query, groups, person, place, PeopleOrder(sort) if sort else None,
        as_json, as_csv, limit, all_, inherited,
    )  # fmt: skip
    return show_report(options, word, asked)


@report_command.command(
    "terms",
    epilog=epilog(Exit.DONE, Exit.USAGE, examples="report terms"),
    short_help="List the search terms.",
)
@with_global_options
def terms_command() -> int:
    """List the terms that people, and groups and projects, are searched by."""
    from platui.cli.report_terms import terms_lines  # noqa: PLC0415  (of this command only)
    from platui.cli.told import say_lines  # noqa: PLC0415  (the same)

    say_lines(terms_lines())
    return 0


@report_command.command(
    "diff",
    short_help="Compare two saved reports.",
    epilog=epilog(
        Exit.DONE,
        Exit.FAILED,
        *_SAVED[1:],
        examples="""
report diff
report diff 2026-02 latest --by person
report diff --json | jq 'select(.change == "new_owner").email'
report diff --exit-code || echo "something changed"
""",
        more="""With --exit-code it is 1 where something is different.
""",
    ),
)
@click.argument("reports", nargs=-1, metavar="[A] [B]")
@click.option(
    "--by",
    type=click.Choice(["person", "group"]),
    help="All that changed, by person, or by group and project.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="So many of each kind.")
@click.option("--all", "all_", is_flag=True, help="All of them; on a terminal it is 100 else.")
@click.option("--exit-code", is_flag=True, help="End with 1 where something is different.")
@json_option
@with_global_options
@click.pass_obj
def diff_command(
    options: Options,
    *,
    reports: tuple[str, ...],
    by: str | None,
    limit: int | None,
    all_: bool,
    exit_code: bool,
    as_json: bool,
) -> int:
    """Tell who joined, left, was blocked or renamed, whose levels changed, and new owners.

    A and B are reports as in `platui report show --report`: from A to B. Without B it is
    the latest, without both the latest and the one before. People, groups and projects
    are the same where their ids are. Who is active no more, or again, neither left nor
    joined: that is blocked and unblocked. Identity is e-mail, user name, name and service
    identity.

    Every membership that differs is listed. Those that came or went with a place, or
    else with a person, are counted apart from those added and dropped otherwise; new
    owners are listed once more among them. With --json, one object on each line.
    """
    if len(reports) > _TWO:
        raise ConfigError("Two reports are compared.", hint="platui report diff --help")
    from platui.cli.report_diff import DiffAsked, diff_reports  # noqa: PLC0415  (as above)

    before, after = (*reports, "", "")[:_TWO]
    asked = DiffAsked(before, after, by or "", as_json, limit, all_, exit_code)
    return diff_reports(options, asked)


@report_command.command(
    "export",
    cls=TermsCommand,
    short_help="Write parts of a report as CSV, JSON lines or Markdown.",
    epilog=epilog(
        *_SAVED,
        Exit.INTERRUPTED,
        examples="""
report export level:owner -o owners.csv
report export --what memberships 'group:finance*' | gzip > m.csv.gz
report export --what members --of finance/payroll --format md
report export --what changes --since 2026-02 -o changes.csv --force
""",
        more="""What the report is, and is not, stands above the rows: in CSV in lines that
begin with #, in JSON lines as a first object, named `export`. No cell of the CSV is
a formula to a spreadsheet.
""",
    ),
)
@click.argument("terms", nargs=-1, metavar="[TERMS…]")
@click.option(
    "--what",
    type=click.Choice(_EXPORTED),
    default=_EXPORTED[0],
    show_default=True,
    help="People, what they hold, groups and projects, the direct members of one, these and"
    " those of the groups above it (effective), or changes.",
)
@click.option("--of", "place", metavar="PATH", default="", help="Whose members: path or id.")
@click.option("--since", metavar="REPORT", default="", help="Changes since then; the one before.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    help="Else as FILE ends (.csv, .jsonl, .md); csv where it has no ending.",
)
@click.option(
    "--sort",
    type=click.Choice(_ORDERS),
    help="Order of people; highest level first where left out.",
)
@click.option("-o", "--output", "file", metavar="FILE", default="", help="A file, of mode 0600.")
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@click.option(
    "--no-notes", is_flag=True, help="Only names of columns, and rows: no notes above them."
)
@_names_report
@with_global_options
@click.pass_obj
def export_command(  # noqa: PLR0913  (one option each)
    options: Options,
    *,
    terms: tuple[str, ...],
    what: str,
    place: str,
    since: str,
    form: str | None,
    sort: str | None,
    file: str,
    force: bool,
    no_notes: bool,
    word: str,
) -> int:
    """Write what TERMS find to stdout, or to FILE, which only you can read.

    TERMS are on people; with --what places on groups and projects; members, effective
    and changes have none. A file has its name when it is whole.
    """
    hint = "platui report export --help"
    if (what in _MEMBERS) != bool(place):
        raise ConfigError("--what members|effective and --of PATH belong together.", hint=hint)
    if since and what != "changes":
        raise ConfigError("--since REPORT is about --what changes.", hint=hint)
    if sort and what != "people":
        raise ConfigError("--sort is the order of --what people.", hint=hint)
    if terms and what in {*_MEMBERS, "changes"}:
        raise ConfigError(f"--what {what} takes no terms.", hint=hint)
    from platui.cli.report_export import ExportAsked, export_report  # noqa: PLC0415  (as above)

    asked = ExportAsked(
        what, " ".join(terms), place, since, PeopleOrder(sort) if sort else USUAL_ORDER,
        ExportFormat(form) if form else None, not no_notes, file, force,
    )  # fmt: skip
    return export_report(options, word, asked)


@report_command.command(
    "docs",
    short_help="Tell where the administration API is documented.",
    epilog=epilog(
        Exit.DONE, Exit.USAGE, Exit.TRY_AGAIN, Exit.REFUSED,
        examples="report docs\nreport docs --json",
    ),
)  # fmt: skip
@json_option
@with_global_options
@click.pass_obj
def docs_command(options: Options, *, as_json: bool) -> int:
    """Tell where the administration API is documented, and its version of OpenAPI.

    It needs the address of the API, and no key.
    """
    from platui.cli.report_docs import show_docs  # noqa: PLC0415  (of this command only)

    return show_docs(options, as_json=as_json)
