"""Nothing is told by colour alone: every view as it is drawn without colours, and in ASCII."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest
from tests.support.dashboard import dashboard, driving, pipelines_of
from tests.support.frozen import FrozenClock

from platui.cli.commands.demo.reports import import_past_reports
from platui.models.values.routes import Route
from platui.present.status import STATUSES, status_cell
from platui.ui.line_filters import to_ascii
from platui.ui.pace import NORMAL_PACE, REDUCED_PACE, pace_of
from platui.ui.terminal.detection import Colours, Terminal

if TYPE_CHECKING:
    from tests.support.dashboard import Driver

    from platui.ui.app import PlatuiApp
    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="names and states of it are looked for")

MONO: Final = Terminal(usable=True, unicode=False, ansi_theme=True, colours=Colours.NONE)
WIDE: Final = (140, 40)
ATTRIBUTES: Final = ("bold", "dim", "underline", "reverse")

Drawn = list[list[tuple[str, frozenset[str]]]]
"""Lines of pieces: text, and what it has besides a colour."""


def drawn(app: PlatuiApp) -> Drawn:
    """Return what is on the screen.

    Raises:
        AssertionError: there is a colour, or a sign that is not ASCII.
    """
    found: Drawn = []
    for strip in app.screen._compositor.render_strips():
        line = []
        for text, style, _ in strip:
            assert text.isascii(), text
            if style is not None:
                assert style.color is None or style.color.is_default, text
                assert style.bgcolor is None or style.bgcolor.is_default, text
            has = frozenset(name for name in ATTRIBUTES if style and getattr(style, name))
            line.append((text, has))
        found.append(line)
    return found


def attributes(app: PlatuiApp, words: str, *, after: int = 0) -> frozenset[str]:
    """Return what some words have that stand on the screen, from a line on."""
    for line in drawn(app)[after:]:
        text = "".join(piece for piece, _ in line)
        at = text.find(words)
        if at < 0:
            continue
        for piece, has in line:
            if at < len(piece):
                return has
            at -= len(piece)
    raise AssertionError(words)


def cursor_lines(app: PlatuiApp) -> list[str]:
    """Return the lines that are reversed throughout, but for a thumb: the row under the cursor."""
    found = []
    for line in drawn(app):
        text = "".join(piece for piece, _ in line)
        lit = sum(len(piece) for piece, has in line if "reverse" in has)
        if lit > len(text) * 0.4:
            found.append(text.rstrip())
    return found


def mono(platform: RunningEmulator, start: Route | None = None, **more: object) -> PlatuiApp:
    """Return a dashboard on a terminal that has neither colours nor more than ASCII."""
    return dashboard(platform, start=start, clock=FrozenClock(), terminal=MONO, **more)  # type: ignore[arg-type]


def test_each_status_has_a_sign_and_a_word_of_its_own() -> None:
    """In ASCII too; those that wait in one way share a sign, never a word with another."""
    told = {status: to_ascii(status_cell(status).text) for status in STATUSES}
    ends = ("success", "failed", "running", "pending", "created", "canceled", "skipped", "manual")
    assert len({told[status].split()[0] for status in (*ends, "scheduled")}) == len(ends) + 1
    assert all(re.search(r"\w", words) for words in told.values())
    words = [one for status, one in told.items() if not status.startswith("waiting")]
    assert len({*words}) == len(words)


async def test_lists_tell_status_cursor_marks_and_focus(still_platform: RunningEmulator) -> None:
    """The cursor by reverse, or bold where the keys go elsewhere; a mark by a sign."""
    async with driving(mono(still_platform, Route("projects")), WIDE) as driver:
        await driver.until_at("projects")
        app = driver.app
        [row] = cursor_lines(app)
        name = row[30:].split()[0]
        assert attributes(app, "all ", after=3) == {"bold"}
        await driver.press("tab")
        await driver.wait(lambda: "reverse" in attributes(app, "all ", after=3))
        assert attributes(app, name, after=3) == {"bold"}
        driver.app.navigation.go(pipelines_of(still_platform))
        await driver.until_at("pipelines")
        statuses = re.findall(
            r"^ (\S) (success|failed|canceled|running) ", driver.text, re.MULTILINE
        )
        assert {"+": "success", "x": "failed"}.items() <= dict(statuses).items()
        strip = driver.text.splitlines()[1]
        assert {"#", "-"} <= {*strip.split()[0]}, "failed runs are higher in the strip"
        [before] = cursor_lines(app)
        await driver.press("space", "j")
        number = before.split()[2]
        await driver.wait(
            lambda: any(line[0] == "|" and number in line for line in driver.text.splitlines())
        )
        await driver.wait(lambda: bool(cursor_lines(app)) and number not in cursor_lines(app)[0])
        assert before[0] == " "
        await driver.press("enter")
        await driver.until_at("jobs")
        assert re.search(r" [+x] (success|failed) ", driver.text)


async def test_a_log_tells_errors_folds_hits_and_where_one_is(
    still_platform: RunningEmulator,
) -> None:
    """By bars and signs; of hits the one where one is stands out from the others."""
    async with driving(mono(still_platform, pipelines_of(still_platform))) as driver:
        await driver.until_at("pipelines")
        await driver.press("F")
        await driver.until("hides")
        await driver.press("l")
        await driver.until_at("log")
        await driver.until("error ")
        lines = driver.text.splitlines()[2:-2]
        assert any(line.startswith("|") for line in lines), "lines that tell of an error"
        assert any(line.startswith(">") for line in lines), "where one is"
        assert any(line.startswith(" > ") for line in lines), "what is folded"
        await driver.press("Z", "g")
        await driver.until(lambda text: bool(re.search(r"^.v ", text, re.MULTILINE)))
        await driver.enter("/", "in")
        await driver.until(" of ")
        app = driver.app
        await driver.wait(lambda: len({*hits(app)}) == 2)
        assert {*hits(app)} == {
            frozenset({"bold", "underline", "reverse"}), frozenset({"bold", "underline"}),
        }  # fmt: skip


def hits(app: PlatuiApp) -> list[frozenset[str]]:
    """Return what the words have that a search for `in` has found."""
    return [
        has - {"dim"} for line in drawn(app) for text, has in line
        if text.lower() == "in" and "underline" in has
    ]  # fmt: skip


async def test_a_comparison_tells_what_is_new_and_gone(still_platform: RunningEmulator) -> None:
    """By plus and minus, and what differs within a line by underlining."""
    async with driving(mono(still_platform, pipelines_of(still_platform)), WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.press("F")
        await driver.until("hides")
        await driver.press("l")
        await driver.until_at("log")
        await driver.press("c")
        await driver.until(" difference ")
        assert re.search(r"\d \+ ", driver.text)
        assert cursor_lines(driver.app)
        await driver.press("g")
        await driver.until(lambda text: bool(re.search(r"\d - ", text)))
        drawn(driver.app)


async def test_an_access_report_tells_its_tab_and_changes(still_platform: RunningEmulator) -> None:
    """Which list one sees, who joined and left, which level was raised."""
    app = mono(
        still_platform, Route("changes"), admin_url=still_platform.admin_url,
        admin_key=still_platform.admin_key, prepare_reports=import_past_reports,
    )  # fmt: skip
    async with driving(app, WIDE) as driver:
        await driver.until("NEW OWNERS")
        assert attributes(app, "Changes since", after=2) != attributes(app, "People", after=2)
        assert re.search(r"none > OWNER|MAINTAINER > OWNER", driver.text)
        assert {"JOINED", "new"} <= {*driver.text.split()}


async def test_triage_tells_broken_late_running_and_recovered(
    still_platform: RunningEmulator,
) -> None:
    """By signs and words; what production is, by its badge."""
    app = mono(still_platform, Route("triage"), production=True)
    await app.service.triage_state.watch(groups=["acme/platform"])
    async with driving(app) as driver:
        await driver.until(" broken (")
        await driver.wait(lambda: bool(cursor_lines(driver.app)))
        for row in (r"^ x.+ failed  since ", r"^ \+ .+ recovered "):
            found = re.compile(row, re.MULTILINE).search
            await driver.wait(lambda found=found: found(driver.text))  # type: ignore[misc]
        assert {"reverse", "bold"} <= attributes(app, "PROD")


async def test_schedules_files_forms_and_dialogs_tell_where_one_is(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By signs and words, and what one is at by reverse, bold or a sign before it."""
    monkeypatch.setattr(
        "platui.ui.key_guard.REACTION_SECONDS", -60.0
    )  # the clock stands: keys count
    project = "acme/platform/shared/ingestion-toolkit"
    start = Route("schedules", project, "ingestion-toolkit")
    async with driving(mono(still_platform, start, writes="confirm")) as driver:
        app = driver.app
        await driver.until("did not run")
        assert re.search(r"^ x did not run ", driver.text, re.MULTILINE)
        [row] = cursor_lines(app)
        assert "did not run" in row
        await driver.press("N")
        await driver.until("New schedule")
        assert marked_line(app) in cursor_lines(app)
        await driver.press("escape")
        app.navigation.go(pipelines_of(still_platform))
        await driver.until(" successful")
        await driver.press("p")
        await driver.until("sha256")
        assert "sha256 +" in driver.text
        drawn(app)
        await driver.press("escape")
        await driver.until_at("pipelines")
        await driver.press("i")
        await driver.until('"sha"')
        await driver.press("slash", "s", "h", "a", "enter")
        await driver.wait(lambda: "reverse" in attributes(app, "sha", after=1))
        await driver.press("escape", "escape")
        await driver.until(" successful")
        await driver.press("t")
        await driver.until("default branch")
        await driver.wait(lambda: bool(cursor_lines(app)))
        assert marked_line(app) in cursor_lines(app)
        await driver.press("escape")
        await driver.until_at("pipelines")
        await driver.press("T")
        await driver.until("[ No ]")
        assert "bold" in attributes(app, "[ No ]")
        await driver.press("escape")
        await driver.until(lambda text: "[ No ]" not in text)
        await driver.press("question_mark")
        await driver.until("Keys and commands")
        assert "reverse" in attributes(app, "Open the row")


