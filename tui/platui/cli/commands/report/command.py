"""`platui report`: the access report: who has which access level where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import command, epilog, json_option, with_global_options
from platui.cli.completions import files, words_of
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING, csv_option
from platui.models.values.access import PeopleOrder
from platui.models.values.reports import ExportContent, ExportFormat

if TYPE_CHECKING:
    from platui.config.settings import Options

_NO_REPORT: Final = (
    "With 2, too, what came, or what was saved, cannot be read; what was saved is as it was.\n"
)
_CURL: Final = """\b
With curl; the key comes through a pipe, since others can read a command line:
  echo "Authorization: Bearer $PLATUI_ADMIN_KEY" |
    curl --fail --compressed -H @- -H "accept: application/json" \\
      "$PLATUI_ADMIN_URL/api/v1/reporting/report" | platui report import -
"""
_SAVED: Final = (Exit.DONE, Exit.USAGE, Exit.REFUSED)
_ASKED: Final = (*_SAVED, Exit.INTERRUPTED)
_EXPORTED: Final = (*(one.value for one in ExportContent), "changes")
_FORMS: Final = [form.value for form in ExportFormat]
_ORDERS: Final = [order.value for order in PeopleOrder]


class TermsCommand(click.Command):
    """A command whose words may be terms: `-state:active` is one, and no option."""

    _NEGATED: Final = re.compile(r"-(?=[A-Za-z][A-Za-z_-]*:)")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        words = [self._NEGATED.sub("!", word, count=1) if self._NEGATED.match(word) else word
                 for word in args[:end]]  # fmt: skip
        return super().parse_args(ctx, [*words, *args[end:]])


@click.group(
    "report",
    epilog=epilog(
        "report fetch\nreport show level:owner -state:active\nreport diff --by person", *READING
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


_terms = click.argument(
    "query", nargs=-1, metavar="[TERMS…]", callback=lambda _, __, words: " ".join(words)
)
_names_report = click.option(
    "--report",
    "word",
    metavar="REPORT",
    default="latest",
    shell_complete=words_of(("latest", "previous")),
    help="Id of a saved report, its beginning (2026-03-14), latest, previous, or its "
    "number in `platui report list`; the latest where left out.",
)
_sorts_people = click.option(
    "--sort",
    type=click.Choice(_ORDERS),
    help="Order of people; highest level first where left out.",
)


@command(
    "fetch",
    "report fetch\nreport fetch --profile prod --json",
    *READING,
    of=report_command,
    more=_NO_REPORT,
    json=True,
)
def fetch_command(options: Options, *, as_json: bool) -> int:
    """Fetch the report, and keep it.

    It needs the organization's API key, and no access token. What did not change since
    the last one is not sent again, where the platform says so. On stdout is the id; on
    stderr how far it is, how much is in it, and what is new against the one before.

    Ctrl+C leaves the last good report. What came whole by then is kept, and is read the
    next time without a request; what broke off begins again.
    """
    from platui.cli.commands.report.fetch import fetch_report  # noqa: PLC0415  (of this command only)

    return fetch_report(options, as_json=as_json)


@command(
    "import",
    "report import report.json.gz --date 2026-03-14\nreport import - < report.json",
    *_ASKED,
    of=report_command,
    more=f"{_CURL}\n{_NO_REPORT}",
    json=True,
    short_help="Keep a report that another program fetched.",
)
@click.argument("file", metavar="FILE", shell_complete=files)
@click.option(
    "--date",
    metavar="ISO",
    default="",
    help="When it was fetched, such as 2026-03-14; else when FILE was written.",
)
def import_command(options: Options, *, file: str, date: str, as_json: bool) -> int:
    """Keep a report that another program fetched: FILE, or - for standard input.

    It is JSON as the platform gives it, or the same packed with gzip, of any size. It is
    kept with those of the profile; one whose text is kept already stays as it is, also
    its date. Where none is set it needs none: such reports are
    kept on a shelf of their own, which --profile imported names in any case.
    """
    from platui.cli.commands.report.fetch import import_report  # noqa: PLC0415  (of this command only)

    return import_report(options, file, date, as_json=as_json)


@command(
    "list",
    "report list\nreport list --json --profile imported",
    of=report_command,
    more="""Kept are the newest, as many as `keep` in [reports] of config.toml says (24), and
the last one of each month, of `keep_monthly` months (12); what a new one drops is said.
""",
    json=True,
    short_help="List the saved reports.",
)
def list_command(options: Options, *, as_json: bool) -> int:
    """List the saved reports, newest first; with --json one object on each line.

    One that is damaged, or of another version of platui, is among them; with --json
    `damaged` says what is wrong with it, and is null in all others.
    """
    from platui.cli.commands.report.list import list_reports  # noqa: PLC0415  (of this command only)

    return list_reports(options, as_json=as_json)


@command(
    "forget",
    "report forget 20260314T031200Z\nreport forget 2026-03-14 --profile prod --yes",
    *_ASKED,
    of=report_command,
)
@click.argument("word", metavar="REPORT")
@click.option("-y", "--yes", is_flag=True, help="Do it without asking.")
def forget_command(options: Options, *, word: str, yes: bool) -> int:
    """Keep a saved report no longer: one that is damaged, or any other.

    REPORT is its id, or the beginning of it, such as its date; a number or `latest` is
    not taken, for the next report moves them. The platform gives no report of an
    earlier day: what is removed does not come back. So it is asked first; without a
    terminal --yes has to say it.
    """
    from platui.cli.commands.report.list import forget_report  # noqa: PLC0415  (of this command only)

    return forget_report(options, word, yes=yes)


@command(
    "show",
    """
