"""Editing a run form: its fields are chosen, typed and pasted, and its variables come and go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import getters, on

from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.core.text import shorten
from platui.models.values.drafts import (
    ADD,
    FILE,
    REF,
    TOKEN,
    WITH,
    RunForm,
    variable_field,
    variable_in,
)
from platui.models.values.writes import RunVariable
from platui.present.chrome import KeyHint
from platui.present.form_rows import START
from platui.present.writes.run_form import (
    OWN_FILE,
    PastedInto,
    pasted_into,
    pasted_words,
    read_pairs,
    set_words,
    token_source,
)
from platui.ui.controllers.running import Unlock
from platui.ui.dialogs.menu import MenuItem
from platui.ui.dialogs.picker import USED, Picker, ref_picker
from platui.ui.keys_in_use import bind
from platui.ui.messages import Failed, Told
from platui.ui.screens.base import PlaceScreen
from platui.ui.widgets.field_input import HIDDEN_KEY, VALUE
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import FormView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import WriteRequest
    from platui.present.chrome import Piece
    from platui.ui.screens.run import Filling

_OF_A_FORM: Final = frozenset({"add", "add_secret", "remove", "key", "secret", "sets"})
_OF_A_VARIABLE: Final = frozenset({"remove", "key", "secret"})
_KEY: Final = "key"  # The part of a variable's field left of its value


class EditsRun(PlaceScreen):
    """What is typed goes into the filling; the view itself says what it is of, and sends it."""

    FOOTER = (
        "form.choose", "write.send", "run.add", "run.add_secret", "run.remove", "run.secret",
        "run.key", "form.request", "run.sets", "form.copy", "form.clear", "place.up",
    )  # fmt: skip
    CONTROLLERS = (Unlock,)
    BINDINGS = [
        bind("a", "run.add", "Add", "Add a variable: KEY=value, or its key"),
        bind(
            "s",
            "run.add_secret",
            "Secret",
            "Add a secret variable: its value is masked as it is typed, and never kept",
        ),
        bind("x,delete", "run.remove", "Remove", "Take this variable out"),
        bind("e", "run.key", "Key", "Change the key of this variable"),
        bind(
            "space",
            "run.secret",
            "Mask",
            "Make this variable a secret; a secret made plain loses its value",
        ),
        bind(
            "u", "run.sets", "Used before", "Take variables that were sent before in this project"
        ),
    ]

    form = getters.query_one("#form", Form)
    view = getters.query_one("#rows", FormView)

    @property
    def filling(self) -> Filling | None:
        """Return what is filled in here."""
        raise NotImplementedError

    def request(self, form: RunForm) -> WriteRequest:
        """Return what is asked and sent of a form."""
        raise NotImplementedError

    def start(self) -> None:
        """Ask, and send it."""
        raise NotImplementedError

    def change(self, form: RunForm, said: Piece = ("", "text")) -> None:
        """Take another content, and say what became of what was typed."""
        if self.filling is not None:
            self.filling.change(form)
            self.filling.said = said
            self.draw()

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        filling = self.filling
        if filling is None:
            return
        form, number = filling.form, variable_in(event.field)
        if number is not None:
            await self._type_value(number, event.text)
        elif event.field == WITH:
            await self._change_credential(replace(form, triggered=not form.triggered))
        elif event.field == TOKEN:
            await self._type_token(event.text)
        elif event.field == REF:
            known, project = filling.history.refs, form.project
            refs = ref_picker(self.service, project, filling.default_ref, known)
            self.app.push_screen(refs, self._take_ref)
        elif event.field == FILE:
            self.app.push_screen(self._files(filling, form.ref), self._take_file)
        elif event.field == ADD:
            await self.view.type(ADD, _KEY, event.text, hint="KEY=value")
        elif event.field == START:
            self.start()

    async def _change_credential(self, form: RunForm) -> None:
        """Take the other token.

        That of a trigger can be typed at once, also where one is known: a hand that goes on
        typing it would press keys otherwise, and letters of it would stand somewhere.
        """
        self.change(form)
        if form.triggered:
            await self._type_token("")

    async def _type_token(self, text: str) -> None:
        assert self.filling is not None  # noqa: S101  (the caller looked)
        source = token_source(self.request(self.filling.form))
        hint = "type or paste it: it is never shown"
        hint = f"from {source}; another can be typed, never shown" if source else hint
        await self.view.type(TOKEN, VALUE, text, masked=True, hint=hint)

    def _files(self, filling: Filling, ref: str) -> Picker:
        """Return the choice of a pipeline file at a ref; the project's own has an empty value."""
        items = [MenuItem("", OWN_FILE, "as its settings name it")]
        items += [MenuItem(path, path, USED) for path in filling.history.pipeline_files]

        async def find(word: str) -> tuple[Sequence[MenuItem], bool]:
            del word  # a folder is listed as a whole
            if not ref:
                return (), True
            repository = await self.service.repository()
            files = await repository.pipeline_files(filling.form.project, ref, None)
            return [MenuItem(path, path, "in the repository") for path in files.listed or ()], True

        return Picker("From which pipeline file? Type its path", items, find)

    def _take_ref(self, ref: str | None) -> None:
        if ref is not None and self.filling is not None:
            self.change(replace(self.filling.form, ref=ref))

    def _take_file(self, path: str | None) -> None:
        if path is not None and self.filling is not None:
            self.change(self.filling.form.with_file(path.strip("/")))

    async def _type_value(self, number: int, begun: str = "") -> None:
        """Let the value of a variable be typed; a secret is typed anew, and never shown."""
        assert self.filling is not None  # noqa: S101  (the caller looked)
        value = self.filling.form.variables[number].value
        masked = isinstance(value, Secret)
        text = begun if begun or isinstance(value, Secret) else value
        if len(text.splitlines()) > 1:
            self.post_message(Told("It has several lines: paste another value over it."))
            text = ""
        await self.view.type(variable_field(number), VALUE, text, masked=masked)

    @on(FormView.Typed)
    async def _typed(self, event: FormView.Typed) -> None:
        event.stop()
        filling, number = self.filling, variable_in(event.field)
        if filling is None:
            return
        form = filling.form
        if event.field == TOKEN:
            self._take_token(form.project, event.text)
        elif number is None:
            await self._add(form, event.text, secret=event.part == HIDDEN_KEY)
        elif event.part == _KEY:
            old = form.variables[number]
            self.change(form.with_variable(number, replace(old, key=event.text.strip())))
        else:
            self._take_value(form, number, event.text)

    def _take_token(self, project: ProjectRef, text: str) -> None:
        """Use a trigger token from now on, and keep it as the other credentials."""
        words = text.split()
        if len(words) > 1 or "=" in text:
            self.post_message(Told("That is no trigger token: it has blanks, lines or a =."))
        elif words:
            self.view.go_to(REF)
            self.in_background("token", self._keep_token, project, Secret(words[0]))

    async def _keep_token(self, project: ProjectRef, token: Secret) -> None:
        try:
            await self.service.write_desk.keep_trigger_token(project, token)
        except PlatuiError as error:
            self.post_message(Failed(error))
        if self.filling is not None:
            self.change(self.filling.form)

    def _take_value(self, form: RunForm, number: int, text: str) -> None:
        old = form.variables[number]
        if isinstance(old.value, Secret) and not text:
            return  # nothing was typed: what is there stays
        value = Secret(text) if isinstance(old.value, Secret) else text
        self.change(form.with_variable(number, replace(old, value=value)))

    async def _add(self, form: RunForm, text: str, *, secret: bool) -> None:
        """Add a variable that was typed as `KEY=value`, or ask for the value of its key."""
        key, equals, value = text.partition("=")
        if not text.strip():
            return
        number = len(form.variables)
        variable = RunVariable(key.strip(), Secret(value) if secret else value)
        self.change(form.with_variable(number, variable))
        self.view.go_to(variable_field(number))
        if not equals or (secret and not value):
            await self._type_value(number)

    @on(FormView.Pasted)
    def _pasted(self, event: FormView.Pasted) -> None:
        """Take a paste to where it is meant: what belongs to a secret goes nowhere else."""
        event.stop()
        filling = self.filling
        if filling is None or not filling.is_ready:
            return
        form, number = filling.form, variable_in(event.field)
        match pasted_into(form, event.field, event.part, event.text):
            case PastedInto.TOKEN:
                self._take_token(form.project, event.text)
            case PastedInto.VALUE if number is not None:
                self._take_value(form, number, _value_of(event.text))
            case PastedInto.REF:
                self._take_ref(event.text.strip())
            case PastedInto.FILE:
                self._take_file(event.text.strip())
            case _:
                self._take_pairs(form, event.text, secret=event.part == HIDDEN_KEY)

    def _take_pairs(self, form: RunForm, text: str, *, secret: bool) -> None:
        pasted = read_pairs(text, secret=secret)
        form = form.with_all(pasted.variables)
        if pasted.pipeline_file is not None:
            form = form.with_file(pasted.pipeline_file)
        self.change(form, pasted_words(pasted))

    async def action_add(self) -> None:
        """Let a variable be typed."""
        await self.view.type(ADD, _KEY, hint="KEY=value")

    async def action_add_secret(self) -> None:
        """Let the key of a secret be typed, and then its value."""
        hint = "key of the secret; its value is asked for next"
        await self.view.type(ADD, HIDDEN_KEY, hint=hint)

    async def action_key(self) -> None:
        """Let another key be typed for the variable."""
        number = variable_in(self.view.field)
        if number is not None and self.filling is not None:
            key = self.filling.form.variables[number].key
            await self.view.type(self.view.field, _KEY, key)

    def action_remove(self) -> None:
        """Take the variable out."""
        number = variable_in(self.view.field)
        if number is not None and self.filling is not None:
            self.change(self.filling.form.without_variable(number))

    def action_secret(self) -> None:
        """Make a variable a secret, or a secret plain: then its value is gone."""
        number = variable_in(self.view.field)
        if number is None or self.filling is None:
            return
        form = self.filling.form
        old = form.variables[number]
        value: str | Secret = "" if isinstance(old.value, Secret) else Secret(old.value)
        self.change(form.with_variable(number, replace(old, value=value)))

    async def action_sets(self) -> None:
        """Choose variables that were sent before."""
        filling = self.filling
        if filling is None:
            return
        sets = filling.history.variables
        choices = ((str(at), shorten(set_words(one), 200)) for at, one in enumerate(sets))
        await self.choose(
            "Variables of which run before? Secrets are to be typed again",
            choices,
            lambda chosen: self.change(filling.form.with_all(sets[int(chosen)])),
        )

    def tell_footer(self) -> None:
        """Show the keys that work here; while typing, those that end it."""
        if self.view.hints and not self.prompt.is_open:
            self.footer.tell((*self.view.hints, *self._hints_of_row()))
        else:
            super().tell_footer()

    def _hints_of_row(self) -> Sequence[KeyHint]:
        is_variable = variable_in(self.view.field) is not None and not self.view.is_typing
        return (KeyHint("delete", "remove"),) if is_variable else ()

    def footer_keys(self) -> Sequence[str]:
        """Return the keys of the footer: of a variable's only where there is one."""
        if variable_in(self.view.field) is not None:
            return self.FOOTER
        return [key for key in self.FOOTER if key.removeprefix("run.") not in _OF_A_VARIABLE]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what there is nothing to do with."""
        if action in _OF_A_FORM and self.is_whole:
            return self._is_possible(action)
        return super().check_action(action, parameters)

    def _is_possible(self, action: str) -> bool | None:
        filling = self.filling
        if filling is None or not filling.is_ready:
            return None
        if action == "sets" and not filling.history.variables:
            return None
        if action in _OF_A_VARIABLE and variable_in(self.view.field) is None:
            return None
        return True


def _value_of(text: str) -> str:
    """Return a pasted text as a value: the end of a line is no part of one that has but one."""
    return text if len(text.splitlines()) > 1 else text.rstrip("\r\n")
