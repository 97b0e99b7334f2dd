"""Full paths of projects and groups, also where project records lack them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import AmbiguousError
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models.wire import Pipeline, Project
    from platui.service import PlatformService

_MOST: Final = 100
"""Projects of which each is asked for to find one: of the 600 requests of a minute."""
_SHOWN: Final = 80


async def with_paths(
    service: PlatformService, end: str, projects: Sequence[Project]
) -> list[Project]:
    """Return projects that a name may mean, with the paths that it takes to tell them apart.

    Where the platform tells them, nothing is asked. Else the address of a newest pipeline does
    (spec §2.2), at the cost of a request for each project that is called so.
    """
    last = end.rpartition("/")[2].casefold()
    pathless = [one for one in projects if not one.path_with_namespace]
    named = [one for one in pathless if one.name.casefold() == last]
    told = [one for one in projects if one.path_with_namespace]
    if not pathless or ("/" not in end and len(named) <= 1):
        return [*told, *named]
    # What a project is called need not be what stands in its path.
    asked = named or pathless
    if len(asked) > _MOST:
        raise AmbiguousError(
            f"{shorten(end, _SHOWN)} may be any of {len(asked):,} projects: "
            "this platform does not tell their paths.",
            hint="Name it by its id: platui projects lists them.",
        )
    return [*told, *await paths_from_pipelines(service, asked, is_whole=True)]


async def paths_from_pipelines(
    service: PlatformService, projects: Sequence[Project], *, is_whole: bool = False
) -> list[Project]:
    """Return projects with the path that the address of their newest pipeline tells.

    A request for each; the path stays empty where there is no pipeline. With `is_whole` a failure
    of one raises.
    """
    from platui.cli.last_runs import FAILURES, last_runs  # noqa: PLC0415  (not for help or completion)

    base = service.profile.url
    runs = await last_runs(service, projects, lambda _: None)
    failure = next((one.error for one in runs if isinstance(one.error, FAILURES)), None)
    if is_whole and failure is not None:
        raise failure
    return [
        one.project.model_copy(update={"path_with_namespace": _path(one.pipeline, base)})
        for one in runs
    ]


def groups_of(paths: Iterable[str]) -> list[str]:
    found: set[str] = set()
    for path in paths:
        parts = path.split("/")[:-1]
        found.update("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return sorted(found)


def _path(pipeline: Pipeline | None, base: str) -> str:
    if pipeline is None or not pipeline.web_url:
        return ""
    from platui.ui.addresses import route_of  # noqa: PLC0415  (not for help or completion)

    place = route_of(pipeline.web_url, base)
    return place.project if place is not None and isinstance(place.project, str) else ""
