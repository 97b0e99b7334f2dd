"""What forms of writes are filled in with: what was sent before, here or by others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from platui.models.values.drafts import RunDraft, RunHistory
    from platui.models.values.queries import ProjectRef
    from platui.models.values.sent import SentSchedule
    from platui.service.live import Live
    from platui.service.sent_book import SentBook


class Drafts:
    """Asks the book of what was sent, and the platform where the book does not know."""

    def __init__(self, started: Callable[[], Awaitable[Live]], book: SentBook) -> None:
        """Take who knows.

        Args:
            started: gives the live half of the service, once there is one; raises PlatuiError.
            book: remembers what was sent.
        """
        self._started = started
        self._book = book

    async def rerun(self, project: ProjectRef, pipeline: int) -> RunDraft:
        """Return what running a pipeline again would send, and what of that is not known.

        From what platui sent for it, else its variables, else its schedule's.

        Raises:
            PlatuiError: nothing is remembered of it, and asking for it failed.
        """
        live = await self._started()
        return await live.reruns.draft(project, await live.names_of(project), pipeline)

    async def run_history(self, project: ProjectRef) -> RunHistory:
        """Return refs, pipeline files and variables that were sent for a project before.

        Raises:
            PlatuiError: the service cannot start.
        """
        live = await self._started()
        return await self._book.history(await live.names_of(project))

    async def sent_schedules(self, project: ProjectRef) -> tuple[SentSchedule, ...]:
        """Return the schedules that platui created in a project, newest first.

        Raises:
            PlatuiError: the service cannot start.
        """
        live = await self._started()
        return await self._book.schedules(await live.names_of(project))
