"""What is held side by side of an incident, from lists of pipelines and jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.support.lane import HOUR, NOW, newest_first, pipeline

from platui.analysis.triage.incidents import Listed
from platui.analysis.triage.timeline import stretch_of
from platui.models.values.triage import (
    Cause,
    ChangedVariable,
    FailedStep,
    FailurePoint,
    Signature,
)
from platui.models.wire import Job, Pipeline
from platui.present.triage.broken_since import (
    SinceFacts,
    job_of,
    runs_of,
    since_columns,
    since_pieces,
    since_rows,
    since_strip,
    strip_legend,
    without_branch,
)

if TYPE_CHECKING:
    from platui.models.values.table import Row


def facts_of(word: str, at: int, *, is_whole: bool = False, **known: Any) -> SinceFacts:
    """Return what is known of the incident around a pipeline of a list."""
    listed = Listed(7, newest_first(word, source="push"), is_whole=is_whole)
    stretch = stretch_of(listed, at)
    assert stretch is not None
    return SinceFacts(stretch, **known)


def table(facts: SinceFacts) -> dict[str, Row]:
    """Return the rows by their keys."""
    return {row.key: row for row in since_rows(facts, NOW, utc=True)}


def said(row: Row) -> list[str]:
    """Return the texts of a row: those of its cells, then the lines below."""
    return [*(cell.text for cell in row.cells), *(line.left.text for line in row.below)]


def job(id_: int, name: str, status: str = "success", **fields: Any) -> Job:
    """Return a job."""
    return Job(id=id_, name=name, status=status, stage=name[:4], **fields)


def cause(key: str, line: str, name: str = "dbt_run") -> Cause:
    """Return a cause."""
    step = FailedStep(9, name)
    return Cause(FailurePoint(step), Signature(key, line, line))


def test_three_pipelines_stand_side_by_side() -> None:
    """Each with its number, its time and its commit; two where the first red is the newest."""
    facts = facts_of("rrrg", 1000)
    assert [column.title for column in since_columns(facts.stretch)] == [
        "", "LAST SUCCESS", "FIRST FAILED", "NEWEST FAILED",
    ]  # fmt: skip
    rows = table(facts)
    assert said(rows["run:id"]) == ["pipeline", "#997", "#998", "#1000"]
    assert said(rows["run:when"]) == ["when", "00:21 (2h)", "01:21 (1h)", "03:21 (0s)"]
    assert said(rows["run:commit"])[1:] == ["00000000"] * 3
    assert said(rows["run:took"]) == ["took", "9m00s", "9m00s", "9m00s"]
    assert [one.title for one in since_columns(facts_of("rg", 1000).stretch)][1:] == [
        "LAST SUCCESS", "FIRST FAILED",
    ]  # fmt: skip
    assert [one.title for one in since_columns(facts_of("r", 1000).stretch)][1:] == ["FIRST FAILED"]


def test_what_is_not_known_yet_is_told_apart_from_what_nobody_tells() -> None:
    """Dots at first, words once it was asked for."""
    facts = facts_of("rg", 1000)
    assert said(table(facts)["run:cause"]) == ["cause", "", "…"]
    assert said(table(facts)["run:variables"]) == ["variables", "", "…"]
    assert said(table(facts)["run:jobs"]) == ["jobs", "…", "…"]
    nothing = Cause(FailurePoint(None), None)
    asked = facts_of("rg", 1000, causes={1000: nothing}, has_asked_variables=True)
    assert said(table(asked)["run:cause"]) == ["cause", "", "unknown"]
    assert said(table(asked)["run:variables"]) == ["variables", "", "not available"]


def test_one_cause_is_told_once_and_another_one_beside_it() -> None:
    """With the job that broke it."""
    same = facts_of("rrg", 1000, causes={999: cause("a", "no table"), 1000: cause("a", "no t.")})
    assert said(table(same)["run:cause"]) == ["cause", "", "dbt_run", "unchanged", "no table"]
    other = facts_of(
        "rrg", 1000, causes={999: cause("a", "no table"), 1000: cause("b", "full", "load")}
    )
    assert said(table(other)["run:cause"]) == [
        "cause", "", "dbt_run", "load", "no table", "now: full",
    ]  # fmt: skip


def test_jobs_that_changed_stand_before_those_that_did_not() -> None:
    """Those go in the order in which the platform made them; a job may be missing in one."""
    facts = facts_of(
        "rrg",
        1000,
        jobs={
            998: [job(3, "test"), job(2, "build"), job(1, "load")],
            999: [job(13, "test", "skipped"), job(12, "build", "failed"), job(11, "load")],
            1000: [job(22, "build", "failed"), job(21, "load")],
        },
    )
    rows = since_rows(facts, NOW, utc=True)
    steps = [row for row in rows if job_of(row.key) is not None]
    assert [said(row) for row in steps] == [
        ["  build", "✔ success", "✖ failed", "✖ failed"],
        ["  test", "✔ success", "» skipped", "absent"],
        ["  load", "✔ success", "✔ success", "✔ success"],
    ]
    assert [row.muted for row in steps] == [False, False, True]
    assert list(runs_of(facts, "test")) == [999, 998]
    assert job_of("run:id") is None


def test_variables_are_named_and_never_their_values() -> None:
    """By what became of them."""
    kinds = {"A": "added", "B": "changed", "C": "added"}
    changed = tuple(ChangedVariable(key, change) for key, change in kinds.items())
    rows = table(facts_of("rg", 1000, variables=changed, has_asked_variables=True))
    assert said(rows["run:variables"]) == [
        "variables", "", "3 differences", "added: A, C", "changed: B",
    ]  # fmt: skip
    same = table(facts_of("rg", 1000, variables=(), has_asked_variables=True))
    assert said(same["run:variables"])[2] == "unchanged"
    assert "run:variables" not in table(facts_of("r", 1000))


def test_the_line_above_tells_since_when_and_whether_it_is_over() -> None:
    """And why no green one is shown."""

    def words(word: str, at: int, *, is_whole: bool = False) -> tuple[str, str]:
        left, right = since_pieces(facts_of(word, at, is_whole=is_whole), NOW + HOUR, utc=True)
        return " · ".join(text for text, _ in left), " · ".join(text for text, _ in right)

    assert words("rrg", 1000) == ("main · push · ✖ 2 failed since 02:21 (1h)", "")
    assert words("rr", 1000)[0] == "main · push · ✖ at least 2 failed since 02:21 (1h)"
    assert words("rr", 1000)[1] == "last success is older"
    assert words("r", 1000, is_whole=True)[1] == "never succeeded"
    assert words("grrg", 998)[0] == "main · push · ✔ recovered 03:21 after 2 failed"
    assert words("*rg", 999)[0].endswith(" · ● #1000 running")
    late = pipeline(999, "r", source="push", updated_at=NOW + HOUR)
    beside = Listed(7, [*newest_first("r", source="push"), late, pipeline(998, "g", source="push")])
    parallel = stretch_of(beside, 1000)
    assert parallel is not None
    left, _ = since_pieces(SinceFacts(parallel), NOW + HOUR, utc=True)
    assert left[-1] == ("✖ 2 failed since 03:21 (51m)", "failed")


def test_the_strip_has_a_cell_a_run_the_newest_right() -> None:
    """As many as there is room for; height tells what colour tells."""
    strip = since_strip(facts_of("rrgg", 1000).stretch, 80)
    assert "".join(text for text, _ in strip) == "▄▄██ "
    strip = since_strip(facts_of("rrgg", 1000).stretch, 4)
    assert "".join(text for text, _ in strip) == "██ "
    assert since_strip(facts_of("rg", 1000).stretch, 1) == ((" ", "text"),)


def test_a_legend_tells_what_the_cells_are() -> None:
    """Every sign of the strip, and where there is room how many runs there are."""
    left, right = strip_legend(facts_of("rrgg", 1000).stretch, 80)
    assert "".join(text for text, _ in left) == " ▄ success █ failed ▂ running ▁ canceled "
    assert right[0][0] == "4 runs, oldest at left "
    assert strip_legend(facts_of("rrgg", 1000).stretch, 50)[1][0][0] == "oldest at left "
    many = facts_of("r" * 90, 1000).stretch
    assert strip_legend(many, 80)[1][0][0] == "newest 78 of 90 runs, oldest at left "
    assert len(since_strip(many, 80)) == 78 + 1


def test_nothing_of_the_platform_is_an_escape_sequence() -> None:
    """Names of jobs and variables come from outside."""
    facts = facts_of(
        "rg",
        1000,
        jobs={1000: [job(1, "a\x1b[31m", "failed")]},
        variables=(ChangedVariable("K\x1b]0;x", "added"),),
    )
    assert not any("\x1b" in text for row in table(facts).values() for text in said(row))


@pytest.mark.parametrize(
    ("fields", "is_alone"),
    [
        ({"ref": "main"}, False),
        ({"ref": "main", "source": "merge_request_event"}, True),
        ({"ref": "refs/merge-requests/3/head"}, True),
        ({"ref": "main", "source": "parent_pipeline"}, True),
    ],
)
def test_a_failed_pipeline_without_a_branch_is_not_called_successful(
    fields: dict[str, Any],
    is_alone: bool,  # noqa: FBT001  (a parameter of the table)
) -> None:
    """It has no last success, and says so."""
    assert bool(without_branch(Pipeline(id=8, status="failed", **fields))) is is_alone
