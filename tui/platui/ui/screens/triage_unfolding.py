"""The causes of the triage board: each as one row, or with a line for each of its incidents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual.binding import Binding

from platui.ui.screens.owing import OwesKeys

if TYPE_CHECKING:
    from textual.binding import BindingType

    from platui.present.triage import BoardRows

_OPENED: Final = "opened"
"""Of what is kept: the keys of the causes that show each of their incidents, a line each."""


class UnfoldsCauses(OwesKeys):
    """Knows which causes show each of their incidents; `right`, `left` and `x` change that."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "right",
            "open_cause",
            "Unfold",
            id="triage.open_cause",
            tooltip="A line for each incident of this cause; where there is none, the details",
        ),
        Binding(
            "left",
            "fold_cause",
            "Fold",
            id="triage.fold_cause",
            show=False,
            tooltip="The incidents of this cause as one row again",
        ),
        Binding(
            "x",
            "all_causes",
            "Unfold all",
            id="triage.all_causes",
            show=False,
            tooltip="A line for each incident of every cause, or a row a cause again",
        ),
    ]

    drawn: BoardRows | None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        kept = self.kept.extra.get(_OPENED, "") if self.kept is not None else ""
        self.opened = frozenset(kept.splitlines())
        """Causes that show each of their incidents."""
        self.is_folding = False
        """Whether rows come and go because somebody wants to see more of them, or fewer."""

    @property
    def kept_opened(self) -> dict[str, str]:
        """Return what is kept of it."""
        return {_OPENED: "\n".join(sorted(self.opened))}

    @property
    def can_unfold(self) -> bool:
        """Return whether the cursor is on a cause that is shown as one row."""
        drawn = self.drawn
        return drawn is not None and self.table.cursor_key in drawn.causes - self.opened

    def action_open_cause(self) -> None:
        """Show each incident of the cause; where it is shown or alone, go into the details."""
        if self.owes(self.action_open_cause):
            return
        key, drawn = self.table.cursor_key, self.drawn
        if drawn is not None and key in drawn.causes and key not in self.opened:
            self._fold(self.opened | {key})
        else:
            self.action_read_details()

    def action_fold_cause(self) -> None:
        """Show the cause that the cursor is in as one row."""
        key, drawn = self.table.cursor_key, self.drawn
        if key is None or drawn is None:
            return
        cause = key if key in self.opened else drawn.causes_of.get(key)
        if cause in self.opened:
            self._fold(self.opened - {cause})
            self.table.move_to(cause)

    def action_all_causes(self) -> None:
        """Show each incident of every cause, or a row a cause where they are shown."""
        causes = self.drawn.causes if self.drawn is not None else frozenset()
        self._fold(frozenset() if causes <= self.opened else self.opened | causes)

    def _fold(self, opened: frozenset[str]) -> None:
        """Show each incident of these causes, and of no other."""
        self.opened, self.is_folding = opened, True
        self.draw()
        self.is_folding = False
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey what there is nothing to do with."""
        if action == "open_cause" and self.is_whole:
            leads_in = self.drawn is not None and (self.can_unfold or self.is_roomy)
            return True if leads_in or self.would_owe() else None
        if action == "all_causes" and self.is_whole:
            return True if self.drawn is not None and self.drawn.causes else None
        return super().check_action(action, parameters)
