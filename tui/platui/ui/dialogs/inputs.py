"""Dialogs that ask for a token, a name, or a note."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from textual import getters, on
from textual.widgets import Input

from platui.core.errors import WriteRefusedError
from platui.core.named_tuple import NamedTuple
from platui.core.secrets import Secret
from platui.core.text import clean, shorten
from platui.models.values.stored_triage import MAX_OWNER_LENGTH
from platui.present.profiles import save_token_command
from platui.present.writes.requests import badge
from platui.ui.active_keys import bind
from platui.ui.dialogs.box import BoxDialog, box, keys_line, line_input
from platui.ui.widgets.bar import Bar

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Paste

    from platui.config.profile import Profile
    from platui.present.chrome import Pieces

LONGEST: Final = 500  # Characters of a note
_PART: Final = 26  # Cells of a description that are sufficient: 40 columns show no more of it


class TokenDialog(BoxDialog[Secret | None]):
    """Asks for a new token; the input is masked."""

    DEFAULT_CSS = "TokenDialog > #box { padding: 1 2; }"
    BINDINGS = [
        bind("escape", "token.leave", "Cancel"),
    ]

    def __init__(self, profile: Profile, reason: str) -> None:
        super().__init__()
        self._profile = profile
        self._reason = reason

    def compose(self) -> ComposeResult:
        profile = self._profile
        keep = save_token_command(profile)
        yield box(
            (("New token for ", "text"), (profile.name, "strong")),
            Bar(((clean(profile.url), "muted"),)),
            Bar(((clean(self._reason), "muted"),)),
            line_input(password=True, placeholder="personal, project or group access token"),
            Bar(id="wrong"),
            Bar((("To save it: run ", "muted"), (keep, "text"), (" in a shell", "muted"))),
            foot=keys_line(("enter", "use it for this session"), ("esc", "cancel"), lead=""),
            classes="-narrow",
        )

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        text = event.value.strip()
        if not text:
            self._show_error("Enter a token.")
        elif not text.isascii() or any(character.isspace() for character in text):
            self._show_error("A token has only ASCII characters and no spaces.")
        else:
            self.dismiss(Secret(text))

    def _show_error(self, message: str) -> None:
        self.query_one("#wrong", Bar).show(((message, "failed"),))


class TypedNameDialog(BoxDialog[bool]):
    """Returns True after the name was typed, else None."""

    DEFAULT_CSS = "TypedNameDialog #what { margin-top: 1; }"
    BINDINGS = [
        bind("escape", "typedname.leave", "Cancel"),
    ]

    input = getters.query_one(Input)

    def __init__(
        self,
        profile: Profile,
        question: str,
        how: Pieces,
        take: Callable[[str], None],
        *,
        hint: str,
        verb: str,
        effect: str = "",
    ) -> None:
        """Create the dialog.

        `hint` is the placeholder of the input, `verb` the hint of enter, `effect` the write
        that waits for the name.
        """
        super().__init__()
        self._profile = profile
        self._question = question
        self._how = how
        self._take_name = take
        self._hint = hint
        self._verb = verb
        self._effect = effect

    def compose(self) -> ComposeResult:
        production = self._profile.production
        yield box(
            badge(self._profile.name, production=production),
            Bar(((f" {self._question}", "strong"),), id="what"),
            *([Bar(((f" For: {self._effect}", "text"),))] if self._effect else []),
            Bar(self._how),
            line_input(placeholder=self._hint),
            Bar(id="wrong"),
            foot=keys_line(("enter", self._verb), ("esc", "cancel")),
            classes="-narrow -production" if production else "-narrow",
        )

    def on_mount(self) -> None:
        self.input.focus()

    @on(Input.Changed)
    def _clear_error(self, event: Input.Changed) -> None:
        event.stop()
        self._show_error(())

    @on(Input.Submitted)
    def _take(self, event: Input.Submitted) -> None:
        event.stop()
        try:
            self._take_name(event.value)
        except WriteRefusedError as error:
            self._show_error(((f" {clean(error.sentence)}", "failed"),))
        else:
            self.dismiss(True)

    def _show_error(self, pieces: Pieces) -> None:
        self.query_one("#wrong", Bar).show(pieces)


def unlock_dialog(
    profile: Profile, unlock: Callable[[str], None], effect: str = ""
) -> TypedNameDialog:
    """Return the dialog that asks for the profile's name; `effect`: the write that waits for it."""
    name = (clean(profile.name), "strong")
    rest = " to unlock them for 15 minutes."
    how = ((" Type ", "text"), name, (rest, "text"))
    question = "Writes are locked in this profile, and each needs confirmation."
    return TypedNameDialog(
        profile, question, how, unlock, hint="name of the profile", verb="unlock", effect=effect
    )


