"""Logs of failed jobs in words that no rule knows, each with a log of an earlier success."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_SYLLABLES: Final = (
    "zor", "bim", "quax", "flen", "dro", "mip", "tul", "vash", "gri", "nol", "pex", "sku", "wam",
    "yit", "hob", "cla",
)  # fmt: skip


class InventedLog(NamedTuple):
    """A failed job's log, its cause, and the log of a run that succeeded."""

    failed: bytes
    successful: bytes
    cause: str
    """The line that an engineer would call the cause."""


class _Writer:
    def __init__(self, dice: Random) -> None:
        self._dice = dice
        self._steps = [f"{self.word()} {self.word()}" for _ in range(dice.randint(3, 12))]
        self._places = [f"{self.word()}.{self.word()}" for _ in range(4)]
        self._is_stamped = dice.random() < 0.4
        goodbyes = dice.choice((0, 0, 0, 0, 0, 0, 1))
        self._goodbye = [f"{self.word()} {self.word()} put away" for _ in range(goodbyes)]
        self._grumble = f"ERROR: {self.word()} has no {self.word()}, using the default"
        self._grumbles = dice.random() < 0.1

    def word(self) -> str:
        """Return an invented word."""
        return "".join(self._dice.choices(_SYLLABLES, k=self._dice.randint(2, 3)))

    def progress(self, until: int) -> list[str]:
        """Return what the program prints while all is well."""
        lines = [f"$ ./{self._places[0].partition('.')[0]} --all"]
        for number, step in enumerate(self._steps[:until]):
            if self._grumbles and number == 1:
                lines.append(self._grumble)
            for part in range(self._dice.randint(1, 4)):
                size, seconds = self._dice.randint(10_000, 99_999), self._dice.random() * 90
                lines.append(f"{step} part {part} took {seconds:.2f}s, {size} items")
        return lines

    def stamped(self, lines: list[str], hour: int) -> list[str]:
        """Return lines with the time before them, in a log that has one."""
        if not self._is_stamped:
            return lines
        return [
            f"2026-03-{hour + 1:02d}T{hour:02d}:{at // 60 % 60:02d}:{at % 60:02d}Z {line}"
            for at, line in enumerate(lines)
        ]

    def goodbye(self) -> list[str]:
        """Return what the program prints at every end."""
        return self._goodbye

    def sentence(self) -> str:
        """Return how a program might say that it cannot go on."""
        subject, verb, what = self.word(), self.word(), self.word()
        number = self._dice.randint(2, 900)
        return self._dice.choice(
            [
                f"{subject} {number} did not {verb} the {what}",
                f"{subject}: {what} is no {verb}",
                f"the {subject} of {what} was {verb}ed by '{self.word()}'",
                f"{subject.upper()}-{number} {verb} {what}",
                f"<{subject}> wants {verb}, {what} has none",
            ]
        )

    def frames(self) -> list[str]:
        """Return where in the program it was."""
        return [f"    in {place}({self.word()}) : {self._dice.randint(1, 400)}"
                for place in self._places]  # fmt: skip


def _plain(writer: _Writer, said: str) -> list[str]:
    return [said]


def _detailed(writer: _Writer, said: str) -> list[str]:
    return [said, *(f"  {writer.word()} = {writer.word()}" for _ in range(3))]


def _traced(writer: _Writer, said: str) -> list[str]:
    return [said, *writer.frames()]


def _traced_before(writer: _Writer, said: str) -> list[str]:
    return ["Where it was (newest last):", *writer.frames(), said]


def _headed(writer: _Writer, said: str) -> list[str]:
    return [f"{writer.word()} {writer.word()}:", f"  {said}"]


def _undone(writer: _Writer, said: str) -> list[str]:
    return [said, f"{writer.word()} {writer.word()} undone", f"{writer.word()} left as it was"]


_WAYS: Final[tuple[Callable[[_Writer, str], list[str]], ...]] = (
    _plain, _plain, _plain, _detailed, _detailed, _traced, _traced, _traced_before, _headed,
    _undone,
)  # fmt: skip


def invented_log(seed: int) -> InventedLog:
    """Return the log of a job that a program in invented words failed."""
    dice = Random(seed)
    writer = _Writer(dice)
    said = writer.sentence()
    steps = len(writer._steps)
    end = dice.choice(_WAYS)(writer, said)
    failed = writer.stamped(
        [*writer.progress(dice.randint(1, steps)), *end, *writer.goodbye()], dice.randint(0, 11)
    )
    well = writer.stamped([*writer.progress(steps), *writer.goodbye()], dice.randint(12, 23))
    with_sections = dice.random() < 0.5
    has_aftermath = dice.random() < 0.5
    return InventedLog(
        _job(failed, "ERROR: Job failed: exit code 1", dice, with_sections, has_aftermath),
        _job(well, "Job succeeded", dice, with_sections, has_aftermath),
        said,
    )


def _job(
    lines: list[str],
    verdict: str,
    dice: Random,
    with_sections: bool,  # noqa: FBT001  (drawn by chance)
    has_aftermath: bool,  # noqa: FBT001  (the same)
) -> bytes:
    """Return a log as a runner writes it around a script."""
    runner = f"Running with gitlab-runner 17.4.0 (b{dice.randint(10**6, 10**7)})"
    after = ["Running after_script", "$ ./bring_home", "brought home"] if has_aftermath else []
    if not with_sections:
        start, between = ['Executing "step_script" stage of the job script'], after
    else:
        start = [f"section_start:{1773457200}:step_script\r\x1b[0KExecuting the script"]
        between = [f"section_end:{1773457300}:step_script\r\x1b[0K"]
        if has_aftermath:
            between[0] += f"section_start:{1773457300}:after_script\r\x1b[0K{after[0]}"
            between += [*after[1:], f"section_end:{1773457310}:after_script\r\x1b[0K"]
    end = ["Cleaning up project directory and file based variables", verdict]
    return "\n".join([runner, *start, *lines, *between, *end, ""]).encode()
