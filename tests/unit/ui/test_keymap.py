"""The keys in use: presets, the user's own over them, and what is wrong with a wish."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import get_args

import pytest
from textual.binding import Binding

import platui.ui
from platui.config.settings import KEYMAPS, Keymap, Settings
from platui.present.action_groups import GROUPS
from platui.ui.active_keys import FIXED, ActiveKeys, active_keys
from platui.ui.key_names import key_label
from platui.ui.key_presets import PRESETS
from platui.ui.screen_keys import (
    BoundAction,
    action_ids,
    actions_of,
    actions_on,
    all_view_bindings,
    key_problems,
)

NAMED = {"up", "down", "left", "right", "home", "end", "pageup", "pagedown", "enter", "escape",
         "tab", "space", "delete"}  # fmt: skip
"""Keys that every terminal sends, beside those that print."""

ONLY_WITH_CTRL = {"app.interrupt", "app.suspend", "app.redraw", "app.palette"}
"""What everybody knows by that key, or reaches in another way too."""

HALF_PAGES = ("half_page_down", "half_page_up")


def keys_of(preset: Keymap = "k9s", **own: str) -> ActiveKeys:
    """Return the keys of a preset with some of the user's own: `list_filter` is `list.filter`."""
    return active_keys(Settings(keymap=preset, keys=renamed(own)))


def renamed(own: dict[str, str]) -> dict[str, str]:
    """Return actions by their ids."""
    return {name.replace("_", ".", 1): keys for name, keys in own.items()}


def bound(view: str, keys: ActiveKeys) -> dict[str, BoundAction]:
    """Return the actions of a view by their ids."""
    (found,) = (one for one in all_view_bindings() if one.name == view)
    return {one.id: one for one in actions_of(found, keys)}


def told(**own: str) -> list[tuple[str, str]]:
    """Return the problems of keys: message and hint."""
    settings = Settings(keys=renamed(own), file=Path("/home/me/config.toml"))
    return [(problem.sentence, problem.hint) for problem in key_problems(settings)]


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
    assert {name.partition(".")[0] for name in action_ids()} | {"own"} == set(GROUPS)
    assert not [name for name in action_ids() if name.count(".") != 1]


# presets


def test_config_offers_the_presets_that_there_are() -> None:
    """And no other."""
    assert set(PRESETS) == set(KEYMAPS) == set(get_args(Keymap))
    assert all(action in action_ids() for preset in PRESETS.values() for action in preset)


@pytest.mark.parametrize("preset", KEYMAPS)
def test_a_preset_gives_no_key_twice(preset: Keymap) -> None:
    """Two actions have one key only where they had one by design: as esc has."""
    usual, keys = active_keys(Settings()), keys_of(preset)
    for view in all_view_bindings():
        for way in view.ways:
            before = {one.id: set(one.keys) for one in actions_on(way, usual)}
            for one, other in combinations(actions_on(way, keys), 2):
                if not set(one.keys).isdisjoint(other.keys):
                    assert before[one.id] & before[other.id], (view.name, one.id, other.id)


@pytest.mark.parametrize("preset", KEYMAPS)
def test_every_action_has_a_key_that_every_terminal_sends(preset: Keymap) -> None:
    """Without ctrl, alt and function keys; and what goes half a page has whole pages beside it."""
    keys = keys_of(preset)
    for view in all_view_bindings():
        for one in actions_of(view, keys):
            plain = [key for key in one.keys if "+" not in key or key == "shift+tab"]
            sent = [
                key for key in plain if key in NAMED | {"shift+tab"} or len(key_label(key)) == 1
            ]
            usual = one.id in ONLY_WITH_CTRL or one.id.endswith(HALF_PAGES)
            assert sent or usual, (view.name, one)


@pytest.mark.parametrize("preset", KEYMAPS)
def test_writes_have_few_keys_and_none_of_what_refreshes(preset: Keymap) -> None:
    """A hand that is used to another program writes nothing by it."""
    keys = keys_of(preset)
    writes = {
        key_label(key)
        for view in all_view_bindings()
        for one in actions_of(view, keys)
        if one.id.startswith("write.")
        for key in one.keys
    }
    again = "B" if preset == "lazygit" else "R"
    assert writes == {"D", "E", "N", "O", "P", "S", "T", "U", "X", "ctrl+enter", "t", again}
    assert "R" not in writes or preset != "lazygit"
    assert not {"r", "ctrl+r"} & writes


