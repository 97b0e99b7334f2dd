"""What is said of incidents, by keys: that they are known, for how long to be quiet, whose."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platui.ui.keys_in_use import bind
from platui.ui.messages import Told
from platui.ui.screens.triage_items import BoardList
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from platui.models.values.triage_board import BoardItem
    from platui.models.values.triage_memory import IncidentKey
    from platui.service.triage.book import TriageBook
    from platui.ui.dialogs.note import Note

_Deed = Callable[["TriageBook"], Awaitable[None]]
_OF_INCIDENTS: Final = frozenset({"acknowledge", "snooze", "note"})
_MOST_UNDOS: Final = 50
_NOT_ANY_MORE: Final = "not any more"


class _Undo(NamedTuple):
    """What takes back what was said of incidents."""

    said: str
    items: tuple[BoardItem, ...]  # As they were before
    take_back: _Deed


class MarksIncidents(BoardList):
    """Says of the incidents of the row under the cursor, or of the marked rows, how they stand.

    It is remembered on this machine; nothing is written to the platform.
    """

    BINDINGS = [
        bind(
            "a",
            "triage.acknowledge",
            "Ack",
            "This is known, until its cause is another; on what is known: it is not",
        ),
        bind("z", "triage.snooze", "Snooze", "Be quiet about this for some time"),
        bind("n", "triage.note", "Note", "Write down what is known of this, and who sees to it"),
        bind(
            "Z",
            "triage.undo",
            "Take back",
            "Take back what was said last by a, z or n, wherever the cursor is",
        ),
    ]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._undos: list[_Undo] = []  # What takes back what was said here, the last one last

    def bring_back(self, item: BoardItem) -> None:
        """Put the cursor on the row of an item, which takes it along to its place."""
        raise NotImplementedError

    def _incidents(self) -> list[BoardItem]:
        return [item for item in self.chosen_items() if item.incident is not None]

    def action_acknowledge(self) -> None:
        """Say that the incidents are known, or that none of them is any more."""
        if self.owes(self.action_acknowledge):
            return
        from platui.present.triage.names import is_acknowledged  # noqa: PLC0415  (on first use)

        found = self._incidents()
        if not found:
            return
        undo = all(map(is_acknowledged, found))
        signatures: dict[IncidentKey, str | None] = {
            key_of(item): None if undo else item.signature.key if item.signature is not None else ""
            for item in found
        }
        # A whole cause, and not one incident that has it: with what joins it later.
        whole = [
            key_of(item)
            for row in map(self.items_of, self.chosen())
            for item in row
            if len(row) > 1 and not undo and item.incident is not None
        ]

        async def tell(book: TriageBook) -> None:
            await book.acknowledge(signatures, whole)

        async def take_back(book: TriageBook) -> None:
            before = {key_of(item): item.mark.acked for item in found}
            spreading = [key_of(item) for item in found if item.mark.spreads]
            await book.acknowledge(before, spreading)

        if undo:
            said = "no longer acknowledged"
        else:
            joins = " with what joins it" if len(whole) == len(found) else ""
            said = f"acknowledged{joins} {_until(signatures.values())}"
        self._remember(found, said, tell, take_back)

    async def action_snooze(self) -> None:
        """Choose for how long to be quiet about the incidents."""
        if self.owes(self.action_snooze):
            return
        from platui.present.triage.names import called  # noqa: PLC0415  (as above)
        from platui.present.triage.summary import snoozes  # noqa: PLC0415  (on first use)

        found, now = self._incidents(), self.service.clock.now()
        if not found:
            return
        choices = {one.title: one.until for one in snoozes(now, utc=self.utc)}
        titles = list(choices)
        until = [item.mark.snoozed_until for item in found]
        if any(moment is not None and moment > now for moment in until):
            titles.insert(0, _NOT_ANY_MORE)

        def snooze(chosen: str) -> None:
            self._snooze(found, choices.get(chosen), chosen)

        title = f"Quiet about {called(found, self.names)}"
        await self.choose(title, ((one, one) for one in titles), snooze)

    def _snooze(self, found: Sequence[BoardItem], until: datetime | None, words: str) -> None:
        async def tell(book: TriageBook) -> None:
            await book.snooze(map(key_of, found), until)

        async def take_back(book: TriageBook) -> None:
            for before in {item.mark.snoozed_until for item in found}:
                alike = [item for item in found if item.mark.snoozed_until == before]
                await book.snooze(map(key_of, alike), before)

        lasts = words if words.startswith("until") else f"for {words}"
        said = "no longer snoozed" if until is None else f"quiet {lasts}"
        self._remember(found, said, tell, take_back)

    async def action_note(self) -> None:
        """Write down what is known of the incidents, and who sees to them."""
        if self.owes(self.action_note):
            return
        from platui.present.triage.names import called  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.note import Note, NoteDialog  # noqa: PLC0415  (as above)

        found = self._incidents()
        if not found:
            return
        before = Note(found[0].mark.note, found[0].mark.owner)

        def write(note: Note | None) -> None:
            if note is not None and note != before:
                self._note(found, note, before)

        await self.app.push_screen(NoteDialog(called(found, self.names), before), write)

    def _note(self, found: Sequence[BoardItem], note: Note, before: Note) -> None:
        async def tell(book: TriageBook) -> None:
            # What stays as it was asked stays as it is with each of the others, too.
            if note.text != before.text:
                await book.note(map(key_of, found), note.text)
            if note.owner != before.owner:
                await book.own(map(key_of, found), note.owner)

        async def take_back(book: TriageBook) -> None:
            for item in found:
                await book.note([key_of(item)], item.mark.note)
                await book.own([key_of(item)], item.mark.owner)

        self._remember(found, "noted", tell, take_back)

    @property
    def has_undo(self) -> bool:
        """Return whether there is something to take back."""
        return bool(self._undos)

    def action_undo(self) -> None:
        """Take back what was said last, and go to what it was said of."""
        one = self._undos.pop()
        self._tell(one.take_back, f"Taken back: {one.said}.", one.items[0])

    def _remember(
        self, found: Sequence[BoardItem], said: str, tell: _Deed, take_back: _Deed
    ) -> None:
        """Have it remembered, then say of what, and how it is taken back."""
        from platui.present.triage.names import called  # noqa: PLC0415  (on first use)

        words = f"{called(found, self.names)} {said}"
        self._undos = [*self._undos[-_MOST_UNDOS:], _Undo(words, tuple(found), take_back)]
        self._tell(tell, f"{words}; {self.key_of('triage.undo')} takes it back.")

    def _tell(self, tell: _Deed, said: str, back: BoardItem | None = None) -> None:
        """Have it remembered, then say so: or why it is of this run only."""
        book = self.service.triage_book

        async def remember() -> None:
            if back is not None:
                self.bring_back(back)
            await tell(book)
            self.post_message(Told(f"{said} {book.problem}".strip()))

        self.run_worker(work(remember), group="marks")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs something that is broken."""
        if action == "undo":
            return True if self._undos else None
        if action in _OF_INCIDENTS and self.is_whole and not self._incidents():
            return True if self.would_owe() else None
        return super().check_action(action, parameters)


def key_of(item: BoardItem) -> IncidentKey:
    """Return what the incident of an item is known by."""
    assert item.incident is not None  # noqa: S101  (for the type: who calls has looked)
    return item.incident.key


def _until(signatures: Collection[str | None]) -> str:
    if all(signatures):
        return "until the cause is another"
    if any(signatures):
        return "until the cause is another, and with any where none is known"
    return "with any cause"