report show
report show level:owner -state:active
report show 'level:>=maintainer group:finance* name:"Jane Doe"' --csv
report show --groups is:empty kind:group
report show --person jane@example.com --report previous
report show --group finance/payroll --inherited --json
""",
    *_SAVED,
    of=report_command,
    more="""The terms are those of the dashboard; `platui report terms` lists them. What
the shell would change (quotes, *, >) stands in quotes.
""",
    cls=TermsCommand,
    short_help="Show a report, or what its terms find.",
)
@_terms
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
@_sorts_people
@click.option("--limit", type=click.IntRange(1), metavar="N", help="So many rows at most.")
@click.option("--all", "all_", is_flag=True, help="All rows; on a terminal it is 100 else.")
@csv_option
@json_option
@_names_report
def show_command(options: Options, /, *, word: str, **list_options: Any) -> int:
    """Show what a saved report holds: without terms in sum, with terms whom they find.

    With --json, one object on each line; a person or a place is one object in all. Both
    --json and --csv print all rows, and name them as `platui report export` does.

    LEVEL is what the report lists for the place itself; EFFECTIVE is the highest of that
    and of what is listed for the groups above, and FROM the group that it comes from.
    "also above" is a member whom a group above lists with the same level: it may come
    from there, which the report itself does not say. With --inherited the highest level
    that counts comes first.
    """
    from platui.cli.commands.report.show import ListOptions, show_report  # noqa: PLC0415  (of this command only)

    return show_report(options, word, ListOptions(**list_options))


@command("terms", "report terms", of=report_command, short_help="List the search terms.")
def terms_command(_: Options) -> int:
    """List the terms that people, and groups and projects, are searched by."""
    from platui.cli.commands.report.lookup import terms_lines  # noqa: PLC0415  (of this command only)
    from platui.cli.output.stdout import print_lines  # noqa: PLC0415  (the same)

    print_lines(terms_lines())
    return 0


@command(
    "diff",
    """
report diff
report diff 2026-02 latest --by person
report diff --json | jq 'select(.change == "new_owner").email'
report diff --exit-code || echo "something changed"
""",
    Exit.DONE,
    Exit.FAILED,
    *_SAVED[1:],
    of=report_command,
    more="With --exit-code it is 1 where something is different.\n",
    json=True,
    short_help="Compare two saved reports.",
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
def diff_command(options: Options, /, **list_options: Any) -> int:
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
    from platui.cli.commands.report.diff import DiffAsked, diff_reports  # noqa: PLC0415  (as above)

    return diff_reports(options, DiffAsked(**list_options))


@command(
    "export",
    """
report export level:owner -o owners.csv
report export --what memberships 'group:finance*' | gzip > m.csv.gz
report export --what members --of finance/payroll --format md
report export --what changes --since 2026-02 -o changes.csv --force
""",
    *_ASKED,
    of=report_command,
    more="""What the report is, and is not, stands above the rows: in CSV in lines that
begin with #, in JSON lines as a first object, named `export`. No cell of the CSV is
a formula to a spreadsheet.
""",
    cls=TermsCommand,
    short_help="Write parts of a report as CSV, JSON lines or Markdown.",
)
@_terms
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
@_sorts_people
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    default="",
    help="A file, of mode 0600.",
    shell_complete=files,
)
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@click.option(
    "--no-notes", is_flag=True, help="Only names of columns, and rows: no notes above them."
)
@_names_report
def export_command(options: Options, /, *, word: str, **list_options: Any) -> int:
    """Write what TERMS find to stdout, or to FILE, which only you can read.

    TERMS are on people; with --what places on groups and projects; members, effective
    and changes have none. A file has its name when it is whole.
    """
    from platui.cli.commands.report.export import ExportAsked, export_report  # noqa: PLC0415  (as above)

    return export_report(options, word, ExportAsked(**list_options))


@command(
    "docs",
    "report docs\nreport docs --json",
    *READING[:-1],
    of=report_command,
    json=True,
    short_help="Tell where the administration API is documented.",
)
def docs_command(options: Options, *, as_json: bool) -> int:
    """Tell where the administration API is documented, and its version of OpenAPI.

    It needs the address of the API, and no key.
    """
    from platui.cli.commands.report.list import show_docs  # noqa: PLC0415  (of this command only)

    return show_docs(options, as_json=as_json)
