"""A finding of `platui doctor`: status, text and fix."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from platui.cli.exit_codes import Exit, exit_code_of, hint_of
from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from platui.config.profile import Profile
    from platui.core.errors import PlatuiError

SCHEMA: Final = "platui.doctor/1"


class Level(StrEnum):
    """How well something is."""

    OK = "ok"
    WARNING = "warning"
    """It works, and may not for long or not as meant."""
    FAILED = "failed"
    SKIPPED = "skipped"
    """It was not looked at; `what` says why."""


GLYPHS: Final[Mapping[Level, tuple[str, str]]] = {
    Level.OK: ("✔", "+"),
    Level.WARNING: ("▲", "!"),
    Level.FAILED: ("✖", "x"),
    Level.SKIPPED: ("»", ">"),
}
"""Of each level its sign, and that of a terminal without such letters."""

_COLOURS: Final[Mapping[Level, str]] = {
    Level.OK: "32",
    Level.WARNING: "33",
    Level.FAILED: "31",
    Level.SKIPPED: "2",
}
_LEVELS: Final = 7
"""Cells of the longest word of a level."""
_NAMES: Final = 11
_MARGIN: Final = 2 + _LEVELS + 1 + _NAMES + 1
_NARROWEST: Final = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    """Which, in one word; several findings may be of one thing."""
    level: Level
    what: str
    """Clean, one line; no secret."""
    remedy: str = ""
    """What to do about it; empty where nothing is to be done."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same for programs: JSON values by names that stay."""
    code: Exit = Exit.DONE
    """Where it failed: what a script is told."""

    def as_object(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "status": self.level.value,
            "what": self.what,
            "remedy": self.remedy or None,
            "facts": dict(self.facts),
        }


def works(name: str, what: str, remedy: str = "", /, **facts: Any) -> Finding:
    """Return what was found of something that works: a warning where there is a remedy."""
    level = Level.WARNING if remedy else Level.OK
    return Finding(name, level, clean(what), clean(remedy), facts)


def failed(name: str, what: str, remedy: str, code: Exit = Exit.USAGE, /, **facts: Any) -> Finding:
    return Finding(name, Level.FAILED, clean(what), clean(remedy), facts, code)


def skipped(name: str, why: str, /, **facts: Any) -> Finding:
    return Finding(name, Level.SKIPPED, clean(why), facts=facts)


def failure(name: str, error: PlatuiError, remedy: str = "", /, **facts: Any) -> Finding:
    return failed(name, error.sentence, remedy or hint_of(error), exit_code_of(error), **facts)


def init_of(profile: Profile) -> str:
    """Return the command that gives a profile another token; of an address alone makes one."""
    return "platui init" if profile.ephemeral else f"platui init {clean(profile.name)}"


def exit_of(findings: Iterable[Finding]) -> Exit:
    """Return the exit code: that of what failed first; what came later may come of it."""
    codes = (one.code for one in findings if one.level is Level.FAILED)
    return next(codes, Exit.DONE)


def lines_of(finding: Finding, width: int, *, ascii_only: bool, coloured: bool) -> Iterator[str]:
    """Yield sign, word, name, what; below it the remedy. `width` is in cells; 0: no limit."""
    sign = f"{GLYPHS[finding.level][ascii_only]} {finding.level.value:<{_LEVELS}}"
    if coloured:
        sign = f"\x1b[{_COLOURS[finding.level]}m{sign}\x1b[0m"
    head = f"{sign} {finding.name:<{_NAMES}} "
    for line in _wrapped(finding.what, width):
        yield (head + line).rstrip()
        head = " " * _MARGIN
    arrow = "-> " if ascii_only else "→ "
    for line in _wrapped(finding.remedy, width - len(arrow) if width else 0):
        yield f"{' ' * _MARGIN}{arrow}{line}"
        arrow = " " * len(arrow)


def summary(findings: Iterable[Finding]) -> str:
    levels = [one.level for one in findings]
    count, warned = levels.count(Level.FAILED), levels.count(Level.WARNING)
    told = [f"{count} failed"] * bool(count)
    told += [f"{warned} {'warning' if warned == 1 else 'warnings'}"] * bool(warned)
    return f"{', '.join(told)}." if told else "All is well."


def _wrapped(text: str, width: int) -> list[str]:
    if not text or not width:
        return [text] if text else []
    room = max(_NARROWEST, width) - _MARGIN
    return textwrap.wrap(text, room, break_on_hyphens=False)
