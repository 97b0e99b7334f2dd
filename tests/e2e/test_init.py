"""`platui init` on a terminal: what is asked, what is typed unseen, and what is left behind."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING

import pytest
from tests.support.login_page import login_page, own_certificate, sent_on
from tests.support.platform import ask
from tests.support.processes import Desk, emulator_process
from tests.support.session import Session
from tests.texts.init import ADDRESS_PROMPT, CERTIFICATES_PROMPT, NEXT, NOTHING_SAVED, TOKEN_PROMPT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    """Run a platform."""
    with emulator_process() as desk:
        yield desk


def files(home: Path) -> list[Path]:
    """Return what lies in a home."""
    return [path for path in home.rglob("*") if path.is_file()]


def test_questions_lead_to_a_profile_and_mistakes_are_asked_again(
    desk: Desk, tmp_path: Path
) -> None:
    """Whatever was right before stays; nothing of a token is ever seen."""
    with Session("init", home=tmp_path, size=(80, 50)) as session:
        session.press("too early", "enter")
        session.until(ADDRESS_PROMPT)
        session.press("http://127.0.0.1:1", "enter")
        session.until("refused the connection")
        session.until(lambda text: text.count(ADDRESS_PROMPT) == 2)
        session.press(f"{desk.base_url}/acme/-/jobs", "enter")
        session.until("is a platform")
        session.until(TOKEN_PROMPT)
        session.press("https://elsewhere.example", "enter")
        session.until("not a token")
        session.until(lambda text: text.count(TOKEN_PROMPT) == 2)
        session.press("wrong-one", "enter")
        session.until("does not accept this token")
        session.until(lambda text: text.count(TOKEN_PROMPT) == 3)
        session.press(desk.token, "enter")
        session.until("You are")
        session.until("Name of the profile [local]:")
        session.press("p x", "enter")
        session.until("at most 64")
        session.until(lambda text: text.count("Name of the profile [local]:") == 2)
        session.press("prod", "enter")
        session.until("production (marked in red)? [Y/n]:")
        session.press("enter")
        session.until("Which [1]:")
        session.press("7", "enter")
        session.until("number from 1 to")
        session.until(lambda text: text.count("Which [1]:") == 2)
        session.press("enter")
        session.until("choose in the dashboard)")
        session.press("2-3", "enter")
        session.until(NEXT)
        assert session.end() == 0
        for secret in (desk.token, "wrong-one"):
            assert secret not in session.written
    config = tmp_path / ".config" / "platui"
    assert "production = true" in (config / "config.toml").read_text()
    holding = [path for path in files(tmp_path) if desk.token in path.read_text()]
    assert holding == [config / "credentials" / "prod.token"]
    with Session("triage", "watched", home=tmp_path) as session:
        assert session.end() == 0
        assert len(session.text.split()) == 2


def test_an_address_that_is_nearly_right_leads_to_the_one_that_is(
    desk: Desk, tmp_path: Path
) -> None:
    """The answer tells it, enter takes it; a token is not seen, and ctrl+c at the end is one no."""
    pasted = "glpat-Ab3dEf6hIj9kLm2nOp5q"
    secure = desk.base_url.replace("http://", "https://")
    offered = f"any page on it [{desk.base_url}]:"
    with sent_on(desk.base_url) as port, Session("init", home=tmp_path, size=(80, 50)) as session:
        session.until(ADDRESS_PROMPT)
        session.press("http://platform.example.com", "enter")
        session.until("any page on it [https://platform.example.com]:")
        session.press(secure, "enter")
        session.until("does not support TLS")
        session.until(lambda text: text.rstrip().endswith(offered))
        session.press(pasted, "enter")
        session.until("looks like a token")
        assert pasted not in session.text
        session.until(lambda text: text.rstrip().endswith(offered))
        session.press(f"127.0.0.1:{port}", "enter")
        session.until("nothing was sent there")
        session.until(lambda text: text.rstrip().endswith(offered))
        session.press("enter")
        session.until(f"{desk.base_url} is a platform")
        session.until(TOKEN_PROMPT)
        session.press(desk.token, "enter")
        session.until("Name of the profile")
        session.press("enter")
        session.until("Is it production")
        session.press("perhaps", "enter")
        session.until("answer y or n")
        session.until(lambda text: text.count("Is it production") == 2)
        session.press("n", "enter")
        session.until("Which [1]:")
        session.press("enter")
        session.until("choose in the dashboard)")
        session.press("ctrl+c")
        session.until("No projects watched yet")
        session.until(NEXT)
        assert session.end() == 0
    assert (tmp_path / ".config" / "platui" / "credentials" / "local.token").exists()


def test_address_and_token_go_in_by_one_paste(desk: Desk, tmp_path: Path) -> None:
    """The token is not shown, though it comes while the address is asked for and tested."""
    with Session("init", home=tmp_path, size=(80, 50)) as session:
        session.until(ADDRESS_PROMPT)
        session.press(f"xy\x7f\x1b[D\x15z\x17{desk.base_url}\r{desk.token}\r")
        session.until("You are")
        session.until("Name of the profile")
        assert f"any page on it: {desk.base_url}" in session.text
        assert desk.token not in session.written
        session.press("ctrl+c")
        session.until(NOTHING_SAVED)
        assert session.end() == 130
        assert session.has_modes_of_before()


def test_the_most_active_projects_are_still_in_sight_at_the_question(
    desk: Desk, tmp_path: Path
) -> None:
    """Of a long list a small terminal shows the first part; all are all of it."""
    with Session("init", home=tmp_path) as session:
        session.until(ADDRESS_PROMPT)
        session.press(f"{desk.base_url}\r{desk.token}\r")
        for question in ("Name of the profile", "Is it production", "Which [1]:"):
            session.until(question)
            session.press("enter")
        session.until("choose in the dashboard)")
        listed = re.search(r"recently active.*\n *1  .*\n(?:.*\n)+ +and (\d+) less", session.text)
        assert listed is not None
        every = re.search(r"all \((\d+)\) or none", session.text)
        assert every is not None
        assert int(every[1]) > int(listed[1]) > 0
        session.press("1 3-5 7,9")
        session.until("dashboard): 1 3-5 7,9")


def test_nothing_is_shown_of_what_is_typed_while_an_address_is_tested(tmp_path: Path) -> None:
    """It says whom it asks; and the terminal is itself again for whoever has enough of it."""
    pasted = "glpat-Ab3dEf6hIj9kLm2nOp5q"
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        Session("init", home=tmp_path) as session,
    ):
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        session.until(ADDRESS_PROMPT)
        session.press(f"http://{host}", "enter")
        session.until(f"connecting to {host} …")
        session.press(pasted, "enter", "ctrl+c")
        session.until(NOTHING_SAVED)
        assert session.end() == 130
        assert session.has_modes_of_before()
        assert pasted not in session.written


def test_a_token_that_has_ended_is_replaced_in_its_profile(desk: Desk, tmp_path: Path) -> None:
    """It says so, tells where another is made, and asks for that."""
    config = tmp_path / ".config" / "platui"
    (config / "credentials").mkdir(parents=True)
    (config / "config.toml").write_text(f"[profiles.here]\nurl = '{desk.base_url}'\n")
    token = config / "credentials" / "here.token"
    issued = ask("GET", f"{desk.base_url}/-/emulator/credentials").json()
    token.write_text(issued["personal_expired"])
    token.chmod(0o600)
    with Session("init", "here", "--watch", "later", home=tmp_path, size=(80, 50)) as session:
        session.until("Update it?")
        session.press("y", "enter")
        session.until("any page on it")
        session.press("enter")
        session.until("use it?")
        session.press("enter")
        session.until("The token has expired.")
        session.until("personal_access_tokens?")
        session.until(TOKEN_PROMPT)
        session.press(desk.token, "enter")
        session.until("production")
        session.press("enter")
        session.until("Which [1]:")
        session.press("enter")
        session.until(NEXT)
        assert session.end() == 0
    assert token.read_text().splitlines() == [desk.token, desk.base_url]


@pytest.mark.parametrize(
    ("at", "keys"),
    [
        (ADDRESS_PROMPT, "\x04"),
        (TOKEN_PROMPT, "ctrl+c"),
        (TOKEN_PROMPT, "\x04"),
        ("Name of the profile", "ctrl+c"),
    ],
)
def test_whoever_leaves_has_written_nothing(desk: Desk, tmp_path: Path, at: str, keys: str) -> None:
    """At any question, and the terminal shows again what is typed."""
    with Session("init", home=tmp_path) as session:
        for question, answer in (
            (ADDRESS_PROMPT, desk.base_url), (TOKEN_PROMPT, desk.token)
        ):  # fmt: skip
            session.until(question)
            if question == at:
                break
            session.press(answer, "enter")
        session.until(at)
        session.press(keys)
        session.until(NOTHING_SAVED)
        assert session.end() == 130
        assert session.has_modes_of_before()
        assert "Traceback" not in session.written
    assert files(tmp_path) == []


def test_certificates_of_ones_own_are_asked_for_where_they_are_missed(tmp_path: Path) -> None:
    """The sentence says what is wrong; with the file the same address is tried again."""
    certificate = own_certificate(tmp_path)
    with login_page(certificate) as port, Session("init", home=tmp_path / "home") as session:
        session.until(ADDRESS_PROMPT)
        session.press(f"https://127.0.0.1:{port}", "enter")
        session.until("self-signed")
        session.until(CERTIFICATES_PROMPT)
        session.press(str(tmp_path / "nothing.pem"), "enter")
        session.until("cannot be read")
        session.until(lambda text: text.count(CERTIFICATES_PROMPT) == 2)
        session.press(str(certificate), "enter")
        session.until("web page instead")
        # What is pressed before a question is there is thrown away.
        session.until(lambda text: text.count(ADDRESS_PROMPT) == 2)
        session.press("ctrl+c")
        session.until(NOTHING_SAVED)
