"""Marks of incidents: acknowledge, snooze, note and owner, and their undo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from platui.core.named_tuple import NamedTuple
from platui.ui.controller import Controller, command
from platui.ui.key_guard import KeyGuard
from platui.ui.screens.triage.body import TriageBody
from platui.ui.workers import work

if TYPE_CHECKING:
    from datetime import datetime

    from platui.models.values.stored_triage import IncidentKey
    from platui.models.values.triage import Incident
    from platui.models.values.triage_board import BoardItem
    from platui.present.triage.summary import Snooze
    from platui.service.triage.state import TriageState
    from platui.ui.dialogs.inputs import Note
    from platui.ui.screens.parts.view_screen import Choice

_Change = Callable[["TriageState"], Awaitable[None]]
_MOST_UNDOS: Final = 50


class _Undo(NamedTuple):
    message: str
    item: BoardItem  # The first one, before the change
    row: str  # Where the cursor was
    take_back: _Change


class MarkIncidents(Controller[TriageBody]):
    """Marks incidents on this machine; nothing is written to the platform."""

    def __init__(self, screen: Any) -> None:
        super().__init__(screen)
        self._undos: list[_Undo] = []
        self._typed: dict[IncidentKey, Note] = {}  # Notes that are not saved

    @property
    def has_unsaved_input(self) -> bool:
        """Return whether there is a note that was not saved, of an incident on the board."""
        board = self.body.shown.board
        on_board = () if board is None else (item.incident for item in board.items)
        return any(one is not None and self._typed_key(one) in self._typed for one in on_board)

    def _typed_key(self, incident: Incident) -> IncidentKey:
        """Return the key under which a note was typed, also before its beginning was known."""
        project, reds = incident.lane.project, incident.red_ids
        keys = (key for key in self._typed if key[0] == project and key[1] in reds)
        return incident.key if incident.key in self._typed else next(keys, incident.key)

    @cached_property
    def _guard(self) -> KeyGuard:
        return KeyGuard(self.screen.service.clock)

    @command("a", "triage.acknowledge", "Ack")
    def acknowledge(self) -> None:
        """Acknowledge until the cause changes; undo it on an acknowledged row."""
        here, struck = self.body.context, self.screen.last_key_at
        if not self._guard.is_deliberate(struck):
            # A held key would acknowledge the next rows, which move under the cursor.
            self._guard.dropped(struck)
            return
        rows = here.chosen()
        if self.body.pending.wait(partial(self._acknowledge, rows), opens=False):
            self._guard.changed()
        else:
            self._acknowledge(rows)

    def _acknowledge(self, rows: Sequence[str]) -> None:
        found = self.body.context.incidents(rows)
        if not found:
            return
        self._guard.changed()
        undo = all(item.is_acknowledged for item in found)
        signatures: dict[IncidentKey, str | None] = {
            key_of(item): None if undo else item.signature.key if item.signature is not None else ""
            for item in found
        }
        # A whole cause is acknowledged with incidents that join it later.
        whole = [
            key_of(item)
            for row in map(self.body.shown.items_of, rows)
            for item in row
            if len(row) > 1 and not undo and item.incident is not None
        ]

        async def change(book: TriageState) -> None:
            await book.acknowledge(signatures, whole)

        async def take_back(book: TriageState) -> None:
            before = {key_of(item): item.mark.acked for item in found}
            spreading = [key_of(item) for item in found if item.mark.spreads]
            await book.acknowledge(before, spreading)

        if undo:
            message = "no longer acknowledged"
        else:
            joins = " with later incidents" if len(whole) == len(found) else ""
            message = f"acknowledged{joins} {_until(signatures.values())}"
        self._mark(found, message, change, take_back)

    @command("z", "triage.snooze", "Snooze")
    async def snooze(self) -> None:
        """Snooze these incidents for some time."""
        if self.body.context.defers(self.snooze):
            return
        from platui.present.triage.summary import snoozes  # noqa: PLC0415  (on first use)

        found, now = self.body.context.incidents(), self.body.now
        if not found:
            return
        choices: list[Choice] = [(one, one.title) for one in snoozes(now, utc=self.body.utc)]
        until = [item.mark.snoozed_until for item in found]
        if any(moment is not None and moment > now for moment in until):
            choices.insert(0, (None, "end the snooze"))
        title = f"Snooze {self._called(found)}"
        await self.screen.choose(title, choices, partial(self._snooze, found, now))

    def _snooze(
        self, found: Sequence[BoardItem], asked_at: datetime, chosen: Snooze | None
    ) -> None:
        until, now = None if chosen is None else chosen.until, self.body.now
        if chosen is not None and chosen.is_duration:
            until = chosen.until + (now - asked_at)  # the menu may have been open for long
        if until is not None and until <= now:
            self.screen.show_hint("Not snoozed: that time has passed.")
            return

        async def change(book: TriageState) -> None:
            await book.snooze(map(key_of, found), until)

        async def take_back(book: TriageState) -> None:
            for before in {item.mark.snoozed_until for item in found}:
                alike = [item for item in found if item.mark.snoozed_until == before]
                await book.snooze(map(key_of, alike), before)

        message = "no longer snoozed"
        if chosen is not None:
            message = f"snoozed {'for ' * chosen.is_duration}{chosen.title}"
        self._mark(found, message, change, take_back)

    @command("n", "triage.note", "Note")
    async def write_note(self) -> None:
        """Write a note, and name an owner."""
        if self.body.context.defers(self.write_note):
            return
        from platui.ui.dialogs.inputs import Note, NoteDialog  # noqa: PLC0415  (on first use)

        found = self.body.context.incidents()
        if not found or (incident := found[0].incident) is None:
            return
        before = Note(found[0].mark.note, found[0].mark.owner)
        key = self._typed_key(incident)

        def keep(note: Note) -> None:
            self._typed[key] = note
            if note == before:
                del self._typed[key]

        differing = Note(
            _differing([item.mark.note for item in found]),
            _differing([item.mark.owner for item in found]),
        )
        dialog = NoteDialog(self._called(found), self._typed.get(key, before), keep, differing)
        await self.screen.app.push_screen(dialog, partial(self._note, found, before, key))

    def _note(
        self, found: Sequence[BoardItem], before: Note, key: IncidentKey, note: Note | None
    ) -> None:
        if note is None:
            if key in self._typed:
                self.screen.show_hint("Input saved. Press the same key to reopen the note.")
            return
        self._typed.pop(key, None)
        if note == before:
            return

        # An unchanged field stays unchanged for each of the incidents, also by the undo.
        has_text, has_owner = note.text != before.text, note.owner != before.owner

        async def change(book: TriageState) -> None:
            if has_text:
                await book.note(map(key_of, found), note.text)
            if has_owner:
                await book.own(map(key_of, found), note.owner)

        async def take_back(book: TriageState) -> None:
            for text in {item.mark.note for item in found if has_text}:
                await book.note([key_of(item) for item in found if item.mark.note == text], text)
            for owner in {item.mark.owner for item in found if has_owner}:
                await book.own([key_of(item) for item in found if item.mark.owner == owner], owner)

        self._mark(found, "noted", change, take_back)

    @command("Z", "triage.undo", "Undo")
    def take_back(self) -> None:
        """Undo the last acknowledgement, snooze or note, on any row."""
        one = self._undos.pop()
        self._save(one.take_back, f"Undone: {one.message}.", one)

    def _mark(
        self, found: Sequence[BoardItem], message: str, change: _Change, take_back: _Change
    ) -> None:
        words = f"{self._called(found)} {message}"
        undo = _Undo(words, found[0], self.body.table.cursor_key or "", take_back)
        self._undos = [*self._undos[-_MOST_UNDOS:], undo]
        self._save(change, f"{words}; {self.screen.key_of('triage.undo')} undoes it.")

    def _called(self, found: Sequence[BoardItem]) -> str:
        from platui.present.triage.labels import called  # noqa: PLC0415  (on first use)

        return called(found, self.body.shown.names)

    def _save(self, change: _Change, message: str, back: _Undo | None = None) -> None:
        """Save a change, then show a message, or why it is not stored on disk."""
        body, book = self.body, self.body.service.triage_state

        async def save() -> None:
            body.cursor.followed = None
            if back is not None:
                body.cursor.go_back(back.row, back.item)
            await change(book)
            body.host.show_hint(f"{message} {book.problem}".strip())

        body.run_worker(work(save), group="marks")

    def disabled_reason(self, command: str) -> str:
        if command == "triage.undo":
            return "" if self._undos else "Nothing to undo."
        if self.body.context.incidents() or self.body.pending.must_wait:
            return ""
        return not_broken_reason(self.body, command.removeprefix("triage."))

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        return names if self._undos else [name for name in names if name != "triage.undo"]


def key_of(item: BoardItem) -> IncidentKey:
    assert item.incident is not None  # noqa: S101  (for the type: callers check)
    return item.incident.key


def _differing(values: Sequence[str]) -> str:
    """Return that notes, or owners, are not the same; "" if they are."""
    if len(set(values)) == 1:
        return ""
    return f"differs, {sum(map(bool, values))} of {len(values)} have one: unchanged, each stays"


def _until(signatures: Collection[str | None]) -> str:
    if all(signatures):
        return "until the cause changes"
    if any(signatures):
        return "until the cause changes, or with any cause where none is known"
    return "with any cause"


def not_broken_reason(body: TriageBody, verb: str) -> str:
    """Return why a key for incidents does nothing on the row under the cursor."""
    item = body.context.under_cursor
    if item is None:
        return f"Nothing to {verb}: select an incident."
    from platui.models.values.triage_board import BoardState  # noqa: PLC0415  (not for a first frame)

    what = {
        BoardState.LATE: "a late run disappears when it starts or ends",
        BoardState.RUNNING: "this is running, not broken",
        BoardState.RECOVERED: "this has recovered",
    }.get(item.state, "nothing is broken here")
    return f"Nothing to {verb}: {what}."
