"""Which commit a cause of several incidents is said to have come with, if any."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest
from tests.support.lane import NOW

from platui.analysis.triage.causes import EXTERNAL_KINDS, count_same_commit, suspect_incident
from platui.analysis.triage.signatures.kinds import KINDS
from platui.models.values.triage import Incident, Lane, PipelineRun, Signature
from platui.models.values.triage_board import BoardItem, BoardState, CauseGroup

RENAMED: Final = Signature("k", "relation is missing", "x", "relation is missing")
EXPIRED: Final = replace(RENAMED, kind="password has expired")


def broken(project: int, word: str, minutes: float = 0.0) -> BoardItem:
    """Return an incident: `n` at a new commit, `s` at the one that was green, `?` who knows."""
    green = None if word == "?" else PipelineRun(1, "success", sha=f"{project}a")
    red = PipelineRun(2, "failed", sha=f"{project}{'a' if word == 's' else 'b'}")
    at = red._replace(ended_at=NOW + timedelta(minutes=minutes))
    lane = Lane(project, "main")
    incident = Incident(lane, at, at, 1, (2,), green, is_at_least=word == "?", is_main=True)
    return BoardItem(BoardState.BROKEN, lane, incident, is_main=True)


@pytest.mark.parametrize(
    ("words", "minutes", "told"),
    [
        ("sns", (0, 0.5, 9), 1),  # a downstream run failed some seconds before
        ("nss", (0, 5, 9), 0),
        ("n??", (0, 5, 9), 0),
        ("ssn", (0, 5, 45), None),  # long after the cause was there
        ("snn", (0, 5, 300), 1),  # by then it was broken anyway
        ("nns", (0, 1, 2), None),  # two commits within a minute: what is common lies elsewhere
        ("sss", (0, 1, 2), None),
        ("???", (0, 1, 2), None),
    ],
)
def test_the_only_new_commit_is_told(
    words: str, minutes: tuple[float, ...], told: int | None
) -> None:
    """And none where several are new, or the only one came later."""
    items = [
        broken(number, word, at)
        for number, (word, at) in enumerate(zip(words, minutes, strict=True))
    ]
    group = CauseGroup(RENAMED, tuple(items))
    assert suspect_incident(group) is (None if told is None else items[told])
    assert count_same_commit(group) == words.count("s")
    assert suspect_incident(group._replace(signature=EXPIRED)) is None


def test_one_commit_of_one_project_is_one_however_often_it_fails() -> None:
    """A push and a schedule break with it; a branch of somebody's does not count beside them."""
    first, again, other = broken(1, "n"), broken(1, "n", 7), broken(2, "n", 1)
    group = CauseGroup(RENAMED, (again, first))
    assert suspect_incident(group) is first
    aside = replace(other, is_main=False)
    assert suspect_incident(group._replace(items=(again, aside, first))) is first
    assert suspect_incident(CauseGroup(RENAMED, (aside, replace(other, is_main=False)))) is aside


def test_what_comes_from_outside_is_a_kind() -> None:
    """By the keys of kinds."""
    assert {kind.name for kind in KINDS} >= EXTERNAL_KINDS
