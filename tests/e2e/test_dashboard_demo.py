"""`platui demo` as a user has it: a terminal, keys, and nothing left behind."""

from __future__ import annotations

import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from tests.support.processes import emulator_of, is_gone, running_below, wait_until
from tests.support.session import PROGRAM, Session, at_home
from tests.support.walk import WALK, log_lines, shows_jobs, shows_pipelines, spent
from tests.texts.dialogs import NO_MATCHES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Session]:
    """Return the demo, which opens on the board; gone to the pipelines of something red."""
    with Session("demo", home=tmp_path) as session:
        session.until(lambda text: " broken" in text and "req/min" in text)
        _, platform = emulator_of(session.process)
        session.press(":", f"pipelines {platform.project}", "enter")
        session.until(shows_pipelines)
        yield session


def files_below(folder: Path) -> list[Path]:
    """Return every file that was left."""
    return [path for path in folder.rglob("*") if not path.is_dir()]


def test_from_a_red_project_to_the_line_that_says_why(demo: Session, tmp_path: Path) -> None:
    """Keys only; afterwards the terminal is itself, no process runs and no file is left."""
    emulator, _ = emulator_of(demo.process)
    before = spent(demo)
    for step in WALK:
        step(demo)
    assert spent(demo) >= before + 10
    demo.press("q")
    demo.until(shows_jobs)
    demo.press("q")
    demo.until(shows_pipelines)
    demo.press("q")
    demo.until("NAMESPACE")
    demo.press("q")
    assert demo.end() == 0
    assert demo.terminal_is_itself()
    assert is_gone(emulator)
    assert files_below(tmp_path) == []


def test_the_log_of_a_running_job_grows(demo: Session) -> None:
    """It follows its end, lets go when one scrolls up, and `G` takes it up again."""
    _, platform = emulator_of(demo.process)
    pipeline = platform.start_pipeline()
    demo.press("r")
    demo.until(f"#{pipeline}")
    demo.press("/", str(pipeline))
    demo.until(lambda text: "1 match" in text or "1 of" in text)
    demo.press("enter")
    demo.until(f"/{pipeline} hides")
    demo.press("enter")
    demo.until(lambda text: f"› #{pipeline}" in text and "● running" in text, seconds=60)
    demo.press("/", "running")
    demo.until(" of ")
    demo.press("enter")
    demo.until("/running hides")
    demo.press("enter")
    demo.until("following")
    first = log_lines(demo)
    demo.until(lambda _: log_lines(demo) > first)
    demo.press("pgup", "pgup")
    demo.until(lambda text: "G resumes" in text or " lines 1–" in text)
    demo.press("G")
    demo.until("following")


def test_areas_filter_commands_and_help(demo: Session) -> None:
    """`2 3 4`, `/`, `:`, `?`, esc, and a size that changes."""
    project = demo.screen.lines[0].split(" › ")[0].split()[-1]
    demo.press("4")
    demo.until(lambda text: "STAGE" in text and "TIMELINE" in text)
    demo.press("3")
    demo.until("COMMIT")
    demo.press("2")
    demo.until("NAMESPACE")
    demo.press("/", project)
    demo.until(lambda text: f"1 of {text.split(' projects')[0].split()[-1]}" in text)
    demo.press("enter")
    demo.until(re.compile(rf"/{project[:8]}\S* hides \d").search)
    demo.press("esc")
    demo.until(lambda text: "hides" not in text)
    demo.press(":", "requests", "enter")
    demo.until("REQUEST")
    demo.press("?")
    demo.until("type to search")
    demo.press("favour")
    demo.until(NO_MATCHES)
    demo.press("esc")
    demo.until(lambda text: "╭" not in text)
    demo.press(":", "pojects", "enter")
    demo.until("Did you mean :projects?")
    demo.press("esc")
    demo.resize(120, 40)
    demo.until(lambda _: demo.screen.lines[-1].rstrip().endswith("? help"))
    demo.press(":", "q", "enter")
    assert demo.end() == 0
    assert demo.terminal_is_itself()


def test_an_idle_demo_writes_nothing(demo: Session) -> None:
    """No cursor blinks, no age ticks by the second; a pipeline of the demo may change."""
    for _ in range(5):
        demo.settle(quiet=1.5)
        if demo.listen(2.0) == 0:
            return
    raise AssertionError(f"something is written every two seconds\n{demo.text}")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_platform_of_a_demo_ends_with_it(
    demo: Session, tmp_path: Path, number: signal.Signals
) -> None:
    """However the demo ends; a kill leaves it no time to tidy up."""
    emulator, _ = emulator_of(demo.process)
    demo.process.send_signal(number)
    demo.end()
    assert wait_until(lambda: is_gone(emulator))
    assert files_below(tmp_path) == []


def test_without_a_terminal_it_prints_a_summary(tmp_path: Path) -> None:
    """Projects, pipelines, the failed job and the end of its log: data on stdout, exit 0."""
    done = subprocess.run(
        [*PROGRAM, "demo"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**at_home(tmp_path), "TERM": "dumb", "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert "60 projects" in done.stdout
    assert re.search(r"^  ✖ failed +#\d+", done.stdout, re.MULTILINE)
    assert "ERROR: Job failed" in done.stdout
    assert "\x1b" not in done.stdout
    assert len(done.stderr.splitlines()) == 1
    assert files_below(tmp_path) == []
    assert running_below(tmp_path) == []
