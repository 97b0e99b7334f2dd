"""Every screen, dialog and toast on a platform whose every text is an attack, in a terminal.

What is written may hold the sequences that the program itself needs, and no other; what stands
between them is text that hides and moves nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.support.clock import FakeClock
from tests.support.platform import running_platform
from tests.support.sequences import OURS, UNSEEN, between, copied, kinds, told
from tests.support.session import Session
from tests.texts.dialogs import CLOSE, PALETTE
from tests.texts.screens import STATUS_LOADED

if TYPE_CHECKING:
    from pathlib import Path

    from platui_emulator.server import RunningEmulator

WALK: Final = (
    # keys, and a word of ours that is there when they have done what they do
    ("", "esc not now"),
    ("\x1b", "2  open"),
    ("2", STATUS_LOADED),
    ("d", "esc back"),
    ("q", "enter open"),
    ("i", " raw "),
    ("q", "enter open"),
    ("S", "Sort by"),
    ("\x1b", "enter open"),
    ("Y", "Copy"),
    ("\x1b", "enter open"),
    ("y", ""),
    ("o", ""),
    ("*", "★"),
    ("\t", "enter"),
    ("\t", "enter open"),
    ("/", " of "),
    ("e\r", "hides"),
    ("\x1b", "enter open"),
    ("\r", "successful"),
    ("d", "esc back"),
    ("G", "esc back"),
    ("q", "enter open"),
    ("i", " raw "),
    ("G", " raw "),
    ("q", "enter open"),
    ("Y", "Copy"),
    ("\x1b", "enter open"),
    ("p", "full-ci.yml"),  # the file itself where the pipeline tells it, else a list
    ("\x1b", "? help"),
    (":file full-ci.yml\r", "esc back"),
    ("@", "type to search"),
    ("\r", "esc back"),
    ("y", "Copy"),
    ("\x1b", "esc back"),
    (":{red}\r", "━"),  # of a job that is there: keys before it have nothing to act on
    ("d", "esc back"),
    ("G", "esc back"),
    ("q", "TIMELINE"),
    ("i", " raw "),
    ("q", "TIMELINE"),
    ("D", "Artifacts of"),
    ("\x1b", "TIMELINE"),
    ("a", "PIPELINE"),
    ("a", "TIMELINE"),
    ("\r", "lines"),
    ("g", "lines 1"),
    ("\x1b[6~", "lines"),
    ("#", "lines"),
    ("\x1b[C\x1b[C", "lines"),
    ("d", "esc back"),
    ("q", "lines"),
    ("D", "Artifacts of"),
    ("\x1b", "lines"),
    ("?", "Keys"),
    ("\x1b", "lines"),
    ("\x10", PALETTE),
    ("\x1b", "lines"),
    (":nonsense\r", "Nothing found"),
    ("\x1b", "lines"),
    (":requests\r", "MS"),
    ("A", "token"),
    ("\x1b", "MS"),
    ("2", STATUS_LOADED),
    ("u", STATUS_LOADED),
)


def red_pipeline(platform: RunningEmulator) -> str:
    """Return the address of a pipeline in which a job failed."""
    world, project = platform.platform.world, platform.platform.showcase
    now = platform.platform.time.now()
    found, _ = world.pipelines.page(project.id, now, offset=0, limit=50, status="failed")
    red = next(
        one for one in found if world.pipelines.jobs(project.id, one.id, now, with_retried=False)
    )
    return f"{platform.base_url}/{project.full_path}/-/pipelines/{red.id}"


def walked(platform: RunningEmulator, home: Path) -> str:
    """Walk through everything; return all that the program wrote."""
    red = red_pipeline(platform)
    environ = {"PLATUI_URL": platform.base_url, "PLATUI_TOKEN": platform.token}
    with Session(home=home, environ=environ, size=(80, 24)) as session:
        for keys, word in WALK:
            session.press(keys.replace("{red}", red))
            session.until(word or "enter open")
            if keys == "\x1b":  # the words of the view stand below a menu that is still open
                session.until(lambda text: CLOSE not in text)
            session.settle(0.1)
            assert "Traceback" not in session.text, (keys, word)
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
        return session.kept.getvalue().decode()  # strictly: all of it is UTF-8


def test_a_hostile_platform_commands_nothing(tmp_path: Path) -> None:
    """No sequence but our own, no text that hides or moves another, alive at the end."""
    with running_platform(clock=FakeClock(), scenario="hostile") as platform:
        written = walked(platform, tmp_path)
    assert kinds(written) - OURS == set()
    assert UNSEEN.findall(between(written)) == []
    assert copied(written)
    assert not [text for text in (*copied(written), *told(written)) if UNSEEN.search(text)]
    assert told(written)
    # Their markup is there, as it was written.
    assert "[@click=app.quit]" in between(written)
