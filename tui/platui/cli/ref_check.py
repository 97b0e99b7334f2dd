"""Check for a dry run whether the refs that writes name exist."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from platui.cli.output.progress import print_notice
from platui.core.errors import CommandError, MissingScopeError, PlatuiError
from platui.core.text import shorten
from platui.models.values.writes import NewPipeline, NewSchedule, ScheduleChange

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Intent
    from platui.service import PlatformService

_COMMIT: Final = re.compile(r"[0-9a-fA-F]{7,64}")  # Runs of a trigger may name one (spec §4.3)


async def ref_errors(service: PlatformService, intents: Iterable[Intent]) -> list[PlatuiError]:
    """Return an error for each ref that does not exist; print which were not checked."""
    named = {
        (one.project, one.ref): None
        for one in intents
        if isinstance(one, NewPipeline | NewSchedule | ScheduleChange) and one.ref
    }
    found = [await _ref_error(service, project, ref or "") for project, ref in named]
    return [error for error in found if error is not None]


async def _ref_error(service: PlatformService, project: ProjectRef, ref: str) -> PlatuiError | None:
    name = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    shown, why = shorten(ref, 60), "no access token."  # a trigger token cannot read refs
    try:
        if service.is_authenticated:
            found = await (await service.repository()).find_refs(project, name)
            if found is None:
                why = "this platform does not list branches and tags."
            elif any(one.name == name for one in found.names):
                return None
            elif _COMMIT.fullmatch(name):
                why = "it may be a commit."
            elif found.is_whole:
                return CommandError(f"the project has no branch or tag {shown}.")
            else:
                why = "too many names contain it."
    except MissingScopeError as error:  # a write needs it as well
        return error
    except PlatuiError as error:
        why = error.sentence
    print_notice(f"Not checked whether {shown} exists: {why}")
    return None
