"""Who has which access level in which group and project."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import READING, command, csv_option, json_option, yes_option
from platui.cli.completions import files, words_of
from platui.cli.exit_codes import Exit
from platui.core.lazy_module import LazyModule
from platui.models.values.access import PeopleOrder
from platui.models.values.reports import ExportContent, ExportFormat

if TYPE_CHECKING:
    from platui.cli.commands.report import diff, export, fetch, saved, show
    from platui.cli.commands.report import list as saved_list
    from platui.config.settings import Options
else:
    diff = LazyModule("platui.cli.commands.report.diff")
    export = LazyModule("platui.cli.commands.report.export")
    fetch = LazyModule("platui.cli.commands.report.fetch")
    saved = LazyModule("platui.cli.commands.report.saved")
    saved_list = LazyModule("platui.cli.commands.report.list")
    show = LazyModule("platui.cli.commands.report.show")

_INVALID_REPORT: Final = (
    "2 also means that the received or saved report is invalid; saved ones are unchanged.\n"
)
_CURL: Final = """\b
With curl; the key comes through a pipe, as others can see command lines:
  echo "Authorization: Bearer $PLATUI_ADMIN_KEY" |
    curl --fail --compressed -H @- -H "accept: application/json" \\
      "$PLATUI_ADMIN_URL/api/v1/reporting/report" | platui report import -
"""
_SAVED_EXITS: Final = (Exit.DONE, Exit.USAGE, Exit.REFUSED)
_CONFIRMED_EXITS: Final = (*_SAVED_EXITS, Exit.INTERRUPTED)
_EXPORT_CHOICES: Final = (*(one.value for one in ExportContent), "changes")
_ORDERS: Final = [order.value for order in PeopleOrder]


class TermsCommand(click.Command):
    """A command that accepts negated terms such as `-state:active`, which are not options."""

    _NEGATED: Final = re.compile(r"\A-(?=[A-Za-z][A-Za-z_-]*:)")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        words = [self._NEGATED.sub("!", word) for word in args[:end]]
        return super().parse_args(ctx, [*words, *args[end:]])


@command(
    "report",
    "report fetch\nreport show level:owner -state:active\nreport diff --by person",
    *READING,
    cls=click.Group,
)
def report_command(_: Options) -> None:
    """Fetch, search, compare or export access reports.

    A report lists who has which access level in which group and project. It comes from
    the administration API (PLATUI_ADMIN_URL and PLATUI_ADMIN_KEY, or the profile), or
    from a file.

    It is a summary of daily snapshots over a period: for utilization, not for
    security auditing, with data only since the organization opted in.
    """


_command = partial(command, of=report_command)
_terms = click.argument(
    "query", nargs=-1, metavar="[TERMS…]", callback=lambda _, __, words: " ".join(words)
)
_names_report = click.option(
    "--report",
    "word",
    metavar="REPORT",
    default="latest",
    shell_complete=words_of(("latest", "previous")),
    help="Id of a saved report, a prefix of it, latest, previous, or its date (2026-03-14), "
    "month (2026-03) or number in `platui report list`; default: latest.",
)
_sorts_people = click.option(
    "--sort",
    type=click.Choice(_ORDERS),
    help="Order of people; default: highest level first.",
)


@_command(
    "fetch",
    "report fetch\nreport fetch --profile prod --json",
    *READING,
    more=_INVALID_REPORT,
    json=True,
)
def fetch_command(options: Options, *, as_json: bool) -> int:
    """Fetch the access report and save it.

    Needs the organization's API key, no access token. Prints the id; on stderr progress,
    contents and changes since the previous report.

    Ctrl+C keeps the last report. A complete download is read by the next fetch.
    """
    return fetch.fetch_report(options, as_json=as_json)


@_command(
    "import",
    "report import report.json.gz --date 2026-03-14\nreport import - < report.json",
    *_CONFIRMED_EXITS,
    more=f"{_CURL}\n{_INVALID_REPORT}",
    json=True,
)
@click.argument("file", metavar="FILE", shell_complete=files)
@click.option(
    "--date",
    metavar="ISO",
    default="",
    help="When it was fetched, e.g. 2026-03-14; default: when FILE was written.",
)
def import_command(options: Options, *, file: str, date: str, as_json: bool) -> int:
    """Import a report from FILE, or - for stdin.

    FILE is JSON as sent by the platform, optionally gzipped. It is saved with the reports
    of the profile; a report with the same content keeps its date. Without a profile, it
    is saved as `imported`, which --profile imported selects.
    """
    return fetch.import_report(options, file, date, as_json=as_json)


@_command(
    "list",
    "report list\nreport list --json --profile imported",
    more="""[reports] in config.toml sets how many are kept: `keep` (24) newest ones, and the last
one of each of `keep_monthly` (12) months.
""",
    json=True,
)
def list_command(options: Options, *, as_json: bool) -> None:
    """List the saved reports, newest first.

    --json prints one object per line; `damaged` is the error of a damaged report, or one
    of another version of platui, else null.
    """
    saved_list.list_reports(options, as_json=as_json)


@_command(
    "forget",
    "report forget 20260314T031200Z\nreport forget 2026-03-14 --profile prod --yes",
    *_CONFIRMED_EXITS,
)
@click.argument("word", metavar="REPORT")
@yes_option
def forget_command(options: Options, *, word: str, yes: bool) -> int:
    """Remove a saved report.

    REPORT is its id, a prefix of it, or its date or month in `platui report list`; a
    number or `latest` is not accepted, as the next report changes them. This cannot be
    undone: the platform has no reports of earlier days. Asks for confirmation; without a
    terminal, --yes is required.
    """
    return saved_list.forget_report(options, word, yes=yes)


@_command(
    "show",
    """
