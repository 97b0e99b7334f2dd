"""Which project a word means: what it costs to find that out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli import project_words
from platui.cli.exits import exit_code_of
from platui.cli.listing import Gathered
from platui.core.errors import AmbiguousError, CommandError, NotFoundError
from platui.models import Project

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef, ProjectsQuery


async def test_a_mistyped_name_is_not_looked_for_in_every_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The platform searches all for what was typed; a similar name is worth a few requests."""
    asked: list[tuple[str, int | None]] = []

    async def gather(_: str, query: ProjectsQuery, limit: int | None) -> Gathered[Any]:
        asked.append((query.search, limit))
        return Gathered(())

    async def ask(_: object) -> None:
        """Be never asked."""

    monkeypatch.setattr(project_words, "gather", gather)
    service: Any = SimpleNamespace(feeds=SimpleNamespace(watch_projects=lambda query: query))
    with pytest.raises(CommandError, match="There is no project etl"):
        await project_words.in_project(service, "etl", ask)
    assert asked == [("etl", None), ("", 300)]


async def test_a_name_of_several_projects_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is meant is for whoever typed it to say: usage, and nothing is asked of either."""

    async def gather(_: str, query: ProjectsQuery, __: int | None) -> Gathered[Any]:
        paths = ("b/one/etl", "a/etl", "a/etl-two")
        return Gathered(
            tuple(Project(id=at, path_with_namespace=path) for at, path in enumerate(paths))
        )

    monkeypatch.setattr(project_words, "gather", gather)
    service: Any = SimpleNamespace(feeds=SimpleNamespace(watch_projects=lambda query: query))
    with pytest.raises(AmbiguousError) as several:
        await project_words.project_meant(service, "etl")
    assert several.value.sentence == "etl means 2 projects."
    assert several.value.hint == "Name one of them: a/etl, b/one/etl."
    assert exit_code_of(several.value) == 2


async def test_what_is_missing_in_a_project_is_not_looked_for_in_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A project that is read by everybody is in no list of one's own; another may end alike."""

    async def gather(_: str, feed: object, __: int | None) -> Gathered[Any]:
        if feed == "newest of acme/etl":
            return Gathered(())
        return Gathered((Project(id=1, path_with_namespace="mirror/acme/etl"),))

    asked: list[ProjectRef] = []

    async def ask(of: ProjectRef) -> None:
        asked.append(of)
        raise NotFoundError("Not found.", status=404)

    monkeypatch.setattr(project_words, "gather", gather)
    feeds = SimpleNamespace(
        watch_projects=lambda query: query, watch_newest=lambda of: f"newest of {of}"
    )
    service: Any = SimpleNamespace(feeds=feeds)
    with pytest.raises(NotFoundError):
        await project_words.in_project(service, "acme/etl", ask)
    assert asked == ["acme/etl"]