def marked_line(app: PlatuiApp) -> str:
    """Return the line of a form that has the sign of the cursor."""
    texts = ("".join(text for text, _ in line).rstrip() for line in drawn(app))
    return next(text for text in texts if re.match(r"[ |]* > ", text))


def page(driver: Driver) -> list[str]:
    """Return the rows of a list without its scrollbar, which moves as more pages come."""
    return [line[:78].rstrip() for line in driver.text.splitlines()[3:-1]]


async def test_what_moves_moves_seldom_where_that_is_wished(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the settings, or by the variable that Textual's own programs know."""
    assert mono(still_platform).pace is NORMAL_PACE
    assert mono(still_platform, reduced_motion=True).pace is REDUCED_PACE
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    app = mono(still_platform, pipelines_of(still_platform), writes="confirm")
    async with driving(app) as driver:
        await driver.until_at("pipelines")
        assert pace_of(app) is REDUCED_PACE
        assert app.animation_level == "none"
        await driver.rest()
        for key in ("pagedown", "G", "g"):
            before = page(driver)
            await driver.press(key)
            # The page is there at once: nothing slides to its place.
            assert not app.animator._animations
            after = page(driver)
            await driver.rest()
            assert before != after == page(driver)
        nodes = [app, *app.screen.walk_children(with_self=True)]
        ticks = [one._interval for node in nodes for one in node._timers if one._active.is_set()]
        assert min(ticks, default=1) >= 1, "a sign that turns does so several times a second"
