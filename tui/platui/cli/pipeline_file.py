"""Which file a pipeline was made from, as far as anybody tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.asking import first
from platui.cli.naming import listed
from platui.cli.patience import narrate
from platui.core.errors import CommandError, NotFoundError, NotOfferedError
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.models import Pipeline
    from platui.models.values.queries import ProjectRef
    from platui.service import PlatformService

HEAD: Final = "HEAD"
"""The platform's name for the newest commit of the default branch."""
_NAMED: Final = 8
_OF_ANOTHER: Final = re.compile(r"@|://")
"""In what names a file of another project, or of another host."""


class FileAt(NamedTuple):
    """A path, and the branch, tag or commit at which it is read."""

    path: str
    ref: str


async def file_of(service: PlatformService, project: ProjectRef, pipeline: int) -> FileAt:
    """Return the file that a pipeline was made from.

    It is what platui sent for it, or what its variables say; where they name none it is the
    project's own, as its settings have it today, and that is said.

    Raises:
        PlatuiError: nobody tells, or there is no such pipeline.
    """
    feed = service.feeds.watch_pipeline(project, pipeline)
    record = await first("this pipeline", feed, lambda _: True)
    draft = await service.drafts.rerun(project, pipeline)
    if draft.new.pipeline_file:
        return FileAt(draft.new.pipeline_file, record.sha)
    if path := await _of_settings(service, project):
        narrate(f"It does not say which file it was made from: {shorten(path, 100)} is the one "
                "that the project's settings name today.")  # fmt: skip
        return FileAt(path, record.sha)
    return FileAt(await _listed(service, project, record), record.sha)


async def _of_settings(service: PlatformService, project: ProjectRef) -> str:
    try:
        record = await first("the project", service.feeds.watch_project(project), lambda _: True)
    except (NotFoundError, NotOfferedError):
        return ""  # not every platform gives a record of its own to each
    path = record.ci_config_path
    return "" if _OF_ANOTHER.search(path) else path


async def _listed(service: PlatformService, project: ProjectRef, pipeline: Pipeline) -> str:
    """Return the only pipeline file that lies in the repository.

    Raises:
        CommandError: there are several, or none.
        NotOfferedError: the platform lists no files.
    """
    repository = await service.repository()
    files = await repository.pipeline_files(project, pipeline.sha, None)
    named = f"Pipeline #{pipeline.id} does not say which file it was made from"
    which = f"platui file {shorten(str(project), 100)} PATH --ref {pipeline.sha[:12]}"
    if files.listed is None:
        raise NotOfferedError(f"{named}, and the platform lists no files.", hint=which)
    if len(files.listed) == 1:
        narrate(f"{named}: {shorten(files.listed[0], 100)} is the only one there.")
        return files.listed[0]
    raise CommandError(
        f"{named}.",
        hint=f"It may be {listed(files.listed, _NAMED)}: {which}" if files.listed else which,
    )
