"""Commands that save are killed, meet disks that take no more, and each other."""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.attack.cases import combined
from tests.attack.disk_harms import HARMS, possible_harms
from tests.attack.disk_home import Home, some_act
from tests.support.processes import emulator_process

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.attack.cases import Case
    from tests.support.processes import Desk

MOST_WORKERS: Final = 4
_SERIES: Final = 40
_COMMANDS: Final = 8
"""Commands of a series, in one home."""
_AT_ONCE: Final = 3
_GROUP: Final = "acme/platform/"


def cases(_: int, __: float) -> Iterator[list[Case]]:
    """Yield the cases; the platform runs until the generator is closed."""
    with (
        emulator_process("--speed", "0", "--rate-limit", "100000") as platform,
        tempfile.TemporaryDirectory() as folder,
    ):
        watching = Path(folder, "home")
        watching.mkdir()
        first = Home(watching, platform)
        first.run("triage", "watch", _GROUP)
        broken = json.loads(first.run("triage", "--json").out)["broken"]
        # Starts of pipelines may change what is broken in their project.
        incidents = [one["incident"] for one in broken if platform.project not in json.dumps(one)]
        survives = partial(_survives, watching, platform, incidents)
        yield combined(survives, possible_harms(), range(_SERIES))


def _survives(
    watching: Path, platform: Desk, incidents: Sequence[str], name: str, seed: int
) -> str:
    chance = random.Random(f"{name}{seed}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "home")
        place.mkdir()
        with HARMS[name](place) as harm:
            shutil.copytree(watching, harm.home, dirs_exist_ok=True)
            home = Home(place, platform, harm.inside, harm.damages, harm.fills)
            for number in range(_COMMANDS):
                acts = [
                    some_act(chance, incidents, f"{seed}-{number}-{one}", platform)
                    for one in range(_AT_ONCE if name == "others at once" else 1)
                ]
                if chance.random() < 0.3:
                    fault = home.do(acts, {})
                else:
                    with harm.strike(chance) as harmed:
                        fault = home.do(acts, harmed)
                if fault:
                    return fault
            return home.missing()
