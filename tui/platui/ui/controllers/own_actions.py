"""The keys of the user's own actions, in every view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from platui.core.text import clean
from platui.ui.controller import Controller
from platui.ui.messages import RunOwnAction
from platui.ui.screens.parts.body import Body
from platui.ui.screens.parts.list_body import ListBody

if TYPE_CHECKING:
    from platui.config.settings import OwnAction

_LAST: frozenset[str] = frozenset({"view.refresh", "app.command"})  # In the footer


class OwnActions(Controller[Body]):
    @property
    def actions(self) -> Mapping[str, OwnAction]:
        actions: Mapping[str, OwnAction] = self.screen.app.active_keys.actions
        return actions

    def disabled_reason(self, command: str) -> str:
        from platui.ui.own_actions import missing_value  # noqa: PLC0415  (with own ones)
        from platui.ui.own_values import values_of  # noqa: PLC0415  (with own ones)

        if isinstance(self.body, ListBody) and len(self.body.table.marks) > 1:
            return f"{clean(self.actions[command].title)} acts on one row: esc removes the marks."
        return missing_value(self.actions[command], values_of(self.body))

    async def run(self, command: str) -> None:
        from platui.ui.own_values import values_of  # noqa: PLC0415  (with own ones)

        self.screen.post_message(RunOwnAction(self.actions[command], values_of(self.body)))

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if not self.actions:
            return names
        last = [name for name in names if name in _LAST]
        return [*(name for name in names if name not in _LAST), *self.actions, *last]
