"""Former ids of actions in `[keys]` keep working, with a notice."""

from __future__ import annotations

from pathlib import Path

import pytest

from platui.config.settings import Settings
from platui.ui.active_keys import active_keys
from platui.ui.key_presets import PRESETS
from platui.ui.renamed_actions import RENAMED, renaming_notices, with_current_ids
from platui.ui.screen_keys import action_ids, key_problems


def settings(**keys: str) -> Settings:
    return Settings(keys=keys, file=Path("/home/me/config.toml"))


def test_every_former_id_leads_to_an_action() -> None:
    known = action_ids()
    assert set(RENAMED.values()) <= known
    assert known.isdisjoint(RENAMED)


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_use_current_ids(preset: str) -> None:
    assert RENAMED.keys().isdisjoint(PRESETS[preset])


@pytest.mark.parametrize(("former", "current"), RENAMED.items())
def test_a_former_id_binds_the_key_of_its_action(former: str, current: str) -> None:
    own = settings(**{former: "f9"})
    assert "f9" in active_keys(own).keys_of(current, ("x",))
    assert key_problems(own) == []


def test_a_notice_names_the_current_id() -> None:
    (notice,) = renaming_notices(settings(**{"place.up": "f9", "list.filter": "f8"}))
    assert notice == "config.toml, [keys]: place.up is now view.back; please rename it."


def test_the_current_id_wins_where_both_are_set() -> None:
    both = settings(**{"place.hold": "f8", "view.pause": "f9"})
    assert with_current_ids(both.keys) == {"view.pause": "f9"}
    (notice,) = renaming_notices(both)
    assert "view.pause" in notice
    assert "remove" in notice


def test_a_problem_names_the_id_of_the_file() -> None:
    """As config check and platui keys print it, also for a former id."""
    [problem] = key_problems(settings(**{"access.everybody": "nothing-known"}))
    assert problem.action == "access.everybody"
    assert "[keys] access.everybody: " in problem.sentence
