"""Each fault × each screen: what there is stays, the right words come, and it mends itself.

The two tables below are the matrix. A row of `SCREENS` is walked through the rows of `FAULTS` in
one dashboard: data first, then the fault, what is said of it, keys meanwhile, then the fault gone
and everything as before. By default each screen meets a part of the faults, so that each fault
meets some screens; `pytest -m all_faults` walks the whole matrix.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import pytest
from tests.support.clock import FastClock
from tests.support.company import NOW, long_running_job
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.faults import clear_faults, faults_of, set_fault
from tests.support.platform import running_platform
from tests.texts.dialogs import NEW_TOKEN

from platui.config.settings import PollSettings
from platui.models.values.routes import Route
from platui.ui.widgets.log_view import LogView
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.dashboard import Driver

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants(
    "default", reason="its platform is the honest one on every variant"
)

FACTOR: Final = 30.0
"""A minute of waiting passes in two seconds."""
TIMEOUT: Final = 0.6
"""Seconds that the dashboard waits for a byte: of the machine's, on which sockets work."""
OFTEN: Final = PollSettings(6, 6)
SHARE: Final = 8
"""By default a screen meets one fault in so many, each screen others than the next."""

LIVE: Final = ("● live", "✔ final")
OFFLINE: Final = "✖ offline since"
STALE: Final = "◌ stale"
UNSIGNED: Final = "✖ not signed in"
COUNTDOWN: Final = "requests resume in"
TROUBLE: Final = (OFFLINE, STALE, UNSIGNED, COUNTDOWN, "  r retry", "new token  ")


