"""Pictures of every view, compared with those that were looked at and found good."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import pytest
from screenshots.stage import SPENT
from tests.support.clock import FakeClock
from tests.support.company import company, jobs, newest
from tests.support.dashboard import Driver, Elsewhere, dashboard, pipelines_of
from tests.support.faults import set_fault
from tests.support.frozen import NIGHT, FrozenClock, StillClock
from tests.support.platform import api_client, ask, credentials
from tests.texts.dialogs import EMPTY_PROJECT_NAME, NEW_PROJECT
from tests.texts.screens import NO_ACCESS_REPORT, NO_PIPELINES, STATUS_LOADED
from tests.texts.widgets import ACCEPT_INPUT, APPLY_FILTER, REQUEST_PREVIEW

from platui.api.budget import Budget
from platui.cli.commands.demo.reports import import_past_reports
from platui.config.settings import PollSettings, Settings
from platui.models.values.routes import Route
from platui.service.sign_in import SignIn
from platui.ui.terminal.detection import Terminal
from platui.ui.welcome import WelcomeApp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.support.platform import PlatformFactory
    from textual.app import App
    from textual.pilot import Pilot

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator


pytestmark = pytest.mark.variants("default", reason="they are pictures of it")


def stalled_project() -> str:
    """Return a project of which a schedule did not run."""
    for project in company().projects():
        for one in company().schedules.of(project.id, NIGHT):
            if one.active and one.next_run_at and one.next_run_at < NIGHT:
                return project.full_path
    raise LookupError


Steps = tuple[tuple[str, str], ...]
"""(what is waited for, the keys pressed then, with blanks between)."""

NARROW: Final = (80, 24)
WIDE: Final = (120, 40)
DARK, LIGHT = "platui-dark", "platui-light"
NEVER: Final = PollSettings(3600, 3600)
PORT: Final = "58443"
"""What stands in the pictures for the port, which is another one each time."""


@pytest.fixture
def night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run a platform whose time stands still and whose requests nobody else counts."""
    return platform_with(clock=FakeClock(), rate_limit=600)


@pytest.fixture
def narrow_night(platform_with: PlatformFactory) -> RunningEmulator:
    """Run such a platform that says no more than the spec."""
    return platform_with(clock=FakeClock(), rate_limit=600, spec_only=True)


@pytest.fixture
def picture(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., bool]:
    """Return what compares an app, after some steps, with its picture."""
    monkeypatch.setattr(Budget, "state", lambda _: SPENT)

    def compare(app: App[Any], size: tuple[int, int], *steps: tuple[str, str]) -> bool:
        draw = app.export_screenshot
        monkeypatch.setattr(app, "export_screenshot", lambda **how: masked(app, draw(**how)))
        return snap_compare(app, terminal_size=size, run_before=after(steps))

    return compare


def masked(app: App[Any], svg: str) -> str:
    """Return a picture with one port for all: what changes is not what is looked at."""
    service = getattr(app, "service", None)
    if service is None:  # the first page, on which an address may stand
        shown = re.search(r"127\.0\.0\.1:(\d{5})", svg)
        port = PORT if shown is None else shown[1]
    else:
        port = str(urlsplit(service.profile.url).port)
    assert len(port) == len(PORT)
    return svg.replace(f":{port}", f":{PORT}").replace(f"&#160;{port}", f"&#160;{PORT}")


def after(steps: Steps) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Return what leads an app to the moment that is drawn: when every request has its answer."""

    async def lead(pilot: Pilot[int]) -> None:
        driver = Driver(pilot.app, pilot)  # type: ignore[arg-type]  # the app of this test
        for wanted, keys in steps:
            await driver.until(wanted)
            await driver.press(*keys.split())
        await driver.settle()

    return lead


def first(size: tuple[int, int]) -> str:
    """Return what is there when all of the pipelines' view is: with the pane, its last lines."""
    return "technical" if size is WIDE else "typical "


