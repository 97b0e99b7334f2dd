"""A dialog with a form; the caller keeps its input until it is sent or cleared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical

from platui.core.text import clean
from platui.models.values.write_states import Refused
from platui.present.chrome import KeyHint, footer_pieces
from platui.present.form_rows import START, Takes, field_rows
from platui.present.writes.requests import badge
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog
from platui.ui.messages import RequestWrites, ShowHint
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.field_input import EMPTIED, VALUE, FieldInput
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.text_pane import TextPane
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult

    from platui.present.chrome import Pieces
    from platui.present.form_rows import Field
    from platui.service import PlatformService
    from platui.service.writes.task import WriteTask
    from platui.ui.dialogs.form_content import FormContent

_KEPT: Final = "Input saved. Press the same key to reopen the form."
_KEYS: Final = (
    KeyHint("enter", "change"),
    KeyHint("S", "send"),
    KeyHint("i", "request"),
    KeyHint("y", "copy"),
    KeyHint("c", "start over"),
    KeyHint("esc", "close"),
)
_AROUND: Final = 4  # Cells of border and padding


class FormDialog(BoxDialog[None], TerminalScreen[None]):
    BLANK = False

    DEFAULT_CSS = """
    FormDialog:ansi { background: ansi_default; }
    FormDialog > #box { max-height: 100%; }
    FormDialog.-behind > #box { visibility: hidden; }
    FormDialog Form, FormDialog Form > #rows { height: auto; }
    FormDialog Form > #below { height: auto; max-height: 9; }
    FormDialog #preview { height: auto; max-height: 8; }
    FormDialog #meaning { max-height: 8; }
    """
    BINDINGS = [
        bind("escape", "form.leave", "Close"),
    ]
    form = getters.query_one("#form", Form)
    meaning = getters.query_one("#meaning", TextPane)

    def __init__(
        self, service: PlatformService, content: FormContent, typed: dict[str, str]
    ) -> None:
        super().__init__()
        self.service = service
        self.content = content
        self._typed = typed  # Field -> input
        self._errors: dict[str, str] = {}  # Field -> error of the last attempt to send
        self._is_tried = False  # Whether the user tried to send: then all problems are shown
        self._editing: dict[str, str] = {}  # The text of the field that is being edited
        self._is_done = False
        self._is_drawn = False

    @property
    def has_unsaved_input(self) -> bool:
        return bool(self._typed)

    def compose(self) -> ComposeResult:
        profile = self.service.profile
        with Vertical(id="box", classes="-production" if profile.production else ""):
            yield Bar(self.content.title, badge(profile.name, production=profile.production))
            yield Bar(self._restored_input(), id="restored")
            yield Form(id="form")
            yield TextPane(id="meaning")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        self.draw()
        self.call_after_refresh(self.form.focus_rows)
        self.run_worker(work(self.content.load), group="refs")

    def _restored_input(self) -> Pieces:
        names = [one.name for one in self.content.FIELDS if one.name in self._typed]
        if not names:
            return ()
        verb = "Changed" if self.content.is_change else "Filled in"
        clear = " discards the changes" if self.content.is_change else " starts over"
        unsent = f" {verb}, not sent: {', '.join(names)}; "
        return ((unsent, "warning"), (self.key_of("form.reset", Form), "key"), (clear, "muted"))

    def draw(self) -> None:
        if not self.is_mounted:
            return
        content, values = self.content, self._values
        intent = content.intent(values)
        desk = self.service.write_service
        request = None if intent is None else desk.request(intent, called=content.called)
        problems = {**(content.problems(values) if self._is_tried else {}), **self._errors}
        rows = field_rows(content.FIELDS, values, problems, content.notes(values), content.end)
        self.form.show(rows, request)
        if not self._is_drawn and self._typed:
            # On a text row, the key that starts over would be typed as text.
            self.form.view.go_to(next(row.field for row in rows if row.takes is Takes.KEYS))
        self._is_drawn = True
        self._refresh_texts()

    @on(Form.RequestShown)
    def _refresh_texts(self) -> None:
        self.meaning.display = not self.form.has_class("-previewed")
        self.meaning.show(self.content.meaning({**self._values, **self._editing}))
        hints = self.form.view.hints or _KEYS
        foot = self.query_one("#foot", Bar)
        foot.show(footer_pieces(hints, foot.size.width or self.app.size.width - _AROUND))

    def on_screen_suspend(self) -> None:
        self.add_class("-behind")

    def on_screen_resume(self) -> None:
        self.remove_class("-behind")
        self._close_if_done()

    def show_times(self, *, utc: bool) -> None:
        self.content.show_times(utc=utc)
        self.draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    @property
    def _values(self) -> Mapping[str, str]:
        return {**self.content.before, **self._typed}

    def change(self, field: str, value: str) -> None:
        if value == self.content.before.get(field, ""):
            self._typed.pop(field, None)
        else:
            self._typed[field] = value
        self._errors.clear()
        self.draw()

    def _field(self, name: str) -> Field | None:
        return next((field for field in self.content.FIELDS if field.name == name), None)

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        field = self._field(event.field)
        if field is None:
            self._send()
        elif field.words:
            at = field.words.index(self._values[field.name])
            self.change(field.name, field.words[(at + 1) % len(field.words)])
        elif field.is_listed:
            self.app.push_screen(self.content.picker(field.name), partial(self._pick, field.name))
        else:
            emptied = event.part == EMPTIED
            text = "" if emptied else event.text or self._values.get(field.name, "")
            suggester = self.content.suggester(field.name)
            await self.form.view.type(
                FieldInput(field.name, VALUE, text, live=True, hint=field.hint, suggester=suggester)
            )
            if event.text or emptied:
                self._editing = {field.name: event.text}
                self._refresh_texts()

    def _pick(self, field: str, value: str | None) -> None:
        if value is not None:
            self.change(field, value)

    @on(FormView.Editing)
    def _show_editing(self, event: FormView.Editing) -> None:
        event.stop()
        if self.form.view.is_typing:
            self._editing = {event.field: event.text}
            self._refresh_texts()

    @on(FormView.Typed)
    def _take_typed(self, event: FormView.Typed) -> None:
        event.stop()
        self._editing = {}
        self.change(event.field, _on_one_line(event.text))
        if event.is_entered:
            self.form.view.step(1)

    @on(FormView.Pasted)
    def _take_pasted(self, event: FormView.Pasted) -> None:
        event.stop()
        row, field = self.form.view.cursor.row, self._field(event.field)
        text = _on_one_line(event.text)
        takes = row is not None and row.takes is Takes.TEXT
        if text and field is not None and (takes or field.is_listed):
            self.change(event.field, text)
        else:
            self.post_message(ShowHint("Nothing pasted: this row takes no text."))

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        if not self.form.view.is_typing:
            self._editing = {}
        self._refresh_texts()

    @on(Form.SendWanted)
    def _send(self) -> None:
        self._is_tried = True
        self._errors.clear()
        problems = self.content.problems(self._values)
        intent = self.content.intent(self._values)
        if problems:
            self.draw()
            self._edit_wrong(next(iter(problems)))
        elif intent is None:
            self._errors[START] = "No changes to send."
            self.draw()
        else:
            self.post_message(RequestWrites((intent,), when_over=self._over))

    def _edit_wrong(self, wrong: str) -> None:
        """Open the input of a wrong field, so that `esc` closes the input and not the form."""
        view, field = self.form.view, self._field(wrong)
        view.go_to(wrong)
        if field is not None and not field.words and not field.is_listed:
            view.action_edit()

    def _over(self, task: WriteTask) -> None:
        """Show the platform's error at its field, or clear the input after success."""
        state = task.state
        if task.is_done:
            self._typed.clear()
            self._is_done = True
        elif isinstance(state, Refused):
            field = self.content.field_of_error(state.error)
            self._errors[field] = clean(f"{state.error.sentence} {state.error.hint}".strip())
            if self.is_mounted:
                self.draw()
                self.form.view.go_to(field)
        self._close_if_done()

    def _close_if_done(self) -> None:
        # Textual may send `ScreenResume` twice, also to a screen that was dismissed.
        if self._is_done and self.is_active:
            self._is_done = False
            self.dismiss(None)

    @on(Form.ClearWanted)
    def _clear(self, event: Form.ClearWanted) -> None:
        event.stop()
        self._typed.clear()
        self._errors.clear()
        self._is_tried = False
        self.query_one("#restored", Bar).show(())
        self.draw()

    def action_leave(self) -> None:
        if self._typed:
            self.post_message(ShowHint(_KEPT))
        self.dismiss(None)


def _on_one_line(text: str) -> str:
    return " ".join(text.split()) if len(text.splitlines()) > 1 else text.rstrip("\r\n")
