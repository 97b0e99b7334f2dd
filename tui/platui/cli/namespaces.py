"""`platui namespaces`: the groups and users in which projects lie."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from platui.cli.connecting import platform_of
from platui.cli.list_options import list_epilog, lists
from platui.cli.list_printing import Sheet, look_of, printing
from platui.cli.listing import gather, tell_rest
from platui.cli.objects import namespace_object
from platui.cli.patience import narrate
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from platui.cli.connecting import Platform
    from platui.cli.list_options import Asked
    from platui.cli.listing import Gathered
    from platui.config.settings import Options
    from platui.models import Namespace

_EXAMPLES: Final = """
namespaces
namespaces --search finance --json
"""


@click.command("namespaces", epilog=list_epilog(_EXAMPLES))
@click.option("--search", default="", metavar="TEXT", help="Only those with it in name or path.")
@lists
@click.pass_obj
def namespaces_command(options: Options, *, search: str, asked: Asked) -> int:
    """List the namespaces that you may see: groups, and the places of users' own projects."""
    with platform_of(options) as platform:
        with printing("namespaces", asked, lambda: _SHEET, look_of(platform, options)) as printer:
            gathered = platform.read(_gathered(platform, search, asked, printer.take))
        if not gathered.items:
            of = f" with {shorten(search, 60)} in it" if search else " for this token"
            narrate(f"There is no namespace{of}.")
        tell_rest(gathered, "namespaces")
    return 0


async def _gathered(
    platform: Platform, search: str, asked: Asked, take: Callable[[Iterable[Namespace]], None]
) -> Gathered[Namespace]:
    service = platform.service
    await service.start()
    feed = service.feeds.watch_namespaces(search)
    return await gather("namespaces", feed, asked.limit, take)


def _row(one: Namespace) -> tuple[str, ...]:
    path = clean(one.full_path or one.path)
    return str(one.id), clean(one.kind) or "-", path or "-", clean(one.name)


_SHEET: Final = Sheet(
    ("ID", "KIND", "PATH", "NAME"),
    _row,
    namespace_object,
    ("id", "kind", "full_path", "path", "name", "parent_id", "web_url"),
    right={0},
    spare=((3, 12), (2, 24), (3, 0)),
)