@dataclass(frozen=True)
class Fault:
    """A fault and what is said of it; nothing at all where nobody need know."""

    kind: str
    said: tuple[str, ...] = ()
    """What stands in the notice and in the header."""
    wish: dict[str, Any] = field(default_factory=dict)
    unsaid: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return kind and settings."""
        return "-".join([self.kind, *map(str, self.wish.values())])


FAULTS: Final = (
    Fault("latency", wish={"seconds": 3, "jitter": 3}),
    Fault("bandwidth", wish={"rate": 4000}),
    # Byte by byte costs our own time, too: once is enough, and logs have a test of their own.
    Fault("slow_body", wish={"seconds": 0, "times": 1, "path": r"(?<!/trace)$"}),
    Fault("quota", ("Rate limit", "Too many requests", COUNTDOWN), {"seconds": 40}),
    Fault("limiter", ("Rate limit", "Too many requests", COUNTDOWN)),
    Fault("server_error", ("Platform error", "500 Internal Server Error", STALE)),
    Fault("server_error", ("Platform error", "503 Service Unavailable", STALE), {"status": 503}),
    Fault(
        "html", ("Platform error", "502 Bad Gateway", "web page", STALE), unsaid=("<h1", "nginx")
    ),
    Fault(
        "html",
        ("Invalid response", "web page", STALE),
        {"status": 200},
        ("<h1", "Sign in"),
    ),
    Fault("garbage", ("Invalid response", STALE), {"what": "json"}, ("half a rec",)),
    Fault("garbage", ("Invalid response", STALE), {"what": "encoding"}),
    Fault("garbage", ("Invalid response", STALE), {"what": "type"}, ("a word where",)),
    Fault("reset_before", ("Offline", "was dropped", OFFLINE)),
    Fault("reset_during", ("Offline", "was dropped", OFFLINE)),
    Fault("reset_after"),
    Fault("truncated", ("Offline", "was dropped", OFFLINE)),
    Fault("wrong_length", ("Offline", "in time", OFFLINE), {"by": 9, "seconds": 3600}),
    Fault("hang", ("Offline", "did not respond in time", OFFLINE), {"seconds": 3600}),
    Fault("refuse", ("Offline", "refused the connection", OFFLINE), {"seconds": 3600}),
    Fault("expired", ("Not signed in", "The token has expired.", UNSIGNED)),
    Fault("revoked", ("Not signed in", "The token was revoked.", UNSIGNED)),
    Fault("clock_skew", wish={"seconds": 86_400}),
    Fault("clock_skew", wish={"seconds": -86_400}),
    Fault("endless"),
    Fault("shifting", wish={"rows": 3}),
)


@dataclass(frozen=True)
class Screen:
    """A screen, and how one gets there."""

    name: str
    place: Callable[[RunningEmulator], Route]
    size: tuple[int, int] = (100, 30)
    opens: tuple[str, ...] = ()
    """Keys that put something over the place while the fault lasts."""
    shows: str = ""
    """What is read there then."""
    path: str = ""
    """Which requests are struck; all where none are named."""


def running(view: str) -> Callable[[RunningEmulator], Route]:
    """Return how to get to a view of a job that runs."""

    def place(_: RunningEmulator) -> Route:
        project, job = long_running_job()
        pipeline = None if view == "pipelines" else job.pipeline_id
        if view != "log":
            return Route(view, project.full_path, project.path, pipeline)
        return Route(view, project.full_path, project.path, pipeline, job.id, job.name)

    return place


def jobs_of_project(platform: RunningEmulator) -> Route:
    """Return the place of all jobs of the showcase."""
    return Route("jobs", platform.project, platform.project.rpartition("/")[2])


def file_of(platform: RunningEmulator) -> Route:
    """Return the place of a file."""
    name = platform.project.rpartition("/")[2]
    return Route("file", platform.project, name, path="dev-ci.yml", ref="main")


SCREENS: Final = (
    Screen("projects", lambda _: Route()),
    Screen("pipelines", running("pipelines"), (80, 24)),
    Screen("jobs", running("jobs")),
    Screen("jobs of a project", jobs_of_project),
    Screen("log", running("log")),
    Screen("log without its bytes", running("log"), (80, 24), path="/trace$"),
    Screen("file", file_of),
    Screen("detail pane", running("pipelines"), (140, 40)),
    Screen("details", running("pipelines"), (80, 24), ("d",), "status"),
    Screen("help", running("jobs"), (80, 24), ("?",), "Keys"),
    Screen("raw answer", running("jobs"), (80, 24), ("i",), "raw  "),
    Screen("artifacts", running("jobs"), (100, 30), ("D",), "esc"),
    Screen("token", pipelines_of, (80, 24), ("A",), NEW_TOKEN),
    Screen("requests", pipelines_of, (80, 24), (":", *"requests", "enter"), " count)"),
)


@pytest.fixture(scope="module")
def clock() -> FastClock:
    """Return the time of platform and dashboard."""
    return FastClock(FACTOR, NOW)


@pytest.fixture(scope="module")
def spoiled(clock: FastClock) -> Iterator[RunningEmulator]:
    """Run a platform on which nothing happens but what the faults do."""
    with running_platform(clock=clock, speed=0.0) as platform:
        yield platform


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_faults_on_a_screen(
    spoiled: RunningEmulator, clock: FastClock, screen: Screen
) -> None:
    """No crash, no hang, the right words, keys that work, and then all is as before."""
    first = SCREENS.index(screen) % SHARE
    await walk(spoiled, clock, screen, FAULTS[first::SHARE])


@pytest.mark.all_faults
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.name)
async def test_every_fault_on_every_screen(
    spoiled: RunningEmulator, clock: FastClock, screen: Screen
) -> None:
    """The same, without leaving one out."""
    await walk(spoiled, clock, screen, FAULTS)


BESIDE: Final = (
    (Screen("projects", lambda _: Route()), "/namespaces|per_page=1&|per_page=1$"),
    (Screen("pipelines", running("pipelines"), (140, 40)), r"/pipelines/\d+"),
    (Screen("jobs", running("jobs"), (140, 40)), r"/bridges|/pipelines/\d+$|/jobs/\d+"),
    (Screen("log", running("log")), r"/jobs/\d+$"),
)
"""Screens, and the requests whose answers only add to what they show."""


@pytest.mark.all_faults
@pytest.mark.parametrize(("screen", "path"), BESIDE, ids=lambda value: getattr(value, "name", ""))
async def test_faults_of_what_stands_beside(
    spoiled: RunningEmulator, clock: FastClock, screen: Screen, path: str
) -> None:
    """What a view stands on is untouched by them, and its keys go on working."""
    app = dashboard(
        Elsewhere(spoiled.faults_url, spoiled.token),
        start=screen.place(spoiled),
        clock=clock,
        timeout=TIMEOUT,
        poll=OFTEN,
    )
    async with driving(app, screen.size) as driver:
        await driver.wait(lambda: is_well(driver), wanted="data to begin with")
        before = what_is_shown(driver)
        for fault in FAULTS:
            if fault.kind == "refuse":
                continue
            wish = {key: value for key, value in fault.wish.items() if key != "path"}
            set_fault(spoiled, fault.kind, **wish, path=path)
            await driver.press("r")
            await driver.wait(lambda: faults_of(spoiled)[0]["struck"] > 0, wanted="a strike")
            await try_keys(driver)
            assert what_is_shown(driver) == before
            clear_faults(spoiled)
            if UNSIGNED in fault.said:
                await sign_in(driver, spoiled)
            await driver.wait(lambda: is_well(driver), wanted=f"all well after {fault.name}")
            assert what_is_shown(driver) == before


async def walk(
    spoiled: RunningEmulator, clock: FastClock, screen: Screen, faults: tuple[Fault, ...]
) -> None:
    """Walk one screen through faults, and tell at the end which of them went wrong."""
    app = dashboard(
        Elsewhere(spoiled.faults_url, spoiled.token),
        start=screen.place(spoiled),
        clock=clock,
        timeout=TIMEOUT,
        poll=OFTEN,
    )
    missed = []
    async with driving(app, screen.size) as driver:
        await driver.wait(lambda: is_well(driver), wanted="data to begin with")
        for fault in faults:
            try:
                await meet(driver, spoiled, screen, fault)
            except AssertionError as error:
                missed.append(f"--- {screen.name} × {fault.name}: {error}")
                clear_faults(spoiled)
                await sign_in(driver, spoiled)
    assert not missed, "\n".join(missed)


async def meet(driver: Driver, platform: RunningEmulator, screen: Screen, fault: Fault) -> None:
    """Walk one screen through one fault."""
    before = what_is_shown(driver)
    where = {"path": screen.path} if screen.path and fault.kind != "refuse" else {}
    set_fault(platform, fault.kind, **{**fault.wish, **where})
    await driver.press("r")
    if fault.said:
        await driver.until(lambda text: all(words in text for words in fault.said))
    else:
        await driver.wait(lambda: faults_of(platform)[0]["struck"] > 0, wanted="a strike")
        await driver.wait(lambda: is_well(driver), wanted="nothing to see")
    assert [words for words in fault.unsaid if words in driver.text] == []
    assert what_is_shown(driver) == before
    await try_keys(driver)
    await look_over(driver, screen)
    clear_faults(platform)
    if UNSIGNED in fault.said:
        await sign_in(driver, platform)
    await driver.wait(lambda: is_well(driver), wanted="all well again")
    assert what_is_shown(driver) == before


def is_well(driver: Driver) -> bool:
    """Return whether the view in front is live and says no trouble."""
    text = driver.text
    if what_is_shown(driver) is None or not any(words in text for words in LIVE):
        return False
    return not any(words in text for words in TROUBLE)


def what_is_shown(driver: Driver) -> Any:
    """Return the rows or the lines of the view in front; None where there is none yet."""
    texts = driver.app.screen.query(LogView)
    if texts:
        document = texts.first().document
        lines = 0 if document is None else document.line_count
        return [document.text(y) for y in range(lines)] if document and lines else None
    if not driver.app.screen.query(Table):
        return None
    return [row.key for row in driver.table.shown_rows] or None


async def try_keys(driver: Driver) -> None:
    """Move there and back."""
    texts = driver.app.screen.query(LogView)
    if texts:
        view, lines = texts.first(), len(what_is_shown(driver))
        await driver.press("g")
        await driver.wait(lambda: view.position.top_line == 0, wanted="the top")
        await driver.press("G")
        await driver.wait(lambda: view.position.lines[1] == lines, wanted="the end")
        return
    at = driver.cursor
    await driver.press("j")
    await driver.wait(lambda: driver.cursor != at, wanted="the next row")
    await driver.press("k")
    await driver.wait(lambda: driver.cursor == at, wanted="the row of before")


async def look_over(driver: Driver, screen: Screen) -> None:
    """Open what lies over the place, and close it."""
    if not screen.opens:
        return
    below = driver.app.screen
    await driver.press(*screen.opens)
    await driver.until(screen.shows)
    await driver.press("escape")
    await driver.wait(lambda: driver.app.screen is below, wanted="the place again")


async def sign_in(driver: Driver, platform: RunningEmulator) -> None:
    """Give the token again."""
    await driver.press("A")
    await driver.until(NEW_TOKEN)
    await driver.paste(platform.token)
    await driver.press("enter")
