"""What is drawn: scenes, each in some sizes and themes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.support.dashboard import dashboard
from tests.support.frozen import FrozenClock
from tests.texts.screens import NO_ACCESS_REPORT, STATUS_LOADED

from platui.cli.commands.demo.reports import import_past_reports
from platui.config.profile import Profile
from platui.config.profile_choice import SessionProfiles
from platui.config.settings import Options, PollSettings, Settings
from platui.models.values.routes import Route
from platui.service.sign_in import SignIn
from platui.ui import views
from platui.ui.terminal.detection import Terminal
from platui.ui.welcome import WelcomeApp

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.ui.terminal.app import TerminalApp
    from platui_emulator.server import RunningEmulator

Size = tuple[int, int]
Steps = tuple[tuple["str | Callable[[str], bool]", str], ...]
"""(what is waited for, the keys pressed then, with blanks between), one after the other."""

NARROW: Final = (80, 24)
WIDE: Final = (120, 40)
VAST: Final = (200, 50)
"""Drawn in the dark theme only."""
DARK: Final = "platui-dark"
LIGHT: Final = "platui-light"

_WATCHED: Final = ("acme/platform",)
_NEVER: Final = PollSettings(3600, 3600)


@dataclass(frozen=True)
class Scene:
    """A view, how one gets there, and how it is drawn."""

    start: str | Route | None
    """Where the dashboard opens; None: the first page, before there is a profile."""
    steps: Steps
    sizes: tuple[Size, ...] = (NARROW, WIDE, VAST)
    themes: tuple[str, ...] = (DARK, LIGHT)
    watched: tuple[str, ...] = _WATCHED
    """Groups that the triage board is over; none: nobody chose yet."""
    has_past: bool = False
    """Whether there are access reports of earlier weeks, as in the demo."""
    options: dict[str, Any] = field(default_factory=dict)
    """What `dashboard` takes besides."""
    environ: dict[str, str] = field(default_factory=dict)
    """What the environment says besides."""

    async def open(self, platform: RunningEmulator, theme: str) -> TerminalApp[Any]:
        """Return the program as it begins."""
        clock = FrozenClock()
        if self.start is None:
            return WelcomeApp(
                Settings(theme=theme), Terminal(usable=True), SignIn(clock), lambda *_: None, clock
            )
        app = dashboard(
            platform,
            start=_place(self.start, platform),
            clock=clock,
            theme=theme,
            admin_url=platform.admin_url,
            admin_key=platform.admin_key,
            prepare_reports=import_past_reports if self.has_past else None,
            **{"name": "acme", "poll": _NEVER, **self.options},
        )
        if self.watched:
            await app.service.triage_state.watch(groups=self.watched)
        return app


def _place(start: str | Route, platform: RunningEmulator) -> Route:
    """Return where to open; a view of one project is that of the platform's showcase."""
    if isinstance(start, Route):
        return start
    project = platform.project if views.get(start).is_of_project else None
    return Route(start, project, (project or "").rpartition("/")[2])


class Picture(NamedTuple):
    """One of the pictures of a scene."""

    scene: str
    size: Size
    theme: str

    @property
    def name(self) -> str:
        """Return what its files are called, without an ending."""
        width, height = self.size
        return f"{self.scene}-{self.theme.removeprefix('platui-')}-{width}x{height}"


def plain(start: str | Route, *steps: tuple[str, str], **more: Any) -> Scene:
    """Return a scene of a view in all sizes and one theme."""
    return Scene(start, steps, **{"themes": (DARK,), **more})


def once(start: str | Route, *steps: tuple[str, str], size: Size = NARROW, **more: Any) -> Scene:
    """Return a scene that one picture is enough of."""
    return Scene(start, steps, (size,), **{"themes": (DARK,), **more})


_PRODUCTION: Final = {"name": "prod-eu", "production": True}
_PROFILES: Final = (
    Profile("prod-eu", "https://data.example.com", production=True),
    Profile("prod-us", "https://us.data.example.com", production=True),
    Profile("staging", "https://staging.data.example.com"),
)
_STALLED: Final = Route("schedules", "acme/platform/shared/ingestion-toolkit", "ingestion-toolkit")
"""Schedules of which one did not fire."""
_RUNNING: Final = Route("many", "acme/ingestion/ingest-zendesk", "ingest-zendesk", 296065314)
"""A pipeline of which three jobs run."""
_TESTED: Final = Route(
    "tests", "acme/finance/reporting/finance-dq-checks", "finance-dq-checks", 295863116
)
"""A pipeline of which two tests failed."""
_ARCHIVED: Final = Route("jobs", "acme/marketing/marketing-dbt", "marketing-dbt", 296048718)
"""A pipeline of which one job has an archive."""
_LISTED: Final = "% of "  # of the pipelines' health strip
_LOG: Final = ((_LISTED, "l"), ("ended", ""))


def _pipeline_is_whole(text: str) -> bool:
    """Return whether the details beside the pipelines, if there is room, are of a whole record."""
    return _LISTED in text and ("Pipeline #" not in text or " ran " in text)


