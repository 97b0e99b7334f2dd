"""Every screen, dialog and toast on a platform whose every text is an attack, in a terminal.

The same keys are pressed on an honest platform: what is written there is all that may be
written here, and what stands between the sequences is text that hides and moves nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from tests.support.clock import FakeClock
from tests.support.platform import running_platform
from tests.support.sequences import UNSEEN, between, copied, kinds
from tests.support.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from platui.emulator.server import RunningEmulator

WALK: Final = (
    # keys, and a word of ours that is there when they have done what they do
    ("", "state of"),
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
    ("\r", "green"),
    ("d", "esc back"),
    ("G", "esc back"),
    ("q", "enter open"),
    ("i", " raw "),
    ("G", " raw "),
    ("q", "enter open"),
    ("Y", "Copy"),
    ("\x1b", "enter open"),
    ("p", "choose"),
    ("\r", "esc back"),
    ("@", "choose"),
    ("\r", "esc back"),
    ("y", "Copy"),
    ("\x1b", "esc back"),
    ("3", "green"),
    ("\r", "TIMELINE"),
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
    ("\x10", "What to do"),
    ("\x1b", "lines"),
    (":nonsense\r", "There is no command"),
    (":requests\r", "MS"),
    ("A", "token"),
    ("\x1b", "MS"),
    ("2", "state of"),
    ("u", "state of"),
)


def written_on(platform: RunningEmulator, home: Path) -> str:
    """Walk through everything; return all that the program wrote."""
    environ = {"PLATUI_URL": platform.base_url, "PLATUI_TOKEN": platform.token}
    with Session(home=home, environ=environ, size=(80, 24)) as session:
        for keys, word in WALK:
            session.press(keys)
            session.until(word or "enter open")
            session.settle(0.2)
            assert "Traceback" not in session.text, (keys, word)
        session.press("q")
        assert session.end() == 0
        assert session.terminal_is_itself()
        return session.kept.getvalue().decode()  # strictly: all of it is UTF-8


@pytest.mark.parametrize("scenario", ["hostile"])
def test_a_hostile_platform_commands_nothing(scenario: str, tmp_path: Path) -> None:
    """No sequence but our own, no text that hides or moves another, alive at the end."""
    with running_platform(clock=FakeClock()) as platform:
        honest = written_on(platform, tmp_path / "honest")
    with running_platform(clock=FakeClock(), scenario=scenario) as platform:
        attacked = written_on(platform, tmp_path / "attacked")
    assert kinds(attacked) - kinds(honest) == set()
    assert UNSEEN.findall(between(attacked)) == []
    assert copied(attacked)
    assert not [text for text in copied(attacked) if UNSEEN.search(text)]
    # Their markup is there, as it was written.
    assert "[@click=app.quit]" in between(attacked)
