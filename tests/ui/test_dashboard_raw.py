"""Raw answers, and the zone of the times: what `i` and `u` do."""

from __future__ import annotations

import base64
import json
import re
import time
from typing import TYPE_CHECKING

import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving, pipelines_of
from tests.support.frozen import NIGHT, FrozenClock
from tests.support.wire import answer, wire_server
from tests.texts.screens import ZONE
from textual.drivers.headless_driver import HeadlessDriver

from platui.models.values.queries import RawRecord
from platui.models.values.routes import Route
from platui.ui.dialogs.raw import RawDialog

if TYPE_CHECKING:
    import asyncio

    from tests.support.dashboard import Driver
    from tests.support.wire import Heard

    from platui_emulator.server import RunningEmulator

WIDE = (120, 40)
DETAIL = re.compile(r"/pipelines/\d+$")


def spent(driver: Driver, pattern: str = "") -> list[str]:
    """Return the paths that were asked for so far."""
    return [one.path for one in driver.app.service.journal.recent() if re.search(pattern, one.path)]


@pytest.mark.variants("default", "spec-only", reason="honest names and states are gone by")
async def test_i_shows_what_the_platform_said(still_platform: RunningEmulator) -> None:
    """Of a project, a pipeline, a job, and of the job of a log; esc leads back each time."""
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        for view, word in (
            ("projects", '"description"'), ("pipelines", '"before_sha"'),
            ("jobs", '"allow_failure"'), ("log", '"allow_failure"'),
        ):  # fmt: skip
            await driver.until_at(view)
            await driver.press("i")
            text = await driver.until(word)
            kind, number = re.search(r"raw  (?:\S+ · )?(\w+) (\d+) ", text).groups()  # type: ignore[union-attr]
            assert f'  "id": {number},' in text
            assert kind == {"projects": "project", "pipelines": "pipeline"}.get(view, "job")
            await driver.press("escape")
            await driver.until_at(view)
            await driver.press("enter")


