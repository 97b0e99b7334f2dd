"""What a write prints: its request, its progress, its outcome, and the commands that are left."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.core.text import json_escaped
from platui.models.values import write_states as states
from platui.models.values.write_states import WriteProgress
from platui.models.wire import Project
from platui.present.writes.requests import preview
from platui.present.writes.states import candidate_words, left_words, tally, unknown_words

if TYPE_CHECKING:
    from platui.models.values.write_states import Outcome, WriteState
    from platui.models.values.writes import WriteRequest


def print_request(request: WriteRequest, *, as_json: bool, problem: str) -> None:
    """Print what would be sent; `problem` is why sending it would fail, if known."""
    if not as_json:
        for line in preview(request):
            print_line(line)
        return
    first, *others = (
        {
            "effect": effect,
            "method": http.method,
            "target": http.target,
            "encoding": http.encoding or None,
            "body": json.loads(http.body) if http.body else None,
            "command": json_escaped(command),
        }
        for effect, http, command in zip(
            request.effects, request.http_requests, request.commands, strict=True
        )
    )
    common = {"profile": request.profile, "credential": request.credential}
    more = {"then": others} if others else {}
    print_object({"outcome": "dry run", "problem": problem or None, **first, **common, **more})


class WriteReporter:
    def __init__(self, request: WriteRequest) -> None:
        self._request = request
        self._progress = WriteProgress((None,) * len(request.intents))
        self._last: WriteState | None = None
        self._until = 0.0

    def print_state(
        self, progress: WriteProgress, state: WriteState | None, now: float, at: datetime
    ) -> None:
        """Print the new state of the current part; `now` is in monotonic seconds."""
        self._progress = progress
        if state is self._last:
            return
        self._last = state
        match state:
            case states.Waiting(until, reason):
                if abs(until - self._until) > 1:
                    self._until = until
                    print_notice(f"{reason} Sending in {left_words(until, now)}; Ctrl+C to cancel.")
            case states.Unknown(error):
                print_notice(unknown_words(error))
            case states.Probing(until):
                print_notice(f"Checking the result, for at most {left_words(until, now)}.")
            case states.Found(candidates, sentence):
                print_notice(sentence)
                for outcome in candidates:
                    link = f" · {outcome.web_url}" if outcome.web_url else ""
                    print_notice(f"  {candidate_words(outcome, at, utc=True)}{link}")
            case states.NotFound(sentence):
                print_notice(f"{sentence} Check before you send it again.")
            case states.Done(outcome) if outcome.id is None:
                print_notice(f"{self._request.effect}: done; the platform did not send its id.")

    def print_interrupted(self, *, is_rest: bool) -> None:
        left = left_commands(self._request, self._progress)
        is_begun = len(left) < len(self._request.intents)
        match self._last:
            case None | states.Waiting() if not is_begun:
                print_notice("Nothing was sent.")
            case states.Sent():
                print_notice(
                    "It was sent; stopped waiting for the response. Result unknown: "
                    "check `platui audit`."
                )
            case states.Unknown() | states.Probing():
                print_notice("Stopped checking. Result unknown.")
        if is_begun and len(self._request.intents) > 1:
            print_notice(f"{tally(self._progress)}.")
        if is_begun or is_rest:
            print_left(left)


def left_commands(request: WriteRequest, progress: WriteProgress) -> list[str]:
    """Return the commands of the writes that surely changed nothing."""
    each = zip(request.commands, progress.states, strict=True)
    unsent = (states.Waiting, states.Refused)
    return [one for one, state in each if state is None or isinstance(state, unsent)]


def print_left(commands: Sequence[str]) -> None:
    if commands:
        print_notice("Not done:")
    for command in commands:
        print_notice(f"  {json_escaped(command)}")


def outcome_object(outcome: Outcome, result: str = "done") -> dict[str, Any]:
    created, project, record = outcome.created_at, outcome.project, outcome.record
    if isinstance(record, Project):
        project = record.path_with_namespace or record.id
    return {
        "outcome": result,
        "kind": outcome.kind,
        "project": project,
        "id": outcome.id,
        "status": outcome.status or None,
        "web_url": outcome.web_url or None,
        "created_at": None if created is None else created.isoformat(),
    }
