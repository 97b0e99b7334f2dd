"""The user's own keys."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from textual.binding import Binding

import platui.ui
from platui.ui.dialogs.help import GROUPS
from platui.ui.keymap import action_ids, unknown_actions


def test_every_binding_with_a_name_can_be_bound() -> None:
    """Nothing with keys of its own is left out; dialogs keep theirs."""
    named: set[str] = set()
    for module in pkgutil.walk_packages(platui.ui.__path__, "platui.ui."):
        if ".dialogs." in module.name:
            continue
        for thing in vars(import_module(module.name)).values():
            if isinstance(thing, type) and ".dialogs." not in thing.__module__:
                bindings = [
                    one for one in vars(thing).get("BINDINGS", ()) if isinstance(one, Binding)
                ]
                named.update(one.id for one in bindings if one.id)
    own = {name for name in named if name.partition(".")[0] not in {"prompt", "welcome"}}
    assert own == action_ids()


def test_names_tell_where_their_keys_work() -> None:
    """As `[keys]` has them: a view that help knows, and what they do there."""
    assert {name.partition(".")[0] for name in action_ids()} == set(GROUPS)
    assert not [name for name in action_ids() if name.count(".") != 1]


def test_an_unknown_action_is_answered_with_the_nearest() -> None:
    """A typo in config.toml is not ignored."""
    (problem,) = unknown_actions({"list.filter": "f", "list.filtre": "g"})
    assert problem.sentence == "There is no action list.filtre to bind a key to."
    assert problem.hint == "Did you mean list.filter?"
