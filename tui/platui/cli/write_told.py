"""What a write is told of: narration on stderr while it happens, data on stdout at its end."""

from __future__ import annotations

import json
from math import ceil
from typing import TYPE_CHECKING, Any

from platui.cli.patience import narrate
from platui.cli.told import say, say_object
from platui.core.text import clean, escaped
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
    from datetime import datetime

    from platui.models.values.write_plans import WritePlan
    from platui.models.values.write_states import Outcome, WriteProgress, WriteState


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


def _seconds(seconds: float) -> str:
    return f"{max(0, ceil(seconds))} s"
