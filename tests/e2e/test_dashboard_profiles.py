"""Two profiles in one terminal: the shell is never seen between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.support.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from platui_emulator.server import RunningEmulator


@pytest.mark.variants("default", reason="one variant is enough for a terminal")
def test_going_over_does_not_leave_the_terminal(
    still_platform: RunningEmulator, narrow_platform: RunningEmulator, tmp_path: Path
) -> None:
    """One screen is entered and left, modes are balanced, and a signal still leaves in order."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        'default_profile = "prod"\n'
        f'[profiles.prod]\nurl = "{still_platform.base_url}"\nproduction = true\n'
        f'token = "{still_platform.token}"\n'
        f'[profiles.staging]\nurl = "{narrow_platform.base_url}"\n'
        f'token = "{narrow_platform.token}"\n'
    )
    config.chmod(0o600)
    with Session(home=tmp_path) as session:
        session.until("esc not now")
        session.press("esc")
        session.until(lambda text: "esc not now" not in text and " prod " in text)
        session.press(":", "profile staging", "enter")
        session.until(" staging ")
        session.until("esc not now")
        session.press("esc")
        session.until(lambda text: "esc not now" not in text and " staging " in text)
        assert "\x1b[?1049l" not in session.written
        session.process.terminate()
        assert session.end() == 143
        assert session.terminal_is_itself()
        for mode in ("\x1b[?1049h", "\x1b[?1049l", "\x1b[<u"):
            assert session.written.count(mode) == 1, repr(mode)
        assert still_platform.token not in session.written
        assert narrow_platform.token not in session.written


@pytest.mark.variants("default", reason="one variant is enough for a terminal")
def test_a_profile_with_a_fixed_theme_gets_no_reports_of_the_background(
    still_platform: RunningEmulator, tmp_path: Path
) -> None:
    """They would arrive at the shell after the end."""
    config = tmp_path / ".config/platui/config.toml"
    config.parent.mkdir(parents=True)
    own = f'url = "{still_platform.base_url}"\ntoken = "{still_platform.token}"\n'
    config.write_text(
        'default_profile = "prod"\n'
        f'[profiles.prod]\ntheme = "auto"\n{own}'
        f'[profiles.staging]\ntheme = "platui-dark"\n{own}'
    )
    config.chmod(0o600)
    with Session(home=tmp_path) as session:
        session.until("esc not now")
        session.press("\x1b[?2031;2$y", "esc")  # a terminal that can report it
        session.until(lambda text: "esc not now" not in text and " prod " in text)
        assert "\x1b[?2031h" in session.written
        session.press(":", "profile staging", "enter")
        session.until(lambda text: " staging " in text.splitlines()[0])
        assert session.written.count("\x1b[?2031l") == 1
        session.press("ctrl+c")
        assert session.end() == 0
        assert session.terminal_is_itself()
