"""Random keys and sizes: the program's differences leave the same cells as whole frames."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import pyte
import pytest
from rich.cells import split_graphemes
from rich.style import Style
from tests.support.clock import FakeClock
from tests.support.dashboard import dashboard, driving
from tests.support.frozen import FrozenClock
from tests.support.platform import running_platform
from tests.unit.ui.test_frames import cell
from textual._compositor import ChopsUpdate, LayoutUpdate

from platui.models.values.routes import Route
from platui.ui.terminal.app import TerminalApp
from platui.ui.terminal.frames import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="it has platforms of its own")

KEYS: Final = (
    *("j", "k", "j", "pagedown", "pageup", "G", "g", "enter", "escape", "escape", "d", "v", "?"),
    *("1", "2", "3", "4", "5", "l", "e", "w", "/", "f", "tab", "right", "left", "S", "F", "b"),
)
SIZES: Final = ((80, 24), (120, 40), (60, 18), (100, 30))
STEPS: Final = 60


def cell_by_cell(frame: LayoutUpdate | ChopsUpdate, lines: int) -> Iterator[str]:
    """Yield a frame with the place of each character: terminals count columns differently."""
    for y, x, strip in pieces_of(frame):
        column = x + 1
        for text, style, _ in strip if y < lines else ():
            parts = [(0, len(text), len(text))] if text.isascii() else split_graphemes(text)[0]
            for start, end, width in parts:
                yield f"\x1b[{y + 1};{column}H{(style or Style()).render(text[start:end])}"
                column += width


class TwoTerminals:
    """Shows whole frames on one terminal, and differences on the other."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.whole, self.changed = (pyte.Screen(*size) for _ in range(2))
        self._streams = [pyte.Stream(one) for one in (self.whole, self.changed)]
        for stream in self._streams:
            stream.feed("\x1b[?7l")

    def show(self, app: TerminalApp[Any], frame: LayoutUpdate | ChopsUpdate) -> None:
        """Write a frame to both."""
        whole, changed = self._streams
        whole.feed("".join(cell_by_cell(frame, app.size.height)))
        changed.feed(app.output.changes(frame))

    def resize(self, columns: int, lines: int) -> None:
        """Take another size."""
        for screen in (self.whole, self.changed):
            screen.resize(lines, columns)

    def difference(self) -> str:
        """Return the first cell that differs; empty: none.

        Not in lines with flags or several marks on a letter: of these, this terminal counts other
        columns than whole frames rely on, while differences state the column of what follows.
        """
        for y in range(self.whole.lines):
            columns = range(self.whole.columns)
            texts = [self.whole.buffer[y][x].data for x in columns]
            if any(len(text) > 2 or "\U0001f1e6" <= text[:1] <= "\U0001f1ff" for text in texts):
                continue
            for x in columns:
                one, other = cell(self.changed.buffer[y][x]), cell(self.whole.buffer[y][x])
                if one and other and one != other:
                    return f"line {y}, column {x}: {one} instead of {other}"
        return ""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run as many times as the caller asks for: `pytest --seeds 500`."""
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(1, metafunc.config.getoption("--seeds") + 1))


@pytest.fixture(params=["default", "hostile"])
def company(request: pytest.FixtureRequest) -> Iterator[RunningEmulator]:
    """Run a platform with plain texts, and one with wide, joined and reversed ones."""
    options = {} if request.param == "default" else {"scenario": request.param}
    with running_platform(clock=FakeClock(), **options) as platform:
        yield platform


async def test_the_cells_are_those_of_whole_frames(
    company: RunningEmulator, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Text, colours and attributes of each cell, after each key and each size."""
    chance = Random(seed)
    shown = TwoTerminals(SIZES[0])

    def display(app: TerminalApp[Any], _screen: object, frame: object) -> None:
        if isinstance(frame, LayoutUpdate | ChopsUpdate):
            shown.show(app, frame)

    monkeypatch.setattr(TerminalApp, "_display", display)
    for name in ("VISUAL", "EDITOR", "PAGER"):
        monkeypatch.setenv(name, "no-such-program")  # this terminal cannot be given to another
    app = dashboard(company, start=Route("projects"), clock=FrozenClock())
    async with driving(app, SIZES[0]) as driver:
        for step in range(STEPS):
            if chance.random() < 0.1:
                size = chance.choice(SIZES)
                shown.resize(*size)
                await driver.pilot.resize_terminal(*size)
            else:
                await driver.pilot.press(chance.choice(KEYS))
            await driver.pilot.pause()
            assert shown.difference() == "", step
