"""Which project a word means: what it costs to find that out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from platui.cli import last_runs as reading
from platui.cli import project_lookup, project_paths
from platui.cli.error_output import exit_code_of
from platui.core.errors import AmbiguousError, CommandError, NotFoundError, ServerFailedError
from platui.models.values.feeds import Listing
from platui.models.wire import Project
from platui.present.tables.projects import LastRun

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef


async def test_a_mistyped_name_is_not_looked_for_in_every_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The platform searches all for what was typed; a similar name is worth a few requests."""
    asked: list[tuple[str, int | None]] = []

    async def gather(_: object, __: str, wanted: Any, limit: int | None) -> Listing[Any]:
        asked.append((dict(wanted.endpoint().page().query).get("search", ""), limit))
        return Listing(())

    async def ask(_: object) -> None:
        """Be never asked."""

    monkeypatch.setattr(project_lookup, "gather", gather)
    service: Any = SimpleNamespace()
    with pytest.raises(CommandError, match="Project etl not found"):
        await project_lookup.in_project(service, "etl", ask)
    assert asked == [("etl", None), ("", 300)]


async def test_a_name_of_several_projects_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is meant is for whoever typed it to say: usage, and nothing is asked of either."""

    async def gather(*_: object) -> Listing[Any]:
        paths = ("b/one/etl", "a/etl", "a/etl-two")
        return Listing(
            tuple(Project(id=at, path_with_namespace=path) for at, path in enumerate(paths))
        )

    monkeypatch.setattr(project_lookup, "gather", gather)
    service: Any = SimpleNamespace()
    with pytest.raises(AmbiguousError) as several:
        await project_lookup.resolve_project(service, "etl")
    assert several.value.sentence == "etl matches 2 projects."
    assert several.value.hint == "Use one of: a/etl, b/one/etl."
    assert exit_code_of(several.value) == 2


async def test_what_is_missing_in_a_project_is_not_looked_for_in_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A project that is read by everybody is in no list of one's own; another may end alike."""

    async def gather(_: object, __: str, wanted: Any, ___: int | None) -> Listing[Any]:
        if wanted.endpoint().path == "projects/acme%2Fetl/pipelines":
            return Listing(())
        return Listing((Project(id=1, path_with_namespace="mirror/acme/etl"),))

    asked: list[ProjectRef] = []

    async def ask(of: ProjectRef) -> None:
        asked.append(of)
        raise NotFoundError("Not found.", status=404)

    monkeypatch.setattr(project_lookup, "gather", gather)
    service: Any = SimpleNamespace()
    with pytest.raises(NotFoundError):
        await project_lookup.in_project(service, "acme/etl", ask)
    assert asked == ["acme/etl"]


async def test_a_path_that_nobody_tells_is_not_looked_for_without_end() -> None:
    """A request for each of thousands of projects would be the quota of minutes."""
    many = [Project(id=one, name=f"etl {one}") for one in range(101)]
    service: Any = SimpleNamespace()
    with pytest.raises(AmbiguousError, match="may be any of 101 projects"):
        await project_paths.with_paths(service, "acme/etl", many)


async def test_a_project_of_which_the_platform_failed_to_tell_may_be_meant_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that it told is not taken for the only one."""

    async def last_runs(*_: object) -> list[LastRun]:
        failure = ServerFailedError("It does not work now.", status=500)
        return [LastRun(one), LastRun(other, is_known=False, error=failure)]

    one, other = Project(id=1, name="etl"), Project(id=2, name="etl")
    monkeypatch.setattr(reading, "last_runs", last_runs)
    service: Any = SimpleNamespace(profile=SimpleNamespace(url="https://h.example"))
    with pytest.raises(ServerFailedError):
        await project_paths.with_paths(service, "acme/etl", [one, other])
    assert len(await project_paths.paths_from_pipelines(service, [one, other])) == 2
