"""The keys of the run form: its variables are added, changed and removed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.secrets import Secret
from platui.core.text import shorten
from platui.models.values.drafts import ADD, RunForm, variable_in
from platui.present.writes.run_form import set_words
from platui.ui.controller import Controller, command
from platui.ui.screens.run.form_editor import KEY
from platui.ui.widgets.field_input import HIDDEN_KEY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.ui.screens.run.body import RunBody

_OF_A_VARIABLE: Final = frozenset({"run.remove", "run.key", "run.secret"})


class VariableKeys(Controller["RunBody"]):
    """Adds, changes and removes variables."""

    @command("a", "run.add", "Add", "Add a variable: KEY=value, or its key")
    async def add(self) -> None:
        await self.body.view.type(ADD, KEY, hint="KEY=value")

    @command(
        "s",
        "run.add_secret",
        "Secret",
        "Add a secret variable: its value is masked as it is typed, and never kept",
    )
    async def add_secret(self) -> None:
        hint = "key of the secret; its value is asked for next"
        await self.body.view.type(ADD, HIDDEN_KEY, hint=hint)

    @command("x,delete", "run.remove", "Remove", "Take this variable out")
    def remove(self) -> None:
        if (found := self._variable()) is not None:
            form, number = found
            self.body.editing.change(form.without_variable(number))

    @command("e", "run.key", "Key", "Change the key of this variable")
    async def change_key(self) -> None:
        if (found := self._variable()) is not None:
            form, number = found
            await self.body.view.type(self.body.view.cursor.field, KEY, form.variables[number].key)

    @command(
        "space",
        "run.secret",
        "Mask",
        "Make this variable a secret; a secret made plain loses its value",
    )
    def mask(self) -> None:
        if (found := self._variable()) is None:
            return
        form, number = found
        old = form.variables[number]
        value: str | Secret = "" if isinstance(old.value, Secret) else Secret(old.value)
        self.body.editing.change(form.with_variable(number, replace(old, value=value)))

    @command(
        "u",
        "run.recent_variables",
        "Used before",
        "Take variables that were sent before in this project",
    )
    async def choose_used(self) -> None:
        form_state = self.body.form_state
        if form_state is None:
            return
        sets = form_state.history.variables
        choices = ((str(at), shorten(set_words(one), 200)) for at, one in enumerate(sets))
        await self.screen.choose(
            "Variables of which run before? Secrets are to be typed again",
            choices,
            lambda chosen: self.body.editing.change(form_state.form.with_all(sets[int(chosen)])),
        )

    def disabled_reason(self, command: str) -> str:
        form_state = self.body.form_state
        if form_state is None or not form_state.is_ready:
            return "The form is not filled in yet."
        if command == "run.recent_variables" and not form_state.history.variables:
            return "No variables were sent before in this project."
        if command in _OF_A_VARIABLE and variable_in(self.body.view.cursor.field) is None:
            return "Put the cursor on a variable first."
        return ""

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if variable_in(self.body.view.cursor.field) is not None:
            return names
        return [name for name in names if name not in _OF_A_VARIABLE]

    def _variable(self) -> tuple[RunForm, int] | None:
        """Return the form, and which of its variables the cursor is on."""
        form_state, number = self.body.form_state, variable_in(self.body.view.cursor.field)
        return None if form_state is None or number is None else (form_state.form, number)
