"""`platui report list` and `platui report forget`: what is kept, and what is kept no longer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from platui.cli.exits import Exit
from platui.cli.patience import narrate
from platui.cli.report_shelf import remedy, shelf_of
from platui.cli.report_words import counts_words, info_object, when
from platui.cli.told import fitted_table, say, say_lines
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.models.values.reports import DamagedReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.config.settings import Options
    from platui.models.values.access import ReportInfo

_HEADS: Final = ("", "ID", "DATE", "PEOPLE", "MEMBERSHIPS", "GROUPS", "PROJECTS", "FROM")
_SPARE: Final = ((7, 16), (5, 0), (6, 0), (4, 0))
_NONE: Final = "-"


def list_reports(options: Options, *, as_json: bool) -> int:
    """Print what is kept, newest first; returns the exit code."""
    with shelf_of(options) as shelf:
        infos, damaged = shelf.infos(), shelf.damaged()
        kept: list[ReportInfo | DamagedReport] = [*infos, *damaged]
        kept.sort(key=lambda one: one.id, reverse=True)
        if as_json:
            say_lines(json.dumps(_object(one)) for one in kept)
        elif kept:
            say_lines(fitted_table([_HEADS, *_rows(kept, options)], {0, 3, 4, 5, 6}, _SPARE))
        else:
            narrate(f"No report is saved yet {shelf.where}. {shelf.what_else()}")
        for one in damaged:
            narrate(f"{one.sentence} {remedy(one)}")
    return 0


def forget_report(options: Options, word: str, *, yes: bool) -> int:
    """Keep a report no longer, once the user has said yes, and print its id.

    Args:
        options: whose it is.
        word: its id, or the beginning of it.
        yes: whether the question is answered already.

    Returns:
        The exit code.

    Raises:
        CommandError: the word names none, or several.
        ConfigError: nobody is there to be asked.
        FileWriteError: the disk does not let it go.
    """
    from platui.cli import consent, prompting  # noqa: PLC0415  (of this command only)

    with shelf_of(options) as shelf:
        one = shelf.to_forget(word)
        if not yes:
            if not prompting.is_asked():
                raise ConfigError(
                    "There is no terminal to ask on: nothing was removed.",
                    hint="--yes answers the question.",
                )
            held = "damaged" if isinstance(one, DamagedReport) else counts_words(one)
            narrate(f"{one.id} of {when(one, options)}, {shelf.where}: {held}.")
            narrate("The platform gives no report of an earlier day: it does not come back.")
            if not consent.agreed("Keep it no longer?"):
                narrate("Nothing was removed.")
                return Exit.INTERRUPTED
        shelf.forget(one.id)
        say(one.id)
    return 0


def _rows(kept: Sequence[ReportInfo | DamagedReport], options: Options) -> list[tuple[str, ...]]:
    """Return a row for each; numbers are of those that can be opened, and so can be named."""
    rows: list[tuple[str, ...]] = []
    number = 0
    for one in kept:
        if isinstance(one, DamagedReport):
            rows.append(("", one.id, when(one, options), *[_NONE] * 4, "damaged"))
            continue
        number += 1
        counts = (one.people, one.memberships, one.groups, one.projects)
        rows.append(
            (
                str(number), one.id, when(one, options), *(f"{count:,}" for count in counts),
                shorten(one.origin, 40),
            )
        )  # fmt: skip
    return rows


def _object(one: ReportInfo | DamagedReport) -> dict[str, Any]:
    if isinstance(one, DamagedReport):
        at = one.fetched_at.isoformat(timespec="seconds")
        return {"id": one.id, "fetched_at": at, "damaged": one.sentence}
    return {**info_object(one), "damaged": None}
