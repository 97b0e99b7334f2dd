"""A dialog with a form; the caller keeps its input until it is sent or cleared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import getters, on
from textual.containers import Vertical

from platui.core.secrets import lines_beside_pem
from platui.present.chrome import KeyHint, footer_pieces
from platui.present.form_rows import START, Field, Takes, field_rows, on_one_line
from platui.present.schedules.variables import ADD
from platui.present.writes.requests import badge
from platui.present.writes.run_form import PEM_PROBLEM
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog
from platui.ui.dialogs.form_sending import FormSending
from platui.ui.dialogs.question import start_over_dialog
from platui.ui.messages import ShowHint
from platui.ui.terminal.screen import TerminalScreen, has_widgets
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.field_input import EMPTIED, VALUE, FieldInput
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import FormView
from platui.ui.widgets.text_pane import TextPane
from platui.ui.workers import work

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.service import PlatformService
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
    FormDialog Form > #rows { max-height: 65vh; }
    FormDialog Form > #below { height: auto; max-height: 9; }
    FormDialog #preview { height: auto; max-height: 8; }
    FormDialog #meaning { max-height: 8; }
    """
    BINDINGS = [
        bind("escape", "form.leave", "Close"),
        bind("delete", "form.remove", "Remove", "Remove this variable"),
    ]
    form = getters.query_one("#form", Form)
    meaning = getters.query_one("#meaning", TextPane)

    def __init__(
        self, service: PlatformService, content: FormContent, typed: dict[str, str]
    ) -> None:
        super().__init__()
        self.service = service
        self.content = content
        self.typed = typed  # Field -> input
        self.sending = FormSending(self)
        self._editing: dict[str, str] = {}  # The text of the field that is being edited
        self._is_drawn = False

    @property
    def has_unsaved_input(self) -> bool:
        return bool(self.typed) or (self.is_whole and self.form.view.is_typing)

    def compose(self) -> ComposeResult:
        profile = self.service.profile
        with Vertical(id="box", classes="-production" if profile.production else ""):
            yield Bar(id="title")
            key = self.key_of("form.reset", Form)
            yield Bar(self.content.restored(self._typed_names, key), id="restored")
            yield Form(id="form")
            yield TextPane(id="meaning")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        self.show_title()
        self.draw()
        self.call_after_refresh(self.form.focus_rows)
        self.run_worker(work(self._load), group="refs")

    async def _load(self) -> None:
        await self.content.load()
        self.draw()

    @property
    def _typed_names(self) -> list[str]:
        return [one.name for one in self.content.fields(self.values) if one.name in self.typed]

    @property
    def is_whole(self) -> bool:
        return has_widgets(self, ("#rows", "#preview", "#meaning", "#foot"))

    def draw(self) -> None:
        if not self.is_whole:
            return
        content, values = self.content, self.values
        intents = content.intents(values)
        desk = self.service.write_service
        request = desk.request(*intents, called=content.called) if intents else None
        problems = self.sending.problems
        fields = content.fields(values)
        rows = field_rows(fields, values, problems, content.notes(values), content.end)
        self.form.show(rows, request)
        if not self._is_drawn and self.typed:
            # On a text row, the key that starts over would be typed as text.
            self.form.view.go_to(next(row.field for row in rows if row.takes is Takes.KEYS))
        self._is_drawn = True
        self._refresh_texts()

    @on(Form.RequestShown)
    def _refresh_texts(self) -> None:
        if not self.is_whole:
            return
        self.meaning.display = not self.form.has_class("-previewed")
        self.meaning.show(self.content.meaning({**self.values, **self._editing}))
        hints = self.form.view.hints or _KEYS
        foot = self.query_one("#foot", Bar)
        foot.show(footer_pieces(hints, foot.size.width or self.app.size.width - _AROUND))

    def on_screen_suspend(self) -> None:
        self.add_class("-behind")

    def on_screen_resume(self) -> None:
        self.remove_class("-behind")
        self.call_after_refresh(self.form.view.focus_input)
        self.sending.close_if_done()

    def show_times(self, *, utc: bool) -> None:
        self.content.show_times(utc=utc)
        self.draw()

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)

    @property
    def values(self) -> Mapping[str, str]:
        return {**self.content.before, **self.typed}

    def change(self, field: str, value: str) -> None:
        if value == self.content.before.get(field, ""):
            self.typed.pop(field, None)
        else:
            self.typed[field] = value
        self.sending.errors.clear()
        self.draw()

    def _field(self, name: str) -> Field | None:
        fields = self.content.fields(self.values)
        return next((field for field in fields if field.name == name), None)

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        field = self._field(event.field)
        if field is None:
            self._send()
        elif field.words:
            at = field.words.index(self.values[field.name])
            self.change(field.name, field.words[(at + 1) % len(field.words)])
        elif field.is_listed:
            picker = self.content.picker(field.name, event.text)
            self.app.push_screen(picker, partial(self._pick, field.name))
        elif field.is_masked:
            await self.form.view.type(FieldInput(field.name, VALUE, event.text, masked=True))
        else:
            emptied = event.part == EMPTIED
            text = "" if emptied else event.text or self.values.get(field.name, "")
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
    async def _take_typed(self, event: FormView.Typed) -> None:
        event.stop()
        self._editing = {}
        field = self._field(event.field)
        if event.field == ADD:
            await self._add([event.text])
            return
        if field is None or not field.is_masked:
            self.change(event.field, on_one_line(event.text))
        elif event.text:
            self.change(event.field, event.text)
        if event.is_entered:
            self.form.view.step(1)

    async def _add(self, lines: Sequence[str]) -> None:
        """Add the fields of typed or pasted lines; type a hidden value that they lack."""
        name, value = "", None
        for line in filter(str.strip, lines):
            name, value = self.content.added(line, self.values)
            if value is not None or name not in self.values:
                self.typed[name] = value or ""
        self.sending.errors.clear()
        self.draw()
        self.form.view.go_to(ADD)
        if name and value is None:
            await self.form.view.type(FieldInput(name, VALUE, masked=True))

    def action_remove(self) -> None:
        """Remove the variable at the cursor."""
        self.typed.pop(name := self.form.view.cursor.field, None)
        self.change(name, "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "remove" and self._is_drawn:
            fixed = {ADD, START, *(field.name for field in self.content.FIELDS)}
            return not self.form.view.is_typing and self.form.view.cursor.field not in fixed
        return super().check_action(action, parameters)

    @on(FormView.Pasted)
    async def _take_pasted(self, event: FormView.Pasted) -> None:
        event.stop()
        row, field = self.form.view.cursor.row, self._field(event.field)
        text = on_one_line(event.text)
        takes = row is not None and row.takes is not Takes.KEYS
        if event.field == ADD:
            lines, pem = lines_beside_pem(event.text)
            if pem:
                self.post_message(ShowHint(f"Line {pem} {PEM_PROBLEM}."))
            await self._add([line for _, line in lines])
        elif text and field is not None and (takes or field.is_listed):
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
        self.sending.send()

    def edit_wrong(self, wrong: str) -> None:
        """Open the input of a wrong field, so that `esc` closes the input and not the form."""
        view, field = self.form.view, self._field(wrong)
        view.go_to(wrong)
        if field is not None and not field.words and not field.is_listed:
            view.action_edit()

    def show_title(self) -> None:
        profile = self.service.profile
        badge_ = badge(profile.name, production=profile.production)
        self.query_one("#title", Bar).show(self.content.title, badge_)

    @on(Form.ClearWanted)
    def _clear(self, event: Form.ClearWanted) -> None:
        event.stop()

        def clear(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes:
                self.typed.clear()
                self.sending.errors.clear()
                self.sending.is_tried = False
                self.query_one("#restored", Bar).show(())
                self.draw()

        if self.typed:
            self.app.push_screen(start_over_dialog(self._typed_names), clear)
        else:
            clear(True)

    def action_leave(self) -> None:
        if self.typed:
            self.post_message(ShowHint(_KEPT))
        self.dismiss(None)
