"""What a write is told of: narration on stderr while it happens, data on stdout at its end."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from itertools import islice
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from platui.cli.patience import narrate
from platui.cli.stdout import is_terminal
from platui.core.text import clean, escaped
from platui.logs.ansi import cells
from platui.models.values.write_states import (
    Done,
    Found,
    Looking,
    NotFound,
    Sent,
    Unknown,
    Waiting,
)
from platui.present.write_courses import candidate_words, outcome_words, unknown_words
from platui.present.write_questions import preview

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import Outcome, WriteProgress, WriteState


_NARROWEST: Final = 20
"""Cells that a column of paths keeps in any case."""
_AT_ONCE: Final = 500
"""Lines that are printed in one go."""


class Teller:
    """Says how one write goes."""

    def __init__(self, plan: WritePlan) -> None:
        self._plan = plan
        self._last: WriteState | None = None
        self._until = 0.0

    def tell(self, state: WriteState, now: float, at: datetime) -> None:
        """Say what is new.

        Args:
            state: how it stands.
            now: monotonic second.
            at: the time.
        """
        self._last = state
        match state:
            case Waiting(until, reason):
                if abs(until - self._until) > 1:
                    self._until = until
                    narrate(
                        f"{reason} It is sent in {_seconds(until - now)}; ctrl+c sends nothing."
                    )
            case Unknown(error):
                narrate(unknown_words(error))
            case Looking(until):
                narrate(f"Looking for what it did, for {_seconds(until - now)} at most.")
            case Found(candidates, sentence):
                narrate(sentence)
                for outcome in candidates:
                    link = f" · {outcome.web_url}" if outcome.web_url else ""
                    narrate(f"  {candidate_words(outcome, at, utc=True)}{link}")
            case NotFound(sentence):
                narrate(f"{sentence} Look before you send it again.")
            case Done(outcome) if outcome.id is None:
                narrate(f"{self._plan.effect}: done; the platform does not say its number.")

    def tell_end(self, progress: WriteProgress) -> None:
        """Say in a sentence what was done."""
        narrate(outcome_words(self._plan, progress, stopped=False)[1])

    def tell_interrupted(self) -> None:
        """Say what it means that the user has ended it."""
        match self._last:
            case None | Waiting():
                narrate("Nothing was sent.")
            case Sent():
                narrate(
                    "It was sent, and its answer is not waited for: it may have happened, or not. "
                    "`platui audit` has it on record."
                )
            case Unknown() | Looking():
                narrate("It is not looked for any more: it may have happened, or not.")


def say(text: str) -> None:
    """Print a line of data, in what letters stdout has."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def say_lines(lines: Iterable[str]) -> None:
    """Print many lines of data, as `say` does, some hundred at a time."""
    encoding = sys.stdout.encoding or "utf-8"
    left = iter(lines)
    while some := list(islice(left, _AT_ONCE)):
        text = "\n".join(some)
        print(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def fitted(lines: Iterable[str]) -> Iterable[str]:
    """Return lines that a terminal has whole: there, what is too long ends with an ellipsis."""
    if not is_terminal():
        return lines
    width = shutil.get_terminal_size().columns
    return (line if cells(line) <= width else _cut(line, width) for line in lines)


def wrapped(text: str) -> list[str]:
    """Return a sentence as lines that a terminal has whole, broken between words; else as one."""
    if not is_terminal():
        return [text]
    width = shutil.get_terminal_size().columns
    return textwrap.wrap(text, max(_NARROWEST, width), break_on_hyphens=False)


def fitted_table(
    rows: Sequence[tuple[str, ...]],
    right: Collection[int] = (),
    spare: Sequence[tuple[int, int]] = (),
) -> Iterable[str]:
    """Return a table that a terminal has whole; what is for a program is as long as it is.

    Args:
        rows: as `table` takes them, that of headings first.
        right: as `table` takes it.
        spare: columns that give way, one after the other, and the cells that each keeps; with
            0 it is left out. A path keeps its end. All others, such as counts, are never cut.
    """
    if not is_terminal() or not rows:
        return table(rows, right)
    columns = [list(column) for column in zip(*rows, strict=True)]
    widths = [max(map(cells, column)) for column in columns]
    over = sum(widths) + 2 * (len(widths) - 1) - shutil.get_terminal_size().columns
    for at, least in spare:
        if over <= 0:
            break
        room = max(least, widths[at] - over) if least else 0
        if room and room < widths[at]:
            cut = end_of if columns[at][0] in {"PATH", "FROM"} else begin_of
            columns[at] = [cut(text, room) for text in columns[at]]
        over -= max(0, widths[at] - room) + (0 if room else 2)
        widths[at] = min(room, widths[at])
    kept = [at for at, width in enumerate(widths) if width]
    left = list(zip(*(columns[at] for at in kept), strict=True))
    return fitted(table(left, {new for new, at in enumerate(kept) if at in right}))


def begin_of(text: str, room: int) -> str:
    """Return a text, or as much of its beginning as fits before an ellipsis."""
    return text if cells(text) <= room else _cut(text, room)


def end_of(text: str, room: int) -> str:
    """Return an ellipsis, and as much of the end of a text as fits behind it."""
    if cells(text) <= room:
        return text
    begin = max(0, len(text) - room + 1)
    while cells(text[begin:]) > room - 1:
        begin += 1
    return "…" + text[begin:]


def _cut(line: str, width: int) -> str:
    """Return what of a line fits, and an ellipsis."""
    end = min(len(line), width - 1)
    while end > 0 and cells(line[:end]) > width - 1:
        end -= 1
    return line[:end].rstrip() + "…"


def say_object(value: Any) -> None:
    """Print one JSON object on one line; no sign of it steers a terminal."""
    say(json.dumps(value))


def outcome_line(outcome: Outcome) -> str:
    """Return id and address of what a write made, with a tab between; empty without an id."""
    if outcome.id is None:
        return ""
    return "\t".join([str(outcome.id), *([clean(outcome.web_url)] if outcome.web_url else [])])


def outcome_object(outcome: Outcome, result: str = "done") -> dict[str, Any]:
    """Return what a write made, for JSON."""
    created = outcome.created_at
    return {
        "outcome": result,
        "kind": outcome.kind,
        "project": outcome.project,
        "id": outcome.id,
        "status": outcome.status or None,
        "web_url": outcome.web_url or None,
        "created_at": None if created is None else created.isoformat(),
    }


def unknown_object(state: Found | NotFound) -> dict[str, Any]:
    """Return what there may be of a write whose answer was lost, for JSON."""
    found = state.candidates if isinstance(state, Found) else ()
    return {
        "outcome": "unknown",
        "sentence": state.sentence,
        "found": [outcome_object(one, "probably") for one in found],
    }


def say_plan(plan: WritePlan, *, as_json: bool) -> None:
    """Print what would be sent, secrets masked."""
    if not as_json:
        for line in preview(plan):
            say(line)
        return
    request = plan.requests[0]
    say_object(
        {
            "outcome": "dry run",
            "effect": plan.effect,
            "profile": plan.profile,
            "method": request.method,
            "target": request.target,
            "encoding": request.encoding or None,
            "body": json.loads(request.body) if request.body else None,
            "credential": plan.credential,
            "command": escaped(plan.commands[0]),
        }
    )


def table(rows: Sequence[tuple[str, ...]], right: Collection[int] = ()) -> list[str]:
    """Return rows of clean texts as lines, in columns as wide as their texts.

    Args:
        rows: texts, as many in each.
        right: numbers of the columns whose texts end alike, as those of counts.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)] if rows else []
    columns = [(width, at in right) for at, width in enumerate(widths)]
    return [
        "  ".join(
            " " * (width - cells(text)) + text if is_right else text + " " * (width - cells(text))
            for text, (width, is_right) in zip(row, columns, strict=True)
        ).rstrip()
        for row in rows
    ]


def _seconds(seconds: float) -> str:
    return f"{max(0, ceil(seconds))} s"
