"""The effects of writes in words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.support.lane import HOUR, NOW, pipeline

from platui.analysis.triage.board import item_of
from platui.analysis.triage.incidents import Listed, states_of
from platui.models.values.write_effects import WriteEffect
from platui.models.values.writes import NewPipeline, RecordAction, WriteAction
from platui.models.wire import Job
from platui.present.writes.effects import board_effect, effect_words

if TYPE_CHECKING:
    from platui.models.values.triage_board import BoardItem
    from platui.models.wire import Pipeline

BEFORE = [
    pipeline(1000, "r", source="push"), pipeline(999, "r", source="schedule"),
    pipeline(998, "g", source="push"), pipeline(997, "g", source="schedule"),
]  # fmt: skip


def rows(*newer: Pipeline) -> dict[str, BoardItem]:
    """Return the rows of main by the source of their pipelines."""
    states = states_of(Listed(7, [*newer, *BEFORE], main="main"), NOW)
    found = [item_of(state, NOW) for state in states]
    return {one.lane.way: one for one in found if one is not None}


def rerun(of: int, new: Pipeline | None, **known: Any) -> WriteEffect:
    """Return the effect of running a pipeline again."""
    return WriteEffect(NewPipeline(7, "main", rerun_of=of), NOW, new, **known)


def test_a_rerun_concerns_the_row_of_its_pipeline_only() -> None:
    """The new pipeline runs in both lanes; only one was run again, also where they are a group."""
    new = pipeline(1001, "*", source="api", created_at=NOW - HOUR)
    both = rows(new)
    effects = dict.fromkeys((("pipeline", 1000), ("pipeline", 1001)), rerun(1000, new))
    words = ("rerun #1001 · running 1h", "running")
    assert board_effect(effects, [both["push"]], NOW) == words
    assert board_effect(effects, [both["schedule"]], NOW) is None
    assert board_effect(effects, [*both.values()], NOW) == words


def test_one_run_of_several_rows_counts_once() -> None:
    """And what was not seen to arrive is unknown, in a sum as well."""
    new = pipeline(1001, "*", source="api")
    started = replace(rerun(0, new), intent=NewPipeline(7, "main"))
    both = [*rows(new).values()]
    found = board_effect({("pipeline", 1001): started}, both, NOW)
    assert found is not None
    assert found[0].startswith("started · running")
    lost = rerun(0, None, is_unconfirmed=True)
    effects = {
        ("pipeline", number): replace(lost, intent=NewPipeline(7, "main", rerun_of=number))
        for number in (1000, 999)
    }
    assert board_effect(effects, both, NOW) == ("2 rerun · 2 result unknown", "accent")


def test_a_played_job_waits_since_it_was_played() -> None:
    """It was created with its pipeline, hours before."""
    job = Job(id=5, name="deploy", stage="deploy", status="pending", created_at=NOW - 5 * HOUR)
    effect = WriteEffect(RecordAction(WriteAction.PLAY_JOB, 7, 5), NOW - HOUR / 60, job)
    assert effect_words(effect, NOW)[0] == "started · pending 1m"
