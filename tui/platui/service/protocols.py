"""The feeds that are not snapshots of one query: newest pipelines, and a job's log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from datetime import datetime

    from platui.models import Pipeline
    from platui.models.values.comparison import CompareUpdate
    from platui.models.values.log import LogUpdate
    from platui.models.values.pipeline_search import PipelineHits
    from platui.models.values.triage_board import Board


@dataclass(frozen=True, slots=True)
class Latest:
    """The newest pipeline of a project or of a schedule, as far as it is known."""

    pipeline: Pipeline | None
    """None: there is none, or this credential may not see it."""
    fetched_at: datetime
    refused: bool = False
    """Whether the platform does not say: it is not known that there is none."""


class LatestFeed(Protocol):
    """The newest pipeline of each wished project or schedule, fetched in the background."""

    def __aiter__(self) -> AsyncIterator[Mapping[int, Latest]]:
        """Yield all that is known, at once and at each change; an absent id is not known yet."""
        ...

    def show(self, ids: Sequence[int]) -> None:
        """Wish for these, the first one first; replaces the wish of before."""
        ...

    def expect(self, ids: Sequence[int]) -> None:
        """Look at these at once, and soon again: a new pipeline of theirs is under way."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) fetching."""
        ...


class LogFeed(Protocol):
    """One job's log, followed to its end. Iterating starts it, leaving stops it."""

    def __aiter__(self) -> AsyncIterator[LogUpdate]:
        """Yield what is known at once, then every growth, then the end."""
        ...

    def refresh(self) -> None:
        """Ask for newer bytes now, because the user wants them."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) polling; `refresh` still works."""
        ...


@runtime_checkable
class FileLogFeed(LogFeed, Protocol):
    """A saved log, as it was when it was opened, until it is to be followed."""

    def go_on(self) -> None:
        """Follow what is added from now on; nothing where that is being done."""
        ...


class CompareFeed(Protocol):
    """A job's log and that of its last green run, compared. Leaving the iteration stops it."""

    def __aiter__(self) -> AsyncIterator[CompareUpdate]:
        """Yield what is known at once, then every step, then what each `refresh` brings."""
        ...

    def refresh(self) -> None:
        """Look again: for the log's new lines, or for a green run where there was none."""
        ...

    def mask(self, masks: bool) -> None:  # noqa: FBT001  (a switch)
        """Leave out of account what differs in every run, or compare every letter."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Do nothing: it polls nothing; `refresh` works always."""
        ...


class PipelineSearchFeed(Protocol):
    """A search through the logs of a pipeline. Iterating starts it, leaving stops it."""

    def __aiter__(self) -> AsyncIterator[PipelineHits]:
        """Yield what is found at once, then all that is found further."""
        ...

    def refresh(self) -> None:
        """Look again: for new jobs, at logs that ran, and at those that could not be had."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Ask for no further log (or go on)."""
        ...

    def stop(self) -> None:
        """End it here; what was found stays, and `refresh` goes on."""
        ...


class BoardFeed(Protocol):
    """The triage board. Iterating starts it, leaving stops it."""

    def __aiter__(self) -> AsyncIterator[Board]:
        """Yield the board as caches know it at once, then at each change."""
        ...

    def refresh(self) -> None:
        """Ask for every watched project now, because the user wants it."""
        ...

    def hold(self, held: bool) -> None:  # noqa: FBT001  (a switch)
        """Stop (or resume) asking; what was said of incidents still shows."""
        ...
