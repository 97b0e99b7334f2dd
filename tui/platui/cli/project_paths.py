"""Full paths of projects and groups, also on a platform whose records of projects tell none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.last_runs import FAILURES, last_runs
from platui.core.errors import AmbiguousError
from platui.core.text import shorten
from platui.service.addresses import place_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.models import Pipeline, Project
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

    Args:
        service: the platform's, started.
        end: a path, or its end.
        projects: all that it may mean, and perhaps others.

    Raises:
        AmbiguousError: it may mean too many to ask for each of them.
        PlatuiError: nobody tells, or not of all: then the others may be meant as well.
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
    return [*told, *await told_paths(service, asked, is_whole=True)]


async def told_paths(
    service: PlatformService, projects: Sequence[Project], *, is_whole: bool = False
) -> list[Project]:
    """Return projects with the path that the address of their newest pipeline tells.

    A request for each; the path stays empty where there is no pipeline.

    Args:
        service: the platform's, started.
        projects: which ones.
        is_whole: whether nothing will do that lacks those of which the platform failed to tell.

    Raises:
        PlatuiError: nobody tells.
    """
    base = service.profile.url
    runs = await last_runs(service, projects, lambda _: None)
    failure = next((one.error for one in runs if isinstance(one.error, FAILURES)), None)
    if is_whole and failure is not None:
        raise failure
    return [
        one.project.model_copy(update={"path_with_namespace": _path(one.pipeline, base)})
        for one in runs
    ]


def groups_of(projects: Iterable[Project]) -> list[str]:
    """Return the full paths of all groups in which projects lie, sorted."""
    found: dict[str, None] = {}
    for project in projects:
        parts = project.path_with_namespace.split("/")[:-1]
        found |= dict.fromkeys("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    return sorted(found)


def _path(pipeline: Pipeline | None, base: str) -> str:
    if pipeline is None or not pipeline.web_url:
        return ""
    place = place_of(pipeline.web_url, base)
    return place.project if place is not None and isinstance(place.project, str) else ""
