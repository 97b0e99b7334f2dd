"""`platui report list`, `forget` and `docs`: saved reports and the API documentation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from platui.cli import confirmation
from platui.cli.commands.report.messages import counts_words, when
from platui.cli.commands.report.saved import open_reports, remedy
from platui.cli.exit_codes import Exit
from platui.cli.output.lists import PLAIN, Printer
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_lines, print_object
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.models.values.reports import DamagedReport
from platui.present.tables.reports import SAVED, Saved, saved_object
from platui.present.tables.spec import TIMELESS

if TYPE_CHECKING:
    from platui.config.settings import Options


def list_reports(options: Options, *, as_json: bool) -> None:
    with open_reports(options) as reports:
        infos, damaged = reports.infos(), reports.damaged()
        rows = [Saved(one, number) for number, one in enumerate(infos, 1)]
        rows += [Saved(one) for one in damaged]
        rows.sort(key=lambda one: one.report.id, reverse=True)
        if as_json:
            print_lines(json.dumps(saved_object(one)) for one in rows)
        elif rows:
            at = TIMELESS._replace(utc=reports.options.utc)
            printer = Printer(SAVED, lambda: at, "", PLAIN)
            printer.take(rows)
            printer.end()
        else:
            print_notice(f"No report saved {reports.where}. {reports.import_hint()}")
        for one in damaged:
            print_notice(f"{one.problem} {remedy(one)}")


def forget_report(options: Options, word: str, *, yes: bool) -> int:
    with open_reports(options) as reports:
        one = reports.find_to_remove(word)
        if not yes:
            confirmation.require_terminal("removed")
            content = "damaged" if isinstance(one, DamagedReport) else counts_words(one)
            print_notice(f"{one.id} of {when(one, reports.options)}, {reports.where}: {content}.")
            print_notice("This cannot be undone: the platform has no reports of earlier days.")
            if not confirmation.ask_to_confirm("Remove it?"):
                print_notice("Nothing removed.")
                return Exit.INTERRUPTED
        reports.run(reports.service.forget(one.id))
        print_line(one.id)
    return 0


def show_docs(options: Options, *, as_json: bool) -> None:
    with open_reports(options) as reports:
        if reports.has_no_platform:
            raise ConfigError(
                "No administration API is configured.",
                hint="Set PLATUI_ADMIN_URL, or admin_url in a profile of config.toml. The "
                "platform's support knows the URL.",
            )
        address = reports.service.docs_address()
        if not as_json:
            print_line(clean(address))
        docs = reports.run(reports.service.docs())
    if as_json:
        print_object(
            {
                "url": docs.address,
                "title": docs.title or None,
                "version": docs.version or None,
                "openapi": docs.openapi or None,
            }
        )
        return
    if docs.title or docs.version:
        print_line(" ".join(text for text in (docs.title, docs.version) if text))
    print_line(f"OpenAPI {docs.openapi}" if docs.openapi else "a web page without a version")
