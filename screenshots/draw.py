"""Draw the pictures of the documentation from the running program.

    python screenshots/draw.py [NAME …]

A name is that of a picture or of a scene; without one all are drawn, and the files of those that
are no more are removed. The platform is the emulator at one frozen moment: the same program draws
the same pictures. Each is an SVG, and a PNG made of it (`pip install -e '.[pictures]'`).
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

if TYPE_CHECKING:
    from screenshots.scenes import Picture


async def draw(chosen: list[Picture]) -> None:
    """Draw pictures; those of one scene and size from one run of the program."""
    # Behind the path that lets a script find the tests' own hands on the dashboard.
    from screenshots.raster import to_png
    from screenshots.scenes import SCENES
    from screenshots.stage import play, stage
    from screenshots.svg import to_svg

    with stage() as platform:
        for (scene, size), some in groupby(chosen, key=lambda one: (one.scene, one.size)):
            named = {one.theme: one.name for one in some}
            drawn = await play(SCENES[scene], size, list(named), platform)
            for theme, name in named.items():
                svg = to_svg(drawn[theme], f"platui: {name}")
                (HERE / f"{name}.svg").write_text(svg, "utf-8")
                (HERE / f"{name}.png").write_bytes(to_png(svg))
                print(f"screenshots/{name}.svg")


def remove_others(names: set[str]) -> None:
    """Remove the pictures that nothing draws any more."""
    for file in sorted(HERE.iterdir()):
        if file.suffix in {".svg", ".png"} and file.stem not in names:
            file.unlink()
            print(f"screenshots/{file.name} is gone")


def main(names: list[str]) -> int:
    """Draw the named pictures, or all of them; returns the exit code."""
    from screenshots.raster import NoRasteriserError, check_tools
    from screenshots.scenes import SCENES, pictures

    every = pictures()
    unknown = [name for name in names if name not in every and name not in SCENES]
    if unknown:
        print(f"No picture is called {unknown[0]}; there are: {', '.join(every)}.", file=sys.stderr)
        return 2
    try:
        check_tools()
    except NoRasteriserError as problem:
        print(problem, file=sys.stderr)
        return 1
    wanted = set(names)
    chosen = [one for one in every.values() if not names or wanted & {one.name, one.scene}]
    asyncio.run(draw(chosen))
    if not names:
        remove_others(set(every))
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[variable] = home
        sys.exit(main(sys.argv[1:]))
