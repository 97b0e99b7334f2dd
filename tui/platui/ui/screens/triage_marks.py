"""What is said of incidents, by keys: that they are known, for how long to be quiet, whose."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from platui.present.counts import counted
from platui.ui.messages import Told
from platui.ui.screens.owing import OwesKeys
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence
    from datetime import datetime

    from textual.binding import BindingType

    from platui.models.values.triage import BoardItem, Incident
    from platui.models.values.triage_memory import IncidentKey
    from platui.service.triage_book import TriageBook

_OF_INCIDENTS: Final = frozenset({"acknowledge", "snooze", "note"})
_NOT_ANY_MORE: Final = "not any more"


class MarksIncidents(OwesKeys):
    """Says of the incidents of the row under the cursor, or of the marked rows, how they stand.

    It is remembered on this machine; nothing is written to the platform.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "a",
            "acknowledge",
            "Ack",
            id="triage.acknowledge",
            tooltip="This is known, until its cause is another; again: it is not",
        ),
        Binding(
            "z",
            "snooze",
            "Snooze",
            id="triage.snooze",
            tooltip="Be quiet about this for some time",
        ),
        Binding(
            "n",
            "note",
            "Note",
            id="triage.note",
            tooltip="Write down what is known of this, and who sees to it",
        ),
    ]

    def chosen_items(self) -> Sequence[BoardItem]:
        """Return what the row under the cursor stands for, or the marked rows, each once."""
        raise NotImplementedError

    def _incidents(self) -> list[tuple[BoardItem, Incident]]:
        return [(item, item.incident) for item in self.chosen_items() if item.incident is not None]

    def action_acknowledge(self) -> None:
        """Say that the incidents are known, or that none of them is any more."""
        if self.owes(self.action_acknowledge):
            return
        from platui.present.triage_words import is_acknowledged  # noqa: PLC0415  (on first use)

        found = self._incidents()
        if not found:
            return
        undo = all(is_acknowledged(item) for item, _ in found)
        signatures: dict[IncidentKey, str | None] = {
            incident.key: None if undo else item.signature.key if item.signature is not None else ""
            for item, incident in found
        }

        async def tell(book: TriageBook) -> None:
            await book.acknowledge(signatures)

        what = _called(len(found))
        if undo:
            self._remember(tell, f"{what} no longer acknowledged.")
        else:
            self._remember(tell, f"{what} acknowledged {_until(signatures.values())}.")

    async def action_snooze(self) -> None:
        """Choose for how long to be quiet about the incidents."""
        if self.owes(self.action_snooze):
            return
        from platui.present.triage_summary import snoozes  # noqa: PLC0415  (on first use)
        from platui.ui.dialogs.menu import Menu, MenuItem  # noqa: PLC0415  (on first use)

        found, now = self._incidents(), self.service.clock.now()
        if not found:
            return
        choices = {one.title: one.until for one in snoozes(now, utc=self.utc)}
        items = [MenuItem(title, title) for title in choices]
        until = [item.mark.snoozed_until for item, _ in found]
        if any(moment is not None and moment > now for moment in until):
            items.insert(0, MenuItem(_NOT_ANY_MORE, _NOT_ANY_MORE))
        keys = [incident.key for _, incident in found]

        def snooze(chosen: str | None) -> None:
            if chosen is not None:
                self._snooze(keys, choices.get(chosen), chosen)

        await self.app.push_screen(
            Menu(f"Quiet about {_called(len(found)).lower()}", items), snooze
        )

    def _snooze(self, keys: Sequence[IncidentKey], until: datetime | None, words: str) -> None:
        async def tell(book: TriageBook) -> None:
            await book.snooze(keys, until)

        what = _called(len(keys))
        if until is None:
            self._remember(tell, f"{what} no longer snoozed.")
        else:
            lasts = words if words.startswith("until") else f"for {words}"
            self._remember(tell, f"{what} quiet {lasts}; z on it takes it back.")

    async def action_note(self) -> None:
        """Write down what is known of the incidents, and who sees to them."""
        if self.owes(self.action_note):
            return
        from platui.ui.dialogs.note import Note, NoteDialog  # noqa: PLC0415  (on first use)

        found = self._incidents()
        if not found:
            return
        keys = [incident.key for _, incident in found]
        mark = found[0][0].mark
        before = Note(mark.note, mark.owner)

        def write(note: Note | None) -> None:
            if note is None or note == before:
                return

            async def tell(book: TriageBook) -> None:
                # What stays as it was asked stays as it is with each of the others, too.
                if note.text != before.text:
                    await book.note(keys, note.text)
                if note.owner != before.owner:
                    await book.own(keys, note.owner)

            self._remember(tell, f"Noted on {_called(len(keys)).lower()}.")

        await self.app.push_screen(NoteDialog(_called(len(keys)), before), write)

    def _remember(self, tell: Callable[[TriageBook], Awaitable[None]], said: str) -> None:
        """Have it remembered, then say so: or why it is of this run only."""
        book = self.service.triage_book

        async def remember() -> None:
            await tell(book)
            self.post_message(Told(f"{said} {book.problem}".strip()))

        self.run_worker(
            work(remember), group="marks", exclusive=False, exit_on_error=True,
            description="remember what was said of incidents",
        )  # fmt: skip

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what needs something that is broken."""
        if action in _OF_INCIDENTS and self.is_whole and not self._incidents():
            return True if self.would_owe() else None
        return super().check_action(action, parameters)


def _until(signatures: Collection[str | None]) -> str:
    """Return for how long what was acknowledged is, and what takes it back."""
    if all(signatures):
        return "until the cause is another; a on it takes it back"
    if any(signatures):
        return "until the cause is another, and with any where none is known; a on it takes it back"
    return "with any cause; a on it takes it back"


def _called(count: int) -> str:
    return "This incident" if count == 1 else counted(count, "incident")
