"""Which of some actions have a key now; `Screen.active_bindings` checks all, which is slow."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from textual.binding import ActiveBinding

if TYPE_CHECKING:
    from textual.binding import Binding
    from textual.dom import DOMNode
    from textual.screen import Screen


def active_bindings_of(screen: Screen[Any], ids: Collection[str]) -> dict[str, ActiveBinding]:
    """Return the first active binding of each id."""
    of_key: dict[str, list[tuple[DOMNode, Binding]]] = {}
    for node, bindings in screen._modal_binding_chain:  # noqa: SLF001  (no public access)
        for key, binding in bindings:
            of_key.setdefault(key, []).append((node, binding))
    active: dict[str, ActiveBinding] = {}
    for bound in of_key.values():
        if all(binding.id not in ids for _, binding in bound):
            continue
        states = (_state(screen, node, binding) for node, binding in bound)
        found = [one for one in states if one is not None]
        # The innermost one that has priority, or else the innermost one.
        first = max(found, key=lambda one: one.binding.priority, default=None)
        if first is not None and first.binding.id in ids:
            active.setdefault(first.binding.id or "", first)
    return active


def _state(screen: Screen[Any], node: DOMNode, binding: Binding) -> ActiveBinding | None:
    state = screen.app._check_action_state(binding.action, node)  # noqa: SLF001  (as Screen does)
    return None if state is False else ActiveBinding(node, binding, bool(state), binding.tooltip)