SCENES: Final = {
    "triage": Scene(
        "triage", (("10 broken (6 causes)", ""),), themes=(DARK, LIGHT, "high-contrast")
    ),
    "projects": Scene("projects", ((STATUS_LOADED, "j j j"),)),
    "pipelines": Scene("pipelines", ((_LISTED, ""),)),
    "jobs": Scene("pipelines", ((_LISTED, "enter"), ("TIMELINE", ""))),
    "log": Scene("pipelines", _LOG),
    "compare": Scene("pipelines", ((_LISTED, "l"), ("ended", "c"), ("difference ", ""))),
    "since": Scene("pipelines", ((_LISTED, "b"), ("dbt_run", ""))),
    "schedules": Scene(_STALLED, (("NEXT", ""),)),
    "access": Scene("access", ((NO_ACCESS_REPORT, "r"), ("by highest level", ""))),
    "run": Scene(
        "pipelines",
        (
            (_LISTED, "t"),
            ("default branch", "a"),
            ("accept", "D A Y = 2 0 2 6 - 0 3 - 1 4 enter"),
            ("2026-03-14", "G"),
        ),
    ),
    "welcome": Scene(
        None,
        (("Welcome to platui", ""),),
        sizes=(NARROW, WIDE),
        environ={"XDG_CONFIG_HOME": "/home/you/.config"},  # it is shown; nothing is written
    ),
    "help": Scene(
        "pipelines",
        ((_pipeline_is_whole, "question_mark"), ("Keys", "")),
        sizes=(NARROW, WIDE),
    ),
    "watch": once(
        "triage", ("30 of 60 marked", ""), watched=(),
        options={"poll": PollSettings(3600, 60)},  # what it would cost is told
    ),
    "search": once(
        "pipelines",
        *_LOG[:1],
        ("error ", "slash"),
        ("plain", "r e l enter"),
        ("1 of", ""),
    ),
    "log-search": plain(
        "pipelines",
        (_LISTED, "backslash"),
        ("in all logs of #", "l e a d s enter"),
        (" hits in ", "n"),
    ),
    "side-by-side": once(
        "pipelines", (_LISTED, "l"), ("ended", "c"), ("difference ", ""), size=(160, 45)
    ),
    "many": plain(_RUNNING, ("  following", "")),
    "details": once("pipelines", (_LISTED, "enter"), ("TIMELINE", "d"), ("commit", "")),
    "raw": plain("pipelines", (_LISTED, "i"), ('"sha"', "")),
    "file": plain("pipelines", (_LISTED, "p"), ("sha256", "")),
    "question": once(
        "pipelines", (_LISTED, "T"), ("[ No ]", ""),
        options={**_PRODUCTION, "writes": "confirm"},
    ),
    "unlock": once("pipelines", (_LISTED, "U"), ("Writes are locked", ""), options=_PRODUCTION),
    "profiles": once(
        "pipelines", (_LISTED, ": p r o f i l e enter"), ("staging", ""),
        options={
            **_PRODUCTION,
            "session_profiles": SessionProfiles(
                Settings(profiles={one.name: one for one in _PROFILES}), {}, Options(), _PROFILES[0]
            ),
        },
    ),
    "person": plain(
        "access", (NO_ACCESS_REPORT, "r"), ("by highest level", "enter"), ("memberships", "")
    ),
    "changes": plain("access", ("by highest level", "c"), ("NEW OWNERS", ""), has_past=True),
    "commands": once("pipelines", (_LISTED, "ctrl+p"), ("", "")),
    "jump": once("triage", ("10 broken (", ":"), (" :", "w a r e"), ("warehouse-core", "")),
    "commits": plain("pipelines", (_LISTED, "b"), ("dbt_run", "j j j enter"), ("COMMIT ", "")),
    "diff": plain(
        "pipelines", (_LISTED, "b"), ("dbt_run", "j j j enter"), (" files ──", "enter"), ("@@", "")
    ),
    "tests": plain(_TESTED, ("2 failed", "")),
    "test": plain(_TESTED, ("2 failed", "enter"), ("lines 1", "")),
    "artifacts": plain(
        _ARCHIVED, ("drop_dev_schema", "j j j j D"), ("artifacts.zip", "tab"), ("run_results", "")
    ),
    "groups": plain(
        "access", (NO_ACCESS_REPORT, "r"), ("by highest level", "tab"), ("DIRECT", "l")
    ),
    "members": plain(
        "access", (NO_ACCESS_REPORT, "r"), ("by highest level", "tab"), ("ingestion/", "enter"),
        ("EFFECTIVE", "")
    ),
    "themes": once("pipelines", (_LISTED, ": t h e m e enter"), ("high-contrast", "")),
}  # fmt: skip


def pictures() -> dict[str, Picture]:
    """Return every picture by its name, those of a scene together."""
    return {
        picture.name: picture
        for name, scene in SCENES.items()
        for size in scene.sizes
        for picture in [Picture(name, size, theme) for theme in scene.themes]
        if size != VAST or picture.theme == DARK
    }
