"""A platform whose every text is an attack: nothing of it is markup, nothing reaches the terminal.

The relay stands before an emulator and puts the attack before every name, ref, title, status
and line of log; the dashboard runs as a program in a terminal, and what it writes is looked at.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest
from tests.support.dashboard import Elsewhere, dashboard, driving
from tests.support.sequences import kinds
from tests.support.session import Session
from tests.support.wire import answer, wire_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.wire import Heard, WireServer

    from platui_emulator.server import RunningEmulator

ATTACK: Final = (
    "[@click=app.quit]x[/nope][$x]"
    "\x1b]52;c;aGFja2Vk\x07\x1b]0;owned\x1b\\\x1b[2J\x1b[?1049l\x1bc\x1bP+q\x1b\\"
    "\x9b2J\x9d0;owned\x9c\x00\x07\x08\x0e\x7f\u202e\u200b\u2028\r\n\t"
)
SIGN: Final = "[@click=app.quit]"
LOG_ATTACK: Final = (
    b"LOG \x1b]52;c;aGFja2Vk\x07\x1b[2J\x1b[5;5H\x1bc\xc2\x9b2J\x9b2J\x00\x08\x7fEND\n"
)

_LEFT_ALONE: Final = re.compile(r"(^|_)(id|iid|at|url|repo|size|branch)$")


def poisoned(value: Any, key: str = "") -> Any:
    """Return an answer with the attack before every text but addresses, times and ids."""
    if isinstance(value, dict):
        return {name: poisoned(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, key) for item in value]
    if isinstance(value, str) and not _LEFT_ALONE.search(key):
        return ATTACK + value
    return value


@asynccontextmanager
async def hostile(platform: RunningEmulator) -> AsyncIterator[WireServer]:
    """Run the relay."""
    headers = {"PRIVATE-TOKEN": platform.token}
    async with httpx.AsyncClient(
        base_url=platform.base_url, headers=headers, trust_env=False
    ) as client:

        async def relay(heard: Heard, writer: Any) -> None:
            got = await client.get(heard.target)
            status = f"{got.status_code} {got.reason_phrase}"
            if heard.target.endswith("/trace"):
                body = LOG_ATTACK * 30 + got.content
                writer.write(answer(body, status, "text/plain"))
            else:
                # Bare where JSON lets them be: an escape is harmless before it is read.
                text = json.dumps(poisoned(got.json()), ensure_ascii=False)
                writer.write(answer(text, status))

        async with wire_server(relay) as server:
            yield server


def walk(platform: tuple[str, str], home: Path, sign: str, log_sign: str) -> str:
    """Run the program from projects to a log and out again; return all that it wrote."""
    url, token = platform
    environ = {"PLATUI_URL": url, "PLATUI_TOKEN": token}
    with Session(home=home, environ=environ) as session:
        session.until("0 of 60 marked")
        session.press("space", "enter")
        session.until(lambda text: "watched" in text and "● live" in text)
        session.press("2")
        session.until(lambda text: "LAST RUN" in text and sign in text and "● live" in text)
        session.press("\x1b[<0;10;6M\x1b[<0;10;6m")  # a click on a name
        session.press("d")
        session.until("branch")
        session.press("q")
        session.until(lambda text: "LAST RUN" in text and "branch" not in text)
        session.press("enter")
        session.until(lambda text: "COMMIT" in text and "#" in text)
        session.press("enter")
        # Rows are there with their bars: keys before them have nothing to act on.
        session.until(lambda text: "TIMELINE" in text and " jobs · " in text and "━" in text)
        for key, first, last in (("d", "status", "avatar"), ("i", '"stage"', '"tag_list"')):
            session.press(key)
            session.until(first)
            session.press("G")
            session.until(last)
            session.press("q")
            session.until("TIMELINE")
        session.press("enter")
        # It opens at its end, or an error: a key before that may be followed by the move there.
        session.until(lambda text: re.search(r"lines \d+–\d+ of \d+", text))
        session.settle()
        session.press("g")
        session.until(log_sign)
        session.press("2")
        session.until("LAST RUN")
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
        return session.written


@pytest.mark.variants("default", reason="an attack is compared with an honest platform")
async def test_no_control_byte_of_theirs_reaches_the_terminal(
    still_platform: RunningEmulator, tmp_path: Path
) -> None:
    """On a hostile platform it writes no sequence that it does not write on an honest one."""
    honest = await asyncio.to_thread(
        walk,
        (still_platform.base_url, still_platform.token),
        tmp_path,
        "budget-planning",
        "Running with",
    )
    async with hostile(still_platform) as server:
        attacked = await asyncio.to_thread(
            walk, (server.url, still_platform.token), tmp_path, SIGN, "LOG"
        )
    scrolls = {"L", "M", "r"}  # whether a list scrolls depends on what arrives together
    assert kinds(attacked) - kinds(honest) <= scrolls
    assert "\x1b]52" not in attacked


@pytest.mark.variants("default", "spec-only", reason="a relay makes its own attacks")
async def test_their_markup_is_text(still_platform: RunningEmulator) -> None:
    """It is shown as it was written, and does nothing."""
    async with (
        hostile(still_platform) as server,
        driving(dashboard(Elsewhere(server.url, still_platform.token)), (160, 40)) as driver,
    ):
        await driver.until("[@click=app.quit]x[/")
        await driver.pilot.click(offset=(60, 6))
        await driver.press("enter")
        await driver.until("Pipelines")
        await driver.until(lambda text: text.count(SIGN) > 10)
        await driver.press("?")
        await driver.until("Keys")
        await driver.press("escape")
        assert driver.app.is_running


async def test_their_errors_are_text(still_platform: RunningEmulator) -> None:
    """A sentence of the platform's is shown without what could command."""

    async def refuse(_: Heard, writer: Any) -> None:
        writer.write(answer({"message": ATTACK + "END"}, "403 Forbidden"))

    async with (
        wire_server(refuse) as server,
        driving(dashboard(Elsewhere(server.url))) as driver,
    ):
        await driver.until(SIGN)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u200b\u2028]", driver.text)
        await driver.press("r")
        assert driver.app.is_running