def command(text: str) -> str:
    """Return the keys of a command."""
    return " ".join((":", *("space" if sign == " " else sign for sign in text), "enter"))


@pytest.mark.parametrize(
    ("size", "theme", "rows"),
    [
        pytest.param(NARROW, DARK, 20, id="80x24-dark"),
        pytest.param(WIDE, DARK, 36, id="120x40-dark"),
        pytest.param(WIDE, LIGHT, 36, id="120x40-light"),
    ],
)
def test_projects(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
    rows: int,
) -> None:
    """Namespaces left where there is room; the states of what is in sight."""
    app = dashboard(night, clock=FrozenClock(), theme=theme, poll=NEVER)
    assert picture(app, size, (f"{STATUS_LOADED} {rows} of", "j j j"))


@pytest.mark.parametrize(
    ("size", "options"),
    [
        pytest.param(NARROW, {}, id="80x24-dark"),
        pytest.param(NARROW, {"terminal": Terminal(usable=True, unicode=False)}, id="80x24-ascii"),
        pytest.param(WIDE, {"theme": LIGHT}, id="120x40-light"),
    ],
)
def test_triage(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    options: dict[str, Any],
) -> None:
    """A cause that is unfolded, others as rows of two or three lines; the details beside them."""
    app = dashboard(night, start=Route("triage"), clock=FrozenClock(), poll=NEVER, **options)
    asyncio.run(app.service.triage_state.watch([101, 103, 106, 109]))
    assert picture(
        app,
        size,
        ("8 broken (4 causes)", ""),
        ("5 incidents", "right"),
        ("line 34 of 34", ""),
    )


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["80x24", "120x40"])
def test_the_choice_of_what_is_watched(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int]
) -> None:
    """Asked once of who never chose, with what was active lately marked in advance."""
    app = dashboard(night, start=Route("triage"), clock=FrozenClock(), poll=PollSettings(3600, 60))
    assert picture(app, size, ("30 of 60 marked", "j space"))


def test_projects_by_name_and_number(
    picture: Callable[..., bool], narrow_night: RunningEmulator
) -> None:
    """On a platform that tells no more of them, in a flat list."""
    app = dashboard(narrow_night, clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, (f"{STATUS_LOADED} 20 of", "j j j"))


def test_pipelines_without_source_and_name(
    picture: Callable[..., bool], narrow_night: RunningEmulator
) -> None:
    """What is not told takes no room."""
    app = dashboard(narrow_night, start=pipelines_of(narrow_night), clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, ("typical ", "j j j"))


@pytest.mark.parametrize(
    ("size", "theme", "seen"),
    [
        pytest.param(NARROW, DARK, "typical ", id="80x24-dark"),
        pytest.param(NARROW, LIGHT, "typical ", id="80x24-light"),
        pytest.param(WIDE, DARK, "queued", id="120x40-dark"),
    ],
)
def test_pipelines(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
    seen: str,
) -> None:
    """The strip, the table, and the details where there is room."""
    start = pipelines_of(night)
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    assert picture(app, size, (seen, ""))


@pytest.mark.parametrize(
    ("size", "theme", "seen"),
    [
        pytest.param(NARROW, DARK, "✖ failed 4d", id="80x24-dark"),
        pytest.param(WIDE, LIGHT, "full-ci.yml", id="120x40-light"),
    ],
)
def test_schedules(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
    seen: str,
) -> None:
    """What did not run on top, and why in the details where there is room."""
    start = Route("schedules", stalled_project(), "ingestion-toolkit")
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    assert picture(app, size, (seen, ""))


