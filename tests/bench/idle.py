"""What the dashboard writes while nothing happens: `python -m tests.bench.idle`.

The emulated company's time stands still, so that every answer is like the one before,
and the dashboard polls on, at pipelines so old that their ages are told in days. Nothing
may reach the terminal.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.bench.program import dashboard, emulator

if TYPE_CHECKING:
    from collections.abc import Mapping


_PAGE_DOWN: Final = b"\x1b[6~"
_PAGES: Final = 4


def requests_of(platform: Mapping[str, str]) -> int:
    """Return how many requests the emulator has had."""
    with urllib.request.urlopen(f"{platform['base_url']}/-/emulator/requests") as answer:  # noqa: S310  (our own emulator)
        return len(json.load(answer)["requests"])


def main() -> None:
    """Let the dashboard come to rest, then count its bytes and its requests."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--settle", type=float, default=65, help="seconds before counting")
    parser.add_argument("--seconds", type=float, default=30, help="seconds of counting")
    options = parser.parse_args()
    with (
        emulator("--speed", "0") as platform,
        tempfile.TemporaryDirectory() as home,
        dashboard(
            platform, Path(home), f"{platform['base_url']}/{platform['project']}"
        ) as terminal,
    ):
        terminal.wait_quiet(2.0, limit=30)
        for _ in range(_PAGES):
            terminal.key(_PAGE_DOWN)
        # The gauge shows the requests of the last minute: it is level after one.
        terminal.listen(options.settle)
        asked = requests_of(platform)
        written = terminal.listen(options.seconds)
        asked = requests_of(platform) - asked
    verdict = "met" if written == 0 else "MISSED"
    print(f"Idle for {options.seconds:.0f} s, {asked} requests sent")
    print(f"  {written} bytes, aim 0: {verdict}")


if __name__ == "__main__":
    main()