async def test_a_raw_answer_is_searched_and_copied(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`/` counts, n and N go round, `y` copies what is shown: all of it, masked."""
    texts: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "write", lambda _, data: texts.append(data))
    for name in ("TMUX", "STY"):
        monkeypatch.delenv(name, raising=False)
    async with driving(dashboard(still_platform, clock=FrozenClock())) as driver:
        await driver.until_at("projects")
        record = {"id": 1, "runners_token": None, "ci": [{"key": "PASSWORD", "value": "planted"}],
                  "x": "one One ONE", "end": "one"}  # fmt: skip

        async def load(_: bool) -> RawRecord:  # noqa: FBT001  (as the dialog calls it)
            return RawRecord(json.dumps(record).encode(), "projects/1", NIGHT)

        driver.app.push_screen(RawDialog("project 1", load, FrozenClock()))
        await driver.until("2 masked")
        assert "planted" not in driver.text
        await driver.press("/")
        await driver.type("one")
        await driver.until("1 of 4")
        await driver.press("enter", "n", "n")
        await driver.until("3 of 4")
        await driver.press("n", "n")
        await driver.until("1 of 4")
        await driver.press("N")
        await driver.until("4 of 4")
        await driver.press("/")
        await driver.type("nowhere")
        await driver.until("not found")
        await driver.press("escape")
        await driver.until(lambda text: "not found" not in text)
        await driver.press("y")
        await driver.until_told("Sent to the terminal")
        await driver.press("escape")
        await driver.until_at("projects")
    [sent] = [sequence for sequence in texts if sequence.startswith("\x1b]52;")]
    copied = json.loads(base64.b64decode(sent.split(";")[2].rstrip("\x07")))
    masked = record | {"runners_token": "•••", "ci": [{"key": "PASSWORD", "value": "•••"}]}
    assert copied == masked
    assert list(copied) == list(record)


async def test_a_raw_answer_costs_one_request_and_then_none(
    still_platform: RunningEmulator,
) -> None:
    """It is kept; `r` asks again."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        for _ in range(2):
            await driver.press("i")
            await driver.until('"before_sha"')
            await driver.rest()
            assert len(spent(driver, DETAIL.pattern)) == 1
            await driver.press("escape")
            await driver.until_at("pipelines")
        await driver.press("i")
        await driver.until('"before_sha"')
        await driver.press("r")
        await driver.wait(lambda: len(spent(driver, DETAIL.pattern)) == 2)


async def test_a_long_answer_is_a_window_like_any_other() -> None:
    """Hundred thousand lines, and one of a megabyte: the ends are one key away."""
    body = json.dumps({"long": "y" * 1_000_000, "many": list(range(100_000))}).encode()

    async def refuse(_: Heard, writer: asyncio.StreamWriter) -> None:
        writer.write(answer({"message": "no"}, "403 Forbidden"))

    async def load(_: bool) -> RawRecord:  # noqa: FBT001  (as the dialog calls it)
        return RawRecord(body, "projects/1", NIGHT)

    async with (
        wire_server(refuse) as server,
        driving(dashboard(Elsewhere(server.url), clock=FrozenClock())) as driver,
    ):
        await driver.until("Not allowed")
        driver.app.push_screen(RawDialog("project 1", load, FrozenClock()))
        await driver.until('"long": "yyy')
        began = time.process_time()
        for _ in range(3):
            await driver.press("G")
            await driver.until("100,005/100,005")
            await driver.press("g")
            await driver.until(lambda text: "yyyy" in text.splitlines()[20])
            await driver.press("w", "right", "right", "right")
            await driver.until("‹yyyy")
            assert "yyyy" not in driver.text.splitlines()[20]
            await driver.press("w")
            await driver.until('"long": "yyy')
        assert time.process_time() - began < 3


@pytest.mark.variants("default", "spec-only", reason="long texts push it out of sight")
async def test_moving_fast_through_details_spends_nothing(
    still_platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the row on which the cursor rests is asked for."""
    # A busy machine presses fifteen keys slowly: what is a rest is longer here.
    monkeypatch.setattr("platui.ui.screens.parts.list_details._REST", 1.5)
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock()), WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.until("technical")
        before = len(spent(driver, DETAIL.pattern))
        await driver.press(*["j"] * 15)
        await driver.until(f"Pipeline #{driver.cursor}")
        await driver.until("technical")
        await driver.rest()
        assert len(spent(driver, DETAIL.pattern)) - before <= 2


async def test_dialogs_that_are_left_at_once_break_nothing(
    still_platform: RunningEmulator,
) -> None:
    """Their answers come while they are taken down."""
    start = pipelines_of(still_platform)
    async with driving(dashboard(still_platform, start=start, clock=FrozenClock())) as driver:
        await driver.until_at("pipelines")
        for _ in range(6):
            await driver.press("j", "d", "escape", "i", "escape")
        await driver.until_at("pipelines")
        assert driver.app.is_running


# the zone of the times


@pytest.fixture
def _berlin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put this machine into a zone with summer time."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()


@pytest.mark.usefixtures("_berlin")
async def test_u_changes_every_time_and_is_remembered(still_platform: RunningEmulator) -> None:
    """In the pane, in a dialog over it, by key and by command, and at the next start."""
    start = pipelines_of(still_platform)
    app = dashboard(still_platform, start=start, clock=FrozenClock(), utc=False, remembers=True)
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.until(" CET · ")
        await driver.press("u")
        await driver.until(" UTC · ")
        await driver.until_told(f"{ZONE} UTC")
        assert " CET" not in driver.text
        await driver.enter(":", "local")
        await driver.until(" CET · ")
        await driver.pilot.resize_terminal(80, 24)
        await driver.until(lambda text: " CET · " not in text)
        await driver.press("d", "G")
        await driver.until("technical")
        await driver.press("g", "ctrl+d")
        await driver.until(" CET · ")
        await driver.press("u")
        await driver.until(lambda text: " UTC · " in text and " CET · " not in text)
        await driver.press("escape")
        await driver.until_at("pipelines")
    app = dashboard(still_platform, start=start, clock=FrozenClock(), utc=False, remembers=True)
    async with driving(app, WIDE) as driver:
        await driver.until_at("pipelines")
        await driver.until(" UTC · ")


async def test_a_broken_pipeline_file_is_the_first_thing_said() -> None:
    """In the details before the status, and where its jobs would be."""
    pipeline = {"id": 5, "status": "failed", "yaml_errors": "jobs:load config is broken"}

    async def script(heard: Heard, writer: asyncio.StreamWriter) -> None:
        path = heard.target.split("?")[0]
        many = path.endswith(("/pipelines", "/jobs", "/bridges"))
        said = [pipeline] if path.endswith("/pipelines") else [] if many else pipeline
        writer.write(answer(said))

    async with wire_server(script) as server:
        start = Route("pipelines", "acme/etl", "etl")
        app = dashboard(Elsewhere(server.url), start=start, clock=FrozenClock())
        async with driving(app) as driver:
            await driver.until_at("pipelines")
            await driver.press("d")
            text = await driver.until("jobs:load config is broken")
            assert text.index("cause") < text.index("status")
            await driver.press("escape", "enter")
            await driver.until("The pipeline file is invalid")
            assert "jobs:load config is broken" in driver.text


@pytest.mark.variants("default", reason="it goes by rows of an honest tree of namespaces")
async def test_a_namespace_has_details_and_a_raw_answer_too(
    still_platform: RunningEmulator,
) -> None:
    """Of the one under the cursor among them; the row for all of them has neither."""
    async with driving(dashboard(still_platform, clock=FrozenClock()), WIDE) as driver:
        await driver.until_at("projects")
        await driver.press("tab", "d", "i")
        await driver.rest()
        assert "raw" not in driver.text
        await driver.press("j", "d")
        await driver.until("kind       user")
        await driver.press("escape", "i")
        text = await driver.until('"kind": "user"')
        assert re.search(r"raw  \S+ · namespace \d+", text)
        await driver.press("escape")
        await driver.until("NAMESPACE")


async def test_requests_say_in_which_zone_they_were_sent(still_platform: RunningEmulator) -> None:
    """Above the times, since there is no room beside each."""
    app = dashboard(still_platform, start=Route("requests"), clock=FrozenClock())
    async with driving(app) as driver:
        await driver.until("TIME UTC")
        await driver.press("u")
        await driver.until(lambda text: "TIME " in text and "TIME UTC" not in text)
