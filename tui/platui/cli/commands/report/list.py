"""`platui report list`, `forget` and `docs`: saved reports, and the API documentation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from platui.cli import confirmation
from platui.cli.commands.report.messages import counts_words, when
from platui.cli.commands.report.saved import remedy, shelf_of
from platui.cli.exit_codes import Exit
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_lines, print_object
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.models.values.reports import DamagedReport
from platui.present.tables.reports import SAVED, Saved, saved_object
from platui.present.tables.spec import TIMELESS

if TYPE_CHECKING:
    from platui.config.settings import Options


def list_reports(options: Options, *, as_json: bool) -> int:
    with shelf_of(options) as shelf:
        infos, damaged = shelf.infos(), shelf.damaged()
        kept = [Saved(one, number) for number, one in enumerate(infos, 1)]
        kept += [Saved(one) for one in damaged]
        kept.sort(key=lambda one: one.report.id, reverse=True)
        if as_json:
            print_lines(json.dumps(saved_object(one)) for one in kept)
        elif kept:
            print_lines(table_lines(kept, SAVED, TIMELESS._replace(utc=options.utc)))
        else:
            print_notice(f"No report is saved yet {shelf.where}. {shelf.what_else()}")
        for one in damaged:
            print_notice(f"{one.problem} {remedy(one)}")
    return 0


def forget_report(options: Options, word: str, *, yes: bool) -> int:
    with shelf_of(options) as shelf:
        one = shelf.to_forget(word)
        if not yes:
            confirmation.require_terminal("removed")
            held = "damaged" if isinstance(one, DamagedReport) else counts_words(one)
            print_notice(f"{one.id} of {when(one, options)}, {shelf.where}: {held}.")
            print_notice("The platform gives no report of an earlier day: it does not come back.")
            if not confirmation.ask_to_confirm("Keep it no longer?"):
                print_notice("Nothing was removed.")
                return Exit.INTERRUPTED
        shelf.run(shelf.reports.forget(one.id))
        print_line(one.id)
    return 0


def show_docs(options: Options, *, as_json: bool) -> int:
    """Print address and versions; where the API does not answer, the address all the same."""
    with shelf_of(options) as shelf:
        if shelf.has_no_platform:
            raise ConfigError(
                "No platform is configured whose documentation could be told.",
                hint="Set PLATUI_ADMIN_URL, or admin_url in a profile of config.toml. Ask the "
                "platform's support for the address.",
            )
        address = shelf.reports.docs_address()
        if not as_json:
            print_line(clean(address))
        docs = shelf.run(shelf.reports.docs())
    if as_json:
        print_object(
            {
                "address": docs.address,
                "title": docs.title or None,
                "version": docs.version or None,
                "openapi": docs.openapi or None,
            }
        )
        return 0
    if docs.title or docs.version:
        print_line(" ".join(text for text in (docs.title, docs.version) if text))
    print_line(f"OpenAPI {docs.openapi}" if docs.openapi else "a page to read: it tells no version")
    return 0
