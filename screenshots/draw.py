"""Draw the pictures of the README from the running program.

    python screenshots/draw.py [NAME …]

The platform is the emulator at one frozen moment, so that the same program draws the same
pictures.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

if TYPE_CHECKING:
    from platui.emulator.server import RunningEmulator


_WATCHED: Final = ("acme/platform",)


class Picture(NamedTuple):
    """One picture: where it starts, which keys are pressed, what must be seen before it."""

    size: tuple[int, int]
    view: str
    steps: tuple[tuple[str, str], ...]
    """(what is waited for, the key pressed then); an empty key only waits."""
    theme: str = "platui-dark"
    watched: tuple[str, ...] = _WATCHED
    """Groups that the triage board is over; none: nobody chose yet."""
    earlier: bool = False
    """Whether there are access reports of earlier weeks, as in the demo."""


PORT: Final = 8443
"""It stands in the addresses that are drawn."""

NARROW: Final = (80, 24)
WIDE: Final = (120, 36)

PICTURES: Final = {
    "triage": Picture(NARROW, "triage", (("10 broken (6 causes)", ""),)),
    "watch": Picture(NARROW, "triage", (("30 of 60 marked", ""),), watched=()),
    "projects": Picture(WIDE, "projects", (("state of", ""), ("NAMESPACE", ""))),
    "pipelines": Picture(WIDE, "pipelines", ((" green", ""), ("finished", ""))),
    "jobs": Picture(WIDE, "pipelines", ((" green", "enter"), ("TIMELINE", ""), ("runner", ""))),
    "log": Picture(NARROW, "pipelines", ((" green", "l"), ("ended", ""))),
    "compare": Picture(
        (140, 36), "pipelines", ((" green", "l"), ("ended", "c"), ("difference ", ""))
    ),
    "search": Picture(
        NARROW,
        "pipelines",
        (
            (" green", "l"),
            ("error ", "slash"),
            ("plain", "r"),
            ("", "e"),
            ("", "l"),
            ("", "enter"),
            ("1 of", ""),
        ),
    ),
    "since": Picture(NARROW, "pipelines", ((" green", "b"), ("dbt_run", ""))),
    "many": Picture(NARROW, "pipelines", ((" green", "M"), ("parts of logs", ""))),
    "run": Picture(NARROW, "pipelines", ((" green", "t"), ("Start", ""))),
    "unlock": Picture(NARROW, "pipelines", ((" green", "T"), ("to unlock them", ""))),
    "schedules": Picture(NARROW, "schedules", (("NEXT", ""), ("in ", ""))),
    "access": Picture(NARROW, "access", (("fetches it", "r"), ("fetched", ""))),
    "person": Picture(NARROW, "access", (("fetches it", "r"), ("Adaeze", "enter"), ("id ", ""))),
    "changes": Picture(
        WIDE, "access", (("by highest level", "c"), ("NEW OWNERS", "")), earlier=True
    ),
    "details": Picture(
        NARROW, "pipelines", ((" green", "enter"), ("TIMELINE", "d"), ("commit", ""))
    ),
    "raw": Picture(NARROW, "pipelines", ((" green", "i"), ('"sha"', ""))),
    "file": Picture(NARROW, "pipelines", ((" green", "p"), ("sha256", ""))),
    "help": Picture(NARROW, "pipelines", ((" green", "question_mark"), ("Keys", ""))),
    "projects-light": Picture(NARROW, "projects", (("state of", ""),), "platui-light"),
}


_OF_ALL: Final = frozenset({"triage", "projects", "access"})
"""Views that are about no project."""


async def draw(name: str, picture: Picture, platform: RunningEmulator) -> None:
    """Draw one picture."""
    # Behind the path that lets a script find the tests' own hands on the dashboard.
    from tests.support.dashboard import dashboard, driving
    from tests.support.frozen import FrozenClock

    from platui.cli.demo_service import DemoService
    from platui.models.values.places import Place, View
    from platui.service import PlatformService

    project = None if picture.view in _OF_ALL else platform.project
    start = Place(View(picture.view), project, (project or "").rpartition("/")[2])
    app = dashboard(
        platform,
        start=start,
        clock=FrozenClock(),
        theme=picture.theme,
        admin_url=platform.admin_url,
        admin_key=platform.admin_key,
        service_of=DemoService if picture.earlier else PlatformService,
    )
    if picture.watched:
        await app.service.triage_book.watch(groups=picture.watched)
    async with driving(app, picture.size) as driver:
        for wanted, key in picture.steps:
            await driver.until(wanted)
            if key:
                await driver.press(key)
        await driver.pilot.pause(4.0)
        app.clear_notifications()
        await driver.pilot.pause(0.5)
        svg = app.export_screenshot(title="platui", simplify=True)
    (HERE / f"{name}.svg").write_text(plain(svg), "utf-8")
    print(f"screenshots/{name}.svg")


def plain(svg: str) -> str:
    """Return a picture without outside fonts and with ids that stay the same."""
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)
    return re.sub(r"terminal-\d+", "terminal-platui", svg)


async def main(names: list[str]) -> int:
    """Draw the named pictures, or all of them."""
    from tests.support.frozen import FrozenClock
    from tests.support.platform import running_platform

    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"No picture is called {unknown[0]}; there are: {', '.join(PICTURES)}.")
        return 2
    with running_platform(clock=FrozenClock(), port=PORT, rate_limit=600) as platform:
        for name in names or PICTURES:
            await draw(name, PICTURES[name], platform)
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = home
        os.environ.pop("NO_COLOR", None)
        sys.exit(asyncio.run(main(sys.argv[1:])))
