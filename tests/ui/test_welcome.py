"""The first page: what is typed is tested at once, stays where it was wrong, and leads on."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from tests.support.dashboard import Driver
from tests.support.login_page import login_page, own_certificate
from tests.support.platform import credentials

from platui.config.profile import Profile
from platui.config.settings import Settings
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError
from platui.core.secrets import Secret
from platui.service.sign_in import SignIn
from platui.ui.terminal.detection import Terminal
from platui.ui.welcome import WelcomeApp
from platui.ui.widgets.field_input import FieldInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from platui_emulator.server import RunningEmulator

pytestmark = pytest.mark.variants("default", reason="tokens tell what they are")


class Desk:
    """Writes nothing, and knows what was to be written."""

    def __init__(self) -> None:
        self.written: list[tuple[Profile, Secret]] = []
        self.fails = False

    def save(self, profile: Profile, token: Secret) -> None:
        """Take what is to be written."""
        if self.fails:
            raise ConfigError("The disk is full.")
        self.written.append((profile, token))


@asynccontextmanager
async def page(desk: Desk, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Driver]:
    """Show the page, and hand over its keys."""
    clock = SystemClock()
    app = WelcomeApp(Settings(), Terminal(usable=True), SignIn(clock), desk.save, clock)
    async with app.run_test(size=size) as pilot:
        driver: Any = Driver(app, pilot)  # type: ignore[arg-type]  # the app of this test
        await driver.until("Welcome to platui")
        yield driver


def result(driver: Driver) -> str | None:
    """Return what the page has led to."""
    led_to: Any = driver.app.return_value
    return None if led_to is None else str(led_to)


def typed(driver: Driver) -> str:
    """Return what stands on the open line, masked or not; empty where none is open."""
    return next((line.value for line in driver.app.screen.query(FieldInput)), "")


async def test_two_pastes_lead_to_the_dashboard(platform: RunningEmulator) -> None:
    """Each is tested, the cursor goes on by itself, and the rest is filled in."""
    desk = Desk()
    async with page(desk) as driver:
        await driver.paste(f"{platform.base_url}/acme/etl/-/pipelines?page=2\n")
        await driver.until("platform found")
        assert f" {platform.base_url} " in driver.text
        await driver.paste(platform.token)
        await driver.until(lambda text: text.count("✔") == 2)
        assert platform.token not in driver.text
        await driver.press("end", "enter")
        await driver.wait(lambda: bool(desk.written))
    assert desk.written == [(Profile("local", platform.base_url), Secret(platform.token))]
    assert result(driver) == "made"


async def test_certificates_that_nobody_knows_lead_to_the_command_that_takes_them(
    tmp_path: Path,
) -> None:
    """The form has no field for them; and a token in the place of an address is not kept there."""
    with login_page(own_certificate(tmp_path)) as port:
        async with page(Desk(), size=(100, 30)) as driver:
            await driver.paste("glpat-Ab3dEf6hIj9kLm2nOp5q")
            await driver.until("looks like a token")
            assert "glpat-" not in driver.text
            assert "› URL" in driver.text
            await driver.paste(f"https://127.0.0.1:{port}")
            await driver.until(f"The certificate of 127.0.0.1:{port} is self-signed.")
            assert "platui init --ca-bundle FILE" in " ".join(driver.text.split())
            assert "looks like a token" not in driver.text


async def test_what_was_typed_stays_where_it_was_wrong(platform: RunningEmulator) -> None:
    """The sentence stands below it, with what can be done; another try needs no other field."""
    desk = Desk()
    async with page(desk) as driver:
        await driver.type("127.0.0.1:1")
        await driver.press("enter")
        await driver.until("refused the connection")
        assert "URL             127.0.0.1:1" in driver.text
        await driver.until("› URL")
        await driver.press("enter", "ctrl+u")
        await driver.type(platform.base_url)
        await driver.press("enter")
        await driver.until("platform found")
        assert "refused" not in driver.text
        await driver.type(str(credentials(platform)["personal_revoked"]))
        await driver.press("enter")
        await driver.until("was revoked")
        assert "› token" in driver.text
        await driver.paste(platform.token)
        await driver.until(lambda text: text.count("✔") == 2)
        assert "revoked" not in driver.text
        await driver.until("› name")
        await driver.type("prod eu")
        await driver.press("enter")
        await driver.until("is not a valid profile name. Use at most 64")
        assert "› name" in driver.text
        await driver.press("end", "enter")
        assert desk.written == []
        await driver.until("› name")
        await driver.type("prod-eu")
        await driver.press("enter")
        await driver.until("[yes]")
        await driver.press("end", "enter")
        await driver.wait(lambda: bool(desk.written))
    [(profile, _)] = desk.written
    assert profile == Profile("prod-eu", platform.base_url, production=True)


async def test_an_address_is_never_taken_for_a_token(platform: RunningEmulator) -> None:
    """It is led to its field, enter takes the one that is meant, and a tab too much skips none."""
    wrong = platform.base_url.replace("http://", "https://")
    async with page(Desk(), size=(100, 30)) as driver:
        await driver.paste("127.0.0.1:1")
        await driver.press("tab")
        await driver.until("refused the connection")
        await driver.until("› URL")
        await driver.press("down")
        assert "https://" not in driver.text, "a link to somebody else's tokens"
        await driver.paste(wrong)
        await driver.until("does not support TLS")
        await driver.until(f"› URL             {wrong}")
        assert "•" not in driver.text
        await driver.until(f"use {platform.base_url}")
        await driver.press("enter")
        await driver.until("platform found")
        await driver.until("› token")
        await driver.paste("https://elsewhere.example/path")
        await driver.until("elsewhere.example is a URL.")
        await driver.press("down")
        await driver.paste("glpat-Ab3dEf6hIj9kLm2nOp5q")
        await driver.until("looks like a token")
        await driver.press("up")
        await driver.paste(platform.token)
        await driver.until(lambda text: text.count("✔") == 2)
        assert "looks like a token" not in driver.text
        await driver.until("› name")
        await driver.press("tab")
        await driver.press("tab")
        await driver.until("› production")


async def test_an_address_and_a_token_are_pasted_together(platform: RunningEmulator) -> None:
    """Who has copied both lines gives both, and the second is not seen."""
    async with page(Desk()) as driver:
        await driver.paste(f"{platform.base_url}\nglpat-Ab3dEf6hIj9kLm2nOp5q\n")
        await driver.until("does not accept this token")
        assert "glpat-" not in driver.text


async def test_a_token_goes_to_no_second_platform(
    still_platform: RunningEmulator, narrow_platform: RunningEmulator
) -> None:
    """Who takes another address gives another token: the first one belongs to its platform."""
    desk = Desk()
    async with page(desk) as driver:
        await driver.paste(still_platform.base_url)
        await driver.until("platform found")
        await driver.paste(still_platform.token)
        await driver.until(lambda text: text.count("✔") == 2)
        await driver.press("home", "enter", "ctrl+u")
        await driver.type(narrow_platform.base_url)
        await driver.press("enter")
        await driver.until("Enter another token: the last one was for 127.0.0.1")
        await driver.press("end", "enter")
        await driver.until("› token")
        await driver.paste(narrow_platform.token)
        await driver.until(lambda text: text.count("✔") == 2)
        await driver.press("end", "enter")
        await driver.wait(lambda: bool(desk.written))
    [(profile, token)] = desk.written
    assert (profile.url, token) == (narrow_platform.base_url, Secret(narrow_platform.token))


async def test_an_empty_form_says_what_is_needed_and_opens_when_that_is_there(
    platform: RunningEmulator,
) -> None:
    """The cursor goes to it; what is being asked is waited for."""
    desk = Desk()
    async with page(desk) as driver:
        await driver.press("end", "enter")
        await driver.until("Enter a URL")
        await driver.paste(platform.base_url)
        await driver.press("end", "enter")
        await driver.until("Enter a token")
        await driver.paste(platform.token)
        desk.fails = True
        await driver.press("end", "enter")
        await driver.until("The disk is full")
        desk.fails = False
        await driver.press("enter")
        await driver.wait(lambda: bool(desk.written))


@pytest.mark.parametrize("address", ["data.example", "qa.example"])
async def test_an_address_begins_with_any_letter(address: str) -> None:
    """Also with one that is a key elsewhere; with nothing filled in, `esc` leaves."""
    async with page(Desk()) as driver:
        await driver.type(address)
        await driver.until(f"› URL             {address}")
        assert typed(driver) == address
        await driver.press("escape")
        await driver.until("quit")
        await driver.press("escape")
        await driver.wait(lambda: not driver.app.is_running)
    assert result(driver) is None


@pytest.mark.parametrize(
    ("keys", "ends"), [("end down enter", "demo"), ("end d", "demo"), ("end q", None)]
)
async def test_the_end_of_the_form_leads_elsewhere_too(keys: str, ends: str | None) -> None:
    """A row leads to the demo; on the rows that take no text, letters are keys."""
    async with page(Desk()) as driver:
        await driver.press(*keys.split())
        await driver.wait(lambda: not driver.app.is_running)
    assert result(driver) == ends


async def test_enter_leads_on_from_what_needs_nothing(platform: RunningEmulator) -> None:
    """A name that fits and a choice are left by one press, as they are; space changes."""
    desk = Desk()
    async with page(desk) as driver:
        await driver.paste(platform.base_url)
        await driver.until("platform found")
        await driver.paste(platform.token)
        await driver.until("› name")
        await driver.press("enter")
        await driver.until("› production      [no]")
        await driver.press("space")
        await driver.until("› production       no  [yes]")
        await driver.press("enter", "enter")
        await driver.wait(lambda: bool(desk.written))
    [(profile, _)] = desk.written
    assert profile == Profile("local", platform.base_url, production=True)


async def test_what_is_pasted_while_typing_goes_in_once() -> None:
    """On a line that is open already, also where what is typed is masked."""
    async with page(Desk()) as driver:
        for row, letter in (("URL", "h"), ("token", "g")):
            await driver.until(f"› {row}")
            await driver.type(letter)
            await driver.wait(lambda: len(typed(driver)) == 1)
            await driver.paste("one.example")
            await driver.wait(lambda: len(typed(driver)) > 1)
            assert typed(driver) == f"{letter}one.example"
            await driver.press("escape", "down")


async def test_an_address_that_was_removed_gets_no_token(
    platform: RunningEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although its platform answers then."""
    gate, asked, root_of = asyncio.Event(), asyncio.Event(), SignIn.root_of

    async def late(self: SignIn, address: str) -> str:
        asked.set()
        await gate.wait()
        return await root_of(self, address)

    monkeypatch.setattr(SignIn, "root_of", late)
    async with page(Desk()) as driver:
        await driver.press("down")
        await driver.paste(platform.token)
        await driver.press("up")
        await driver.paste(f"{platform.base_url}\n")
        await driver.wait(asked.is_set)
        await driver.press("up", "up", "enter", "ctrl+u", "enter")
        screen: Any = driver.app.screen
        await driver.wait(lambda: not screen.setup.address)
        gate.set()
        await driver.settle()
        assert not screen.setup.address
        assert screen.setup.info is None