def test_a_schedule_that_is_typed(
    picture: Callable[..., bool], night: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its meaning below the fields, with the run that the clocks of this machine's zone skip."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    start = Route("schedules", stalled_project(), "ingestion-toolkit")
    app = dashboard(night, start=start, clock=StillClock(), poll=NEVER, writes="confirm")
    typed = "W e e k l y tab tab 3 0 space 2 space * space * space 0"
    # Below the dialog stands what was there when it opened: so all of it has to be there.
    there = (("✖ failed 4d", ""), ("Cleaning up project", "N"))
    assert picture(app, NARROW, *there, ("New schedule", typed), ("at 02:30 every Sunday", ""))


@pytest.mark.parametrize(
    ("size", "theme", "seen"),
    [
        pytest.param(NARROW, DARK, "queued", id="80x24-dark"),
        pytest.param(WIDE, DARK, "author", id="120x40-dark"),
        pytest.param(WIDE, LIGHT, "author", id="120x40-light"),
    ],
)
def test_jobs(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
    seen: str,
) -> None:
    """By stage with the timeline; the cursor on what failed."""
    start = pipelines_of(night)
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    steps = ((first(size), "enter"), ("TIMELINE", ""), ("✖ failed", ""))
    assert picture(app, size, *steps, *([(seen, "")] if size is WIDE else []))


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        pytest.param(NARROW, DARK, id="80x24-dark"),
        pytest.param(WIDE, LIGHT, id="120x40-light"),
    ],
)
def test_log(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """Of the job that failed, at its end."""
    start = pipelines_of(night)
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    assert picture(app, size, ("typical ", "l"), ("✔ final", ""))


def on_access(night: RunningEmulator, theme: str = DARK, **more: Any) -> PlatuiApp:
    """Return a dashboard on the access report."""
    return dashboard(
        night, start=Route("access"), clock=StillClock(), poll=NEVER, theme=theme,
        admin_url=night.admin_url, admin_key=night.admin_key, **more,
    )  # fmt: skip


FETCHED: Final = ((NO_ACCESS_REPORT, "r"), ("by highest level", ""))
SIZES_AND_THEMES: Final = [
    pytest.param(NARROW, DARK, id="80x24-dark"),
    pytest.param(NARROW, LIGHT, id="80x24-light"),
    pytest.param(WIDE, DARK, id="120x40-dark"),
    pytest.param(WIDE, LIGHT, id="120x40-light"),
]


@pytest.mark.parametrize(("size", "theme"), SIZES_AND_THEMES)
def test_access(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """People with a search that is kept; what they share beside them where there is room."""
    search = ("by highest level", "/ s t a t e : b l o c k e d enter j j")
    assert picture(on_access(night, theme), size, *FETCHED, search, ("15 of 84", ""))


def test_access_before_the_first_report(
    picture: Callable[..., bool], night: RunningEmulator
) -> None:
    """What would be here, and the key that brings it."""
    assert picture(on_access(night), NARROW, (NO_ACCESS_REPORT, ""))


def test_access_with_a_search_that_cannot_be_read(
    picture: Callable[..., bool], night: RunningEmulator
) -> None:
    """While it is typed: said below the rows, what is wrong in it marked."""
    typed = ("by highest level", "/ l e v e l : o w n r")
    assert picture(on_access(night), NARROW, *FETCHED, typed, ('level "ownr"', ""))


@pytest.mark.parametrize(("size", "theme"), SIZES_AND_THEMES[::3])
def test_access_of_a_person(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """Who it is, then every group and project."""
    steps = (("by highest level", "j j enter"), ("16 memberships", ""), ("LEVEL▼", ""))
    assert picture(on_access(night, theme), size, *FETCHED, *steps)


@pytest.mark.parametrize(("size", "theme"), SIZES_AND_THEMES[::3])
def test_access_as_a_tree(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """Groups that open, with the levels of all that lies below."""
    steps = (("by highest level", "tab"), ("▾ acme/", "j j right"), ("▾ ingestion/", "j"))
    assert picture(on_access(night, theme), size, *FETCHED, *steps)


def test_access_of_a_group(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """Its owners and members."""
    steps = (("by highest level", "tab"), ("▾ acme/", "j j enter"), ("in it and below", ""))
    assert picture(on_access(night), NARROW, *FETCHED, *steps)


@pytest.mark.parametrize(("size", "theme"), SIZES_AND_THEMES[::3])
def test_access_changes(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """Since the report of the week before, new owners first; the course of people beside."""
    app = on_access(night, theme, prepare_reports=import_past_reports)
    assert picture(app, size, ("by highest level", "c"), ("NEW OWNERS", "j"))


def test_requests(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """What was asked, one after the other: lists, and one that is not there.

    Empty ones: what is in the others holds the port, and packs to another size each time.
    """
    with api_client(night) as client:
        project = client.post("projects", json={"name": "brand-new"}).json()["path_with_namespace"]
    app = dashboard(night, start=pipelines_of(night, project), clock=StillClock(), poll=NEVER)
    steps = (
        (NO_PIPELINES, "4"),
        ("No job has run in this project yet.", command("job 999")),
        ("Not found", command("requests")),
        ("3 shown", ""),
    )
    assert picture(app, NARROW, *steps)


def test_help(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """Over the view whose keys it lists."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, ("typical ", "?"), ("Keys", "down down"))


def test_a_filter(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """While it is typed, on a list that is loaded in part."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, ("typical ", "/"), (APPLY_FILTER, "m a i n"), ("match", ""))


def test_details(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """On their own page, of a job."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER)
    steps = (("typical ", "enter"), ("TIMELINE", ""), ("dbt_test", "d"), ("author", ""))
    assert picture(app, NARROW, *steps)


@pytest.mark.parametrize(
    ("size", "theme"),
    [pytest.param(NARROW, DARK, id="80x24-dark"), pytest.param(WIDE, LIGHT, id="120x40-light")],
)
def test_raw(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int], theme: str
) -> None:
    """What the platform said of a job, and what was looked for in it."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER, theme=theme)
    jobs = (first(size), "enter"), ("TIMELINE", ""), ("dbt_test", "i"), ('"allow_failure"', "/")
    assert picture(app, size, *jobs, (" /", "n a m e enter"), ("1 of", "n"), ("2 of", ""))


def test_what_is_not_there(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """A page with nothing but a sentence and a key."""
    start = replace(pipelines_of(night), project="acme/none", project_name="none")
    app = dashboard(night, start=start, clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, ("Not found", ""))


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let keys count at once: nobody needs time to see what is only drawn."""
    monkeypatch.setattr("platui.ui.key_guard.REACTION_SECONDS", -60.0)


@pytest.mark.usefixtures("no_waiting")
@pytest.mark.parametrize("theme", [DARK, LIGHT, "ansi"])
def test_a_question(picture: Callable[..., bool], night: RunningEmulator, theme: str) -> None:
    """On production, the first time: what, where, as whom, and No."""
    app = dashboard(
        night, start=pipelines_of(night), clock=StillClock(), poll=NEVER, theme=theme,
        writes="confirm", production=True, name="prod-eu",
    )  # fmt: skip
    assert picture(app, NARROW, ("typical ", "T"), ("[ No ]", ""))


@pytest.mark.usefixtures("no_waiting")
def test_a_question_about_many(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """They are listed, and the list can be scrolled."""
    app = dashboard(
        night, start=pipelines_of(night), clock=StillClock(), poll=NEVER, writes="confirm"
    )
    marks = " ".join(["space"] * 18)
    assert picture(app, NARROW, ("typical ", marks), ("18 marked", "T"), ("[ No ]", "pagedown"))


@pytest.mark.usefixtures("no_waiting")
def test_a_request(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """As it will be sent."""
    app = dashboard(night, clock=StillClock(), poll=NEVER, writes="confirm")
    typed = (NEW_PROJECT, "n i g h t tab tab tab S")
    steps = ((f"{STATUS_LOADED} 20 of", "N"), typed, ("[ No ]", "i"), ("POST", ""))
    assert picture(app, NARROW, *steps)


def test_a_project_that_is_typed(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """A name is missing; below the fields what will be sent, and the command of the same."""
    app = dashboard(night, clock=StillClock(), poll=NEVER, writes="confirm", production=True)
    steps = (
        (f"{STATUS_LOADED} 20 of", "N"), (NEW_PROJECT, "tab f o r space s a l e s tab tab space S"),
        (EMPTY_PROJECT_NAME, "tab tab tab i"), (REQUEST_PREVIEW, ""),
    )  # fmt: skip
    assert picture(app, NARROW, *steps)


@pytest.mark.usefixtures("no_waiting")
def test_unlock(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """The profile's name, letter by letter."""
    app = dashboard(
        night, start=pipelines_of(night), clock=StillClock(), poll=NEVER, production=True,
        name="prod-eu",
    )  # fmt: skip
    steps = (("typical ", "U"), ("Writes are locked", "p r o enter"), ("profile is called", ""))
    assert picture(app, NARROW, *steps)


@pytest.mark.usefixtures("no_waiting")
def test_an_unknown_outcome(picture: Callable[..., bool], platform_with: PlatformFactory) -> None:
    """Nobody knows, and it is looked for."""
    lost = platform_with(clock=FakeClock(), rate_limit=600, faults_port=0)
    set_fault(lost, "hang", method="POST")
    app = dashboard(
        Elsewhere(lost.faults_url, lost.token), start=pipelines_of(lost), clock=StillClock(),
        poll=NEVER, writes="confirm", production=True, name="prod-eu", timeout=1.0,
    )  # fmt: skip
    assert picture(app, NARROW, ("typical ", "T"), ("[ No ]", "y"), ("Checking the result", ""))


def test_an_expired_token(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """What there is stays, under a line that says what is wrong."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER, theme=LIGHT)

    def expire(text: str) -> bool:
        if "typical " in text:
            ask("POST", f"{night.base_url}/-/emulator/expire", data={"token": night.token})
        return "typical " in text

    assert picture(app, NARROW, (expire, "r"), ("enter a new token", "A"), ("New token", ""))


@pytest.mark.parametrize(
    ("size", "theme"),
    [pytest.param(NARROW, DARK, id="80x24-dark"), pytest.param(WIDE, LIGHT, id="120x40-light")],
)
def test_welcome(
    picture: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    theme: str,
) -> None:
    """The first run, when nothing says which platform."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "/home/somebody/.config")
    assert picture(welcome(theme), size, ("Welcome to platui", ""))


def welcome(theme: str) -> WelcomeApp:
    """Return the first page; nothing is written by it."""
    clock = StillClock()
    return WelcomeApp(
        Settings(theme=theme), Terminal(usable=True), SignIn(clock), lambda *_: None, clock
    )


@pytest.mark.parametrize("token", ["personal_without_scope", "personal_read_only"])
def test_welcome_filled_in(
    picture: Callable[..., bool], night: RunningEmulator, token: str
) -> None:
    """What the platform says to address and token stands beside them, and below what is wrong."""
    given = str(credentials(night)[token])
    wanted = "lacks the scope" if token == "personal_without_scope" else "days left"
    typed = " ".join(night.base_url)
    steps = (
        ("Welcome to platui", f"{typed} enter"), ("platform found", f"{' '.join(given)} enter"),
        (wanted, "" if wanted != "days left" else "up"),
    )  # fmt: skip
    assert picture(welcome(DARK), NARROW, *steps)


@pytest.mark.parametrize(
    ("size", "theme", "path"),
    [
        pytest.param(NARROW, DARK, "full-ci.yml", id="80x24-dark"),
        pytest.param(NARROW, LIGHT, "macros/generate_schema_name.sql", id="80x24-light"),
    ],
)
def test_file(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
    path: str,
) -> None:
    """A file of the repository, whole and highlighted."""
    project = pipelines_of(night)
    start = replace(project, view="file", path=path, ref="main")
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    assert picture(app, size, ("sha256", ""))


@pytest.mark.parametrize(
    "size", [pytest.param(NARROW, id="80x24"), pytest.param((160, 45), id="160x45")]
)
def test_compare(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int]
) -> None:
    """A red job against its last green run: in one column, and side by side."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER)
    steps = (("typical ", "l"), ("  ended", "c"), (" difference ", ""))
    assert picture(app, size, *steps)


@pytest.mark.parametrize("theme", [DARK, "ansi"])
def test_broken_since(picture: Callable[..., bool], night: RunningEmulator, theme: str) -> None:
    """Three pipelines side by side: why, since which commit, and what became of each job."""
    start = pipelines_of(night)
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    assert picture(app, NARROW, ("typical ", "F"), ("/failed", "b"), ("removed: ", ""))


def test_many_logs(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """All running jobs of a pipeline in one stream."""
    running = [
        pipeline
        for project in company().projects()
        for pipeline in newest(project, NIGHT, 5)
        if sum(job.status == "running" for job in jobs(pipeline, NIGHT)) > 1
    ]
    start = Route("many", running[0].project_id, "ingest", running[0].id)
    app = dashboard(night, start=start, clock=StillClock(), poll=NEVER)
    assert picture(app, WIDE, ("  following", ""))


def test_a_search_in_all_logs(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """What was found in the logs of a pipeline, by job."""
    app = dashboard(night, start=pipelines_of(night), clock=StillClock(), poll=NEVER)
    steps = (("typical ", "backslash"), ("in all logs of #", "l e a d s enter"), (" hits in ", "n"))
    assert picture(app, NARROW, *steps)


def typed(text: str) -> str:
    """Return the keys of a line that is taken."""
    return " ".join((*(f"{sign}" for sign in text), "enter"))


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        pytest.param(NARROW, DARK, id="80x24-dark"),
        pytest.param(WIDE, DARK, id="120x40-dark"),
        pytest.param(NARROW, LIGHT, id="80x24-light"),
    ],
)
def test_run_form(
    picture: Callable[..., bool],
    night: RunningEmulator,
    size: tuple[int, int],
    theme: str,
) -> None:
    """What is typed, a secret masked, what is wrong; where there is room, what will be sent."""
    start = replace(pipelines_of(night), view="run")
    app = dashboard(night, start=start, clock=StillClock(), theme=theme, poll=NEVER)
    steps = (
        ("default branch", "a"),
        (ACCEPT_INPUT, typed("DAY=2026-03-14")),
        ("2026-03-14", "s"),
        (ACCEPT_INPUT, typed("API_KEY=planted")),
        ("secret", "a"),
        (ACCEPT_INPUT, typed("FULL-REFRESH=false")),
        ("in a key", "G"),
    )
    assert picture(app, size, *steps)


@pytest.mark.parametrize(
    "size", [pytest.param(NARROW, id="80x24"), pytest.param(WIDE, id="120x40")]
)
def test_run_form_of_a_trigger(
    picture: Callable[..., bool], night: RunningEmulator, size: tuple[int, int]
) -> None:
    """A token that is not known is typed at once; left for later, with what will be sent."""
    start = replace(pipelines_of(night), view="run")
    app = dashboard(night, start=start, clock=StillClock(), poll=NEVER)
    steps = [("default branch", "g enter"), ("it is never shown", "a b c")]
    if size is NARROW:
        steps += [("•••", "escape"), ("type or paste one", "up i")]
    assert picture(app, size, *steps)


def test_choosing_a_ref(picture: Callable[..., bool], night: RunningEmulator) -> None:
    """Branches and tags, the default one first."""
    start = replace(pipelines_of(night), view="run")
    app = dashboard(night, start=start, clock=StillClock(), poll=NEVER)
    assert picture(app, NARROW, ("default branch", "enter"), ("14 of 14", "down down"))
