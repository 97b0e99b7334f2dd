"""Print a list while reading it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from platui.cli.connection import open_platform
from platui.cli.output.lists import as_of_now, printing, style_of
from platui.cli.output.progress import print_notice
from platui.cli.project_lookup import in_project
from platui.cli.reading import gather

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence

    from platui.cli.command_options import ListOptions
    from platui.cli.connection import Platform
    from platui.config.settings import Options
    from platui.models.values.feeds import Listing
    from platui.models.values.queries import ProjectRef
    from platui.present.tables.spec import TableSpec
    from platui.service.resources.resource import Resource

T = TypeVar("T")


class ListReader(Generic[T]):
    def __init__(
        self, platform: Platform, noun: str, limit: int | None, take: Callable[[Iterable[T]], None]
    ) -> None:
        self.service = platform.service
        self.address = platform.address
        self.limit = limit
        self.take = take
        self.empty = ""  # Message for an empty list; `read` may set it
        self._noun = noun

    async def gather(self, resource: Resource[Listing[Any]]) -> Listing[Any]:
        await self.service.start()
        return await gather(self.service, self._noun, resource, self.limit, self.take)

    async def in_project(
        self, named: ProjectRef, ask: Callable[[ProjectRef], Awaitable[Listing[Any]]]
    ) -> Listing[Any]:
        await self.service.start()
        return await in_project(self.service, named, ask)


def print_list(
    options: Options,
    list_options: ListOptions,
    noun: str,
    spec: TableSpec[T],
    read: Callable[[ListReader[T]], Coroutine[Any, Any, Listing[Any]]],
    *,
    words: Sequence[str] = (),
    empty: str = "",
) -> Listing[Any]:
    """Print a list. An address in `words` selects the profile; `empty` is the empty message."""
    with open_platform(options, words) as platform:
        at, style = as_of_now(platform), style_of(platform)
        with printing(noun, list_options, spec, at, style) as printer:
            reader = ListReader(platform, noun, list_options.limit, printer.take)
            reader.empty = empty
            listing = platform.read(read(reader))
        if not listing.items and reader.empty:
            absent = f"This platform does not support {noun}."
            print_notice(reader.empty if listing.is_supported else absent)
        if not listing.complete:
            of = f"{listing.total:,}" if listing.total is not None else "many"
            count = len(listing.items)
            print_notice(f"{count:,} of {of} {noun}; use --all or --limit N for more.")
        elif listing.repeats:
            print_notice(f"The platform repeated a page: there may be more {noun}.")
    return listing
