"""How known objects are found and ranked by what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.models.values.known import Kind, Known, known
from platui.present.jump import Index, indexed, matching

if TYPE_CHECKING:
    from collections.abc import Iterable


def project(number: int, path: str) -> Known:
    return known(Kind.PROJECT, number, path.rpartition("/")[2], path, project=number)


def job(number: int, name: str, path: str) -> Known:
    return known(Kind.JOB, number, name, path, project=path, pipeline=1)


def index_of(
    found: Iterable[Known],
    uses: dict[object, int] | None = None,
    watched: frozenset[int] = frozenset(),
) -> Index:
    return indexed(found, uses or {}, lambda one: one.id in watched)


OBJECTS = (
    project(1, "acme/platform/etl-core"),
    project(2, "acme/commerce/etl-orders"),
    project(3, "acme/etl/archive"),
    project(4, "acme/finance/my-etl"),
    project(5, "acme/finance/metlife"),
    known(Kind.GROUP, 9, "etl", "acme/etl"),
    known(Kind.PIPELINE, 4711, "#4711", "acme/platform/etl-core", project=1, status="failed"),
    known(Kind.PIPELINE, 4800, "#4800", "acme/platform/etl-core", project=1),
    job(412, "etl_load", "acme/platform/etl-core"),
    job(413, "etl_load", "acme/platform/etl-core"),
)


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("etl", ["etl", "etl-core", "etl-orders", "my-etl", "metlife"]),
        ("ETL-Core", ["etl-core"]),
        ("etl orders", ["etl-orders"]),
        ("commerce", ["etl-orders"]),
        ("acme/etl", ["etl", "archive"]),
        ("platform/etl-core", ["etl-core", "#4800", "#4711"]),
        ("4711", ["#4711"]),
        ("#47", ["#4711"]),
        ("412", ["etl_load"]),
        ("ecor", ["etl-core"]),
        ("nowhere", []),
    ],
)
def test_the_best_match_comes_first(typed: str, first: list[str]) -> None:
    """Exact names, then names that begin so, parts of words, paths, and letters that are apart."""
    found = [one.name for one in matching(index_of(OBJECTS), typed)]
    assert found[: len(first)] == first
    assert bool(found) == bool(first)


def test_what_is_used_and_watched_comes_before_equal_matches() -> None:
    """The last used first; watched ones follow; an exact name stays on top."""
    index = index_of(
        OBJECTS, {(Kind.PROJECT, 4): 1, (Kind.PROJECT, "acme/finance/metlife"): 0}, frozenset({2})
    )
    names = [one.name for one in matching(index, "etl")]
    assert names[:4] == ["etl", "metlife", "my-etl", "etl-orders"]
    assert [one.name for one in matching(index, "")] == ["metlife", "my-etl", "etl-orders"]


def test_of_equal_jobs_the_newest_is_listed_and_the_others_by_number() -> None:
    """A list of one name with ten numbers would help with nothing."""
    index = index_of(OBJECTS)
    assert [one.id for one in matching(index, "etl_load")] == [413]
    assert [one.id for one in matching(index, "412")] == [412]


def test_only_the_asked_kinds_are_found() -> None:
    """`:jobs` takes projects and pipelines."""
    found = matching(index_of(OBJECTS), "etl", (Kind.GROUP,))
    assert [one.kind for one in found] == [Kind.GROUP]


@given(st.lists(st.text(max_size=12), max_size=30), st.text(max_size=8))
def test_any_text_is_searched_for(names: list[str], typed: str) -> None:
    """Whatever the names and the words are: at most eight, each once, with all words in order."""
    found = matching(index_of(project(at, f"a/{name}") for at, name in enumerate(names)), typed)
    assert len(found) <= 8
    assert len({one.key for one in found}) == len(found)