def delete_schedule_dialog(profile: Profile, description: str) -> TypedNameDialog:
    """Return the dialog that asks for the description before the deletion is confirmed."""
    whole = " ".join(description.split())

    def compare(typed: str) -> None:
        part = " ".join(typed.split())
        if part != whole and not (whole.startswith(part) and cell_len(part) >= _PART):
            raise WriteRefusedError("The description does not match.", hint="")

    how = ((" Type ", "text"), (shorten(description, 50), "strong"), (" to confirm.", "text"))
    question = "A deleted schedule cannot be restored."
    hint = "description of the schedule"
    return TypedNameDialog(profile, question, how, compare, hint=hint, verb="continue")


class Note(NamedTuple):
    text: str
    owner: str


_ALIKE: Final = Note("", "")


class NoteDialog(BoxDialog[Note | None]):
    """Asks for note and owner; enter on the owner saves both."""

    BINDINGS = [
        bind("escape", "note.leave", "Cancel"),
        bind("down,tab", "note.next", "Next", action="app.focus_next", priority=True),
        bind("up,shift+tab", "note.before", "Previous", action="app.focus_previous", priority=True),
    ]

    def __init__(
        self,
        what: str,
        before: Note,
        keep: Callable[[Note], object],
        differing: Note = _ALIKE,
    ) -> None:
        """Create the dialog; `keep` is called with each input, until it is saved.

        `differing` says for each field that the incidents differ.
        """
        super().__init__()
        self._what = what
        self._before = before
        self._keep_input = keep
        self._differing = differing

    def compose(self) -> ComposeResult:
        yield box(
            ((f" {self._what}", "strong"), ("  saved on this machine", "muted")),
            Bar(((" note  ", "muted"), (self._differing.text, "warning"))),
            # A command may have saved a longer one, which must stay editable.
            _input(
                self._before.text,
                "note",
                "known facts, or a ticket link",
                max(LONGEST, len(self._before.text)),
            ),
            Bar(((" owner  ", "muted"), (self._differing.owner, "warning"))),
            _input(self._before.owner, "owner", "name of the owner", MAX_OWNER_LENGTH),
            foot=keys_line(("enter", "next, then save"), ("tab", "other field"), ("esc", "cancel")),
        )

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#note", Input))

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._keep_input(self._typed)

    @property
    def _typed(self) -> Note:
        text, owner = (self.query_one(f"#{name}", Input).value for name in ("note", "owner"))
        return Note(text.strip(), owner.strip())

    @on(Input.Submitted, "#note")
    def _go_on(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_focus(self.query_one("#owner", Input))

    @on(Input.Submitted, "#owner")
    def _keep(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(self._typed)


class _NoteInput(Input):
    def _on_paste(self, event: Paste) -> None:
        """Take lines as one, and what fits; Textual would take the first line, or nothing."""
        event.prevent_default()
        event.stop()
        text = " ".join(event.text.splitlines())
        start, end = sorted(self.selection)
        most = self.max_length or LONGEST
        room = most - len(self.value) + end - start
        if len(text) > room:
            words = f"The pasted text was cut: {most} characters fit."
            self.app.notify(words, severity="warning")
        self.replace(text[:room], start, end)


def _input(value: str, name: str, hint: str, most: int) -> Input:
    return line_input(
        value, kind=_NoteInput, placeholder=hint, id=name, select_on_focus=False, max_length=most
    )