report show
report show level:owner -state:active
report show 'level:>=maintainer group:finance* name:"Jane Doe"' --csv
report show --groups is:empty kind:group
report show --person jane@example.com --report previous
report show --group finance/payroll --inherited --json
""",
    *_SAVED_EXITS,
    more="""The terms are those of the dashboard; list them with `platui report terms`. Quote
characters that the shell interprets (quotes, *, >).
""",
    cls=TermsCommand,
)
@_terms
@click.option("-g", "--groups", is_flag=True, help="Search groups and projects instead of people.")
@click.option(
    "--person",
    metavar="WORD",
    help="Show the groups and projects of a person: user name, e-mail or id.",
)
@click.option(
    "--group",
    "--project",
    "place",
    metavar="PATH",
    help="Show the direct members of a group or project: full path or id.",
)
@click.option("--inherited", is_flag=True, help="With --group: include members of parent groups.")
@_sorts_people
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Maximum number of rows.")
@click.option("--all", "all_", is_flag=True, help="All rows; default on a terminal: 100.")
@csv_option
@json_option
@_names_report
def show_command(options: Options, /, *, word: str, **list_options: Any) -> None:
    """Show a saved report, or the people that TERMS match.

    Without TERMS, prints a summary; with --all, --limit, --sort or --csv, all people.
    --json prints one object per line, or one object for the summary, --person or
    --group. --json and --csv print all rows, with the names of `platui report export`.

    LEVEL is the direct level; EFFECTIVE the highest of it and those in parent groups;
    FROM the group it comes from. "also inherited" marks members with the same level in a
    parent group. --inherited sorts by effective level.
    """
    show.show_report(options, word, show.ShowOptions(**list_options))


@_command("terms", "report terms")
def terms_command(_: Options) -> None:
    """List the search terms for people, groups and projects."""
    saved.print_terms()


@_command(
    "diff",
    """
report diff
report diff 2026-02 latest --by person
report diff --json | jq 'select(.change == "new_owner").email'
report diff --exit-code || echo "something changed"
""",
    Exit.DONE,
    Exit.FAILED,
    *_SAVED_EXITS[1:],
    more="With --exit-code, 1 means that the reports differ.\n",
    json=True,
)
@click.argument("reports", nargs=-1, metavar="[A] [B]")
@click.option(
    "--by",
    type=click.Choice(["person", "group"]),
    help="Group the changes by person, or by group and project.",
)
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Maximum rows of each kind.")
@click.option("--all", "all_", is_flag=True, help="All rows; default on a terminal: 100.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the reports differ.")
def diff_command(options: Options, /, **list_options: Any) -> int:
    """Compare two saved reports.

    Lists people who joined, left, were blocked or changed their identity (e-mail, user
    name, name, service identity), changed levels and new owners. A and B are as in
    `platui report show --report`; B defaults to the latest, A to the one before. People,
    groups and projects are matched by id; deactivated people count as blocked.

    Memberships added or removed with a group, project or person are counted separately
    from others.

    --json prints one object per line, a change each. With --by, it is a person, or a group
    or project: own lists what changed of it, and changes its memberships.
    """
    return diff.diff_reports(options, diff.DiffOptions(**list_options))


@_command(
    "export",
    """
report export level:owner -o owners.csv
report export --what memberships 'group:finance*' | gzip > m.csv.gz
report export --what members --of finance/payroll --format md
report export --what changes --since 2026-02 -o changes.csv --force
""",
    *_CONFIRMED_EXITS,
    more="""Notes about the report precede the rows: in CSV as lines that begin with #, in JSON
lines as a first object, `export`. CSV cells are never spreadsheet formulas.
""",
    cls=TermsCommand,
)
@_terms
@click.option(
    "--what",
    type=click.Choice(_EXPORT_CHOICES),
    default=_EXPORT_CHOICES[0],
    show_default=True,
    help="What to export: people, their memberships, groups and projects, direct or effective"
    " members of one, or changes.",
)
@click.option("--of", "place", metavar="PATH", default="", help="Group or project: path or id.")
@click.option("--since", metavar="REPORT", default="", help="Changes since; default: previous.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.value for form in ExportFormat]),
    help="Default: by the extension of FILE (.csv, .jsonl, .md), else csv.",
)
@_sorts_people
@click.option(
    "-o",
    "--output",
    "file",
    metavar="FILE",
    default="",
    help="Write to this file, with mode 0600.",
    shell_complete=files,
)
@click.option("--force", is_flag=True, help="Replace an existing FILE.")
@click.option("--no-notes", is_flag=True, help="Omit the notes above the rows.")
@_names_report
def export_command(options: Options, /, *, word: str, **list_options: Any) -> None:
    """Export a report as CSV, JSON lines or Markdown.

    TERMS search people; with --what places, groups and projects; members, effective
    and changes accept none. FILE appears only when it is complete.
    """
    export.export_report(options, word, export.ExportOptions(**list_options))


@_command(
    "docs",
    "report docs\nreport docs --json",
    *READING[:-1],
    json=True,
)
def docs_command(options: Options, *, as_json: bool) -> None:
    """Show the URL of the API documentation, and its OpenAPI version.

    Needs the URL of the administration API, but no key.
    """
    saved_list.show_docs(options, as_json=as_json)