def test_vim_moves_by_h_and_l() -> None:
    """L is the log, + loads the rest, V chooses lines."""
    jobs, log = bound("jobs", keys_of("vim")), bound("log", keys_of("vim"))
    assert (jobs["list.focus_details"].keys, jobs["jobs.log"].keys) == (("right", "l"), ("L",))
    assert jobs["list.load_all"].keys == ("plus",)
    assert log["log.left"].keys == ("left", "h")
    assert log["log.page_down"].keys == ("pagedown", "ctrl+f")
    assert (log["log.select"].keys, log["log.editor"].keys) == (("V", "space"), ("O",))


def test_lazygit_refreshes_by_r_and_lists_actions_by_x() -> None:
    """And goes to the ends by < and >."""
    triage = bound("triage", keys_of("lazygit"))
    assert triage["view.refresh"].keys == ("r", "R", "ctrl+r")
    assert triage["app.help"].keys == ("question_mark", "x")
    assert triage["table.top"].keys == ("g", "home", "less_than_sign")
    assert triage["write.rerun"].keys == ("B",)


# one's own


def test_ones_own_keys_go_before_those_of_the_preset() -> None:
    """Several, or none."""
    jobs = bound("jobs", keys_of("vim", jobs_log="m,f5", list_sort=""))
    assert jobs["jobs.log"].keys == ("m", "f5")
    assert jobs["list.sort"].keys == ()
    assert jobs["list.focus_details"].keys == ("right", "l")


def test_a_key_of_ones_own_does_nothing_else() -> None:
    """What had it before keeps its other keys."""
    jobs = bound("jobs", keys_of(list_failed="j"))
    assert jobs["list.failed"].keys == ("j",)
    assert jobs["table.down"].keys == ("down",)


def test_of_two_that_want_one_key_the_later_has_it() -> None:
    """As the last line of a file goes before those above it."""
    jobs = bound("jobs", keys_of(list_failed="m", list_raw="m"))
    assert (jobs["list.failed"].keys, jobs["list.raw"].keys) == ((), ("m",))


def test_keys_that_lead_out_stay() -> None:
    """Nobody is locked in, whatever the file says."""
    keys = keys_of(
        view_quit="", app_help="f1", view_back="backspace", jobs_log="enter", app_utc="q"
    )
    jobs = bound("jobs", keys)
    assert jobs["view.quit"].keys == ("q",)
    assert jobs["app.help"].keys == ("f1", "question_mark")
    assert jobs["view.back"].keys == ("backspace", "escape")
    assert jobs["table.open"].keys == ("enter",)
    assert (jobs["jobs.log"].keys, jobs["app.utc"].keys) == ((), ())
    assert {"q", "question_mark", "escape", "enter"} <= FIXED


# what is wrong with it


def test_an_unknown_action_is_answered_with_the_nearest() -> None:
    """A typo in config.toml is not ignored."""
    assert told(list_filter="f4", list_filtre="g") == [
        (
            "config.toml, [keys] list.filtre: unknown action.",
            "Did you mean list.filter?",
        )
    ]


def test_what_is_no_key_names_the_line_of_the_file() -> None:
    """The action stays where it was."""
    assert told(list_filter="ctlr+f") == [
        ("config.toml, [keys] list.filter: unknown key ctlr+f.", "Did you mean ctrl+f?")
    ]
    assert bound("jobs", keys_of(list_filter="ctlr+f"))["list.filter"].keys == ("slash",)


def test_keys_that_stay_are_not_given_away() -> None:
    """Both ways."""
    given, taken = told(jobs_log="enter", view_quit="")
    assert given[0] == "config.toml, [keys] jobs.log: enter cannot be reassigned."
    assert taken[0] == "config.toml, [keys] view.quit: q cannot be removed."
    assert "esc, q" in given[1]
    assert "always leave" in given[1]


def test_a_clash_is_told_once_and_names_both() -> None:
    """With the views in which it is one, and what ends it."""
    ((sentence, hint),) = told(jobs_log="d")
    assert sentence == (
        "config.toml, [keys]: d of jobs.log (Log) is also bound to list.details (Details) in Jobs; "
        "Log applies."
    )
    assert hint == 'Give list.details another key, or "" for none.'
    ((sentence, _),) = told(list_raw="=")
    assert sentence.endswith("in Triage, Projects, Pipelines and 3 other views; Raw JSON applies.")


def test_a_clash_in_one_part_of_a_view_is_told_too() -> None:
    """The table takes 1 from the areas, the details beside it do not."""
    assert any(
        "1 of table.mark (Mark) is also bound to app.triage" in one
        for one, _ in told(table_mark="1")
    )


def test_what_shared_a_key_before_may_share_another() -> None:
    """Esc leaves the lines that are chosen first, then the view; both may be moved together."""
    assert told(view_back="esc,f9", log_clear_selection="esc,f9") == []
    assert told(write_rerun="f7", write_run_schedule="f7") == []
