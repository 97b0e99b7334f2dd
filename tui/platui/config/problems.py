"""What is wrong with a configuration: every fault at once, each with its place and its remedy."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from platui.core.errors import ConfigError
from platui.core.text import as_sentence, clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


class Weight(StrEnum):
    """What a fault does to a start."""

    REFUSED = "refused"
    """Nothing starts: going on might write, send or lose what its owner meant to protect."""
    IGNORED = "ignored"
    """It starts as if the key were not there, and says so."""
    NOTED = "noted"
    """Nothing is wrong with the file itself; `platui config check` says it."""


class Problem(NamedTuple):
    """One fault."""

    key: str
    """Dotted, as `profiles.prod.url`; empty where the whole file is meant."""
    what: str
    """The rest of a sentence that begins with the key."""
    remedy: str = ""
    """A sentence of its own."""
    weight: Weight = Weight.REFUSED
    line: int | None = None
    """Of the file, the first is 1; None where it cannot be told."""

    def __str__(self) -> str:
        sentence = as_sentence(f"{self.key} {self.what}".strip())
        return clean(f"{sentence} {self.remedy}".strip())


class InvalidConfigError(ConfigError):
    """A config.toml with faults that nothing starts with.

    Attributes:
        file: which file.
        problems: each fault; the sentence holds them all.
    """

    default_hint = "platui config check looks at the file again."

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        if len(self.problems) == 1:
            super().__init__(told(file, self.problems[0]))
        else:
            lines = [at_line(one) + str(one) for one in self.problems]
            super().__init__("\n".join([clean(f"{file}: {len(self.problems)} problems"), *lines]))


def told(file: Path, problem: Problem) -> str:
    """Return a fault as one line that names file, line, key and remedy."""
    return clean(f"{file}: {at_line(problem)}{problem}")


def at_line(problem: Problem) -> str:
    """Return where a fault is, to stand before it; nothing where that cannot be told."""
    return "" if problem.line is None else f"line {problem.line}: "


def ignored(file: Path, problems: Sequence[Problem]) -> ConfigError:
    """Return what is said at a start that leaves keys out of account."""
    if len(problems) == 1:
        return ConfigError(told(file, problems[0]), hint="It is as if it were not there.")
    keys = ", ".join(one.key for one in problems[:3])
    more = "" if len(problems) <= 3 else f" and {len(problems) - 3} more"  # noqa: PLR2004  (above)
    return ConfigError(
        clean(f"{file}: {len(problems)} keys are not used: {keys}{more}."),
        hint="platui config check says what is wrong with each.",
    )


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the known name that looks most like another one; empty where none does.

    Args:
        name: what was written.
        known: what could be meant.
        cutoff: how much alike they must be, 0 to 1.
    """
    from difflib import get_close_matches  # noqa: PLC0415  (only a mistake pays for it)

    matches = get_close_matches(name.lower(), sorted(known), n=1, cutoff=cutoff)
    return matches[0] if matches else ""


def meant(near: str) -> str:
    """Return the remedy that names what was probably meant."""
    return f"Did you mean {near}?" if near else ""
