"""A form in a box, for something to be made or changed: a `Form` whose values are all words.

What is typed is kept by whom the form is opened for, until it is sent or begun anew: `esc`
leaves, and the same key opens it as it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import getters, on
from textual.containers import Vertical

from platui.core.text import clean
from platui.models.values.write_states import Refused
from platui.present.chrome import KeyHint, footer_pieces
from platui.present.form_rows import START, Takes, field_rows
from platui.present.writes.plans import badge
from platui.ui.dialogs.box import BoxDialog
from platui.ui.keys_in_use import bind
from platui.ui.messages import Told, WriteWanted
from platui.ui.terminal.screen import TerminalScreen
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import EMPTIED, VALUE, FormView
from platui.ui.widgets.passage import Passage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from textual.app import ComposeResult
    from textual.suggester import Suggester

    from platui.models.values.writes import Intent
    from platui.present.chrome import Piece, Pieces
    from platui.present.form_rows import Field
    from platui.service import PlatformService
    from platui.service.writes.task import WriteTask

_KEPT: Final = "What was typed is kept: the same key opens it again."
_KEYS: Final = (
    KeyHint("enter", "change"),
    KeyHint("S", "send"),
    KeyHint("i", "request"),
    KeyHint("y", "copy"),
    KeyHint("c", "start over"),
    KeyHint("esc", "leave"),
)
_AROUND: Final = 4  # Cells of the box beside its lines


class FormDialog(BoxDialog[None], TerminalScreen[None]):
    """A subclass says which fields there are, what is wrong with them, and what they mean."""

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
        bind("escape", "form.leave", "Leave"),
    ]
    FIELDS: ClassVar[Sequence[Field]]
    OF_A_RECORD: bool = False  # Whether it changes what is there already
    form = getters.query_one("#form", Form)
    meaning = getters.query_one("#meaning", Passage)

    def __init__(
        self, service: PlatformService, before: Mapping[str, str], typed: dict[str, str]
    ) -> None:
        super().__init__()
        self.service = service
        self._before = before  # What the fields hold where nothing is typed
        self._typed = typed
        """What was typed instead; the caller keeps it, also when the form is left."""
        self._told: dict[str, str] = {}
        """What was said to what was sent: field -> sentence. Until something is changed."""
        self._tried = False
        """Whether it was to be sent: from then on everything that is wrong is told."""
        self._under_way: dict[str, str] = {}  # What stands on the line that is typed on
        self._is_made = False
        """Whether what was asked for is there: the form is of no more use then."""
        self._is_left = False
        self._is_drawn = False

    # what a subclass gives

    @property
    def end(self) -> str:
        """Return what the last row does."""
        raise NotImplementedError

    def title_pieces(self) -> Pieces:
        """Return the line above the fields."""
        raise NotImplementedError

    def intent(self) -> Intent | None:
        """Return what is to be done; None where nothing is."""
        raise NotImplementedError

    def problems(self) -> Mapping[str, str]:
        """Return what keeps it from being sent: field -> sentence, from the top down."""
        raise NotImplementedError

    def notes(self) -> Mapping[str, str]:
        """Return where values come from, in words."""
        return {}

    def meaning_of(self, values: Mapping[str, str]) -> Sequence[Piece]:
        """Return what values mean, as paragraphs."""
        del values
        return ()

    def blamed(self, sentence: str) -> str:
        """Return the field that a refusal is about."""
        del sentence
        return START

    def suggester(self, field: str) -> Suggester | None:
        """Return what offers how to go on in a field."""
        del field
        return None

    def choose(self, field: str) -> None:
        """Open the list of a field that is chosen from one."""
        raise NotImplementedError

    # what all of them do

    @property
    def called(self) -> str:
        """Return what the project is called; empty: it is of none."""
        return ""

    @property
    def values(self) -> Mapping[str, str]:
        """Return what is filled in."""
        return {**self._before, **self._typed}

    def compose(self) -> ComposeResult:
        """Yield title, form, what it means, and the keys."""
        production = self.service.profile.production
        with Vertical(id="box", classes="-production" if production else ""):
            yield Bar(id="title")
            yield Bar(id="said")
            yield Form(id="form")
            yield Passage(id="meaning")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Show what is filled in, and go to the first field."""
        profile = self.service.profile
        self.query_one("#title", Bar).show(
            self.title_pieces(), badge(profile.name, production=profile.production)
        )
        self.query_one("#said", Bar).show(self._as_left())
        self.draw()
        self.call_after_refresh(self.form.focus_rows)

    def _as_left(self) -> Pieces:
        names = [field.name for field in self.FIELDS if field.name in self._typed]
        if not names:
            return ()
        verb = "Changed" if self.OF_A_RECORD else "Filled in"
        over = " takes the record as it is" if self.OF_A_RECORD else " starts over"
        said = f" {verb} and not sent: {', '.join(names)}; "
        return ((said, "warning"), (self.key_of("form.clear", Form), "key"), (over, "muted"))

    def draw(self) -> None:
        """Show the fields and all that follows from them."""
        if not self.is_mounted:
            return
        intent = self.intent()
        desk = self.service.write_desk
        plan = None if intent is None else desk.plan(intent, called=self.called)
        problems = {**(self.problems() if self._tried else {}), **self._told}
        rows = field_rows(self.FIELDS, self.values, problems, self.notes(), self.end)
        self.form.show(rows, plan)
        if not self._is_drawn and self._typed:
            # The key that starts over is a key there; on a text it would be typed.
            self.form.view.go_to(next(row.field for row in rows if row.takes is Takes.KEYS))
        self._is_drawn = True
        self._tell()

    def _tell(self) -> None:
        self.meaning.display = not self.form.has_class("-previewed")
        self.meaning.tell(self.meaning_of({**self.values, **self._under_way}))
        hints = self.form.view.hints or _KEYS
        foot = self.query_one("#foot", Bar)
        foot.show(footer_pieces(hints, foot.size.width or self.app.size.width - _AROUND))

    def on_screen_suspend(self) -> None:
        """Stand back while something is asked or told about what was typed."""
        self.add_class("-behind")

    def on_screen_resume(self) -> None:
        """Come back; leave when what was asked for has been made meanwhile."""
        self.remove_class("-behind")
        self._leave_made()

    def on_resize(self) -> None:
        """Lay the keys out anew."""
        self.call_after_refresh(self.draw)

    # fields

    def change(self, field: str, value: str) -> None:
        """Take another value; what was said to the one before is of no use any more."""
        if value == self._before.get(field, ""):
            self._typed.pop(field, None)
        else:
            self._typed[field] = value
        self._told.clear()
        self.draw()

    def _field(self, name: str) -> Field | None:
        return next((field for field in self.FIELDS if field.name == name), None)

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
            self.choose(field.name)
        else:
            emptied = event.part == EMPTIED
            text = "" if emptied else event.text or self.values.get(field.name, "")
            await self.form.view.type(
                field.name, VALUE, text, live=True,
                hint=field.hint, suggester=self.suggester(field.name),
            )  # fmt: skip
            if event.text or emptied:
                self._under_way = {field.name: event.text}
                self._tell()

    @on(FormView.Writing)
    def _writing(self, event: FormView.Writing) -> None:
        event.stop()
        if self.form.view.is_typing:
            self._under_way = {event.field: event.text}
            self._tell()

    @on(FormView.Typed)
    def _take_typed(self, event: FormView.Typed) -> None:
        event.stop()
        self._under_way = {}
        self.change(event.field, _on_one_line(event.text))
        if event.is_entered:
            self.form.view.step(1)

    @on(FormView.Pasted)
    def _take_pasted(self, event: FormView.Pasted) -> None:
        event.stop()
        row, field = self.form.view.row, self._field(event.field)
        text = _on_one_line(event.text)
        takes = row is not None and row.takes is Takes.TEXT
        if text and field is not None and (takes or field.is_listed):
            self.change(event.field, text)
        else:
            self.post_message(Told("Nothing was pasted: this row takes no text."))

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        if not self.form.view.is_typing:
            self._under_way = {}
        self._tell()

    @on(Form.RequestShown)
    def _request_shown(self, event: Form.RequestShown) -> None:
        event.stop()
        self._tell()

    # sending

    @on(Form.SendWanted)
    def _send_wanted(self, event: Form.SendWanted) -> None:
        event.stop()
        self._send()

    def _send(self) -> None:
        self._tried = True
        self._told.clear()
        problems, intent = self.problems(), self.intent()
        if problems:
            self.draw()
            self._mend(next(iter(problems)))
        elif intent is None:
            self._told[START] = "Nothing is changed yet."
            self.draw()
        else:
            self.post_message(WriteWanted((intent,), when_over=self._over))

    def _mend(self, wrong: str) -> None:
        """Go to a field that is wrong; text is edited at once, so that `esc` leaves that alone."""
        view, field = self.form.view, self._field(wrong)
        view.go_to(wrong)
        if field is not None and not field.words and not field.is_listed:
            view.action_choose()

    def _over(self, task: WriteTask) -> None:
        """Keep the platform's own words in sight of what was typed; what is sent is not kept."""
        state = task.state
        if task.is_done:
            self._typed.clear()
            self._is_made = True
        elif isinstance(state, Refused):
            field = self.blamed(state.error.sentence)
            self._told[field] = clean(f"{state.error.sentence} {state.error.hint}".strip())
            if self.is_mounted:
                self.draw()
                self.form.view.go_to(field)
        self._leave_made()

    def _leave_made(self) -> None:
        # It may be told twice that a screen is in front, also of one that was left by then.
        if self._is_made and self.is_active and not self._is_left:
            self._is_left = True
            self.dismiss(None)

    @on(Form.ClearWanted)
    def _clear(self, event: Form.ClearWanted) -> None:
        event.stop()
        self._typed.clear()
        self._told.clear()
        self._tried = False
        self.query_one("#said", Bar).show(())
        self.draw()

    def action_leave(self) -> None:
        """Leave; what was typed is kept."""
        if self._typed:
            self.post_message(Told(_KEPT))
        self.dismiss(None)


def _on_one_line(text: str) -> str:
    return " ".join(text.split()) if len(text.splitlines()) > 1 else text.rstrip("\r\n")
