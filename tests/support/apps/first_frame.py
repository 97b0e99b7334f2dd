"""`platui`, writing down what is imported at the moment its first row goes to the terminal.

`FIRST_FRAME_SIGN` is a text of that row, `FIRST_FRAME_MARK` the file to write to.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from platui.ui.terminal import driver

WORDS = os.environ["FIRST_FRAME_SIGN"].split()  # a frame is not written from left to right
MARK = Path(os.environ["FIRST_FRAME_MARK"])


class WatchedDriver(driver.TerminalDriver):
    """The terminal's driver, with an eye on what it writes."""

    def write(self, data: str) -> None:
        """Write, and write down the modules when the row is first among it."""
        if all(word in data for word in WORDS) and not MARK.exists():
            MARK.write_text("\n".join(sys.modules))
        super().write(data)


if __name__ == "__main__":
    # Before anything of the program takes the driver by its name.
    driver.TerminalDriver = WatchedDriver  # type: ignore[misc]
    from platui.cli.main import main

    sys.exit(main())
