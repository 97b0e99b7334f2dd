"""Keys of the variables in the run form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from platui.core.secrets import Secret
from platui.core.text import shorten
from platui.models.values.drafts import ADD, TOKEN, RunForm, variable_in
from platui.present.writes.run_form import set_words
from platui.ui.controller import Controller, command
from platui.ui.screens.run.form import KEY
from platui.ui.widgets.field_input import HIDDEN_KEY, FieldInput

if TYPE_CHECKING:
    from platui.ui.screens.run.body import RunBody

_OF_A_VARIABLE: Final = frozenset({"run.remove", "run.key", "run.secret"})
_NOT_REMOVABLE: Final = "Only a typed or saved trigger token can be removed."


class VariableKeys(Controller["RunBody"]):
    @command("a", "run.add", "Add")
    async def add(self) -> None:
        """Add a variable as KEY=value, or by its key."""
        await self.body.view.type(FieldInput(ADD, KEY, hint="KEY=value"))

    @command("s", "run.add_secret", "Secret")
    async def add_secret(self) -> None:
        """Add a secret variable; its value is masked and never saved."""
        hint = "key of the secret; enter its value next"
        await self.body.view.type(FieldInput(ADD, HIDDEN_KEY, hint=hint))

    @command("x,delete", "run.remove", "Remove")
    def remove(self) -> None:
        """Remove this variable, or the typed or saved trigger token."""
        if self._is_on_token:
            self.body.editing.remove_token()
        elif (found := self._variable()) is not None:
            form, number = found
            kept = (*form.variables[:number], *form.variables[number + 1 :])
            self.body.editing.change(replace(form, variables=kept))

    @command("e", "run.key", "Key")
    async def change_key(self) -> None:
        """Change the key of this variable."""
        if (found := self._variable()) is not None:
            form, number = found
            field, key = self.body.view.cursor.field, form.variables[number].key
            await self.body.view.type(FieldInput(field, KEY, key))

    @command("space", "run.secret", "Mask")
    def mask(self) -> None:
        """Mask this variable; unmasking it clears its value."""
        if (found := self._variable()) is None:
            return
        form, number = found
        old = form.variables[number]
        value: str | Secret = "" if isinstance(old.value, Secret) else Secret(old.value)
        self.body.editing.change(form.with_variable(number, replace(old, value=value)))

    @command("u", "run.recent_variables", "Used before")
    async def choose_used(self) -> None:
        """Add the variables of an earlier run in this project."""
        form_state = self.body.form_state
        if form_state is None:
            return
        await self.screen.choose(
            "Variables of which earlier run? Secrets must be typed again",
            ((one, shorten(set_words(one), 200)) for one in form_state.history.variables),
            lambda chosen: self.body.editing.change(form_state.form.with_all(chosen)),
        )

    def disabled_reason(self, command: str) -> str:
        form_state = self.body.form_state
        if form_state is None or not form_state.is_ready:
            return "The form is still loading."
        if command == "run.recent_variables" and not form_state.history.variables:
            return "No variables are saved from earlier runs of this project."
        if command == "run.remove" and self._is_on_token:
            tokens = self.body.service.write_service.trigger_tokens
            return "" if tokens.can_forget(form_state.form.project) else _NOT_REMOVABLE
        if command in _OF_A_VARIABLE and variable_in(self.body.view.cursor.field) is None:
            return "Select a variable first."
        return ""

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if variable_in(self.body.view.cursor.field) is not None:
            return names
        return [name for name in names if name not in _OF_A_VARIABLE]

    @property
    def _is_on_token(self) -> bool:
        return self.body.view.cursor.field == TOKEN

    def _variable(self) -> tuple[RunForm, int] | None:
        form_state, number = self.body.form_state, variable_in(self.body.view.cursor.field)
        return None if form_state is None or number is None else (form_state.form, number)
