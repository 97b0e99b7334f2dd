"""Which project a word means: what it costs to find that out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli import project_words
from platui.cli.listing import Gathered
from platui.core.errors import CommandError

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectsQuery


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
