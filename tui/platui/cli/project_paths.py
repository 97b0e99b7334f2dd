"""Full paths of projects and groups, even if the platform does not send them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.core.errors import AmbiguousError
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.models.wire import Pipeline, Project
    from platui.service import PlatformService

_MOST: Final = 100  # Requests to find a project
_SHOWN: Final = 80


async def with_paths(
    service: PlatformService, end: str, projects: Sequence[Project]
) -> list[Project]:
    """Return the candidates for a name, with paths where needed to distinguish them (spec §2.2)."""
    last = end.rpartition("/")[2].casefold()
    pathless = [one for one in projects if not one.path_with_namespace]
    named = [one for one in pathless if one.name.casefold() == last]
    known = [one for one in projects if one.path_with_namespace]
    if not pathless or ("/" not in end and len(named) <= 1):
        return [*known, *named]
    # A project's name may differ from the end of its path.
    asked = named or pathless
    if len(asked) > _MOST:
        raise AmbiguousError(
            f"{shorten(end, _SHOWN)} may be any of {len(asked):,} projects: "
            "this platform does not send their paths.",
            hint="Use its id. List them with: platui projects",
        )
    return [*known, *await paths_from_pipelines(service, asked, is_whole=True)]


async def paths_from_pipelines(
    service: PlatformService, projects: Sequence[Project], *, is_whole: bool = False
) -> list[Project]:
    """Return projects with the paths of their newest pipelines; `is_whole`: raise on failure."""
    from platui.cli.last_runs import FAILURES, last_runs  # noqa: PLC0415  (not for help or completion)
    from platui.ui.addresses import route_of  # noqa: PLC0415  (not for help or completion)

    def path_of(pipeline: Pipeline | None) -> str:
        url = pipeline.web_url if pipeline is not None else ""
        place = route_of(url, service.profile.url) if url else None
        return place.project if place is not None and isinstance(place.project, str) else ""

    runs = await last_runs(service, projects, lambda _: None)
    failure = next((one.error for one in runs if isinstance(one.error, FAILURES)), None)
    if is_whole and failure is not None:
        raise failure
    return [
        one.project.model_copy(update={"path_with_namespace": path_of(one.pipeline)})
        for one in runs
    ]


def groups_of(paths: Iterable[str]) -> list[str]:
    found: set[str] = set()
    for path in paths:
        parts = path.split("/")[:-1]
        found.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return sorted(found)
