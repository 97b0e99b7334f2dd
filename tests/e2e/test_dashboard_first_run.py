"""What somebody meets who has set nothing, too little, or something wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.login_page import login_page, own_certificate
from tests.support.processes import emulator_of, emulator_process, is_gone
from tests.support.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.processes import Desk


def leave(session: Session, key: str = "q") -> None:
    """Quit, from the keys that the page itself offers."""
    session.press(key)
    assert session.end() == 0
    assert session.terminal_is_itself()
    assert "Traceback" not in session.written


def test_without_a_profile_a_form_asks_for_one(tmp_path: Path) -> None:
    """Nothing but two texts have to be given; then the dashboard asks what to watch."""
    with emulator_process() as platform:
        environ = {"PLATUI_ADMIN_KEY": platform.admin_key, "PLATUI_ADMIN_URL": platform.base_url}
        _make_a_profile(platform, tmp_path, environ)
    config = tmp_path / ".config" / "platui"
    assert "[profiles.local]" in (config / "config.toml").read_text()
    holding = [path for path in tmp_path.rglob("*") if _holds(path, platform.token)]
    assert holding == [config / "credentials" / "local.token"]
    assert holding[0].stat().st_mode & 0o777 == 0o600


def _make_a_profile(platform: Desk, home: Path, environ: dict[str, str]) -> None:
    with Session(home=home, environ=environ) as session:
        session.until("esc quit")
        session.press(f"{platform.base_url}/acme/-/jobs", "enter")
        session.until("platform found")
        session.press(platform.token, "enter")
        session.until(lambda text: text.count("✔") == 2)
        session.press("esc")
        session.until("› Open the dashboard")
        session.press("enter")
        session.until("esc not now")
        session.press("esc")
        session.until("60 projects")
        session.press(":people", "enter")
        session.until("No access report has been fetched yet")
        session.press("r")
        session.until("No report found at this admin_url")  # so the key is known
        session.press("esc")
        session.until("60 projects")
        assert platform.token not in session.written
        leave(session)


def test_the_first_page_offers_the_demo(tmp_path: Path) -> None:
    """A row opens it, and it leaves as little behind as `platui demo`; `esc` leaves the page."""
    with Session(home=tmp_path) as session:
        session.until("esc quit")
        leave(session, "esc")
    with Session(home=tmp_path) as session:
        session.until("Open the demo")
        session.press(*["tab"] * 5)
        session.until("› Open the demo")
        session.press("enter")
        session.until("req/min")
        emulator, _ = emulator_of(session.process)
        session.press(":", "q", "enter")
        session.until("with: platui init")
        assert session.end() == 0
        assert is_gone(emulator)


def test_a_missing_token_can_be_given_in_place(tmp_path: Path) -> None:
    """The page says what to set; `A` takes a token, which is never on the screen."""
    with emulator_process() as platform:
        environ = {"PLATUI_URL": platform.base_url}
        with Session(home=tmp_path, environ=environ) as session:
            session.until("PLATUI_TOKEN")
            session.press("A")
            session.until("enter use it")
            session.press("wrong-one", "enter")
            session.until("Not signed in")
            session.press("A")
            session.until("enter use it")
            session.press(platform.token, "enter")
            session.until("esc not now")
            session.press("esc")
            session.until("60 projects")
            assert platform.token not in session.written
            assert "wrong-one" not in session.written
            leave(session)
        assert not [path for path in tmp_path.rglob("*") if _holds(path, platform.token)]


def _holds(path: Path, secret: str) -> bool:
    return path.is_file() and secret.encode() in path.read_bytes()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("http://127.0.0.1:1", ("Offline", "refused", "try now")),
        ("https://no-such-host.invalid", ("Offline", "no-such-host.invalid", "try now")),
        ("http://platform.example.com", ("Not encrypted", "https", "insecure = true")),
    ],
)
def test_a_wrong_address_is_said(tmp_path: Path, address: str, words: tuple[str, ...]) -> None:
    """A title, a sentence, a hint, and the key that helps; never a traceback."""
    environ = {"PLATUI_URL": address, "PLATUI_TOKEN": "planted-token"}
    with Session(home=tmp_path, environ=environ) as session:
        session.until(lambda text: all(word in text for word in words))
        session.press("r")
        session.until(lambda text: all(word in text for word in words))
        leave(session)
        assert "planted-token" not in session.written


def test_a_login_page_is_not_taken_for_a_platform(tmp_path: Path) -> None:
    """Its markup is never on the screen."""
    with login_page() as port:
        environ = {"PLATUI_URL": f"http://127.0.0.1:{port}", "PLATUI_TOKEN": "t"}
        with Session(home=tmp_path, environ=environ) as session:
            session.until(lambda text: "Invalid response" in text and "web page" in text)
            assert "<" not in session.text
            leave(session)


def test_a_certificate_nobody_knows_is_not_trusted(tmp_path: Path) -> None:
    """The sentence says what is wrong with it, and no token is sent."""
    certificate = own_certificate(tmp_path)
    with login_page(certificate) as port:
        environ = {"PLATUI_URL": f"https://127.0.0.1:{port}", "PLATUI_TOKEN": "t"}
        with Session(home=tmp_path, environ=environ) as session:
            session.until(lambda text: "certificate" in text and "ca_bundle" in text)
            leave(session)
