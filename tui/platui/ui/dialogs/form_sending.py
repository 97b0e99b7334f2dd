"""Sending a form: its problems, the question, and what follows the result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from platui.core.text import clean, with_full_stop
from platui.models.values.write_states import Done, Refused
from platui.present.form_rows import START
from platui.ui.error_display import hint_of_action
from platui.ui.messages import RequestWrites, ShowHint

if TYPE_CHECKING:
    from platui.core.errors import PlatuiError
    from platui.service.writes.task import WriteTask
    from platui.ui.dialogs.form import FormDialog


_LEFT: Final = "Created, but not all was sent. Edit it to send the rest: your input is saved."
_KEPT: Final = "Done as it was sent. The form is kept, as you went on with it."


class FormSending:
    def __init__(self, dialog: FormDialog) -> None:
        self._dialog = dialog
        self.errors: dict[str, str] = {}  # Field -> error of the last attempt to send
        self.is_tried = False  # Whether the user tried to send: then all problems are shown
        self._is_done = False

    @property
    def problems(self) -> Mapping[str, str]:
        """Return the problems to show now, by field."""
        dialog = self._dialog
        known = dialog.content.problems(dialog.values) if self.is_tried else {}
        return {**known, **self.errors}

    def send(self, *, left: str = "") -> None:
        """Ask to send the values, or show their problems; `left`: the hint after No."""
        dialog, values = self._dialog, self._dialog.values
        self.is_tried = True
        self.errors.clear()
        problems, intents = dialog.content.problems(values), dialog.content.intents(values)
        if problems:
            dialog.draw()
            dialog.edit_wrong(next(iter(problems)))
        elif not intents:
            self.errors[START] = "No changes to send."
            dialog.draw()
        else:
            notes = dialog.content.question_notes(values)
            over = partial(self._over, sent=dict(dialog.typed))
            dialog.post_message(RequestWrites(intents, notes, when_over=over, left=left))

    def _over(self, task: WriteTask, sent: Mapping[str, str]) -> None:
        """Show the platform's error at its field, or clear the input that was `sent`."""
        dialog, states = self._dialog, task.progress.value.states
        later, is_new = self._typed_since(sent), not dialog.content.is_change
        dialog.typed |= sent
        for intent, state in zip(task.request.intents, states, strict=True):
            if isinstance(state, Done):
                dialog.content.sent(intent, state.outcome, dialog.typed)
        for field, text in later.items():
            dialog.typed[field] = text
            if text == dialog.content.before.get(field, ""):
                del dialog.typed[field]
        refused = next((one.error for one in states if isinstance(one, Refused)), None)
        if refused is not None:
            self._show_error(refused)
        elif task.is_done and (later or (dialog.is_whole and dialog.form.view.is_typing)):
            self._go_on(is_new=is_new)
        elif task.is_done and dialog.typed and dialog.content.intents(dialog.values):
            self._ask_next()
        elif task.is_done:
            dialog.typed.clear()
            self._is_done = True
        self.close_if_done()

    def _typed_since(self, sent: Mapping[str, str]) -> dict[str, str]:
        """Return the fields that were changed after they were sent."""
        typed, before = self._dialog.typed, self._dialog.content.before
        now = {field: typed.get(field, before.get(field, "")) for field in (*sent, *typed)}
        return {field: text for field, text in now.items() if sent.get(field) != text}

    def _show_error(self, error: PlatuiError) -> None:
        dialog = self._dialog
        field = dialog.content.field_of_error(error)
        words = (
            with_full_stop(error.sentence),
            hint_of_action(error),
            dialog.content.remedy(error),
        )
        self.errors[field] = clean(" ".join(filter(None, words)))
        if dialog.is_whole:
            dialog.draw()
            dialog.form.view.go_to(field)

    def _ask_next(self) -> None:
        """Ask to send what needed the result, as the variables of a new schedule."""
        if self._dialog.is_whole:  # else the input stays for the next time
            self._keep_input(is_new=True)
            self.send(left=_LEFT)

    def _go_on(self, *, is_new: bool) -> None:
        """Keep the form, which was changed after it was sent."""
        if self._dialog.is_whole:
            self._keep_input(is_new=is_new)
            self._dialog.post_message(ShowHint(_KEPT))

    def _keep_input(self, *, is_new: bool) -> None:
        dialog = self._dialog
        if is_new:
            rest = dict(dialog.typed)
            dialog.typed.clear()
            dialog.typed = rest  # it belongs to the new record, not to the next new one
            dialog.content.keep(rest)
        dialog.show_title()
        dialog.draw()

    def close_if_done(self) -> None:
        # Textual may send `ScreenResume` twice, also to a screen that was dismissed.
        if self._is_done and self._dialog.is_active:
            self._is_done = False
            self._dialog.dismiss(None)
