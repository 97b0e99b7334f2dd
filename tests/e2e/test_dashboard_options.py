"""Options, terminals of every kind, and what is said to those that will not do."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.processes import Desk, emulator_process
from tests.support.session import PROGRAM, Session, at_home
from tests.support.walk import failed_job, failed_pipeline, its_log, red_project, shows_pipelines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def platform() -> Iterator[Desk]:
    """Run a platform with a quota that no test spends."""
    with emulator_process("--rate-limit", "100000") as desk:
        yield desk


def said(home: Path, *arguments: str, **environ: str) -> tuple[int, str, str]:
    """Run a command to its end; returns exit code, stdout and stderr."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env={**at_home(home), "PATH": "/usr/bin:/bin", "TERM": "xterm", **environ},
    )
    return done.returncode, done.stdout, done.stderr


def test_the_version_is_one_line(tmp_path: Path) -> None:
    """On stdout, without a terminal."""
    code, out, err = said(tmp_path, "--version")
    assert (code, err) == (0, "")
    assert out.startswith("platui ")
    assert len(out.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--profil", "x"), ("--profil", "--profile?")),
        (("--asci",), ("--asci", "--ascii?")),
        (("demoo",), ("demoo", "demo?")),
        (("emulatr", "--port", "0"), ("emulatr", "emulator?")),
        (("--url",), ("--url", "requires an argument")),
        (("--profile", "nope"), ("nope",)),
        (("--config", "/none/such.toml"), ("/none/such.toml",)),
        (("--url", "ftp://127.0.0.1"), ("--url", "https://")),
        (("demo", "extra"), ("extra",)),
        (("--\x1b]0;owned\x07",), ("No such option",)),
    ],
    ids=lambda value: " ".join(value).replace("\x1b", "ESC").replace("\x07", "BEL"),
)
def test_a_mistake_is_exit_code_2_and_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """What was meant is named where it can be guessed; stdout stays clean."""
    code, out, err = said(tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("platui: ")
    assert all(word in err for word in words), err
    assert "Traceback" not in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[profiles.prod\nurl = 1", ("config.toml", "line 1")),
        ("[profiles.prod]\nurl = 7", ("config.toml", "profiles.prod.url")),
        ("read_onyl = true", ("config.toml", "line 1", "read_onyl", "read_only")),
        (
            "[profiles.prod]\nurl = 'https://a.example'\nprodution = true",
            ("line 3", "prodution", "production"),
        ),
    ],
)
def test_a_broken_config_names_file_and_key(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    """And the nearest key there is."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text)
    code, out, err = said(tmp_path)
    assert (code, out) == (2, "")
    assert all(word in err for word in words), err
    assert "Traceback" not in err


def test_ascii_is_ascii_throughout(platform: Desk, tmp_path: Path) -> None:
    """Not one byte above 127 in the whole walk, dialogs and toasts among it."""
    with Session("--ascii", home=tmp_path, environ=platform.environ()) as session:
        session.until("esc not now")
        session.press("esc")
        session.until("60 projects")
        session.press("2")
        session.until("NAMESPACE")
        for step in (red_project, failed_pipeline, failed_job, its_log):
            step(session)
        session.press("?")
        session.until("type to search")
        session.press("esc")
        session.until(lambda text: "type to search" not in text and " lines " in text)
        session.press(":", "nonsense", "enter")
        session.until("Nothing found")
        session.press("esc")
        session.until(lambda text: "Nothing found" not in text)
        session.press(":", "q", "enter")
        assert session.end() == 0
        assert session.kept.getvalue().isascii()
        assert "x failed" in session.written


def test_utc_is_said_where_times_are(platform: Desk, tmp_path: Path) -> None:
    """Details show moments in UTC rather than in the zone of the machine."""
    environ = {**platform.environ(), "TZ": "Asia/Kolkata"}
    address = f"{platform.base_url}/{platform.project}/-/pipelines"
    for options, zone in (((), "IST"), (("--utc",), "UTC")):
        # So high that the times are in sight however much stands before them.
        with Session(*options, address, home=tmp_path, environ=environ, size=(80, 50)) as session:
            session.until(lambda text: shows_pipelines(text) and "● live" in text)
            session.press("d")
            moment = rf"(committed|created) +\d\d \w{{3}} [\d:]{{8}} {zone} ·"
            session.until(re.compile(moment).search)
            session.press("ctrl+c")
            assert session.end() == 0


def test_a_console_gets_what_it_can_show(platform: Desk, tmp_path: Path) -> None:
    """`TERM=linux`: sixteen colours, ASCII, no mouse; and the walk goes to its end."""
    environ = {**platform.environ(), "TERM": "linux"}
    with Session(home=tmp_path, environ=environ) as session:
        session.until("esc not now")
        session.press("esc")
        session.until("60 projects")
        session.press("2")
        session.until("NAMESPACE")
        red_project(session)
        failed_pipeline(session)
        session.press("ctrl+c")
        assert session.end() == 0
        assert session.kept.getvalue().isascii()
        assert "\x1b[?1000h" not in session.written
        assert "38;5;" not in session.written
        assert "38;2;" not in session.written


def test_without_colour_everything_can_be_read(platform: Desk, tmp_path: Path) -> None:
    """`NO_COLOR`: the terminal's own two colours, and the cursor's row is still told apart."""
    environ = {**platform.environ(), "NO_COLOR": "1"}
    address = f"{platform.base_url}/{platform.project}/-/pipelines"
    with Session(address, home=tmp_path, environ=environ) as session:
        session.until(shows_pipelines)
        session.settle()
        cells = list(session.screen.cells())
        assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
        assert any(cell.reverse for cell in cells)
        assert not all(cell.reverse for cell in cells)
        session.press("?")
        session.until("type to search")
        session.settle()
        assert all(cell.fg == cell.bg == "default" for cell in session.screen.cells())
        session.press("ctrl+c")
        assert session.end() == 0


@pytest.mark.parametrize("arguments", [(), ("https://platform.example.com/a/b",)])
def test_a_terminal_without_a_screen_is_refused(
    platform: Desk, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    """`TERM=dumb` gets a sentence, not one escape sequence."""
    environ = {**platform.environ(), "TERM": "dumb"}
    with Session(*arguments, home=tmp_path, environ=environ) as session:
        assert session.end() == 2
        assert "TERM=dumb" in session.written
        assert "\x1b" not in session.written


def test_piped_text_is_not_taken_for_keys(platform: Desk, tmp_path: Path) -> None:
    """Without a terminal to read from, nothing starts that could not be quit."""
    code, out, err = said(tmp_path, **platform.environ())
    assert (code, out) == (2, "")
    assert "not a terminal" in err


def test_the_address_of_a_job_opens_its_log(platform: Desk, tmp_path: Path) -> None:
    """As it is pasted from a chat; `esc` leads up from there."""
    path = platform.project.replace("/", "%2F")
    jobs = platform.get(f"projects/{path}/jobs?scope[]=failed&per_page=1").json()
    with Session(jobs[0]["web_url"], home=tmp_path, environ=platform.environ()) as session:
        session.until("ERROR: Job failed")
        session.until(f"› {jobs[0]['name']}")
        session.press("esc")
        session.until("STAGE")
        session.press(":", "q", "enter")
        assert session.end() == 0


def test_a_project_and_pipeline_open_its_jobs(platform: Desk, tmp_path: Path) -> None:
    """As one word, `acme/etl#4711`."""
    path = platform.project.replace("/", "%2F")
    jobs = platform.get(f"projects/{path}/jobs?scope[]=failed&per_page=1").json()
    word = f"{platform.project}#{jobs[0]['pipeline']['id']}"
    with Session(word, home=tmp_path, environ=platform.environ()) as session:
        session.until("STAGE")
        session.until(f"#{jobs[0]['pipeline']['id']}")
        session.until(jobs[0]["name"])
        session.press(":", "q", "enter")
        assert session.end() == 0


def test_the_address_of_another_host_is_refused(platform: Desk, tmp_path: Path) -> None:
    """No request goes there; the platform of the profile is named."""
    address = "https://elsewhere.example.com/acme/x/-/jobs/1"
    with Session(address, home=tmp_path, environ=platform.environ()) as session:
        assert session.end() == 2
        assert address in session.written.replace("\r\n", "")
        assert platform.base_url in session.written.replace("\r\n", "")
        assert "platui init" in session.written.replace("\r\n", "")
