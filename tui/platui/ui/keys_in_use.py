"""The keys that work: those of the code, a preset's over them, the user's own over both.

Textual has a keymap of its own. It takes no key away, drops whatever else a key did in the same
widget, and is worked out anew at each key; here it is worked out once for each kind of widget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from textual.binding import Binding, BindingsMap
from textual.keys import key_to_character
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

from platui.ui.key_names import KeyNameError, read_keys, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from textual.dom import DOMNode

    from platui.config.settings import Settings

FIXED: Final = frozenset({"enter", "escape", "q", "question_mark", "colon", "ctrl+c"})
"""Keys that always do what they do, or somebody could be locked in without knowing why."""

_Keys = dict[str, list[Binding]]


class KeysInUse:
    """What each kind of widget has for keys."""

    def __init__(
        self, preset: Mapping[str, Sequence[str]], own: Mapping[str, Sequence[str]]
    ) -> None:
        """Take what differs from the code.

        Args:
            preset: id of an action -> its keys, as Textual names them.
            own: the same of the user; no keys: the action has none. Of two that have one key,
                the later one has it.
        """
        self._wanted = {**preset, **own}
        self._claims: dict[str, list[str]] = {}
        """A key of the user's own -> the ids that want it, the last one first."""
        for action, keys in own.items():
            for key in set(keys) - FIXED:
                self._claims.setdefault(key, []).insert(0, action)
        self._of_kind: dict[type[DOMNode], _Keys] = {}
        self._together: dict[tuple[type[DOMNode], ...], list[_Keys]] = {}
        self._usual: dict[str, set[str]] = {}
        """The keys that an action has in the code or preset."""
        self._preset = preset

    @property
    def is_usual(self) -> bool:
        """Return whether all keys are those of the code."""
        return not self._wanted

    def keys_of(self, action: str, usual: Sequence[str]) -> tuple[str, ...]:
        """Return the keys of an action.

        Args:
            action: its id.
            usual: those of the code.
        """
        wanted = self._wanted.get(action)
        if wanted is None:
            return tuple(usual)
        free = [key for key in wanted if key not in FIXED or key in usual]
        return tuple(dict.fromkeys([*free, *(key for key in usual if key in FIXED)]))

    def of_kind(self, kind: type[DOMNode]) -> _Keys:
        """Return the keys of a kind of widget, screen or app, whatever is around it."""
        if kind not in self._of_kind:
            self._of_kind[kind] = self._bound(kind)
        return self._of_kind[kind]

    def first(self, action: str, *kinds: type[DOMNode]) -> str:
        """Return the first key of an action of one of some kinds, as people say it; empty: none."""
        bound = (each for kind in kinds for each in self.of_kind(kind).items())
        return said(next((key for key, ones in bound for one in ones if one.id == action), ""))

    def together(self, kinds: Sequence[type[DOMNode]]) -> list[_Keys]:
        """Return the keys of widgets that lie in each other, the innermost first.

        A key that the user has given to an action does nothing else on the way, unless the two
        had a key in common before.
        """
        found = self._together.get(tuple(kinds))
        if found is None:
            found = [dict(self.of_kind(kind)) for kind in kinds]
            for key, claims in self._claims.items():
                self._settle(key, claims, found)
            self._together[tuple(kinds)] = found
        return found

    def rebind(self, chain: list[tuple[DOMNode, BindingsMap]]) -> list[tuple[DOMNode, BindingsMap]]:
        """Return what is looked through for a key, with the keys in use."""
        if self.is_usual:
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

    def is_shared(self, one: str, other: str) -> bool:
        """Return whether two actions had a key in common before the user's own."""
        return not self._usual.get(one, set()).isdisjoint(self._usual.get(other, set()))

    def _bound(self, kind: type[DOMNode]) -> _Keys:
        usual = kind._merged_bindings or BindingsMap()  # noqa: SLF001  (what a node starts with)
        own: dict[str, list[str]] = {}
        for key, binding in usual:
            if binding.id:
                own.setdefault(binding.id, []).append(key)
        for action, keys in own.items():
            self._usual.setdefault(action, set()).update(self._preset.get(action, keys))
        bound: _Keys = {}
        done: set[str] = set()
        for key, binding in usual:
            action = binding.id or ""
            if action not in self._wanted:
                bound.setdefault(key, []).append(binding)
            elif action not in done:
                done.add(action)
                for wanted in self.keys_of(action, own[action]):
                    bound.setdefault(wanted, []).append(binding.with_key(wanted))
        return bound

    def _settle(self, key: str, claims: Sequence[str], keys: list[_Keys]) -> None:
        """Leave a key to the one that the user gave it to."""
        here = {one.id or "" for of_node in keys for one in of_node.get(key, ())}
        owner = next((action for action in claims if action in here), None)
        if owner is None:
            return
        for of_node in keys:
            if key in of_node:
                of_node[key] = [
                    one
                    for one in of_node[key]
                    if one.id == owner or self.is_shared(one.id or "", owner)
                ]


def keys_in_use(settings: Settings) -> KeysInUse:
    """Return the keys of settings; what of the user's own is no key, or not to be had, is left."""
    preset: dict[str, tuple[str, ...]] = {}
    if settings.keymap != "k9s":
        from platui.ui.key_presets import PRESETS  # noqa: PLC0415  (where one is chosen only)

        preset = {action: read_keys(text) for action, text in PRESETS[settings.keymap].items()}
    own: dict[str, tuple[str, ...]] = {}
    for action, text in settings.keys.items():
        try:
            own[action] = read_keys(text)
        except KeyNameError:
            continue  # told by `key_problems`; the action stays where it is
    return KeysInUse(preset, own)


_USUAL: Final = KeysInUse({}, {})


class HasKeys:
    """An app that knows which keys are in use."""

    keys_in_use: KeysInUse


class KeyedScreen(Screen[ScreenResultType]):
    """A screen with the keys in use, rather than with those of the code."""

    @property
    def _binding_chain(self) -> list[tuple[DOMNode, BindingsMap]]:
        """Return what is looked through for a key; Textual's property, which a test pins."""
        return self._keys_in_use.rebind(super()._binding_chain)

    def key_of(self, action: str, *parts: type[DOMNode]) -> str:
        """Return the first key of an action here or of the app, as people say it; empty: none.

        For what is told in a sentence: the footer and the help see for themselves.

        Args:
            action: its id.
            parts: kinds of widgets of this screen whose action it may be.
        """
        return self._keys_in_use.first(action, type(self), *parts, type(self.app))

    def keyed(self, text: str) -> str:
        """Return a text of ours in which `{action.id}` stands for the key of an action."""
        from platui.present.guide.told import with_keys  # noqa: PLC0415  (not for a first frame)

        return with_keys(text, self.key_of)

    @property
    def _keys_in_use(self) -> KeysInUse:
        app: Any = self.app
        return app.keys_in_use if isinstance(app, HasKeys) else _USUAL


def _typed(key: str, writers: Iterable[DOMNode]) -> bool:
    """Return whether a key is a letter to something that is typed in."""
    return any(one.check_consume_key(key, key_to_character(key)) for one in writers)
