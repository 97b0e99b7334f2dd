"""What is offered after `:`, of what was seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.service import running_service, viewing

from platui.models.values.known import Kind
from platui.models.values.queries import PipelinesQuery, ProjectsQuery
from platui.service import resources

if TYPE_CHECKING:
    import pytest

    from platui_emulator.server import RunningEmulator


async def test_of_very_many_pipelines_only_the_newest_are_remembered(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dashboard that is open for weeks sees hundreds of thousands; projects all stay."""
    monkeypatch.setattr("platui.service.known_records._MOST", 5)
    monkeypatch.setattr("platui.service.known_records._SPARE", 2)
    async with running_service(still_platform) as service:
        query = PipelinesQuery(still_platform.project)
        async with viewing(service.watch(resources.pipelines.pipelines(query))) as viewer:
            snapshot = await viewer.until(lambda one: bool(one.value and one.value.items))
        assert snapshot.value is not None
        listed = sorted((one.id for one in snapshot.value.items), reverse=True)
        projects = await service.read(resources.projects.projects(ProjectsQuery()), pages=1)
        records = service.directory.records
        while sum(one.kind is Kind.PROJECT for one in records.all()) < len(projects.items):
            async for _ in records.load():
                pass
        found = [one.id for one in records.all() if one.kind is Kind.PIPELINE]
        assert len(listed) > len(found)
        assert sorted(found, reverse=True) == listed[:5]
