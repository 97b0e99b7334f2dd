"""Group paths opened as projects: the platform's web page uses the same address for both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from platui.core.errors import NotFoundError, PlatuiError
from platui.core.text import shorten
from platui.models.values.routes import Route
from platui.ui.messages import RouteCorrected

if TYPE_CHECKING:
    from platui.models.values.feeds import Listing, Snapshot
    from platui.ui.screens.parts.list_body import ListBody

_LONGEST = 100


class GroupFallback:
    def __init__(self, body: ListBody) -> None:
        self._body = body
        self._checked: tuple[str, PlatuiError | None] = ("", None)  # A path that is no group

    def judge(self, snapshot: Snapshot[Listing[Any]]) -> None:
        """Take a snapshot; report a missing project only if its path is not a group."""
        project = self._body.route.project
        missing = snapshot.value is None and isinstance(snapshot.error, NotFoundError)
        if missing and self._checked[0] == project:  # each poll repeats it
            self._body.take_listing(replace(snapshot, error=self._checked[1]))
        elif missing and isinstance(project, str) and self._body.route.pipeline is None:
            self._body.in_background("feed-group", self._check_group, project, snapshot)
        else:
            self._body.take_listing(snapshot)

    async def _check_group(self, path: str, snapshot: Snapshot[Listing[Any]]) -> None:
        directory, known = self._body.service.directory, True
        try:
            is_group = await directory.has_group(path)
            # If the project exists, this view's request failed for another reason.
            is_project = not is_group and await directory.project(path) is not None
            near = None if is_group or is_project else await directory.nearest(path)
        except PlatuiError:  # unknown: the next poll checks again
            known, is_group, is_project, near = False, False, True, None
        if self._body.route.project != path or not self._body.host.is_shown:
            return
        if is_group:
            self._body.host.post_message(RouteCorrected(self._body.route, Route("projects"), path))
            return
        error = snapshot.error if is_project else _neither(path, near, snapshot.error)
        if known:
            self._checked = path, error
        self._body.take_listing(replace(snapshot, error=error))
        self._body.draw()


def _neither(path: str, near: str | None, cause: PlatuiError | None) -> NotFoundError:
    answer = "" if cause is None else f" ({cause.sentence.rstrip('.')})"
    name = shorten(path, _LONGEST)
    sentence = f"{name} is neither a project nor a group that you can see{answer}."
    hint = f"Did you mean {shorten(near, _LONGEST)}?" if near else None
    return NotFoundError(sentence, status=404, hint=hint)
