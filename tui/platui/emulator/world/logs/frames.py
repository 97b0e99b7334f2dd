"""The first and the last words of a long log: what the runner and a failing script write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.emulator.world.ids import job_id
from platui.emulator.world.logs import runner
from platui.emulator.world.logs.failures import fail
from platui.emulator.world.logs.writing import Draft, write

if TYPE_CHECKING:
    from platui.emulator.world.chance import Chance
    from platui.emulator.world.plans import Attempt, Run

_FLAG: Final = 31
"""Where a stamped line says whether it continues the one before."""


class LastWords(NamedTuple):
    """How a log ends."""

    raw: bytes
    reasons: int
    """How many of its lines, from the first on, are the script's: they say why it failed."""


def opening(chance: Chance, run: Run, attempt: Attempt, began: int) -> bytes:
    """Return what is written up to the first words of the script, within one second."""
    draft, dice = Draft(), chance.dice("log", job_id(run.id, attempt.index))
    runner.prepare_executor(draft, dice, attempt)
    runner.prepare_script(draft, dice, run, attempt)
    runner.get_sources(draft, dice, run)
    draft.place = draft.script
    draft.command(f"python -m {run.blueprint.package}.replay --table {attempt.spec.subject}")
    return write(draft, began, began + 0.999, stamped=True).data


def last_words(run: Run, attempt: Attempt, ended: float) -> LastWords:
    """Return what is written in the last second."""
    draft = Draft()
    fail(draft, run, attempt)
    reasons = len(draft.script)
    runner.finish(draft, attempt)
    return LastWords(write(draft, ended - 0.9, ended, stamped=True).data, reasons)


def line_count(raw: bytes) -> int:
    """Return how many lines a stamped text has where continued ones are one."""
    return sum(1 for line in raw.split(b"\n") if line and line[_FLAG : _FLAG + 1] != b"+")
