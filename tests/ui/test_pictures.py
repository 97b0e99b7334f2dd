"""The pictures of the documentation show what the program shows, cell by cell."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from screenshots.cells import Look, differences, row_of, text_of
from screenshots.raster import fingerprint, source_of
from screenshots.scenes import SCENES, Picture, pictures
from screenshots.stage import play, stage
from screenshots.svg import from_svg, to_svg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="they have a platform of their own")

PICTURES: Final = pictures()
RUNS: Final = [
    list(some) for _, some in groupby(PICTURES.values(), lambda one: (one.scene, one.size))
]
"""Pictures that are drawn by one run of the program: those of a scene and size."""
FOLDER: Final = Path(__file__).parents[2] / "screenshots"


def stored(picture: Picture, ending: str) -> Path:
    """Return a file of a picture."""
    return FOLDER / f"{picture.name}{ending}"


def in_turn() -> Iterator[object]:
    """Yield the runs: of a scene, the default test run draws one of the first two sizes in turn."""
    narrow_one_is_drawn = True
    for scene, some in groupby(RUNS, lambda run: run[0].scene):
        sizes = list(some)
        drawn = 0 if len(sizes) == 1 or narrow_one_is_drawn else 1
        narrow_one_is_drawn ^= len(sizes) > 1
        for place, run in enumerate(sizes):
            width, height = run[0].size
            marks = () if place == drawn else (pytest.mark.all_pictures,)
            yield pytest.param(run, id=f"{scene}-{width}x{height}", marks=marks)


@pytest.fixture(scope="module")
def set_up() -> Iterator[RunningEmulator]:
    """Run the platform of the pictures."""
    with stage() as platform:
        yield platform


@pytest.mark.parametrize("run", in_turn())
async def test_a_picture_is_what_the_program_shows(
    run: list[Picture], set_up: RunningEmulator
) -> None:
    """Text and styles of every cell; where one differs, which, and what draws it anew."""
    themes = [one.theme for one in run]
    drawn = await play(SCENES[run[0].scene], run[0].size, themes, set_up)
    for one in run:
        before = from_svg(stored(one, ".svg").read_text("utf-8"))
        if found := differences(before, drawn[one.theme]):
            told = "\n  ".join(found)
            pytest.fail(
                f"{one.name} shows something else now:\n  {told}\n"
                f"Drawn anew by: python screenshots/draw.py {one.scene}\n"
                f"{text_of(drawn[one.theme])}",
                pytrace=False,
            )


def test_each_picture_has_its_pixels() -> None:
    """A PNG says of which SVG it was made."""
    for one in PICTURES.values():
        svg = stored(one, ".svg").read_text("utf-8")
        assert source_of(stored(one, ".png").read_bytes()) == fingerprint(svg), (
            f"python screenshots/draw.py {one.scene}"
        )


def test_there_is_no_other_picture() -> None:
    """What nothing draws any more is gone, and the README shows none of it."""
    there = {file.stem for file in FOLDER.iterdir() if file.suffix in {".svg", ".png"}}
    assert there == set(PICTURES), "python screenshots/draw.py"
    told = (FOLDER.parent / "README.md").read_text("utf-8")
    assert {*re.findall(r"screenshots/([^)\s]+)\.(?:svg|png)", told)} <= set(PICTURES)


_PLAIN: Final = Look("#d7dee8", "#10151c")
_LOUD: Final = Look("#ff7b86", "#26344a", bold=True, italic=True)


def test_a_screen_survives_being_a_picture() -> None:
    """Every kind of cell comes back as it was: wide and combined signs, lines, decorations."""
    under, through = _PLAIN._replace(underline=True), _LOUD._replace(strike=True)
    first = row_of([("a <b> & c", _PLAIN), ("│──╮", _LOUD), ("✖ e\u0301", _PLAIN), (" x ", under)])
    second = row_of([("日", _LOUD), ("x  y", through), ("▂█▏", _PLAIN)])
    second += row_of([(" " * (len(first) - len(second)), _PLAIN)])
    grid = (tuple(first), tuple(second))
    assert from_svg(to_svg(grid, "<title>")) == grid


def test_what_differs_is_told_by_place() -> None:
    """A text that changed, and a colour."""
    grid = (tuple(row_of([("one two", _PLAIN)])),)
    words = (tuple(row_of([("one ten", _PLAIN)])),)
    colours = (tuple(row_of([("one ", _PLAIN), ("two", _PLAIN._replace(ink="#ffffff"))])),)
    assert differences(grid, grid) == []
    assert differences(grid, words) == ["row 1, columns 6 to 7: 'wo' is now 'en'"]
    assert differences(grid, colours) == [
        "row 1, columns 5 to 7: 'two': ink #d7dee8 is now #ffffff"
    ]
    assert differences(grid, (*grid, *grid)) == ["the size was 7x1, and is 7x2"]
