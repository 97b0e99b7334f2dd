"""The active keys: the defaults, overridden by a preset, then by the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from textual.binding import Binding, BindingsMap
from textual.keys import key_to_character
from textual.widget import Widget

from platui.ui.key_names import KeyNameError, key_label, read_keys
from platui.ui.renamed_actions import with_current_ids
from platui.ui.terminal.bindings import bindings_of

if TYPE_CHECKING:
    from textual.dom import DOMNode

    from platui.config.settings import OwnAction, Settings

# Cannot be rebound: without them a user could not leave
FIXED: Final = frozenset({"enter", "escape", "q", "question_mark", "colon", "ctrl+c"})

_Keys = dict[str, list[Binding]]

NO_ACTIONS: Final[Mapping[str, OwnAction]] = MappingProxyType({})


def bind(
    keys: str,
    action_id: str,
    label: str,
    meaning: str = "",
    *,
    action: str = "",
    show: bool = True,
    priority: bool = False,
) -> Binding:
    """Return a binding; the default action is the last part of the id."""
    action = action or action_id.partition(".")[2]
    return Binding(keys, action, label, show, tooltip=meaning, id=action_id, priority=priority)


class ActiveKeys:
    def __init__(
        self,
        preset: Mapping[str, Sequence[str]],
        own: Mapping[str, Sequence[str]],
        actions: Mapping[str, OwnAction] = NO_ACTIONS,
    ) -> None:
        """Take keys by action id, and the user's actions; a later one of the user wins a key."""
        self.actions = actions
        self._wanted = {**preset, **own}
        # User's key -> ids that want it, the last one first
        self._claims: dict[str, list[str]] = {}
        for action, keys in own.items():
            for key in set(keys) - FIXED:
                self._claims.setdefault(key, []).insert(0, action)
        self._of_kind: dict[type[DOMNode], _Keys] = {}
        self._together: dict[tuple[type[DOMNode], ...], list[_Keys]] = {}
        self._usual: dict[str, set[str]] = {}
        self._preset = preset

    @property
    def has_alt(self) -> bool:
        """Whether any key of the preset or of the user's is one with alt."""
        return any("alt+" in key for keys in self._wanted.values() for key in keys)

    def keys_of(self, action: str, usual: Sequence[str]) -> tuple[str, ...]:
        wanted = self._wanted.get(action)
        if wanted is None:
            return tuple(usual)
        free = [key for key in wanted if key not in FIXED or key in usual]
        return tuple(dict.fromkeys([*free, *(key for key in usual if key in FIXED)]))

    def of_kind(self, kind: type[DOMNode]) -> _Keys:
        """Return the keys of one class of widgets, screens or apps."""
        if kind not in self._of_kind:
            self._of_kind[kind] = self._bound(kind)
        return self._of_kind[kind]

    def first(self, action: str, *kinds: type[DOMNode]) -> str:
        """Return the display name of an action's first key; empty: none."""
        bound = (each for kind in kinds for each in self.of_kind(kind).items())
        return key_label(next((key for key, ones in bound for one in ones if one.id == action), ""))

    def together(self, kinds: Sequence[type[DOMNode]]) -> list[_Keys]:
        """Return the keys of nested widgets, innermost first; a key of the user's has no others."""
        found = self._together.get(tuple(kinds))
        if found is None:
            found = [dict(self.of_kind(kind)) for kind in kinds]
            for key, claims in self._claims.items():
                self._settle(key, claims, found)
            self._together[tuple(kinds)] = found
        return found

    def rebind(self, chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
        if not self._wanted:
            return chain
        keys = self.together([type(node) for node, _ in chain])
        writers: list[DOMNode] = []
        bound: list[tuple[DOMNode, BindingsMap]] = []
        for (node, _), of_node in zip(chain, keys, strict=True):
            own = {key: one for key, one in of_node.items() if not _typed(key, writers)}
            bound.append((node, BindingsMap.from_keys(own)))
            if type(node).check_consume_key is not Widget.check_consume_key:
                writers.append(node)
        return bound

    def bindings_of(self, kind: type[DOMNode]) -> list[tuple[str, Binding]]:
        """Return the default keys of a class; own actions have none."""
        bindings = list(bindings_of(kind))
        if self.actions:
            from platui.ui.own_actions import bindings_in  # noqa: PLC0415  (with own actions only)

            bindings += [("", one) for one in bindings_in(kind, self.actions)]
        return bindings

    def _bound(self, kind: type[DOMNode]) -> _Keys:
        usual = self.bindings_of(kind)
        own: dict[str, list[str]] = {}
        for key, binding in usual:
            if binding.id:
                own.setdefault(binding.id, []).append(key)
        for action, keys in own.items():
            usual_keys = filter(None, self._preset.get(action, keys))  # own actions have none
            self._usual.setdefault(action, set()).update(usual_keys)
        bound: _Keys = {}
        done: set[str] = set()
        for key, binding in usual:
            action = binding.id or ""
            if action not in self._wanted and key:
                bound.setdefault(key, []).append(binding)
            elif action in self._wanted and action not in done:
                done.add(action)
                for wanted in self.keys_of(action, own[action]):
                    bound.setdefault(wanted, []).append(binding.with_key(wanted))
        return bound

    def _settle(self, key: str, claims: Sequence[str], keys: list[_Keys]) -> None:
        here = {one.id or "" for of_node in keys for one in of_node.get(key, ())}
        owner = next((action for action in claims if action in here), None)
        if owner is None:
            return
        shared = self._usual.get(owner, set())
        for of_node in keys:
            if key in of_node:
                of_node[key] = [
                    one
                    for one in of_node[key]
                    if one.id == owner or not shared.isdisjoint(self._usual.get(one.id or "", ()))
                ]


def active_keys(settings: Settings) -> ActiveKeys:
    """Return the keys of settings, without invalid ones."""
    preset: dict[str, tuple[str, ...]] = {}
    if settings.keymap != "k9s":
        from platui.ui.key_presets import PRESETS  # noqa: PLC0415  (where one is chosen only)

        preset = {action: read_keys(text) for action, text in PRESETS[settings.keymap].items()}
    keys, actions, own = settings.keys, NO_ACTIONS, dict[str, tuple[str, ...]]()
    if settings.actions:
        from platui.ui.own_actions import actions_by_id, own_keys  # noqa: PLC0415  (with own actions only)

        keys, actions = own_keys(settings), actions_by_id(settings)
    for action, text in with_current_ids(keys).items():
        try:
            own[action] = read_keys(text)
        except KeyNameError:
            continue  # reported by `key_problems`
    return ActiveKeys(preset, own, actions)


DEFAULT_KEYS: Final = ActiveKeys({}, {})


def _typed(key: str, writers: Iterable[DOMNode]) -> bool:
    return any(one.check_consume_key(key, key_to_character(key)) for one in writers)
